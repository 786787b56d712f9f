"""Graepel and Herbrich (2001), "The Kernel Gibbs Sampler"."""
