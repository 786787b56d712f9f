"""Contradictions of every equivalence class, and those of the classes of the SVM and U-SVM.

Inference with the Universum (poster): approximation of contradiction maximization.
"""

from __future__ import annotations

import numpy as np

from transductive.margin.universum_solver import UniversumSolver

from ...exact.contradictions import contradictions
from ...exact.labellings import cells
from ...runner import Parameter, experiment

DIMENSIONS = (2, 3)
N_LABELLED, N_WORKING, N_UNIVERSUM = 4, 8, 10
UNIVERSUM_COSTS = (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)
#: Least distance of the labelled points from the hyperplane that the universum is on.
CLEARANCE = 0.25
#: Lines shown of a class, and random lines they are taken from.
N_SHOWN_LINES, N_RANDOM_LINES = 25, 20_000


def homogeneous(X):
    """Points with a last feature 1, whose weight is the intercept."""
    return np.column_stack([X, np.ones(len(X))])


def contradicted_classes(X, X_universum):
    """All equivalence classes of hyperplanes on a sample, and the points that each contradicts.

    A class is a cell of the arrangement of the sample. It contradicts a universum point if and
    only if the point's own hyperplane, in the space of ``(w, b)``, cuts the cell: if the cell has
    a trace in the arrangement induced there.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        In general position with every universum point.
    X_universum : ndarray of shape (u, d)

    Returns
    -------
    classes : ndarray of int of shape (k, n)
        Signs -1 and 1.
    contradicted : ndarray of bool of shape (k, u)
    """
    rows = homogeneous(X)
    classes = cells(rows)
    place = {labels.tobytes(): i for i, labels in enumerate(classes)}
    found = np.zeros((len(classes), len(X_universum)), dtype=bool)
    for k, point in enumerate(homogeneous(X_universum)):
        within = np.linalg.qr(point[:, None], mode="complete")[0][:, 1:]
        for labels in cells(rows @ within):
            found[place[labels.tobytes()], k] = True
    return classes, found


def draw_points(dimension, flat, rng):
    """Labelled, working and universum points, normally distributed; labels by a random hyperplane.

    Parameters
    ----------
    dimension : int
    flat : bool
        Whether the universum is on that hyperplane; the labelled points then keep a distance of
        `CLEARANCE` from it.
    rng : Generator

    Returns
    -------
    X : ndarray of shape (4, dimension)
    y : ndarray of shape (4,)
        -1 and 1, both of them.
    X_working : ndarray of shape (8, dimension)
    X_universum : ndarray of shape (10, dimension)
    """
    while True:
        Z = rng.standard_normal((N_LABELLED + N_WORKING + N_UNIVERSUM, dimension))
        w, b = rng.standard_normal(dimension), rng.normal()
        known, working, universum = np.split(Z, np.cumsum([N_LABELLED, N_WORKING]))
        distance = (known @ w + b) / np.linalg.norm(w)
        y = np.where(distance > 0, 1.0, -1.0)
        if abs(y.sum()) < N_LABELLED and (not flat or np.abs(distance).min() >= CLEARANCE):
            break
    if flat:
        universum = universum - np.outer((universum @ w + b) / (w @ w), w)
    return known, y, working, universum


def hyperplanes(X, y, X_universum, loss="epsilon_insensitive"):
    """Hyperplanes of the SVM and of U-SVMs with growing costs; hard margin, epsilon 0.

    Returns
    -------
    list of (float, ndarray of shape (d,), float)
        C_universum, w and b; the SVM is C_universum = 0.
    """
    Z = np.vstack([X, X_universum])
    K = Z @ Z.T
    solver = UniversumSolver(K, np.diagonal(K).copy(), y, loss=loss, tol=1e-9)
    found = []
    for C_universum in (0.0, *UNIVERSUM_COSTS):
        solver.solve(np.inf, C_universum)
        found.append((C_universum, Z.T @ solver.coefficients, solver.intercept))
    return found


def _counter(X, X_universum):
    """Function that counts a class's contradictions from its signs on X, by linear programmes."""
    counted = {}

    def count(labels):
        if labels.tobytes() not in counted:
            found = contradictions(X, labels, X_universum, fit_intercept=True)
            counted[labels.tobytes()] = int(found.sum())
        return counted[labels.tobytes()]

    return count


def _labels(values):
    return np.where(values > 0, 1, -1).astype(np.int8)


