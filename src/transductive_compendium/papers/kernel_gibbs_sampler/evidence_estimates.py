"""Shared by the experiments on the evidence: training samples, flips, and the estimate."""

import math

import numpy as np

from transductive.version_space.evidence import estimate_evidence

from ...datasets.recorded_splits import partition, scaled
from ...runner import Parameter
from .chains import chain_seed, without_convergence_warnings
from .surrogates import crescents

#: Sizes of the training samples: for the choice of a model, and for margins and volumes.
N_SELECTION, N_MARGIN = 60, 30
#: Rows of each data set; crescents are generated anew for each sample.
N_ROWS = {"crescents": math.inf, "thyroid": 215, "heart": 270}
# The tolerances that the items state for smoke runs are seven standard deviations of a unit's mean
# over seeds, as measured with these numbers.
N_SAMPLES = Parameter(150, int, "samples of each chain at each rung", minimum=8)
THIN = Parameter(20, int, "steps from sample to sample", minimum=1)


def evidence_of(points, q, rng, **options):
    """The estimated evidence at some q."""
    with without_convergence_warnings():
        return estimate_evidence(points, q, random_state=chain_seed(rng), **options)


def flip_exactly(y, count, rng):
    """The labels, `count` of them flipped."""
    y = np.array(y, dtype=np.float64)
    y[rng.permutation(len(y))[:count]] *= -1.0
    return y


def training_sample(dataset, number, n_train, data, rng):
    """Training points, their labels, and all other points and theirs."""
    if dataset == "crescents":
        X, y = crescents(n_train + 1000, rng)
        order = np.arange(len(y))
    else:
        X, y = data[dataset].X, data[dataset].y
        order = np.concatenate(partition(len(y), number))
        X = scaled(X, "standardised")
    train, test = order[:n_train], order[n_train:]
    return X[train], y[train].astype(np.float64), X[test], y[test]
