"""The Kernel Gibbs Sampler: from recorded rows to evidence for each claim, by topic."""

from . import evidence, label_noise, limit, posterior, queries  # noqa: F401  (measures register)
