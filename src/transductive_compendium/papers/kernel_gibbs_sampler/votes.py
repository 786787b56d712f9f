"""Votes of sampled classifiers: their diversity, the Bayes point beside them, rejection.

The Kernel Gibbs Sampler, section 4 (Bayesian transduction, Bayes point machines), section 5 and
figure 3.
"""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.svm import SVC

from transductive.version_space import EmptyVersionSpaceError, KernelGibbsSampler
from transductive.version_space.active_learning import binary_entropy
from transductive.version_space.start import separating_direction

from ...datasets.generators import flip_labels
from ...datasets.recorded_splits import partition, scaled
from ...runner.declaration import Experiment, UnitMean, crossed, register
from ...runner.parameters import Parameter

#: The Kernel Gibbs Sampler, figure 3.
N_POINTS, N_SAMPLES = 76, 50
# k(x, x') = exp(-|x - x'|^2 / 2)
FIGURE_3_KERNEL = {"kernel": "rbf", "gamma": 0.5}
FLIP_RATE = 0.1


def crescents(n, rng):
    """Two interleaved crescents in the plane, blurred: they stand in for figure 3's points.

    Half circles of radius 2, with normal noise of standard deviation 0.4.

    Parameters
    ----------
    n : int
        Points, half of them in each class.
    rng : numpy.random.Generator

    Returns
    -------
    X : ndarray of shape (n, 2)
    y : ndarray of int of shape (n,)
        Classes -1 and +1.
    """
    y = np.where(np.arange(n) % 2, -1, 1)
    t = rng.uniform(0.0, np.pi, n)
    X = y[:, None] * np.column_stack([2.0 * np.cos(t) - 1.0, 2.0 * np.sin(t) - 0.5])
    return X + 0.4 * rng.standard_normal((n, 2)), y


def _sampler(rng, **options):
    return KernelGibbsSampler(random_state=int(rng.integers(2**31)), **options)


