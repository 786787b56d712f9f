"""Beyond the poster: which universum helps, what a wrong one does, and the limit of its cost.

Sinz, Chapelle, Agarwal and Schölkopf, An Analysis of Inference with the Universum, NIPS 20 (2008):
the universum as directions that are projected out. Cherkassky, Dhar and Dai, Practical Conditions
for Effectiveness of the Universum Learning, IEEE Transactions on Neural Networks 22 (2011): values
of the SVM at the universum, wide and on both sides.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from transductive.kernels import gram_matrix
from transductive.margin.universum_solver import UniversumSolver

from ...runner.declaration import Experiment, UnitMean, crossed, register
from . import images
from .selection import best, error, grid

#: Points of every universum.
N_UNIVERSUM = 1000
N_TRAIN = (200, 1000)
DRAWS = {"smoke": 1, "paper": 10, "full": 30}
#: Universa made of the labelled points: cross-validation makes them anew from each part.
MADE = ("Mean", "Gen")
#: Images that have no label but are of a class: no universum at all.
CLASSES = {"fives": (-1,), "eights": (1,), "fives and eights": (-1, 1)}
#: What is done to the images of the universum Rest.
CHANGES = {
    "pixels shuffled": lambda images, rng: rng.permuted(images.reshape(len(images), -1), axis=1),
    "one permutation": lambda images, rng: images.reshape(len(images), -1)[
        :, rng.permutation(images[0].size)
    ],
    "turned": lambda images, rng: np.rot90(images, axes=(1, 2)),
    "inverted": lambda images, rng: 1.0 - images,
}
CANDIDATES = (
    "Mean",
    "Noise",
    "Gen",
    "Rest",
    *map(str, images.DIGITS),
    "pixels shuffled",
    "fives",
)
CONTROLS = (*CLASSES, "Rest", *CHANGES)
#: Leading directions of the universum that are projected out; None for all.
RANKS = (10, 100, None)
FOLDS = 5
#: What helps with Rest, whatever the universum.
FIXED = (1.0, 0.1)


class UniversumAxes:
    """Principal axes of a universum in feature space, about its mean.

    Parameters
    ----------
    gram : ndarray of shape (u, u)
        Kernel values of the universum.

    Attributes
    ----------
    rank : int
    """

    def __init__(self, gram):
        self._means = gram.mean(axis=0)
        centred = gram - self._means - self._means[:, None] + self._means.mean()
        values, vectors = np.linalg.eigh(centred)
        kept = np.flatnonzero(values > 1e-10 * values[-1])[::-1]
        self.rank = len(kept)
        self._map = vectors[:, kept] / np.sqrt(values[kept])

    def coordinates(self, cross):
        """Coordinates of points along the axes, from their kernel values with the universum.

        Parameters
        ----------
        cross : ndarray of shape (n, u)

        Returns
        -------
        ndarray of shape (n, rank)
            The axis of the largest variance first.
        """
        centred = cross - cross.mean(axis=1, keepdims=True) - self._means + self._means.mean()
        return centred @ self._map

    def project(self, gram, cross, ranks=(None,)):
        """Kernel values about the universum's mean, without the parts along its leading axes.

        Parameters
        ----------
        gram : ndarray of shape (n, n)
        cross : ndarray of shape (n, u)
            Kernel values of the same points with the universum.
        ranks : tuple of int or None
            Numbers of axes; None for all.

        Returns
        -------
        list of ndarrays of shape (n, n)
            One for each of `ranks`.
        """
        means, z = cross.mean(axis=1), self.coordinates(cross)
        centred = gram - means[:, None] - means + self._means.mean()
        return [centred - z[:, :rank] @ z[:, :rank].T for rank in ranks]

    def extend(self, cross, coefficients):
        """The projected-kernel SVM as a function of the kernel itself.

        Parameters
        ----------
        cross : ndarray of shape (l, u)
            Kernel values of the labelled points with the universum.
        coefficients : ndarray of shape (l,)
            Its signed duals, all axes projected out.

        Returns
        -------
        universum : ndarray of shape (u,)
            Signed duals of the universum points, the shortest possible. Above the largest of them
            the U-SVM with epsilon = 0 is the same machine; at lower costs, too, if other duals
            give the same w, as they do where the centred kernel matrix has a low rank.
        intercept : float
        """
        along = self._map @ (self.coordinates(cross).T @ coefficients)
        # the origin is the mean of the universum, so that all duals together are 0
        universum = (along.sum() - coefficients.sum()) / len(along) - along
        return universum, -float(cross.mean(axis=1) @ coefficients + self._means @ universum)


def support_vector_machine(gram, signs, C, fit_intercept=False, tol=1e-3):
    """Signed duals, shape (l,), and intercept, from a Gram matrix of shape (l, l)."""
    gram = np.ascontiguousarray(gram)
    machine = UniversumSolver(
        gram,
        np.ascontiguousarray(np.diagonal(gram)),
        signs,
        fit_intercept=fit_intercept,
        tol=tol,
    ).solve(C, 0.0)
    return machine.coefficients, machine.intercept


def left_out_errors(grams, signs, C, folds, fit_intercept=False):
    """Cross-validation errors of support vector machines.

    Parameters
    ----------
    grams : callable
        ``grams(fold)`` gives Gram matrices of all labelled points, in a list.
    signs : ndarray of shape (l,)
    C : float
    folds : ndarray of shape (l,)
        Numbers of the folds.

    Returns
    -------
    list of float
        Share wrong with each of the matrices.
    """
    values = []
    for fold in np.unique(folds):
        rows, held = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        for k, gram in enumerate(grams(fold)):
            values += [np.empty(len(signs))] if k == len(values) else []
            b, intercept = support_vector_machine(
                gram[np.ix_(rows, rows)], signs[rows], C, fit_intercept
            )
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


# ---- images -------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _reserve(name, draw):
    """Images outside training and validation: half as a universum, half to be judged."""
    whole = images.split(name, draw, images.ALL)[0]
    rest = whole[np.arange(images.size(name, max(N_TRAIN)), len(whole.y))]
    return rest[np.arange(len(rest.y) // 2)], rest[np.arange(len(rest.y) // 2, len(rest.y))]


def universum(name, kind, labelled, draw, rng):
    """Points of a universum: of the poster's, of a class, or of changed images.

    Parameters
    ----------
    name : {"mnist", "digits"}
    kind : str
        Of `CANDIDATES` or `CONTROLS`.
    labelled : images.Part
    draw : tuple of int
        Of `images.numbered`.
    rng : Generator

    Returns
    -------
    ndarray of shape (n, d)
        `N_UNIVERSUM` points, or their counterpart for the stand-in, if its classes have so many.
    """
    n = images.size(name, N_UNIVERSUM)
    if kind in CLASSES:
        unlabelled = _reserve(name, draw)[0]
        return unlabelled.X[np.isin(unlabelled.y, CLASSES[kind])][:n]
    if kind in CHANGES:
        points = images.universum(name, "Rest", labelled, N_UNIVERSUM, draw)
        side = int(np.sqrt(points.shape[1]))
        return CHANGES[kind](points.reshape(-1, side, side), rng).reshape(len(points), -1)
    points = images.universum(name, kind, labelled, N_UNIVERSUM, draw)
    return points[rng.permutation(len(points))[:n]]


def _judged(name, draw, n_train):
    """Training subset, and where machines are judged."""
    train, validation = images.split(name, draw, n_train)
    unused = _reserve(name, draw)[1]
    return train, {"test": images.classes(name)[1], "unused": unused, "validation": validation}


@lru_cache(maxsize=2)
def _inductive(name, draw, n_train):
    """The support vector machine that validation chose, with its values."""
    train, judged = _judged(name, draw, n_train)
    chosen = images.inductive(name, draw, n_train)
    where = {at: part.X for at, part in judged.items()}
    return grid(train.X, train.y, None, where, gammas=(chosen.gamma,), costs=(chosen.C,))[0]


def _with_universum(name, draw, n_train, points):
    """All U-SVMs of the grid, at the width and C that the SVM chose."""
    train, judged = _judged(name, draw, n_train)
    svm = _inductive(name, draw, n_train)
    return grid(
        train.X,
        train.y,
        points,
        {at: part.X for at, part in judged.items()},
        gammas=(svm.gamma,),
        costs=(svm.C,),
        universum_costs=images.UNIVERSUM_COSTS,
        epsilons=images.EPSILONS,
    )


def _errors(values, judged):
    """Errors at test images, unused images and both, and for validation, where there are values."""
    columns = {"test": "error", "unused": "error_unused", "validation": "error_validation"}
    found = {columns[at]: error(f, judged[at].y) for at, f in values.items()}
    sizes = [len(judged[at].y) for at in ("test", "unused")]
    unseen = np.average([found["error"], found["error_unused"]], weights=sizes)
    return found | {"error_unseen": unseen}


def _left_out(name, kind, train, draw, svm, gram, given):
    """Cross-validation errors with the universum's axes projected out, on training data."""
    # the same folds for all universa of a draw
    shuffle = np.random.default_rng([*draw, 10])
    folds = shuffle.permutation(np.arange(len(train.y)) % FOLDS)

    def anew(fold):
        labelled = train[np.flatnonzero(folds != fold)]
        points = universum(name, kind, labelled, draw, np.random.default_rng([*draw, 11, fold]))
        axes, cross = _axes(train, points, svm.gamma)
        return axes.project(gram, cross, RANKS)

    (plain,) = left_out_errors(lambda fold: [gram], train.y, svm.C, folds, True)
    whole = left_out_errors(lambda fold: given, train.y, svm.C, folds)
    errors = left_out_errors(anew, train.y, svm.C, folds) if kind in MADE else whole
    found = {f"cv_error_{rank or 'all'}": e for rank, e in zip(RANKS, errors, strict=True)}
    # with a universum made of all labelled points, those that are left out among them
    return found | {"cv_error_leaking": whole[-1], "cv_error_svm": plain}


