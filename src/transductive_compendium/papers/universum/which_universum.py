"""Which universum helps: its gain, and numbers known in advance that might predict it.

Sinz, Chapelle, Agarwal and Schölkopf, An Analysis of Inference with the Universum, NIPS 20 (2008):
the universum as directions that are projected out. Cherkassky, Dhar and Dai, Practical Conditions
for Effectiveness of the Universum Learning, IEEE Transactions on Neural Networks 22 (2011): values
of the SVM at the universum, wide and on both sides.
"""

from __future__ import annotations

import numpy as np

from transductive.kernels import gram_matrix

from ...runner import crossed, experiment
from .further_universa import (
    CHOICE_AGREEMENT,
    ERROR_AGREEMENT,
    all_with_universum,
    chosen_svm,
    judged_errors,
    judged_parts,
    universum_points,
)
from .grid_search import best, error, grid
from .mnist_data import CLASSES, DIGITS, FURTHER_SIZES, N_SPLITS, correlations, split_seed
from .universum_axes import UniversumAxes, train_svm

#: Universa made of the labelled points; cross-validation makes them again from each part.
MADE_OF_LABELLED = ("Mean", "Gen")
CANDIDATES = (
    "Mean",
    "Noise",
    "Gen",
    "Rest",
    *map(str, DIGITS),
    "pixels shuffled",
    "fives",
)
#: Leading axes of the universum that are projected out; None for all.
N_AXES = (10, 100, None)
N_FOLDS = 5
# for SVMs whose universum's axes are projected out
_PROJECTED = ("error_projected", "error_unused_projected", "error_unseen_projected")


def left_out_errors(grams, signs, C, folds, fit_intercept=False):
    """Cross-validation errors of SVMs.

    Parameters
    ----------
    grams : callable
        ``grams(fold)`` returns a list of Gram matrices of all labelled points.
    signs : ndarray of shape (l,)
    C : float
    folds : ndarray of shape (l,)
        Numbers of the folds.

    Returns
    -------
    list of float
        Error rate with each of the matrices.
    """
    values = []
    for fold in np.unique(folds):
        rows, held = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        for k, gram in enumerate(grams(fold)):
            values += [np.empty(len(signs))] if k == len(values) else []
            b, intercept = train_svm(gram[np.ix_(rows, rows)], signs[rows], C, fit_intercept)
            values[k][held] = gram[np.ix_(held, rows)] @ b + intercept
    return [error(found, signs) for found in values]


def shares(axes, cross, gram, signs):
    """Shares of the scatter between the classes, and within them, along the universum's axes.

    Parameters
    ----------
    axes : UniversumAxes
    cross : ndarray of shape (l, u)
    gram : ndarray of shape (l, l)
        Kernel values with the universum and among the labelled points.
    signs : ndarray of shape (l,)

    Returns
    -------
    between, within : float
    """
    z, parts = axes.coordinates(cross), [signs < 0, signs > 0]
    first, second = (z[part].mean(axis=0) for part in parts)
    among = [gram[np.ix_(part, part)].mean() for part in parts]
    distance = sum(among) - 2.0 * gram[np.ix_(*parts)].mean()
    scatter = [
        part.sum() * (np.diagonal(gram)[part].mean() - m)
        for part, m in zip(parts, among, strict=True)
    ]
    inside = sum(part.sum() * z[part].var(axis=0).sum() for part in parts)
    return ((first - second) ** 2).sum() / distance, inside / sum(scatter)


