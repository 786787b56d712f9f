"""Wrong universa: the gain or loss with them, at a fixed cost and at the one chosen."""

from __future__ import annotations

import numpy as np

from ...verdicts.claims import measure
from ...verdicts.rules import EquivalenceEvidence, OrderingEvidence
from .mnist_design import FURTHER_SIZES
from .mnist_universa_measures import overlap

ITEM = "universum/controls"


def control_errors(rows):
    """Errors in per cent: index draw, columns universum and method."""
    return 100.0 * rows.pivot(index="draw", columns=["universum", "method"], values="error_unseen")


@measure
def control_gain(frames, universum, method):
    """Error of the SVM less that with a universum, in percentage points."""
    table = control_errors(frames[ITEM])[universum]
    return OrderingEvidence(
        differences=table["SVM"] - table[method], test_train_ratio=overlap(max(FURTHER_SIZES))
    )


@measure
def control_loss(frames, universum, method):
    """Error with a universum less that of the SVM: above 0 where the universum does harm."""
    found = control_gain(frames, universum, method)
    return OrderingEvidence(-np.asarray(found.differences), found.test_train_ratio)


@measure
def control_equal(frames, universum, method):
    """Error of the SVM less that with a universum, said to be negligible."""
    found = control_gain(frames, universum, method)
    return EquivalenceEvidence(found.differences, found.test_train_ratio)