def _fit(sampler, X, y):
    """Fit; R-hat and effective sample size are recorded beside the results, not warned of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return sampler.fit(X, y)


# ---- figure 3 -----------------------------------------------------------------------------------


def _run_figure_3(key, params, data, rng):
    X, y = crescents(N_POINTS, np.random.default_rng(params["problem"]))
    gibbs = _fit(_sampler(rng, q=key["q"], thin=params["thin"], **FIGURE_3_KERNEL), X, y)
    outputs = gibbs.samples_.outputs(gibbs.points_.coordinates).reshape(-1, N_POINTS)
    shown = outputs[:: len(outputs) // N_SAMPLES]
    blank = dict.fromkeys(("x1", "x2", "output", "r_hat", "ess"), np.nan)
    rows = [
        {"kind": "point", "sample": 0, "point": i, "label": int(label)}
        | blank
        | {"x1": float(x[0]), "x2": float(x[1])}
        for i, (x, label) in enumerate(zip(X, y, strict=True))
    ]
    rows += [
        {"kind": "sample", "sample": j, "point": i, "label": 0} | blank | {"output": float(f)}
        for j, sample in enumerate(shown)
        for i, f in enumerate(sample)
    ]
    chain = {"kind": "chain", "sample": 0, "point": 0, "label": 0} | blank
    return [*rows, chain | {"r_hat": gibbs.r_hat_, "ess": gibbs.ess_}]


register(
    Experiment(
        name="kernel_gibbs_sampler/figure_3",
        version=1,
        title="Fifty sampled classifiers in the plane, by assumed label noise",
        parameters={
            "thin": Parameter(400, int, "steps from sample to sample", minimum=1),
            "problem": Parameter(0, int, "seed of the points", minimum=0),
        },
        units=lambda params, profile: [
            {"q": q} for q in (0.2, 0.1, 0.0)[: 1 if profile == "smoke" else None]
        ],
        run_unit=_run_figure_3,
        agreement={"output": UnitMean(0.03), "r_hat": "ignore", "ess": "ignore"},
    )
)


# ---- diversity ----------------------------------------------------------------------------------


def _run_diversity(key, params, data, rng):
    # every q sees the same points
    draw = np.random.default_rng([3, key["draw"]])
    X, y = crescents(N_POINTS, draw)
    X_test, y_test = crescents(1000, draw)
    corner, opposite = X.min(axis=0), X.max(axis=0)
    axes = (np.linspace(a, b, 30) for a, b in zip(corner, opposite, strict=True))
    plane = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    # version space is where the chain is slowest
    thin = params["thin"] * (4 if key["q"] == 0.0 else 1)
    gibbs = _fit(_sampler(rng, q=key["q"], thin=thin, **FIGURE_3_KERNEL), X, y)
    row = {}
    for where, points in (("training", X), ("plane", plane)):
        p = gibbs.predict_proba(points)[:, 1]
        row[f"disagreement_{where}"] = float(np.mean(2.0 * p * (1.0 - p)))
        row[f"entropy_{where}"] = float(np.mean(binary_entropy(p)))
    return [
        row
        | {
            "training_error": float(gibbs.samples_.errors.mean() / N_POINTS),
            "test_error": float(np.mean(gibbs.predict(X_test) != y_test)),
            "r_hat": gibbs.r_hat_,
            "ess": gibbs.ess_,
        }
    ]


register(
    Experiment(
        name="kernel_gibbs_sampler/diversity",
        version=1,
        title="Disagreement and entropy of sampled classifiers by assumed label noise",
        parameters={"thin": Parameter(100, int, "steps from sample to sample", minimum=1)},
        units=crossed(draw={"smoke": 1, "paper": 20, "full": 100}, q=(0.0, 0.05, 0.1, 0.2, 0.3)),
        run_unit=_run_diversity,
        agreement={
            "disagreement_training": 0.01,
            "entropy_training": 0.025,
            "disagreement_plane": 0.01,
            "entropy_plane": 0.02,
            "training_error": 0.006,
            "test_error": 0.01,
            "r_hat": "ignore",
            "ess": "ignore",
        },
    )
)


# ---- vote and Bayes point -----------------------------------------------------------------------

# Kernel, and steps from sample to sample. The heart data are not separable by theirs.
PROBLEMS = {
    "crescents": FIGURE_3_KERNEL | {"thin": 50},
    "thyroid": {"kernel": "rbf", "gamma": 0.5, "thin": 60},
    "heart": {"kernel": "poly", "degree": 1, "gamma": "auto", "thin": 100},
}


def _split(name, number, data, rng):
    """Standardised training and test points, and their labels."""
    if name == "crescents":
        X, y = crescents(N_POINTS + 300, rng)
        train, test = np.split(np.arange(len(y)), [N_POINTS])
    else:
        X, y = data[name].X, data[name].y
        train, test = partition(len(y), number)
        X = scaled(X, "standardised", train)
    return X[train], y[train], X[test], y[test], test


def _run_vote(key, params, data, rng):
    X, y, X_test, y_test, _ = _split(key["dataset"], key["split"], data, rng)
    y = flip_labels(y, key["flip_rate"], rng)
    rows = []
    for q in (0.0, 0.05, 0.1, 0.2):
        gibbs = _sampler(rng, q=q, n_samples=params["n_samples"], **PROBLEMS[key["dataset"]])
        names = ("agreement", "vote_error", "point_error", "training_error", "r_hat", "ess")
        row = {"q": q, "empty": False} | dict.fromkeys(names, np.nan)
        try:
            _fit(gibbs, X, y)
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


register(
    Experiment(
        name="kernel_gibbs_sampler/vote",
        version=1,
        title="Transduction by vote beside the Bayes point",
        datasets=("thyroid", "heart"),
        parameters={"n_samples": Parameter(500, int, "samples of each chain", minimum=4)},
        units=crossed(
            split={"smoke": 1, "paper": 15, "full": 100},
            dataset=PROBLEMS,
            flip_rate=(0.0, FLIP_RATE),
        ),
        run_unit=_run_vote,
        agreement={
            "agreement": 0.1,
            "vote_error": UnitMean(0.08),
            "point_error": UnitMean(0.08),
            "training_error": 0.015,
            "r_hat": "ignore",
            "ess": "ignore",
        },
    )
)


# ---- rejection ----------------------------------------------------------------------------------

# Polynomials with a constant: of the first degree a hyperplane with a bias, of the second quadrics.
DEGREE = {"thyroid": 2, "heart": 1}


def _is_empty(gibbs):
    """Whether no classifier of the class has zero training error."""
    try:
        separating_direction(gibbs.signs_[:, None] * gibbs.points_.coordinates)
    except EmptyVersionSpaceError:
        return True
    return False


def _run_rejection(key, params, data, rng):
    X, y, X_test, y_test, test = _split(key["dataset"], key["split"], data, rng)
    y = flip_labels(y, FLIP_RATE, rng)
    degree = DEGREE[key["dataset"]]
    machine = GridSearchCV(
        SVC(kernel="poly", degree=degree, gamma=1.0 / X.shape[1], coef0=1.0),
        {"C": 10.0 ** np.arange(-3, 3)},
        cv=StratifiedKFold(5),
    ).fit(X, y)
    f = machine.decision_function(X_test)
    rows = []
    for q in (0.1, 0.2):
        gibbs = _sampler(
            rng, q=q, kernel="poly", degree=degree, gamma="auto",
            n_samples=params["n_samples"], thin=params["thin"],
        )  # fmt: skip
        _fit(gibbs, X, y)
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


register(
    Experiment(
        name="kernel_gibbs_sampler/rejection",
        version=1,
        title="Error against rejection rate where no version space exists",
        datasets=("thyroid", "heart"),
        parameters={
            "n_samples": Parameter(500, int, "samples of each chain", minimum=4),
            "thin": Parameter(200, int, "steps from sample to sample", minimum=1),
        },
        units=crossed(
            "dataset", "split", split={"smoke": 2, "paper": 30, "full": 200}, dataset=DEGREE
        ),
        run_unit=_run_rejection,
        agreement={
            "p_plus": UnitMean(0.025),
            "bayes_point": UnitMean(0.025),
            "f": 1e-3,
            "r_hat": "ignore",
        },
    )
)
