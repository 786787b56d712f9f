"""Large margins: transductive SVMs and the U-SVM, by SMO, or on the hyperplane if linear."""

from .quadratic_programme import NotSeparableError, Solution, minimise
from .transductive_svc import TransductiveSVC
from .universum_makers import (
    MeanOfClosest,
    MeanOfPairs,
    OtherClasses,
    PixelwiseEmpirical,
    UniformNoise,
)
from .universum_svc import UniversumSVC

__all__ = [
    "MeanOfClosest",
    "MeanOfPairs",
    "NotSeparableError",
    "OtherClasses",
    "PixelwiseEmpirical",
    "Solution",
    "TransductiveSVC",
    "UniformNoise",
    "UniversumSVC",
    "minimise",
]
