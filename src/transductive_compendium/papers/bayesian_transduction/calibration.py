"""Is p+ calibrated?

Graepel et al. (2000), sections 3.2 and 4, on the recorded splits of figure 2.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.svm import SVC

from transductive.kernels import rbf_gamma

from ...datasets.recorded_splits import partition, scaled
from ...runner import crossed, experiment
from .split_comparison import GREAT_CIRCLES, N_SPLITS, SIGMA, Interpretation, compare_on_split

N_BINS = 10
# log loss of a certain and wrong label is infinite; probabilities are kept this far from 0 and 1
FLOOR = 1e-3
METHODS = {
    "billiard of figure 2": Interpretation(),
    "billiard, 100000 refreshed": replace(GREAT_CIRCLES, n_bounces=100_000, refresh=float(np.pi)),
    "SVM with sigmoid": None,
}


def _sigmoid(X, y, number, sigma):
    """Sigmoid on the outputs of the hard-margin SVM, by five-fold cross-validation."""
    train, test = partition(len(y), number)
    X = scaled(X, "standardised", train)
    classifier = CalibratedClassifierCV(SVC(C=1e6, gamma=rbf_gamma(sigma)), method="sigmoid", cv=5)
    return test, classifier.fit(X[train], y[train]).predict_proba(X[test])[:, 1]


@experiment(
    "bayesian_transduction/calibration",
    version=2,
    title="Is p+ the probability it says it is?",
    datasets=("thyroid", "heart"),
    units=crossed(
        split={"smoke": 1, "paper": N_SPLITS, "full": N_SPLITS},
        dataset=("thyroid", "heart"),
        method=METHODS,
    ),
    # points move between bins when a trajectory differs, but none is lost
    agreement=dict.fromkeys(("p_plus", "brier", "log_loss"), "chaotic"),
)
def _run_calibration(key, params, data, rng):
    table, sigma = data[key["dataset"]], SIGMA[key["dataset"]]
    interpretation = METHODS[key["method"]]
    if interpretation is None:
        test, p_plus = _sigmoid(table.X, table.y, key["split"], sigma)
    else:
        interpretation = replace(interpretation, sigma=sigma)
        _, test, p_plus, *_ = compare_on_split(table.X, table.y, key["split"], interpretation, rng)
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