def _left_out(name, kind, train, seed, svm, gram, given):
    """Cross-validation errors with the universum's axes projected out, on training data."""
    # the same folds for all universa of a split
    shuffle = np.random.default_rng([*seed, 10])
    folds = shuffle.permutation(np.arange(len(train.y)) % N_FOLDS)

    def anew(fold):
        labelled = train[np.flatnonzero(folds != fold)]
        points = universum_points(
            name, kind, labelled, seed, np.random.default_rng([*seed, 11, fold])
        )
        axes, cross = _axes(train, points, svm.gamma)
        return axes.project(gram, cross, N_AXES)

    (plain,) = left_out_errors(lambda fold: [gram], train.y, svm.C, folds, True)
    whole = left_out_errors(lambda fold: given, train.y, svm.C, folds)
    errors = left_out_errors(anew, train.y, svm.C, folds) if kind in MADE_OF_LABELLED else whole
    found = {f"cv_error_{rank or 'all'}": e for rank, e in zip(N_AXES, errors, strict=True)}
    # with a universum made of all labelled points, including those left out
    return found | {"cv_error_leaking": whole[-1], "cv_error_svm": plain}


def _axes(train, points, gamma):
    """Axes of the universum, and its kernel values with the labelled points."""
    cross = gram_matrix(train.X, points, kernel="rbf", gamma=gamma)
    return UniversumAxes(gram_matrix(points, kernel="rbf", gamma=gamma)), cross


@experiment(
    "universum/which_universum",
    version=1,
    title="Which universum helps, and what predicts it",
    page="mnist_digits",
    datasets=("mnist",),
    units=crossed(draw=N_SPLITS, n_train=FURTHER_SIZES, universum=CANDIDATES, smoke=3),
    agreement=CHOICE_AGREEMENT
    | {"gamma": "chaotic", "C": "chaotic"}
    | ERROR_AGREEMENT
    | {f"{column}_svm": "chaotic" for column in ERROR_AGREEMENT}
    | dict.fromkeys(("error_oracle", *_PROJECTED), 0.0025)
    | {f"cv_error_{rank}": 0.0101 for rank in ("svm", "10", "100", "all", "leaking")}
    | dict.fromkeys(("f_mean", "f_sd"), 5e-3),
)
def predict_gain(key, params, data, rng):
    """A row: errors with and without a universum, and what might predict them."""
    name, kind = data["mnist"].name, key["universum"]
    seed = split_seed(key, params)
    train, judged = judged_parts(name, seed, key["n_train"])
    svm = chosen_svm(name, seed, key["n_train"])
    points = universum_points(name, kind, train, seed, rng)
    fits = all_with_universum(name, seed, key["n_train"], points)
    chosen = best(fits, judged["validation"].y)
    row = {"n_universum": len(points), **judged_errors(chosen.values, judged)}
    row["error_oracle"] = min(error(fit.values["test"], judged["test"].y) for fit in fits)
    row |= {f"{column}_svm": e for column, e in judged_errors(svm.values, judged).items()}
    row |= {"gamma": svm.gamma, "C": svm.C}
    row |= {"C_universum": chosen.C_universum, "epsilon": chosen.epsilon}
    # the limit of a large cost, as a classifier
    axes, cross = _axes(train, points, svm.gamma)
    gram = gram_matrix(train.X, kernel="rbf", gamma=svm.gamma)
    projected = axes.project(gram, cross, N_AXES)
    b, _ = train_svm(projected[-1], train.y, svm.C)
    duals, intercept = axes.extend(cross, b)
    joint, duals = np.concatenate([train.X, points]), np.r_[b, duals]
    values = {
        at: gram_matrix(judged[at].X, joint, kernel="rbf", gamma=svm.gamma) @ duals + intercept
        for at in ("test", "unused")
    }
    row |= {f"{column}_projected": e for column, e in judged_errors(values, judged).items()}
    # from training data and the universum alone
    parameters = {"gammas": (svm.gamma,), "costs": (svm.C,)}
    f = grid(train.X, train.y, None, {"f": points}, **parameters)[0].values["f"]
    row |= {"f_mean": f.mean(), "f_sd": f.std()}
    row |= {
        f"rho_{number}": correlations(points, train.X[train.y == sign])
        for sign, number in zip((-1, 1), CLASSES, strict=True)
    }
    row["between"], row["within"] = shares(axes, cross, gram, train.y)
    return [row | _left_out(name, kind, train, seed, svm, gram, projected)]
