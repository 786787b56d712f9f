"""The Kernel Gibbs Sampler (Graepel, Herbrich): all experiments."""

from . import (  # noqa: F401  (they register)
    circles,
    evidence,
    label_noise,
    law,
    limit,
    posterior,
    queries,
    votes,
)
