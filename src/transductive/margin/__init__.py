"""Large margins: transductive support vector machines and the U-SVM, on one solver (SMO)."""

from .quadratic_programme import NotSeparableError, Solution, minimise
from .transductive_svc import TransductiveSVC
from .universum_svc import UniversumSVC

__all__ = ["NotSeparableError", "Solution", "TransductiveSVC", "UniversumSVC", "minimise"]
