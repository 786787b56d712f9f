"""Inference with the Universum (Weston, Collobert, Sinz, Bottou, Vapnik)."""

from . import (  # noqa: F401  (they register)
    algebra,
    beyond,
    characters,
    images,
    text,
    toy,
)
