"""What p+ and its vote are worth: calibration, the Bayes error, the Bayes point, the ridge.

Document 1, sections 3.2, 4 and 5, on the recorded splits of figure 2.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC

from transductive.kernels import gram_matrix, rbf_gamma
from transductive.version_space import EmptyVersionSpaceError, FeatureSpan, KernelBilliard
from transductive.version_space.start import max_margin_point

from ...datasets.recorded_splits import partition, scaled
from ...runner.declaration import Experiment, UnitMean, crossed, register
from ...runner.parameters import Parameter
from .rejection import (
    N_SPLITS,
    SIGMA,
    UNANIMOUS,
    Choices,
    compare_on_split,
    folded_grams,
)

# ---- calibration --------------------------------------------------------------------------------

N_BINS = 10
# log loss of a certain and wrong label is infinite; probabilities are kept this far from 0 and 1
FLOOR = 1e-3
METHODS = {
    "billiard of figure 2": Choices(),
    "billiard, 100000 refreshed": Choices(n_bounces=100_000, refresh=float(np.pi)),
    "SVM with sigmoid": None,
}


def _sigmoid(X, y, number, sigma):
    """Sigmoid on the outputs of the hard-margin SVM, by five-fold cross-validation."""
    train, test = partition(len(y), number)
    X = scaled(X, "standardised", train)
    machine = CalibratedClassifierCV(SVC(C=1e6, gamma=rbf_gamma(sigma)), method="sigmoid", cv=5)
    return test, machine.fit(X[train], y[train]).predict_proba(X[test])[:, 1]


def _run_calibration(key, params, data, rng):
    table, sigma = data[key["dataset"]], SIGMA[key["dataset"]]
    choices = METHODS[key["method"]]
    if choices is None:
        test, p_plus = _sigmoid(table.X, table.y, key["split"], sigma)
    else:
        choices = replace(choices, sigma=sigma)
        _, test, p_plus, _ = compare_on_split(table.X, table.y, key["split"], choices, rng)
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


register(
    Experiment(
        name="bayesian_transduction/calibration",
        version=1,
        title="Is p+ the probability it says it is?",
        datasets=("thyroid", "heart"),
        units=crossed(
            split={"smoke": 1, "paper": N_SPLITS, "full": N_SPLITS},
            dataset=("thyroid", "heart"),
            method=METHODS,
        ),
        run_unit=_run_calibration,
        # points move between bins when a trajectory differs, but none is lost
        agreement={
            "points": UnitMean(1e-9),
            "positive": UnitMean(1e-9),
            "p_plus": UnitMean(0.4),
            "brier": UnitMean(0.8),
            "log_loss": UnitMean(4.0),
        },
    )
)


# ---- the Bayes error of the function class ------------------------------------------------------


RIDGES = tuple(float(r) for r in 10.0 ** np.arange(-3, 3))


def _tuned_perceptron(K, y, train, test):
    """Soft-margin SVM without bias, ridge by five-fold cross-validation: a member of the class.

    The quadratic soft margin is the hard margin on ``K + ridge I``.
    """

    def outputs(rows, columns, ridge):
        signs = y[rows].astype(float)
        gram = K[np.ix_(rows, rows)] * np.outer(signs, signs) + ridge * np.eye(len(rows))
        a = max_margin_point(FeatureSpan(gram), len(rows))
        return K[np.ix_(columns, rows)] @ (a * signs)

    folds = list(StratifiedKFold(5).split(train, y[train]))
    errors = [
        np.mean(
            [
                np.mean((outputs(train[fit], train[held], ridge) >= 0) != (y[train[held]] > 0))
                for fit, held in folds
            ]
        )
        for ridge in RIDGES
    ]
    best = RIDGES[int(np.argmin(errors))]
    return (outputs(train, test, best) >= 0) != (y[test] > 0)


def _run_bayes_error(key, params, data, rng):
    table = data["heart"]
    train, test = partition(len(table.y), key["split"])
    X = scaled(table.X, "standardised", train)
    y = table.y
    wrong = _tuned_perceptron(gram_matrix(X, gamma=rbf_gamma(SIGMA["heart"])), y, train, test)
    rows = [
        {
            "method": "perceptron, ridge by cross-validation",
            "rejection": 0.0,
            "error": float(np.mean(wrong)),
        }
    ]
    for bounces in (600, 10_000, 100_000):
        choices = Choices(sigma=SIGMA["heart"], n_bounces=bounces)
        _, _, p_plus, _ = compare_on_split(table.X, y, key["split"], choices, rng)
        kept = 2.0 * np.maximum(p_plus, 1.0 - p_plus) - 1.0 >= UNANIMOUS
        wrong = (p_plus >= 0.5) != (y[test] > 0)
        rows.append(
            {
                "method": f"theta = 1 after {bounces} bounces",
                "rejection": float(1.0 - kept.mean()),
                "error": float(wrong[kept].mean()) if kept.any() else np.nan,
            }
        )
    return rows


register(
    Experiment(
        name="bayesian_transduction/bayes_error",
        version=2,
        title="Is 16.4 % the Bayes error of the function class on heart?",
        datasets=("heart",),
        units=crossed(split={"smoke": 2, "paper": N_SPLITS, "full": N_SPLITS}),
        run_unit=_run_bayes_error,
        agreement={"rejection": UnitMean(0.1), "error": UnitMean(0.07)},
    )
)


# ---- approximations of the vote -----------------------------------------------------------------


def _run_bayes_point(key, params, data, rng):
    dataset = key["dataset"]
    table = data[dataset]
    y = table.y
    train, test = partition(len(y), key["split"])
    X = scaled(table.X, "standardised", train)
    gram, cross = folded_grams(X[train], y[train].astype(float), X[test], SIGMA[dataset])
    billiard = KernelBilliard(
        gram, refresh=np.pi, n_starts=4, random_state=np.random.SeedSequence(rng.integers(2**63))
    )
    flown = billiard.run(params["n_bounces"])
    svm = max_margin_point(billiard.span, len(train))
    labels = {
        "vote": flown.flight_times(cross).probability >= 0.5,
        "bayes_point": cross.T @ flown.centre_of_mass() >= 0.0,
        "svm": cross.T @ svm >= 0.0,
    }
    row = {f"error_{name}": float(np.mean(b != (y[test] > 0))) for name, b in labels.items()}
    return [
        row
        | {
            "bayes_point_agrees": float(np.mean(labels["bayes_point"] == labels["vote"])),
            "svm_agrees": float(np.mean(labels["svm"] == labels["vote"])),
            "svm_agrees_with_bayes_point": float(np.mean(labels["svm"] == labels["bayes_point"])),
            # the radius of the largest ball: positive where there is a version space
            "radius": 1.0 / billiard.span.norm(svm),
        }
    ]


register(
    Experiment(
        name="bayesian_transduction/bayes_point",
        version=1,
        title="The vote of version space, the Bayes point and the SVM: how often do they agree?",
        datasets=("thyroid", "heart"),
        parameters={"n_bounces": Parameter(20_000, int, "events of each of four balls", minimum=8)},
        units=crossed(
            split={"smoke": 2, "paper": N_SPLITS, "full": 1000}, dataset=("thyroid", "heart")
        ),
        run_unit=_run_bayes_point,
        agreement={
            "error_vote": 0.07,
            "error_bayes_point": 0.1,
            "bayes_point_agrees": 0.08,
            "svm_agrees": 0.1,
            "svm_agrees_with_bayes_point": 0.1,
        },
    )
)


# ---- the ridge of the conclusion ----------------------------------------------------------------

LAMBDAS = (0.0, 0.01, 0.1, 1.0, 10.0)


def _run_ridge(key, params, data, rng):
    table = data["heart"]
    y = np.array(table.y)
    train, test = partition(len(y), key["split"])
    X = scaled(table.X, "standardised", train)
    # a training point once more, with the other label: no function is right on both
    rows = np.append(train, train[0])
    signs = y[rows].astype(float)
    if key["contradiction"]:
        signs[-1] = -signs[0]
    gram, cross = folded_grams(X[rows], signs, X[test], SIGMA["heart"])
    gram[np.diag_indices(len(rows))] += key["ridge"]
    try:
        billiard = KernelBilliard(
            gram, refresh=np.pi, random_state=np.random.SeedSequence(rng.integers(2**63))
        )
    except EmptyVersionSpaceError:
        return [{"version_space": 0, "error": np.nan, "brier": np.nan, "unanimous": np.nan}]
    p_plus = billiard.run(params["n_bounces"]).flight_times(cross).probability
    truth = y[test] > 0
    return [
        {
            "version_space": 1,
            "error": float(np.mean((p_plus >= 0.5) != truth)),
            "brier": float(np.mean((p_plus - truth) ** 2)),
            "unanimous": float(np.mean((p_plus == 0.0) | (p_plus == 1.0))),
        }
    ]


register(
    Experiment(
        name="bayesian_transduction/ridge",
        version=1,
        title="A ridge on the diagonal lets the ball penetrate walls",
        datasets=("heart",),
        parameters={"n_bounces": Parameter(20_000, int, "events of the ball", minimum=1)},
        units=crossed(
            split={"smoke": 1, "paper": N_SPLITS, "full": 1000},
            ridge=LAMBDAS,
            contradiction=(False, True),
        ),
        run_unit=_run_ridge,
        agreement={"error": 0.045, "brier": 0.04, "unanimous": 0.45},
    )
)
