"""Transductive Inference for Estimating Values of Functions (Chapelle, Vapnik, Weston)."""

from . import algebra, beyond, boosting, classification, regression  # noqa: F401  (they register)
