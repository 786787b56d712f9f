"""Joachims (1999), Transductive inference for text classification, as taught in LING 572."""
