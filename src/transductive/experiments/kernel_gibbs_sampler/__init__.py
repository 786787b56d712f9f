"""The Kernel Gibbs Sampler (Graepel, Herbrich): all experiments of document 3."""

from . import label_noise, law  # noqa: F401  (they register)
