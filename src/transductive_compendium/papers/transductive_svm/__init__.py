"""Transductive SVMs (Joachims, as taught in LING 572)."""

from . import digits, labellings, reuters  # noqa: F401  (they register)
