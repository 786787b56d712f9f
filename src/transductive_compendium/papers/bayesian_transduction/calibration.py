"""Is p+ calibrated?

Graepel et al. (2000), sections 3.2 and 4, on the recorded splits of figure 2.
"""

from __future__ import annotations

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.svm import SVC

from transductive.kernels import rbf_gamma

from ...datasets.recorded_splits import partition, scaled
from ...runner import crossed, experiment
from .printed_billiard import play
from .splits import N_SPLITS, SIGMA, p_plus_on_great_circles, split_of

N_BINS = 10
# log loss of a certain and wrong label is infinite; probabilities are kept this far from 0 and 1
FLOOR = 1e-3


def _by_figure_2(table, number, sigma, rng):
    split = split_of(table, number, sigma)
    return np.clip(play(split.gram, split.cross, rng).time_ratio(), 0.0, 1.0)


def _by_refreshed_flight(table, number, sigma, rng):
    split = split_of(table, number, sigma)
    return p_plus_on_great_circles(split, 100_000, rng)


def _by_sigmoid(table, number, sigma, rng):
    """Sigmoid on the outputs of the hard-margin SVM, by five-fold cross-validation."""
    y = table.y
    train, test = partition(len(y), number)
    X = scaled(table.X, "standardised")
    classifier = CalibratedClassifierCV(SVC(C=1e6, gamma=rbf_gamma(sigma)), method="sigmoid", cv=5)
    return classifier.fit(X[train], y[train]).predict_proba(X[test])[:, 1]


METHODS = {
    "billiard of figure 2": _by_figure_2,
    "billiard, 100000 refreshed": _by_refreshed_flight,
    "SVM with sigmoid": _by_sigmoid,
}


@experiment(
    "bayesian_transduction/calibration",
    version=2,
    title="Is p+ the probability it says it is?",
    page="labellings",
    datasets=("thyroid", "heart"),
    units=crossed(
        split={"smoke": 1, "paper": N_SPLITS, "full": N_SPLITS},
        dataset=("thyroid", "heart"),
        method=METHODS,
    ),
    # points move between bins when a trajectory differs, but none is lost
    agreement=dict.fromkeys(("p_plus", "brier", "log_loss"), "chaotic"),
)
def predictions_by_bin(key, params, data, rng):
    """A row for each bin of p+: its test points, its positive ones, and sums over them."""
    table, sigma = data[key["dataset"]], SIGMA[key["dataset"]]
    p_plus = METHODS[key["method"]](table, key["split"], sigma, rng)
    _, test = partition(len(table.y), key["split"])
    truth = table.y[test] > 0
    kept = np.clip(p_plus, FLOOR, 1.0 - FLOOR)
    loss = -np.log(np.where(truth, kept, 1.0 - kept))
    bins = np.minimum((p_plus * N_BINS).astype(int), N_BINS - 1)
    return [
        {
            "bin": b,
            "points": int(here.sum()),
            "positive": int(truth[here].sum()),
            "p_plus": float(p_plus[here].sum()),
            "brier": float(np.sum((p_plus[here] - truth[here]) ** 2)),
            "log_loss": float(loss[here].sum()),
        }
        for b in range(N_BINS)
        for here in [bins == b]
    ]
