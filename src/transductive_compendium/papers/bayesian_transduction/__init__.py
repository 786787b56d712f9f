"""Bayesian Transduction (Graepel, Herbrich, Obermayer): all experiments of document 1."""

from . import cost, decisions, geometry, posterior, rejection, sampling  # noqa: F401  (they register)
