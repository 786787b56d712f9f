"""The Kernel Gibbs Sampler (Graepel, Herbrich): all experiments."""

from . import circles, evidence, label_noise, law, limit, posterior, queries, votes  # noqa: F401  (they register)
