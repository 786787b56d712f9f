"""Loaders of data bundled with scikit-learn, which replace data sets that are not available."""

import numpy as np
from sklearn import datasets as sklearn_datasets

from .dataset_types import Dataset, RegressionDataset
from .images import DIGITS, image_dataset, two_lists
from .registry import SUBSTITUTES, PositiveClass
from .tables import content_sha256


def load_breast_cancer():
    """Load the breast cancer data bundled with scikit-learn: 569 x 30; +1 is malignant (212)."""
    source = sklearn_datasets.load_breast_cancer()
    X, codes = np.array(source.data, dtype=float), source.target.astype(np.int64)
    return Dataset(
        "breast_cancer",
        X,
        codes,
        tuple(map(str, source.feature_names)),
        {"malignant": PositiveClass((0,), ("benign", "malignant"))},
        "malignant",
        content_sha256(np.column_stack([X, codes])),
        _description("breast_cancer", "Wisconsin diagnostic breast cancer"),
        substitute=True,
    )


def load_digits(positive=(5, 6, 7, 8, 9), negative=None):
    """Load the 8 x 8 digits bundled with scikit-learn: 1797 x 64, pixels from 0 to 16.

    Parameters
    ----------
    positive : sequence of int
        The digits that are +1.
    negative : sequence of int, optional
        The digits that are -1, rows of other digits are dropped; by default all others.

    Returns
    -------
    Dataset
    """
    positive, negative = two_lists(positive, negative, *DIGITS)
    source = sklearn_datasets.load_digits()
    keep = np.isin(source.target, positive + negative)
    return image_dataset(
        "digits",
        source.data[keep].astype(float),
        source.target[keep].astype(np.int64),
        positive,
        negative,
        _description("digits", "Handwritten digits"),
        substitute=True,
    )


def load_diabetes():
    """Load the diabetes data bundled with scikit-learn: 442 x 10, progression in a year.

    Features are in their own units, without scikit-learn's default scaling.

    Returns
    -------
    RegressionDataset
    """
    source = sklearn_datasets.load_diabetes(scaled=False)
    return RegressionDataset(
        "diabetes",
        source.data,
        source.target,
        tuple(source.feature_names),
        "progression",
        content_sha256(np.column_stack([source.data, source.target])),
        _description("diabetes", "Progression of diabetes"),
        substitute=True,
    )


def _description(name, what):
    return f"{what}, bundled with scikit-learn. Terms: {SUBSTITUTES[name]}."
