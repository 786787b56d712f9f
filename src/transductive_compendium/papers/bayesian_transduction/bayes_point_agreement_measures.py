"""Evidence for the claim on the version spaces of the splits."""

import numpy as np

from ...datasets.recorded_splits import partition
from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics

N_CASES = {"thyroid": 215, "heart": 270}


def _all_pairs_trained(dataset, splits):
    """Whether every two cases of a set are together in the training part of some split."""
    inside = np.zeros((len(splits), N_CASES[dataset]))
    for row, split in zip(inside, splits, strict=True):
        row[partition(len(row), split)[0]] = 1.0
    return bool((inside.T @ inside > 0).all())


@measure("bayesian_transduction/bayes_point")
def version_space_exists(frame):
    """Number of training samples with a ball in version space; 0 if some pair was in none of them.

    Version space is empty whenever equal points with different labels are in one training sample.
    """
    by_set = frame.groupby("dataset")["split"]
    seen = all(_all_pairs_trained(name, splits) for name, splits in by_set)
    return Mathematics(true=int((frame["radius"] > 0).sum()) if seen else 0, cases=len(frame))
