"""Large margins: transductive support vector machines, on one solver (SMO)."""

from .quadratic_programme import NotSeparableError, Solution, minimise
from .transductive_svc import TransductiveSVC

__all__ = ["NotSeparableError", "Solution", "TransductiveSVC", "minimise"]
