"""MNIST: whether a larger universum helps."""

from __future__ import annotations

from ...verdicts.claims import measure
from ...verdicts.rules import OrderingEvidence
from .mnist_design import TRAINING_SIZES, UNIVERSUM_SIZES
from .mnist_universa_measures import SIZE_ITEM, errors, overlap


@measure
def more_universum_helps(frames, universum):
    """Error with the smallest universum less that with the largest, by split."""
    few, many = (
        errors(frames[SIZE_ITEM], f(UNIVERSUM_SIZES), size="n_universum")[universum]
        for f in (min, max)
    )
    return OrderingEvidence(few - many, overlap(max(TRAINING_SIZES)))
