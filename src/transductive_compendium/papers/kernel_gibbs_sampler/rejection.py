"""Rejection of the closest votes where no version space exists.

Graepel and Herbrich (2001), section 4 (Bayesian transduction).
"""

import numpy as np
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.svm import SVC

from transductive.version_space import EmptyVersionSpaceError
from transductive.version_space.start import separating_direction

from ...datasets.generators import flip_labels
from ...datasets.recorded_splits import partition, scaled
from ...runner import Parameter, crossed, experiment
from .chains import fitted_sampler

FLIP_RATE = 0.1
# Polynomials with a constant: of the first degree a hyperplane with a bias, of the second quadrics.
DEGREE = {"thyroid": 2, "heart": 1}


def _is_empty(gibbs):
    """Whether no classifier of the class has zero training error."""
    try:
        separating_direction(gibbs.signs_[:, None] * gibbs.points_.coordinates)
    except EmptyVersionSpaceError:
        return True
    return False


@experiment(
    "kernel_gibbs_sampler/rejection",
    version=1,
    page="uses",
    title="Error against rejection rate where no version space exists",
    datasets=("thyroid", "heart"),
    parameters={
        "n_samples": Parameter(500, int, "samples of each chain", minimum=4),
        "thin": Parameter(200, int, "steps from sample to sample", minimum=1),
    },
    units=crossed("dataset", "split", split={"smoke": 2, "paper": 30, "full": 200}, dataset=DEGREE),
    agreement={"f": 1e-3} | dict.fromkeys(("p_plus", "bayes_point", "r_hat"), "chaotic"),
)
def outputs_at_test_points(key, params, data, rng):
    """Votes, outputs of Bayes point and SVM, a row for each test point and assumed q."""
    table = data[key["dataset"]]
    train, test = partition(len(table.y), key["split"])
    X_all = scaled(table.X, "standardised")
    X, y, X_test, y_test = X_all[train], table.y[train], X_all[test], table.y[test]
    y = flip_labels(y, FLIP_RATE, rng)
    degree = DEGREE[key["dataset"]]
    svm = GridSearchCV(
        SVC(kernel="poly", degree=degree, gamma=1.0 / X.shape[1], coef0=1.0),
        {"C": 10.0 ** np.arange(-3, 3)},
        cv=StratifiedKFold(5),
        n_jobs=1,
    ).fit(X, y)
    f = svm.decision_function(X_test)
    rows = []
    for q in (0.1, 0.2):
        gibbs = fitted_sampler(
            X, y, rng, q=q, kernel="poly", degree=degree, gamma="auto",
            n_samples=params["n_samples"], thin=params["thin"],
        )  # fmt: skip
        unit = {"q": q, "empty": _is_empty(gibbs), "r_hat": gibbs.r_hat_}
        rows += [
            unit
            | {"point": int(i), "label": int(label), "p_plus": float(p), "f": float(o)}
            | {"bayes_point": float(b)}
            for i, label, p, b, o in zip(
                test,
                y_test,
                gibbs.predict_proba(X_test)[:, 1],
                gibbs.bayes_point(X_test),
                f,
                strict=True,
            )
        ]
    return rows
