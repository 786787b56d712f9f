"""Inference with the Universum: from recorded rows to evidence for each claim, by topic."""

from . import beyond  # noqa: F401  (they register)
