"""Graepel and Herbrich (2000), "The Kernel Gibbs Sampler"."""
