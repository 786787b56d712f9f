"""Shared by the loaders of images: choose two lists of classes, and make the data set."""

import math

import numpy as np

from .dataset_types import Dataset
from .registry import PositiveClass
from .tables import content_sha256


def two_lists(positive, negative, known, of):
    """Return two lists of classes as tuples, the second by default all the others.

    Parameters
    ----------
    positive : sequence
    negative : sequence or None
    known : sequence
        All classes of the collection.
    of : str
        Description of the classes, for the message.

    Raises
    ------
    ValueError
        If the lists are empty, overlap, or hold anything that is not known.
    """
    positive = tuple(positive)
    rest = (c for c in known if c not in positive)
    negative = tuple(rest if negative is None else negative)
    chosen = positive + negative
    distinct = len(set(chosen)) == len(chosen) and set(chosen) <= set(known)
    if not positive or not negative or not distinct:
        raise ValueError(
            f"positive={positive} and negative={negative} must be two disjoint, "
            f"non-empty lists of {of}"
        )
    return positive, negative


def image_dataset(name, X, codes, positive, negative, description, **more):
    """Return square images of two lists of digits or characters as a `Dataset`."""
    side = math.isqrt(X.shape[1])
    names = tuple(" ".join(map(str, sorted(some))) for some in (negative, positive))
    codes_of_positive = tuple(ord(c) if isinstance(c, str) else int(c) for c in positive)
    return Dataset(
        name,
        X,
        codes,
        tuple(f"pixel_{i}_{j}" for i in range(side) for j in range(side)),
        {"positive": PositiveClass(codes_of_positive, names)},
        "positive",
        content_sha256(np.column_stack([X, codes])),
        description,
        **more,
    )
