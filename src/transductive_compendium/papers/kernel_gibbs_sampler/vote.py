"""Transduction by the vote of the samples, compared with the Bayes point.

Graepel and Herbrich (2001), section 4 (Bayesian transduction, Bayes point machines).
"""

import numpy as np

from transductive.version_space import EmptyVersionSpaceError

from ...datasets.generators import flip_labels
from ...runner import Parameter, crossed, experiment
from .chains import fitted_sampler
from .crescents import FIGURE_3_KERNEL, N_POINTS, crescents
from .standardised_split import standardised_split

FLIP_RATE = 0.1
# Kernel, and steps from sample to sample. The heart data are not separable by theirs.
PROBLEMS = {
    "crescents": FIGURE_3_KERNEL | {"thin": 50},
    "thyroid": {"kernel": "rbf", "gamma": 0.5, "thin": 60},
    "heart": {"kernel": "poly", "degree": 1, "gamma": "auto", "thin": 100},
}


def _training_and_test(name, number, data, rng):
    """Training points and labels, test points and labels."""
    if name != "crescents":
        return standardised_split(data[name], number)[:4]
    X, y = crescents(N_POINTS + 300, rng)
    return X[:N_POINTS], y[:N_POINTS], X[N_POINTS:], y[N_POINTS:]


@experiment(
    "kernel_gibbs_sampler/vote",
    version=1,
    title="Transduction by vote beside the Bayes point",
    datasets=("thyroid", "heart"),
    parameters={"n_samples": Parameter(500, int, "samples of each chain", minimum=4)},
    units=crossed(
        split={"smoke": 1, "paper": 15, "full": 100},
        dataset=PROBLEMS,
        flip_rate=(0.0, FLIP_RATE),
    ),
    agreement=dict.fromkeys(
        ("agreement", "vote_error", "point_error", "training_error", "r_hat", "ess"), "chaotic"
    ),
)
def vote_and_bayes_point(key, params, data, rng):
    """Errors of vote and Bayes point and how often they agree, a row for each assumed q."""
    X, y, X_test, y_test = _training_and_test(key["dataset"], key["split"], data, rng)
    y = flip_labels(y, key["flip_rate"], rng)
    rows = []
    for q in (0.0, 0.05, 0.1, 0.2):
        names = ("agreement", "vote_error", "point_error", "training_error", "r_hat", "ess")
        row = {"q": q, "empty": False} | dict.fromkeys(names, np.nan)
        try:
            gibbs = fitted_sampler(
                X, y, rng, q=q, n_samples=params["n_samples"], **PROBLEMS[key["dataset"]]
            )
        except EmptyVersionSpaceError:
            rows.append(row | {"empty": True})
            continue
        by_point = np.where(gibbs.bayes_point(X_test) >= 0, 1, -1)
        rows.append(
            row
            | {
                "agreement": gibbs.agreement(X_test),
                "vote_error": float(np.mean(gibbs.predict(X_test) != y_test)),
                "point_error": float(np.mean(by_point != y_test)),
                "training_error": float(gibbs.samples_.errors.mean() / len(y)),
                "r_hat": gibbs.r_hat_,
                "ess": gibbs.ess_,
            }
        )
    return rows
