"""Transductive SVMs: from recorded rows to evidence for each claim, by topic."""

from . import digits, labellings, reuters  # noqa: F401  (measures register)
