"""The limit of a large cost: when the U-SVM becomes the SVM with a projected kernel."""

from __future__ import annotations

import numpy as np

from transductive.kernels import gram_matrix
from transductive.margin.universum_solver import UniversumSolver

from ...runner import crossed, experiment
from .further_universa import universum_points
from .grid_search import error
from .mnist_data import FURTHER_SIZES, classes, scaled_size, split, split_seed
from .mnist_validation import choose_svm
from .universum_axes import UniversumAxes, train_svm

N_TRAIN, N_UNIVERSUM = max(FURTHER_SIZES), 200
#: C of the linear kernel.
LINEAR_COST = 0.1
#: C_universum in units of the largest multiplier of f(x*) = 0.
RATIOS = (0.01, 0.03, 0.1, 0.3, 0.9, 1.1, 3.0, 10.0, 100.0, 1000.0)
_TOLERANCE = 1e-6


@experiment(
    "universum/projection",
    version=1,
    title="The limit of a large cost: the universum's directions are projected out",
    page="losses",
    datasets=("mnist",),
    units=crossed(
        draw={"smoke": 1, "paper": 5, "full": 10},
        kernel=("rbf", "linear"),
        universum=("Mean", "fives", "Rest"),
        smoke=2,
    ),
    # multipliers of means of labelled points are not unique in the linear kernel's space
    agreement=dict.fromkeys(
        ("threshold", "distance", "largest", "error", "error_projected"), "chaotic"
    ),
)
def approach_limit(key, params, data, rng):
    """Rows by loss and cost: distance from the classifier with the universum projected out."""
    name, seed = data["mnist"].name, split_seed(key, params)
    train, test = split(name, seed, N_TRAIN)[0], classes(name)[1]
    points = universum_points(name, key["universum"], train, seed, rng)
    points = points[: scaled_size(name, N_UNIVERSUM)]
    svm = choose_svm(name, seed, N_TRAIN)
    kernel, C = {"kernel": "rbf", "gamma": svm.gamma}, svm.C
    if key["kernel"] == "linear":
        kernel, C = {"kernel": "linear"}, LINEAR_COST
    joint = np.concatenate([train.X, points])
    K, K_test = gram_matrix(joint, **kernel), gram_matrix(test.X, joint, **kernel)
    n = len(train.y)
    axes, cross = UniversumAxes(K[n:, n:]), K[:n, n:]
    (projected,) = axes.project(K[:n, :n], cross)
    b, _ = train_svm(projected, train.y, C, tol=_TOLERANCE)
    duals, intercept = axes.extend(cross, b)
    limit = K_test @ np.r_[b, duals] + intercept
    threshold, scale = np.abs(duals).max(), np.sqrt(np.mean(limit**2))
    rows = []
    for loss in ("epsilon_insensitive", "squared"):
        solver = UniversumSolver(
            K, np.ascontiguousarray(np.diagonal(K)), train.y, loss=loss, tol=_TOLERANCE
        )
        for ratio in (0.0, *RATIOS):
            solver.solve(C, ratio * threshold)
            values = K_test @ solver.coefficients + solver.intercept
            rows.append(
                {
                    "loss": loss,
                    "ratio": ratio,
                    "threshold": threshold,
                    "rank": axes.rank,
                    "distance": np.sqrt(np.mean((values - limit) ** 2)) / scale,
                    "largest": np.abs(solver.values[n:]).max(),
                    "error": error(values, test.y),
                    "error_projected": error(limit, test.y),
                }
            )
    return rows
