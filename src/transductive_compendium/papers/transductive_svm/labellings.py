"""Which labelling wins: the toy picture, equivalence classes, the greedy algorithm, equation (4).

Transductive SVMs (Joachims, as taught in LING 572): the picture, "Advantage of transductive
learning", both forms of the optimisation problem, Algorithm TSVM. Bayesian Transduction: the
sentence on SVM transduction below equation (4).
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np
from sklearn.preprocessing import scale

from transductive._exact.labellings import (
    bayes_labelling_joint,
    bayes_labelling_marginal,
    cells,
    cover_number,
    joint_posterior,
    marginals,
)
from transductive._exact.volumes import is_empty, unit_rows
from transductive.kernels import gram_matrix
from transductive.margin import TransductiveSVC, minimise

from ...datasets import separable_sphere
from ...runner.declaration import Experiment, crossed, register
from ...runner.parameters import Parameter

#: KKT violation at which a solve stops: objectives of different labellings are compared.
TOLERANCE = 1e-5
#: C and C* of the greedy algorithm in place of a hard margin, which its labels need not have.
STIFF = 1e4


class Line(NamedTuple):
    """A hyperplane ``<w, x> + b = 0``, scaled so that the nearest point has the value 1 or -1."""

    w: np.ndarray
    b: float

    @property
    def margin(self):
        """Distance of the nearest point."""
        return 1.0 / np.linalg.norm(self.w)

    def values(self, X):
        return X @ self.w + self.b


def hard_margin(X, y):
    """The inductive SVM with a hard margin.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    y : ndarray of shape (n,)
        -1 and +1, both of them, separable.

    Returns
    -------
    Line
    """
    machine = TransductiveSVC(C=np.inf, kernel="linear", tol=TOLERANCE).fit(X, y)
    return Line(machine.coef_, machine.intercept_)


def classes_left(X, y, X_working):
    """Labellings of the working points that lines with the training labels produce.

    Parameters
    ----------
    X : ndarray of shape (l, d)
    y : ndarray of shape (l,)
    X_working : ndarray of shape (m, d)

    Returns
    -------
    ndarray of shape (classes, m)
        Rows of -1 and +1.
    """
    signs = cells(_homogeneous(np.vstack([X, X_working])))
    return signs[(signs[:, : len(y)] == y).all(axis=1), len(y) :].astype(float)


def _homogeneous(X):
    return np.column_stack([X, np.ones(len(X))])


def class_margins(X, y, X_working, labellings):
    """Hard margin of each labelling: half of the distance of the two classes' convex hulls.

    In the plane that distance is from a point of one class to a segment between two of the other.

    Parameters
    ----------
    X, y, X_working
        As for `classes_left`, in one or two dimensions.
    labellings : ndarray of shape (k, m)
        All of them separable.

    Returns
    -------
    ndarray of shape (k,)
    """
    Z = np.vstack([X, X_working])
    start, end = np.triu_indices(len(Z))
    way = Z[end] - Z[start]
    # the nearest point of each segment to each point; a segment may be a single point
    length = np.maximum((way**2).sum(axis=1), np.finfo(float).tiny)
    from_start = Z[:, None] - Z[start]
    along = np.clip((from_start * way).sum(axis=2) / length, 0.0, 1.0)
    distance = np.linalg.norm(from_start - along[..., None] * way, axis=2)
    signs = np.hstack([np.tile(y, (len(labellings), 1)), labellings])
    return np.array(
        [
            min(distance[np.ix_(own, ~(own[start] | own[end]))].min() for own in (row > 0, row < 0))
            / 2.0
            for row in signs
        ]
    )


def widest(X, y, X_working, labellings):
    """The transductive SVM of the slides, hard margin: the best of the labellings given.

    Parameters as for `class_margins`.

    Returns
    -------
    labels : ndarray of shape (m,)
    line : Line
    """
    labels = labellings[class_margins(X, y, X_working, labellings).argmax()]
    return labels, hard_margin(np.vstack([X, X_working]), np.concatenate([y, labels]))


# ---- the toy picture ----------------------------------------------------------------------------

#: Points of each cloud: two with labels, the others dots.
N_LABELLED, N_DOTS = 2, 20


def two_clouds(gap, rng):
    """Two clouds in the plane, long and parallel, with a gap between them.

    Parameters
    ----------
    gap : float
        Distance of the strips, 1 wide and 4 long, in which the clouds are uniform.
    rng : numpy.random.Generator

    Returns
    -------
    X : ndarray of shape (44, 2)
        Two labelled points of either cloud, then the others.
    y : ndarray of shape (44,)
        The clouds, -1 and +1.
    """
    n = N_LABELLED + N_DOTS
    along, across = rng.uniform(-2.0, 2.0, (2, n)), gap / 2 + rng.uniform(0.0, 1.0, (2, n))
    sides = np.array([-1.0, 1.0])[:, None]
    angle = rng.uniform(0.0, 2.0 * np.pi)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    clouds = np.stack([along, sides * across], axis=-1) @ turn
    y = np.broadcast_to(sides, (2, n))
    cut = N_LABELLED
    X = np.concatenate([clouds[:, :cut].reshape(-1, 2), clouds[:, cut:].reshape(-1, 2)])
    return X, np.concatenate([y[:, :cut].ravel(), y[:, cut:].ravel()])


def _lines(X, y, X_working):
    """Labels of the working points and line by each method, and the number of classes left."""
    left = classes_left(X, y, X_working)
    inductive = hard_margin(X, y)
    # the training labels are one half positive, and so are the clouds
    known = left[(left > 0).sum(axis=1) == len(X_working) // 2]
    greedy = TransductiveSVC(STIFF, STIFF, kernel="linear", tol=TOLERANCE)
    greedy.fit(X, y, X_working)
    lines = {
        "inductive": (np.where(inductive.values(X_working) > 0, 1.0, -1.0), inductive),
        "transductive": widest(X, y, X_working, left),
        "transductive, number known": widest(X, y, X_working, known),
        "greedy": (greedy.transduction_, Line(greedy.coef_, greedy.intercept_)),
    }
    return lines, len(left)


def _run_toy(key, params, data, rng):
    rng = np.random.default_rng(params["problem"])
    Z, truth = two_clouds(key["gap"], rng)
    l = 2 * N_LABELLED
    lines, _ = _lines(Z[:l], truth[:l], Z[l:])
    rows = [
        {"kind": kind, "x1": x1, "x2": x2, "offset": np.nan, "label": int(label)}
        for kind, part in (("training", slice(0, l)), ("test", slice(l, None)))
        for (x1, x2), label in zip(Z[part], truth[part], strict=True)
    ]
    rows += [
        {"kind": method, "x1": line.w[0], "x2": line.w[1], "offset": line.b, "label": 0}
        for method, (_, line) in lines.items()
    ]
    return rows


def _run_clouds(key, params, data, rng):
    Z, truth = two_clouds(key["gap"], rng)
    l = 2 * N_LABELLED
    X, y, X_working = Z[:l], truth[:l], Z[l:]
    lines, n_classes = _lines(X, y, X_working)
    rows = []
    for method, (labels, line) in lines.items():
        own = np.concatenate([y, labels]) * line.values(Z) / np.linalg.norm(line.w)
        rows.append(
            {
                "method": method,
                "margin_training": own[:l].min(),
                "margin_joint": own.min(),
                "separates": int(own.min() > 0),
                "wrong": int((labels != truth[l:]).sum()),
                "positive": int((labels > 0).sum()),
                "classes": n_classes,
            }
        )
    return rows


GAPS = (1.0, 0.5, 0.25, 0.0)

register(
    Experiment(
        name="transductive_svm/toy",
        version=1,
        title="The toy picture: the inductive and the transductive line, computed",
        parameters={"problem": Parameter(3, int, "number of the toy problem", minimum=0)},
        units=lambda params, profile: [
            {"gap": gap} for gap in (GAPS[:1] if profile == "smoke" else GAPS)
        ],
        run_unit=_run_toy,
        agreement={"x1": 1e-3, "x2": 1e-3, "offset": 1e-3},
    )
)

register(
    Experiment(
        name="transductive_svm/clouds",
        version=1,
        title="Many draws of the toy picture, with and without a gap between the clouds",
        units=crossed("gap", "draw", draw={"smoke": 1, "paper": 100, "full": 500}, gap=GAPS),
        run_unit=_run_clouds,
        agreement={"margin_training": 1e-4, "margin_joint": 1e-4},
    )
)


# ---- equivalence classes ------------------------------------------------------------------------

N_TRAIN = 4
N_FUNCTIONS = 20_000


def _run_classes(key, params, data, rng):
    l, m, d = N_TRAIN, key["working"], key["dimension"]
    y = np.ones(l)
    while abs(y.sum()) == l:
        Z, teacher = rng.standard_normal((l + m, d)), rng.standard_normal(d + 1)
        y = np.where(_homogeneous(Z[:l]) @ teacher > 0, 1.0, -1.0)
    X, X_working = Z[:l], Z[l:]
    signs = cells(_homogeneous(Z))
    _, per_training = np.unique(signs[:, :l], axis=0, return_counts=True)
    functions = rng.standard_normal((d + 1, N_FUNCTIONS))
    drawn = np.unique((_homogeneous(Z) @ functions > 0).T, axis=0)
    # three counts of what the training labels leave: from the cells, one linear programme for
    # each labelling, and one of both that the transductive SVM has to choose from
    left = classes_left(X, y, X_working)
    rows = unit_rows(_homogeneous(Z))
    separable = sum(
        not is_empty(rows * np.array([*y, *labels])[:, None])
        for labels in product((-1.0, 1.0), repeat=m)
    )
    exhaustive = TransductiveSVC(
        np.inf,
        np.inf,
        kernel="linear",
        n_positive="any",
        exhaustive=True,
        tol=TOLERANCE,
    ).fit(X, y, X_working)
    labels, line = widest(X, y, X_working, left) if d < 3 else (exhaustive.transduction_, None)
    return [
        {
            "classes": len(signs),
            "cover": cover_number(l + m, d + 1),
            "drawn": len(drawn),
            "labellings": 2 ** (l + m),
            "left": len(left),
            "left_mean": per_training.mean(),
            "left_cover": cover_number(l + m, d + 1) / cover_number(l, d + 1),
            "separable": int(separable),
            "margin": line.margin if line else np.nan,
            "margin_exhaustive": 1.0 / np.sqrt(2.0 * exhaustive.objective_),
            "same_labels": int((labels == exhaustive.transduction_).all()),
        }
    ]


register(
    Experiment(
        name="transductive_svm/equivalence_classes",
        version=1,
        title="The finitely many classes of functions on training and test points, counted",
        units=lambda params, profile: [
            {"dimension": d, "working": m, "draw": i}
            for i in range({"smoke": 1, "paper": 10, "full": 50}[profile])
            for m in ((1, 2, 4) if profile == "smoke" else (1, 2, 4, 6, 8))
            for d in (1, 2, 3)
        ],
        run_unit=_run_classes,
        agreement={"margin": 1e-4, "margin_exhaustive": 1e-4},
    )
)


# ---- the greedy algorithm against all labellings ------------------------------------------------

SETS = ("ida_heart", "ida_thyroid", "banana", "digits")
CLOUDS = "clouds"
#: Training points, both classes among them; working points.
N_SAMPLE, SIZES = 10, (4, 6, 8, 10, 12)
#: C and C*.
COSTS = ((1.0, 0.1), (1.0, 1.0), (100.0, 100.0))


def draw_points(name, n, data, rng):
    """Rows of a data set, the first `N_SAMPLE` of them of both classes; or of two clouds.

    Returns
    -------
    gram : ndarray of shape (n, n)
        RBF kernel; its gamma is one over the number of features and the variance of the table.
    y : ndarray of shape (n,)
    """
    if name == CLOUDS:
        X, y = two_clouds(0.25, rng)
    else:
        X, y = data[name].X, data[name].y
        X = scale(X) if data[name].substitute and name != "digits" else X
    gamma = 1.0 / (X.shape[1] * X.var())
    order = rng.permutation(len(y))[:n]
    while len(np.unique(y[order[:N_SAMPLE]])) < 2:
        order = rng.permutation(len(y))[:n]
    return gram_matrix(X[order], gamma=gamma), y[order].astype(float)


def objective(gram, labels, costs):
    """Soft-margin objective of a labelling of all points.

    Parameters
    ----------
    gram : ndarray of shape (n, n)
    labels, costs : ndarray of shape (n,)
        Labels -1 and +1; C of each point.

    Returns
    -------
    float
    """
    box = labels * costs
    found = minimise(gram, labels, np.minimum(box, 0.0), np.maximum(box, 0.0), tol=TOLERANCE)
    return -found.objective


def _run_greedy(key, params, data, rng):
    l, m = N_SAMPLE, key["working"]
    gram, labels = draw_points(key["dataset"], l + m, data, rng)
    y, truth = labels[:l], labels[l:]
    rows = []
    for C, C_star in COSTS:

        def fit(C=C, C_star=C_star, **parameters):
            machine = TransductiveSVC(C, C_star, kernel="precomputed", tol=TOLERANCE, **parameters)
            return machine.fit(gram[:l], y, gram[l:])

        greedy, best = fit(), fit(exhaustive=True, n_positive="any")
        # where the greedy algorithm starts: the inductive machine's ranking
        inductive = TransductiveSVC(C, kernel="precomputed", tol=TOLERANCE)
        values = inductive.fit(gram[:l, :l], y).decision_function(gram[l:, :l])
        start = np.full(m, -1.0)
        start[np.argsort(-values, kind="stable")[: greedy.num_positive_]] = 1.0
        row = {
            "C": C,
            "C_star": C_star,
            "positive": greedy.num_positive_,
            "positive_true": int((truth > 0).sum()),
            "positive_any": best.num_positive_,
            "switches": greedy.n_switches_,
            "switch_possible": int(greedy.switch_possible_),
            "machines": best.n_machines_,
        }
        costs = np.r_[np.full(l, C), np.full(m, C_star)]
        for name, found in (
            ("inductive", np.where(values > 0, 1.0, -1.0)),
            ("start", start),
            ("greedy", greedy.transduction_),
            ("balanced", fit(first_costs="balanced").transduction_),
            ("count", fit(exhaustive=True).transduction_),
            ("any", best.transduction_),
        ):
            row[f"objective_{name}"] = objective(gram, np.r_[y, found], costs)
            row[f"wrong_{name}"] = int((found != truth).sum())
        rows.append(row)
    return rows


register(
    Experiment(
        name="transductive_svm/greedy",
        version=2,
        title="The greedy algorithm against the best of all labellings",
        datasets=SETS,
        units=lambda params, profile: [
            {"dataset": name, "working": m, "draw": i}
            for i in range({"smoke": 1, "paper": 40, "full": 200}[profile])
            for m in (SIZES[:2] if profile == "smoke" else SIZES)
            for name in (*SETS, CLOUDS)
        ],
        run_unit=_run_greedy,
        # the branches that are cut depend on the last digits
        agreement={"machines": "ignore"},
    )
)


# ---- the objective along the two loops ----------------------------------------------------------

N_DESCENT = 200


def _run_descent(key, params, data, rng):
    l = N_SAMPLE
    gram, labels = draw_points(key["dataset"], l + N_DESCENT, data, rng)
    machine = TransductiveSVC(C_star=params["C_star"], kernel="precomputed", tol=TOLERANCE)
    machine.fit(gram[:l], labels[:l], gram[l:])
    columns = ("C_minus", "C_plus", "switch", "switched_objective", "objective")
    return [
        {"solution": i, "switch_possible": int(machine.switch_possible_)}
        | {name: step[name] for name in columns}
        for i, step in enumerate(machine.history_)
    ]


register(
    Experiment(
        name="transductive_svm/descent",
        version=1,
        title="The objective along Loop 1 and Loop 2 of Algorithm TSVM",
        datasets=SETS,
        parameters={
            "C_star": Parameter(1.0, float, "C of the working points", exclusive_minimum=0)
        },
        units=crossed("dataset", "draw", draw={"smoke": 1, "paper": 20, "full": 100}, dataset=SETS),
        run_unit=_run_descent,
        agreement={"switched_objective": 1e-3, "objective": 1e-3},
    )
)


# ---- joint or label-wise: exact Bayesian transduction -------------------------------------------

PROBLEMS = ((2, "unit"), (3, "unit"), (3, "any length"))


def draw_separable(dimension, points, n_working, rng):
    """Points labelled by a random line through the origin, both labels in the training sample.

    Parameters
    ----------
    dimension : int
    points : {"unit", "any length"}
        On the unit sphere, or from the normal distribution. The posterior knows directions only.
    n_working : int
    rng : numpy.random.Generator

    Returns
    -------
    X : ndarray of shape (4, dimension)
    y : ndarray of shape (4,)
    X_working : ndarray of shape (n_working, dimension)
    """
    y = np.ones(N_TRAIN)
    while abs(y.sum()) == N_TRAIN:
        problem = separable_sphere(N_TRAIN, dimension, seed=rng, n_working=n_working)
        y = problem.y.astype(float)
    Z = np.vstack([problem.X, problem.X_working])
    if points == "any length":
        Z = Z * np.sqrt(rng.chisquare(dimension, len(Z)))[:, None]
    return Z[:N_TRAIN], y, Z[N_TRAIN:]


def _run_joint(key, params, data, rng):
    X, y, X_working = draw_separable(key["dimension"], key["points"], key["working"], rng)
    posterior = joint_posterior(X, X_working, y)
    joint, marginal = bayes_labelling_joint(posterior), bayes_labelling_marginal(posterior)
    positive = marginals(posterior)
    linear = {"kernel": "linear", "fit_intercept": False, "tol": TOLERANCE}

    def fit(cost, **parameters):
        machine = TransductiveSVC(cost, cost, **linear, **parameters)
        return machine.fit(X, y, X_working).transduction_

    inductive = TransductiveSVC(np.inf, **linear).fit(X, y)
    best = fit(np.inf, exhaustive=True, n_positive="any")
    chosen = {
        "exhaustive": best,
        "inductive": inductive.predict(X_working),
        # the share in the sample, also where it leaves one class
        "greedy": fit(STIFF, n_positive=int(np.floor(len(X_working) * np.mean(y > 0) + 0.5))),
        "greedy, number known": fit(STIFF, n_positive=int((best > 0).sum())),
    }
    rows = []
    for method, labels in chosen.items():
        index = (posterior.labellings == labels).all(axis=1).argmax()
        rows.append(
            {
                "method": method,
                "differ": int((joint != marginal).any()),
                "wrong_joint": int((labels != joint).sum()),
                "wrong_marginal": int((labels != marginal).sum()),
                "probability": posterior.probabilities[index],
                "probability_joint": posterior.probabilities.max(),
                "risk": np.where(labels > 0, 1.0 - positive, positive).mean(),
                "risk_marginal": np.minimum(positive, 1.0 - positive).mean(),
            }
        )
    return rows


register(
    Experiment(
        name="transductive_svm/joint_or_marginal",
        version=1,
        title="The labelling of the transductive SVM against exact Bayesian transduction",
        units=lambda params, profile: [
            {"dimension": d, "points": points, "working": m, "sample": i}
            for i in range({"smoke": 2, "paper": 250, "full": 2000}[profile])
            for d, points in PROBLEMS
            for m in (2, 4, 6)
        ],
        run_unit=_run_joint,
    )
)
