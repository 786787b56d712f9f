"""Sizes and universa of the experiment on UNIPEN characters."""

from __future__ import annotations

#: Universa (ix) to (xii) of the poster, and none: the SVM.
NO_UNIVERSUM, UNIVERSA = "none", ("Lowcase", "Upcase", "Digits", "Symbols")
TRAINING_SIZES = (20, 50, 100, 150, 200)
#: Number of validation images, half of a and half of b, as in training.
N_VALIDATION = 200
