"""Inference with the Universum (Weston, Collobert, Sinz, Bottou, Vapnik)."""

from . import algebra, beyond, characters, images, text, toy  # noqa: F401  (they register)
