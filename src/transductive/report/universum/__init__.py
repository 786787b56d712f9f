"""Inference with the Universum: from recorded rows to evidence for each claim, by topic."""

from . import (  # noqa: F401  (they register)
    algebra,
    beyond,
    characters,
    images,
    text,
    toy,
)