def _general(dimension, rng):
    """Each hyperplane's class among all classes that classify the labelled points rightly."""
    X, y, X_working, X_universum = draw_points(dimension, False, rng)
    Z = np.vstack([X, X_working])
    classes, contradicted = contradicted_classes(Z, X_universum)
    left = (classes[:, :N_LABELLED] == y).all(axis=1)
    classes, contradicted = classes[left], contradicted[left]
    counts = contradicted.sum(axis=1)
    programme = _counter(Z, X_universum)
    rows = []
    for C_universum, w, b in hyperplanes(X, y, X_universum):
        values = Z @ w + b
        labels = _labels(values)
        own = int((classes == labels).all(axis=1).argmax())
        hit, f = contradicted[own], np.abs(X_universum @ w + b)
        distance = f / np.linalg.norm(w)
        # f plus or minus a little less than its smallest value on the sample is of the same class
        certain = f < np.abs(values).min()
        rows.append(
            {
                "kind": "machine",
                "panel": "none",
                "loss": "absolute",
                "C_universum": C_universum,
                "classes": float(len(classes)),
                "contradictions": float(counts[own]),
                "programme": float(programme(labels)),
                "most": float(counts.max()),
                "mean": counts.mean(),
                "above": float((counts > counts[own]).sum()),
                "certain": float(certain.sum()),
                "certain_hit": float(hit[certain].sum()),
                "loss_sum": f.sum(),
                "distance": distance.mean(),
                "distance_hit": distance[hit].mean() if hit.any() else np.nan,
                "distance_rest": distance[~hit].mean() if not hit.all() else np.nan,
            }
        )
    return rows


def _flat(dimension, rng):
    """Universum points on one hyperplane: whether both losses bring them to 0 there."""
    X, y, X_working, X_universum = draw_points(dimension, True, rng)
    Z = np.vstack([X, X_working])
    programme = _counter(Z, X_universum)
    rows = []
    for name, loss in (("absolute", "epsilon_insensitive"), ("squared", "squared")):
        for C_universum, w, b in hyperplanes(X, y, X_universum, loss):
            f = np.abs(X_universum @ w + b)
            rows.append(
                {
                    "kind": "machine",
                    "panel": "none",
                    "loss": name,
                    "C_universum": C_universum,
                    "programme": float(programme(_labels(Z @ w + b))),
                    "most": float(N_UNIVERSUM),
                    "loss_sum": f.sum(),
                    "distance": f.mean() / np.linalg.norm(w),
                    "largest": f.max(),
                }
            )
    return rows


def _picture(rng):
    """Points, and three classes of lines: of fewest contradictions, of the SVM, of the U-SVM."""
    X, y, X_working, X_universum = draw_points(2, False, rng)
    Z = np.vstack([X, X_working])
    classes, contradicted = contradicted_classes(Z, X_universum)
    left = (classes[:, :N_LABELLED] == y).all(axis=1)
    classes, contradicted = classes[left], contradicted[left]
    tried = rng.standard_normal((N_RANDOM_LINES, 3))
    members = (_labels(tried @ homogeneous(Z).T)[:, None] == classes).all(axis=2)
    counts = contradicted.sum(axis=1)
    # of the classes with fewest contradictions the one that most random lines are in
    fewest = members.sum(axis=0) * (counts == counts.min())
    lines = hyperplanes(X, y, X_universum)
    shown = [("fewest", classes[fewest.argmax()], None)]
    for name, (_, w, b) in (("SVM", lines[0]), ("U-SVM", lines[-1])):
        shown.append((name, _labels(Z @ w + b), (*w, b)))
    rows = []
    for name, labels, line in shown:
        picture = {"kind": "none", "panel": name, "loss": "absolute"}
        own = int((classes == labels).all(axis=1).argmax())
        sizes = N_LABELLED, N_WORKING, N_UNIVERSUM
        kinds = np.repeat(["labelled", "working", "universum"], sizes)
        marks = np.r_[labels, contradicted[own]].astype(float)
        rows += [
            picture | {"kind": str(kind), "x1": x1, "x2": x2, "label": float(label)}
            for kind, (x1, x2), label in zip(kinds, np.vstack([Z, X_universum]), marks, strict=True)
        ]
        drawn = [("member", *member) for member in tried[members[:, own]][:N_SHOWN_LINES]]
        rows += [
            picture | {"kind": kind, "x1": w1, "x2": w2, "offset": b}
            for kind, w1, w2, b in (*drawn, *([("hyperplane", *line)] if line else []))
        ]
    return rows


@experiment(
    "universum/contradictions",
    version=1,
    title="Contradictions of every equivalence class, and the class of the U-SVM",
    parameters={"picture": Parameter(38, int, "number of the picture's draw", minimum=0)},
    units=lambda params, profile: [
        {"part": "picture", "dimension": 2, "draw": 0},
        *(
            {"part": part, "dimension": d, "draw": i}
            for i in range({"smoke": 2, "paper": 400, "full": 1000}[profile])
            for d in DIMENSIONS
            for part in ("general", "flat")
        ),
    ],
    agreement=dict.fromkeys(
        ("loss_sum", "distance", "distance_hit", "distance_rest", "largest", "x1", "x2", "offset"),
        1e-4,
    ),
)
def count_contradictions(key, params, data, rng):
    """Rows of the picture, or a row for each hyperplane, with the contradictions of its class."""
    if key["part"] == "picture":
        return _picture(np.random.default_rng(params["picture"]))
    return (_flat if key["part"] == "flat" else _general)(key["dimension"], rng)
