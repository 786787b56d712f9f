"""Transductive inference: five documents as estimators, experiments and claims."""

from .version_space import BayesianTransduction, BayesPointMachine

__all__ = ["BayesPointMachine", "BayesianTransduction"]
__version__ = "0.1.0"
