"""Sizes and names of the experiments on MNIST, 5 against 8."""

from __future__ import annotations

import json
from pathlib import Path

CLASSES = (5, 8)
#: The other digits, two at a time, as they are loaded.
PAIRS = ((0, 1), (2, 3), (4, 6), (7, 9))
DIGITS = tuple(digit for pair in PAIRS for digit in pair)
#: Universa (i) to (iv) of the poster, and none: the SVM.
NO_UNIVERSUM, UNIVERSA = "none", ("Noise", "Rest", "Gen", "Mean")
#: Training images in the first table; the table of universum sizes has the largest.
TRAINING_SIZES = (500, 1000, 2000, 3000)
#: Points of a universum in the first table. The poster does not say; in its table of sizes 0.57 and
#: 0.58 are at 5000 and 10000, and in the first table U_Mean has 0.57 at 3000 training images.
N_UNIVERSUM = 5000
UNIVERSUM_SIZES = (500, 1000, 3000, 5000, 10000)
#: Training images in the table of digits, and all training images.
DIGIT_SIZES, ALL_IMAGES = (200, 1000), 11272
#: Training images for the questions that go beyond the poster.
FURTHER_SIZES = (200, 1000)
#: Images for model selection: of the training part, outside the training subset.
N_VALIDATION = 2000
#: Random splits for the questions that go beyond the poster.
N_SPLITS = {"smoke": 1, "paper": 10, "full": 30}


def draws(experiment):
    """Number of random splits in an experiment's paper tier, which takes hours.

    The numbers are in ``draws.json``; raising one recomputes no finished unit.
    """
    numbers = Path(__file__).with_name("draws.json").read_text(encoding="utf-8")
    return json.loads(numbers)[experiment]
