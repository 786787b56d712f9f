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

from ...datasets import separable_sphere
from ...kernels import gram_matrix
from ...margin import TransductiveSVC
from ...margin.quadratic_programme import minimise
from ...version_space.exact import is_empty, unit_rows
from ...version_space.labellings import (
    bayes_labelling_joint,
    bayes_labelling_marginal,
    cells,
    cover_number,
    joint_posterior,
    marginals,
)
from ..experiment import Experiment, register
from ..parameters import Parameter

#: C and C* of the greedy algorithm where the margin is to be hard: it doubles C* up to a number.
HARD = 1e6
#: KKT violation at which a solve stops where objectives of labellings are compared.
TOLERANCE = 1e-6


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
    machine = TransductiveSVC(C=np.inf, kernel="linear", tolerance=TOLERANCE).fit(X, y)
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
    """Labels of the working points and line by each method, and the number of classes."""
    left = classes_left(X, y, X_working)
    inductive = hard_margin(X, y)
    # the training labels are one half positive, and so are the clouds
    known = left[(left > 0).sum(axis=1) == len(X_working) // 2]
    greedy = TransductiveSVC(HARD, HARD, kernel="linear", tolerance=TOLERANCE)
    found = greedy.fit(X, y, X_working)
    lines = {
        "inductive": (np.where(inductive.values(X_working) > 0, 1.0, -1.0), inductive),
        "transductive": widest(X, y, X_working, left),
        "transductive, number known": widest(X, y, X_working, known),
        "greedy": (
            found.transduction_,
            Line(found.dual_coef_ @ np.vstack([X, X_working]), float(found.intercept_)),
        ),
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
        parameters={"problem": Parameter(0, int, "number of the toy problem", minimum=0)},
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
        units=lambda params, profile: [
            {"gap": gap, "draw": i}
            for i in range({"smoke": 1, "paper": 100, "full": 500}[profile])
            for gap in GAPS
        ],
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
        num_positive="any",
        exhaustive=True,
        tolerance=TOLERANCE,
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
            for d in (1, 2, 3)
            for m in ((1, 2, 4) if profile == "smoke" else (1, 2, 4, 6, 8))
        ],
        run_unit=_run_classes,
    )
)
