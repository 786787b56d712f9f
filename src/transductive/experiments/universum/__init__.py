"""Inference with the Universum (Weston, Collobert, Sinz, Bottou, Vapnik)."""

from . import algebra, beyond  # noqa: F401  (they register)
