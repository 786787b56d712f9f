"""Transductive inference as scikit-learn estimators, after five papers."""

from importlib import import_module

__version__ = "2.0.0"

_HOMES = {
    "BayesPointMachine": ".version_space",
    "BayesianTransduction": ".version_space",
    "KernelGibbsSampler": ".version_space",
    "MeanOfClosest": ".margin",
    "MeanOfPairs": ".margin",
    "OtherClasses": ".margin",
    "PixelwiseEmpirical": ".margin",
    "RidgeLOO": ".leave_one_out",
    "TransductiveLinearDiscriminant": ".leave_one_out",
    "TransductiveRidge": ".leave_one_out",
    "TransductiveSVC": ".margin",
    "UniformNoise": ".margin",
    "UniversumSVC": ".margin",
    "manifold_gram": ".manifold",
    "query_loop": ".version_space",
    "query_points": ".version_space",
    "split_unlabelled": ".unlabelled_rows",
}
__all__ = [
    "BayesPointMachine",
    "BayesianTransduction",
    "KernelGibbsSampler",
    "MeanOfClosest",
    "MeanOfPairs",
    "OtherClasses",
    "PixelwiseEmpirical",
    "RidgeLOO",
    "TransductiveLinearDiscriminant",
    "TransductiveRidge",
    "TransductiveSVC",
    "UniformNoise",
    "UniversumSVC",
    "manifold_gram",
    "query_loop",
    "query_points",
    "split_unlabelled",
]


def __getattr__(name):
    # estimators import scikit-learn, which `transductive verify` does not need
    if name in _HOMES:
        return getattr(import_module(_HOMES[name], __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted([*globals(), *_HOMES])
