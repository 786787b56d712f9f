"""Transductive Inference for Estimating Values of Functions (Chapelle, Vapnik, Weston)."""
