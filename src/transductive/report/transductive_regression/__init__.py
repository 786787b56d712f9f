"""Transductive regression: from recorded rows to evidence for each claim, by topic."""

from . import algebra, beyond, classification, regression  # noqa: F401  (measures register)
