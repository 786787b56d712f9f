"""Inference with the Universum: from recorded rows to evidence for each claim, by topic."""