def _axes(train, points, gamma):
    """Axes of the universum, and its kernel values with the labelled points."""
    cross = gram_matrix(train.X, points, kernel="rbf", gamma=gamma)
    return UniversumAxes(gram_matrix(points, kernel="rbf", gamma=gamma)), cross


def _run_which(key, params, data, rng):
    name, kind = data["mnist"].name, key["universum"]
    draw = images.numbered(key, params)
    train, judged = _judged(name, draw, key["n_train"])
    svm = _inductive(name, draw, key["n_train"])
    points = universum(name, kind, train, draw, rng)
    fits = _with_universum(name, draw, key["n_train"], points)
    chosen = best(fits, judged["validation"].y)
    row = {"n_universum": len(points), **_errors(chosen.values, judged)}
    row["error_oracle"] = min(error(fit.values["test"], judged["test"].y) for fit in fits)
    row |= {f"{column}_svm": e for column, e in _errors(svm.values, judged).items()}
    row |= {"gamma": svm.gamma, "C": svm.C}
    row |= {"C_universum": chosen.C_universum, "epsilon": chosen.epsilon}
    # the limit of a large cost, as a classifier
    axes, cross = _axes(train, points, svm.gamma)
    gram = gram_matrix(train.X, kernel="rbf", gamma=svm.gamma)
    projected = axes.project(gram, cross, RANKS)
    b, _ = support_vector_machine(projected[-1], train.y, svm.C)
    duals, intercept = axes.extend(cross, b)
    joint, duals = np.concatenate([train.X, points]), np.r_[b, duals]
    values = {
        at: gram_matrix(judged[at].X, joint, kernel="rbf", gamma=svm.gamma) @ duals + intercept
        for at in ("test", "unused")
    }
    row |= {f"{column}_projected": e for column, e in _errors(values, judged).items()}
    # from training data and the universum alone
    parameters = {"gammas": (svm.gamma,), "costs": (svm.C,)}
    f = grid(train.X, train.y, None, {"f": points}, **parameters)[0].values["f"]
    row |= {"f_mean": f.mean(), "f_sd": f.std()}
    row |= {
        f"rho_{number}": images.correlations(points, train.X[train.y == sign])
        for sign, number in zip((-1, 1), images.CLASSES, strict=True)
    }
    row["between"], row["within"] = shares(axes, cross, gram, train.y)
    return [row | _left_out(name, kind, train, draw, svm, gram, projected)]


