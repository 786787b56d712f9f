"""Comparison of the papers' methods on the same random splits."""
