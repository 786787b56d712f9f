"""The Kernel Gibbs Sampler (Graepel, Herbrich): all experiments of document 3."""

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
