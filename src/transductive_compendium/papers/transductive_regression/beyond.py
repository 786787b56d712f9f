"""Beyond the document: which working sets transduction helps, gamma* by leave-one-out, and why.

Each row sets the values Y* of equation (34) beside other kinds of ridge regression: equation (17)
itself; with basis functions at the working points too, but no more pairs; and with gamma chosen
again at the same width.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import pdist

from transductive.kernels import gram_matrix, rbf_gamma
from transductive.leave_one_out import LooForm, RidgeLOO, RidgeSpectrum

from ...runner.declaration import Experiment, crossed, register
from ...runner.parameters import Parameter
from .regression import ALPHA_STAR, CHOSEN, LOG_SIGMA_OF_SIZES, READINGS, SHRINKING
from .scaling_search import PUBLISHED, scale, sizes

#: Ridges from which leave-one-out chooses.
ALPHAS = np.geomspace(1e-6, 1e2, 25)
#: gamma* from which leave-one-out chooses; ridge regression, where it is infinite, comes last.
ALPHAS_STAR = (*np.geomspace(1e-3, 1e3, 7), np.inf)
#: The penalty "norm" on features in [-1, 1]; (9) as written, unit variance and centred targets.
COMPARED = ("norm", "written")


class Comparison(NamedTuple):
    """Values at the working points, and what leave-one-out says of them on the training part.

    `transduced` has a row for each gamma*, `loo` its leave-one-out error; of an infinite one these
    are ridge regression's.
    """

    ridge: np.ndarray
    own: np.ndarray
    joint: np.ndarray
    retuned: np.ndarray
    transduced: np.ndarray
    loo: np.ndarray


def compare(gram, y, alpha, penalty, alphas_star=ALPHAS_STAR):
    """Transduction for several gamma* beside four kinds of ridge regression.

    Parameters
    ----------
    gram : ndarray of shape (l + m, l + m)
        Training points first.
    y : ndarray of shape (l,)
    alpha : float
        gamma of equations (9) and (23).
    penalty : {"coefficients", "norm"}
    alphas_star : sequence of g floats
        Positive; those that are infinite come last.

    Returns
    -------
    Comparison
        `joint` is ridge regression on the l pairs with basis functions at all l + m points; `own`
        has for each working point those of the training points and its own, as a pair that is
        left out has in (15). With the penalty "norm" both are `ridge`: the minimum needs no basis
        functions without a pair (representer theorem).
    """
    n = len(y)
    sample, cross = RidgeSpectrum(gram[:n, :n], symmetric=True, penalty=penalty), gram[n:, :n]
    influence = cross @ sample.coefficients(np.eye(n), alpha)
    ridge = influence @ y
    best = ALPHAS[sample.loo_errors(y, ALPHAS).argmin()]
    own = joint = ridge
    if penalty == "coefficients":
        own = _own_basis(sample, gram, y, alpha)
        u, values, vt = np.linalg.svd(gram[:n], full_matrices=False)
        joint = gram[n:] @ (vt.T @ (values / (values**2 + alpha) * (u.T @ y)))
    form = LooForm(RidgeSpectrum(gram, symmetric=True, penalty=penalty), alpha, n)
    loo_values = y - sample.loo_residuals(y, alpha)[:, 0]
    finite = [a for a in alphas_star if np.isfinite(a)]
    left_out = form.transductive_loo(y, ridge, loo_values, influence, finite)
    left_out = np.column_stack([left_out, *[loo_values] * (len(alphas_star) - len(finite))])
    return Comparison(
        ridge,
        own,
        joint,
        cross @ sample.coefficients(y, best),
        np.array([form.transduce(y, ridge, a) for a in alphas_star]),
        ((left_out - y[:, None]) ** 2).mean(axis=0),
    )


def _own_basis(sample, gram, y, alpha):
    """Ridge regression for one working point after the other, its basis function c added.

    In dual variables ``(K K' + c c' + alpha I)^-1 y``, by Sherman and Morrison's formula.
    """
    n = len(y)
    c, own = gram[:n, n:], np.diag(gram)[n:]
    solve = sample.vectors / (sample.spectrum + alpha) @ sample.vectors.T
    dual, along = solve @ y, solve @ c
    weights = dual[:, None] - along * (c.T @ dual / (1.0 + (c * along).sum(axis=0)))
    return ((gram[:n, :n] @ c + c * own) * weights).sum(axis=0)


# ---- working sets: tiny, large, shifted ---------------------------------------------------------

SIZES = (1, 2, 4, 16, 64, 256, 1024, 2048, 4096)
# Every working set's size is judged at the same points: the first ones that are not for training.
N_JUDGED = 64
#: gamma and sigma by the leave-one-out search, or where the document varies the number of points.
PLACES = ("chosen", "figure 1d")
# gamma* that hardly holds Y* to Y0
LOOSE = 1e-3
#: Direction, and how strongly it selects: training points by exp(-s z), working points by exp(s z).
SHIFTS = {
    "none": ("target", 0.0),
    "mild": ("target", 0.5),
    "strong": ("target", 2.0),
    "strong, aside": ("principal", 2.0),
}


def direction(X, y, which):
    """Coordinates of the points along one direction, mean 0 and variance 1.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    y : ndarray of shape (n,)
    which : {"target", "principal"}
        The direction of the least-squares fit to y, or the first principal one.

    Returns
    -------
    z : ndarray of shape (n,)
    """
    X = scale(X, "unit variance")
    if which == "target":
        z = X @ np.linalg.lstsq(X, y - y.mean(), rcond=None)[0]
    else:
        axis = np.linalg.eigh(X.T @ X)[1][:, -1]
        z = X @ (axis * np.sign(axis[np.abs(axis).argmax()]))
    return (z - z.mean()) / z.std()


def draw_shifted(z, n_train, n_working, strength, rng):
    """Rows without replacement: for training in proportion to exp(-s z), then to exp(s z).

    Returns
    -------
    order : ndarray of int, shape (n_train + n_working,)
        Training rows first. Targets play no part beyond z, so that the shift is one of inputs.
    """
    # the largest of log weights plus Gumbel noise are such a draw
    noise = rng.gumbel(size=(2, len(z)))
    train = np.argsort(strength * z - noise[0])[:n_train]
    noise[1, train] = -np.inf
    return np.concatenate([train, np.argsort(-strength * z - noise[1])[:n_working]])


def _judge(found, alphas_star, truth):
    """Squared errors of all methods at the first working points, and the choice of gamma*."""
    chosen = found.loo.argmin()
    loose, fixed, shrinking, *_ = found.transduced
    values = {
        "rr": found.ridge,
        "rr_joint": found.joint,
        "rr_retuned": found.retuned,
        "tr_loose": loose,
        "tr_fixed": fixed,
        "tr_shrinking": shrinking,
        "tr_chosen": found.transduced[chosen],
    }
    return {f"{k}_mse": np.mean((v[: len(truth)] - truth) ** 2) for k, v in values.items()} | {
        "ridge_chosen": float(np.isinf(alphas_star[chosen])),
        "rr_loo": found.loo[-1],
        "promised": 1.0 - found.loo[chosen] / found.loo[-1],
    }


def _run_working_sets(key, params, data, rng):
    name = "kin32fh"
    table, n = data[name], PUBLISHED[name][0]
    which, strength = SHIFTS[key["shift"]]
    z = direction(table.X, table.y, which)
    n_working = min(key["largest"], len(z) - n)
    order = draw_shifted(z, n, n_working, strength, rng)
    end = n + min(N_JUDGED, n_working)
    distance = z[order[n:]].mean() - z[order[:n]].mean()
    rows = []
    for reading, place in product(COMPARED, PLACES[: 1 if strength else None]):
        penalty, scaling, centred, _ = READINGS[reading]
        gamma, log_sigma = CHOSEN[name][reading]
        if place == "figure 1d":
            gamma, log_sigma = PUBLISHED[name][1], LOG_SIGMA_OF_SIZES[name]
        y = table.y[order]
        y = y - y[:n].mean() if centred else y
        gram = gram_matrix(scale(table.X, scaling)[order], gamma=rbf_gamma(np.exp(log_sigma)))
        for m in (1, 256) if strength else SIZES:
            if m > n_working:  # a stand-in is small
                break
            alphas_star = (LOOSE, ALPHA_STAR[name], SHRINKING[name] / m, *ALPHAS_STAR)
            judged = []
            for start in range(n, end, m):
                pick = np.r_[:n, start : start + m]
                found = compare(gram[np.ix_(pick, pick)], y[:n], gamma, penalty, alphas_star)
                judged.append(_judge(found, alphas_star, y[start : min(start + m, end)]))
            rows.append(
                {"reading": reading, "place": place, "m": m, "distance": distance}
                | {column: np.mean([j[column] for j in judged]) for column in judged[0]}
            )
    return rows


def _working_set_units(profile):
    units = [(shift, 256, split) for split in range(100) for shift in SHIFTS]
    units += [("none", 1024, split) for split in range(100, 112)]
    units += [("none", 2048, split) for split in range(112, 115)]
    if profile == "full":
        units += [("none", 4096, split) for split in range(115, 125)]
    return [
        {"shift": shift, "largest": largest, "split": split} for shift, largest, split in units
    ][: len(SHIFTS) if profile == "smoke" else None]


register(
    Experiment(
        name="transductive_regression/working_sets",
        version=1,
        title="Tiny, large and shifted working sets on kin32fh",
        datasets=("kin32fh",),
        units=lambda params, profile: _working_set_units(profile),
        run_unit=_run_working_sets,
    )
)


# ---- gamma* by leave-one-out, and transductive against inductive --------------------------------

#: Training and working rows.
ROWS = {"diabetes": (300, 142), "usps": (300, 500)}
SINE = {"sine, in the gap": "gap", "sine, outside": "outside", "sine, everywhere": "everywhere"}
N_SINE = (30, 60)
#: Kernel widths over the median distance of the training points.
WIDTHS = 2.0 ** np.arange(-2.0, 3.01, 0.5)


def draw_sine(where, noise, rng):
    """A sine seen through noise, but for a gap in the middle of [0, 1].

    Parameters
    ----------
    where : {"gap", "outside", "everywhere"}
        Where the working points are: in (0.4, 0.6), outside of it as the training points, or in
        all of [0, 1].
    noise : float
        Standard deviation of the training values.
    rng : numpy.random.Generator

    Returns
    -------
    X : ndarray of shape (90, 1)
        30 training points, then 60 working points.
    y : ndarray of shape (90,)
        Training values with noise; of the working points the values without.
    """
    n_train, n_working = N_SINE

    def outside(n):
        x = rng.uniform(0.0, 0.8, n)
        return np.where(x < 0.4, x, x + 0.2)

    train = outside(n_train)
    if where == "outside":
        working = outside(n_working)
    else:
        working = rng.uniform(*((0.4, 0.6) if where == "gap" else (0.0, 1.0)), n_working)
    x = np.concatenate([train, working])
    y = np.sin(2.0 * np.pi * x)
    y[:n_train] += noise * rng.standard_normal(n_train)
    return x[:, None], y


def _draw(name, scaling, noise, data, rng):
    """Points of one division, training part first, targets, and the size of the training part."""
    if name in SINE:
        return *draw_sine(SINE[name], noise, rng), N_SINE[0]
    table = data[name]
    if name == "usps":  # pixels share their scale
        X, y = table.X / table.X.max(), table.codes.astype(float)
    else:
        X, y = scale(table.X, scaling), table.y
    n_train, n_working = ROWS[name] if name in ROWS else sizes(name, table)
    order = rng.permutation(len(y))[: n_train + n_working]
    return X[order], y[order], n_train


def tuned(X, y, penalty):
    """gamma and kernel width with the smallest leave-one-out error (15) on a training part.

    Returns
    -------
    gamma, log_sigma : float
        The document's, the logarithm to base e.
    """
    widths = WIDTHS * np.median(pdist(X))
    ridge = RidgeLOO(ALPHAS, gammas=[rbf_gamma(s) for s in widths], penalty=penalty).fit(X, y)
    return ridge.alpha_, float(-0.5 * np.log(2.0 * ridge.gamma_))


def _run_grid(alphas_star, fixed, key, params, data, rng):
    """A row for each gamma*; gamma and sigma are the search's, or this training part's own."""
    name, rows, state = key["dataset"], [], rng.bit_generator.state
    for reading in COMPARED:
        rng.bit_generator.state = state  # every reading sees the same division
        penalty, scaling, centred, _ = READINGS[reading]
        X, y, n = _draw(name, scaling, params.get("noise"), data, rng)
        y = y - y[:n].mean() if centred else y
        gamma, log_sigma = CHOSEN[name][reading] if name in fixed else tuned(X[:n], y[:n], penalty)
        gram = gram_matrix(X, gamma=rbf_gamma(np.exp(log_sigma)))
        found, truth = compare(gram, y[:n], gamma, penalty, alphas_star), y[n:]
        unit = {
            "reading": reading,
            "gamma": gamma,
            "log_sigma": log_sigma,
            "rr_own_mse": np.mean((found.own - truth) ** 2),
            "rr_joint_mse": np.mean((found.joint - truth) ** 2),
            "rr_retuned_mse": np.mean((found.retuned - truth) ** 2),
        }
        errors = ((found.transduced - truth) ** 2).mean(axis=1)
        rows += [
            unit | {"alpha_star": float(a), "mse": e, "loo": loo}
            for a, e, loo in zip(alphas_star, errors, found.loo, strict=True)
        ]
    return rows


_SPLITS = {"smoke": 1, "paper": 100, "full": 300}
FINE = (*np.geomspace(1e-3, 1e3, 13), np.inf)
register(
    Experiment(
        name="transductive_regression/alpha_star",
        version=2,
        title="gamma* by leave-one-out, fixed as in the document, and best in hindsight",
        datasets=("boston", "kin32fh", "diabetes"),
        units=crossed("dataset", "split", split=_SPLITS, dataset=("boston", "kin32fh", "diabetes")),
        run_unit=partial(_run_grid, FINE, CHOSEN),
    )
)

register(
    Experiment(
        name="transductive_regression/inductive",
        version=2,
        title="Transductive against inductive ridge regression, both tuned on the training part",
        datasets=("diabetes", "usps", "boston", "kin32fh"),
        parameters={
            "noise": Parameter(0.2, float, "standard deviation of the sine's noise", minimum=0)
        },
        units=crossed(
            "dataset",
            "split",
            split=_SPLITS,
            dataset=("diabetes", "usps", "boston", "kin32fh", *SINE),
        ),
        run_unit=partial(_run_grid, ALPHAS_STAR, ()),
    )
)