def _run_controls(key, params, data, rng):
    name, n_train = data["mnist"].name, max(N_TRAIN)
    draw = images.numbered(key, params)
    train, judged = _judged(name, draw, n_train)
    points = universum(name, key["universum"], train, draw, rng)
    fits = _with_universum(name, draw, n_train, points)
    machines = {
        "SVM": _inductive(name, draw, n_train),
        "fixed": next(fit for fit in fits if (fit.C_universum, fit.epsilon) == FIXED),
        "largest": next(fit for fit in reversed(fits) if fit.epsilon == FIXED[1]),
        "chosen": best(fits, judged["validation"].y),
    }
    return [
        {
            "method": method,
            **_errors(fit.values, judged),
            "C_universum": fit.C_universum,
            "epsilon": fit.epsilon,
        }
        for method, fit in machines.items()
    ]


# ---- the limit of a large cost ------------------------------------------------------------------

LIMIT_UNIVERSA = ("Mean", "fives", "Rest")
LIMIT_TRAIN, LIMIT_UNIVERSUM, LIMIT_DRAWS = 1000, 200, {"smoke": 1, "paper": 5, "full": 10}
#: C of the linear kernel.
LINEAR_COST = 0.1
#: C_universum in units of the largest multiplier of f(x*) = 0.
RATIOS = (0.01, 0.03, 0.1, 0.3, 0.9, 1.1, 3.0, 10.0, 100.0, 1000.0)
_TIGHT = 1e-6


