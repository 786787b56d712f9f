"""Data sets: registry, download, verification, loaders, generators."""

from .errors import (
    DataDamagedError,
    DataError,
    DataMissingError,
    DataUnreachableError,
    UnknownDatasetError,
)
from .generators import (
    ANGLE_READINGS,
    ToyProblem,
    flip_labels,
    points_on_sphere,
    separable_sphere,
    toy_perceptron,
)
from .loaders import (
    Dataset,
    RegressionDataset,
    available,
    load,
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_heart,
    load_mnist,
    load_realisation,
    load_thyroid,
    load_usps,
)
from .store import fetch, verify

__all__ = [
    "ANGLE_READINGS",
    "DataDamagedError",
    "DataError",
    "DataMissingError",
    "DataUnreachableError",
    "Dataset",
    "RegressionDataset",
    "ToyProblem",
    "UnknownDatasetError",
    "available",
    "fetch",
    "flip_labels",
    "load",
    "load_breast_cancer",
    "load_diabetes",
    "load_digits",
    "load_heart",
    "load_mnist",
    "load_realisation",
    "load_thyroid",
    "load_usps",
    "points_on_sphere",
    "separable_sphere",
    "toy_perceptron",
    "verify",
]