def _run_projection(key, params, data, rng):
    name, draw = data["mnist"].name, images.numbered(key, params)
    train, test = images.split(name, draw, LIMIT_TRAIN)[0], images.classes(name)[1]
    points = universum(name, key["universum"], train, draw, rng)
    points = points[: images.size(name, LIMIT_UNIVERSUM)]
    svm = images.inductive(name, draw, LIMIT_TRAIN)
    kernel, C = {"kernel": "rbf", "gamma": svm.gamma}, svm.C
    if key["kernel"] == "linear":
        kernel, C = {"kernel": "linear"}, LINEAR_COST
    joint = np.concatenate([train.X, points])
    K, K_test = gram_matrix(joint, **kernel), gram_matrix(test.X, joint, **kernel)
    n = len(train.y)
    axes, cross = UniversumAxes(K[n:, n:]), K[:n, n:]
    (projected,) = axes.project(K[:n, :n], cross)
    b, _ = support_vector_machine(projected, train.y, C, tol=_TIGHT)
    duals, intercept = axes.extend(cross, b)
    limit = K_test @ np.r_[b, duals] + intercept
    threshold, scale = np.abs(duals).max(), np.sqrt(np.mean(limit**2))
    rows = []
    for loss in ("epsilon_insensitive", "squared"):
        machine = UniversumSolver(
            K, np.ascontiguousarray(np.diagonal(K)), train.y, loss=loss, tol=_TIGHT
        )
        for ratio in (0.0, *RATIOS):
            machine.solve(C, ratio * threshold)
            values = K_test @ machine.coefficients + machine.intercept
            rows.append(
                {
                    "loss": loss,
                    "ratio": ratio,
                    "threshold": threshold,
                    "rank": axes.rank,
                    "distance": np.sqrt(np.mean((values - limit) ** 2)) / scale,
                    "largest": np.abs(machine.values[n:]).max(),
                    "error": error(values, test.y),
                    "error_projected": error(limit, test.y),
                }
            )
    return rows


# an image at the boundary may fall on either side by rounding, and with it a choice among machines
# of equal merit
_CHOICE = {"C_universum": "ignore", "epsilon": "ignore"}
_WIDTH = {"gamma": "ignore", "C": "ignore"}
_ERRORS = dict.fromkeys(("error", "error_unused", "error_unseen", "error_validation"), 0.005)
_PROJECTED = ("error_projected", "error_unused_projected", "error_unseen_projected")

register(
    Experiment(
        name="universum/which_universum",
        version=1,
        title="Which universum helps, told in advance",
        datasets=("mnist",),
        units=crossed(draw=DRAWS, n_train=N_TRAIN, universum=CANDIDATES, smoke=3),
        run_unit=_run_which,
        agreement=_CHOICE
        | _WIDTH
        | _ERRORS
        | {f"{column}_svm": 0.005 for column in _ERRORS}
        | dict.fromkeys(("error_oracle", *_PROJECTED), 0.0025)
        | {f"cv_error_{rank}": 0.0101 for rank in ("svm", "10", "100", "all", "leaking")}
        | dict.fromkeys(("f_mean", "f_sd"), 5e-3),
    )
)

register(
    Experiment(
        name="universum/controls",
        version=1,
        title="A wrong universum: what harm it does, and whether validation protects",
        datasets=("mnist",),
        units=crossed(draw=DRAWS, universum=CONTROLS, smoke=2),
        run_unit=_run_controls,
        agreement=_CHOICE | _ERRORS,
    )
)

register(
    Experiment(
        name="universum/projection",
        version=1,
        title="The limit of a large cost: the universum's directions are projected out",
        datasets=("mnist",),
        units=crossed(
            draw=LIMIT_DRAWS, kernel=("rbf", "linear"), universum=LIMIT_UNIVERSA, smoke=2
        ),
        run_unit=_run_projection,
        # multipliers of means of labelled points are not unique in the linear kernel's space
        agreement={
            "threshold": "ignore",
            "distance": UnitMean(0.01),
            "largest": UnitMean(0.05),
            "error": UnitMean(0.0025),
            "error_projected": 0.0025,
        },
    )
)
