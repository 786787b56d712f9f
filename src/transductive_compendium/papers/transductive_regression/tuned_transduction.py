"""Transductive and inductive ridge regression, each tuned by leave-one-out.

The values Y* of equation (34) are compared with those of equation (17) itself, of (17) with basis
functions at the working points too but no more pairs, and of (17) with gamma chosen again at the
same width.
"""

from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import pdist

from transductive.kernels import gram_matrix, rbf_gamma
from transductive.leave_one_out import LooForm, RidgeLOO, RidgeSpectrum

from ...runner import Parameter, crossed, experiment
from .printed_setting import split_sizes

N_SPLITS = {"smoke": 1, "paper": 100, "full": 300}
#: Training and working rows of the tables that are not in section 4.1.
OWN_SIZES = {"diabetes": (300, 142), "usps": (300, 500)}
#: Location of the working points of each sine.
SINE = {"sine, in the gap": "gap", "sine, outside": "outside", "sine, everywhere": "everywhere"}
#: Its training and working points.
N_SINE = (30, 60)
#: Kernel widths over the median distance of the training points.
WIDTHS = 2.0 ** np.arange(-2.0, 3.01, 0.5)
#: Ridges from which leave-one-out chooses.
ALPHAS = np.geomspace(1e-6, 1e2, 25)
#: gamma* from which leave-one-out chooses; ridge regression, where it is infinite, comes last.
ALPHAS_STAR = (*np.geomspace(1e-3, 1e3, 7), np.inf)
#: Penalty, scaling of the features, whether targets are centred: kernel ridge regression, in which
#: a basis function goes with its pair, and ridge regression (9) as printed.
SETTINGS = {
    "norm": ("norm", "[-1, 1]", False),
    "written": ("coefficients", "unit variance", True),
}
#: Centre and width of each feature.
SCALES = {
    "unit variance": lambda X: (X.mean(axis=0), X.std(axis=0)),
    "[-1, 1]": lambda X: ((X.max(axis=0) + X.min(axis=0)) / 2, np.ptp(X, axis=0) / 2),
}


class Comparison(NamedTuple):
    """Values at the working points, and their leave-one-out errors on the training part.

    `transduced` has a row for each gamma*, `loo` its leave-one-out error; for an infinite gamma*
    they are ridge regression's.
    """

    ridge: np.ndarray
    own: np.ndarray
    joint: np.ndarray
    retuned: np.ndarray
    transduced: np.ndarray
    loo: np.ndarray


def compare(gram, y, alpha, penalty, alphas_star=ALPHAS_STAR):
    """Transduction for several gamma*, and four kinds of ridge regression.

    Parameters
    ----------
    gram : ndarray of shape (l + m, l + m)
        Training points first.
    y : ndarray of shape (l,)
    alpha : float
        gamma of equations (9) and (23).
    penalty : {"coefficients", "norm"}
    alphas_star : sequence of g floats
        Positive; infinite ones come last.

    Returns
    -------
    Comparison
        `joint` is ridge regression on the l pairs with basis functions at all l + m points; `own`
        uses for each working point the basis functions of the training points and its own, like a
        left-out pair in (15). With the penalty "norm" both equal `ridge`: the minimum needs no
        basis functions without a pair (representer theorem).
    """
    n = len(y)
    sample, cross = RidgeSpectrum(gram[:n, :n], penalty=penalty), gram[n:, :n]
    influence = cross @ sample.coefficients(np.eye(n), alpha)
    ridge = influence @ y
    best = ALPHAS[sample.loo_errors(y, ALPHAS).argmin()]
    own = joint = ridge
    if penalty == "coefficients":
        own = _own_basis(sample, gram, y, alpha)
        u, values, vt = np.linalg.svd(gram[:n], full_matrices=False)
        joint = gram[n:] @ (vt.T @ (values / (values**2 + alpha) * (u.T @ y)))
    form = LooForm(RidgeSpectrum(gram, penalty=penalty), alpha, n)
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
    """Ridge regression for each working point alone, its basis function c added.

    In dual variables ``(K K' + c c' + alpha I)^-1 y``, by Sherman and Morrison's formula.
    """
    n = len(y)
    c, own = gram[:n, n:], np.diag(gram)[n:]
    solve = sample.vectors / (sample.spectrum + alpha) @ sample.vectors.T
    dual, along = solve @ y, solve @ c
    weights = dual[:, None] - along * (c.T @ dual / (1.0 + (c * along).sum(axis=0)))
    return ((gram[:n, :n] @ c + c * own) * weights).sum(axis=0)


def sample_sine(where, noise, rng):
    """A noisy sine with a gap in the middle of [0, 1].

    Parameters
    ----------
    where : {"gap", "outside", "everywhere"}
        Location of the working points: in (0.4, 0.6), outside of it like the training points, or
        in all of [0, 1].
    noise : float
        Standard deviation of the training values.
    rng : numpy.random.Generator

    Returns
    -------
    X : ndarray of shape (90, 1)
        30 training points, then 60 working points.
    y : ndarray of shape (90,)
        Training values with noise; working values without.
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


def _split(name, scaling, noise, data, rng):
    """Points of one split, training part first, targets, and the size of the training part."""
    if name in SINE:
        return *sample_sine(SINE[name], noise, rng), N_SINE[0]
    table = data[name]
    if name == "usps":  # pixels share their scale
        X, y = table.X / table.X.max(), table.codes.astype(float)
    else:
        centre, width = SCALES[scaling](table.X)
        X, y = (table.X - centre) / width, table.y
    n_train, n_working = OWN_SIZES[name] if name in OWN_SIZES else split_sizes(name, table)
    order = rng.permutation(len(y))[: n_train + n_working]
    return X[order], y[order], n_train


def tuned(X, y, penalty):
    """gamma and kernel width with the smallest leave-one-out error (15) on a training part.

    Returns
    -------
    gamma, log_sigma : float
        As in the paper, the logarithm to base e.
    """
    widths = WIDTHS * np.median(pdist(X))
    ridge = RidgeLOO(ALPHAS, gammas=[rbf_gamma(s) for s in widths], penalty=penalty).fit(X, y)
    return ridge.alpha_, float(-0.5 * np.log(2.0 * ridge.gamma_))


@experiment(
    "transductive_regression/inductive",
    version=2,
    title="Transductive against inductive ridge regression, both tuned on the training part",
    datasets=("diabetes", "usps", "boston", "kin32fh"),
    parameters={
        "noise": Parameter(0.2, float, "standard deviation of the sine's noise", minimum=0)
    },
    units=crossed(
        "dataset",
        "split",
        split=N_SPLITS,
        dataset=("diabetes", "usps", "boston", "kin32fh", *SINE),
    ),
    agreement={"rr_own_mse": 1e-6},
)
def errors_over_gamma_star(key, params, data, rng):
    """A row for each setting and gamma*, at the training part's gamma and sigma."""
    name, rows, state = key["dataset"], [], rng.bit_generator.state
    for setting, (penalty, scaling, centred) in SETTINGS.items():
        rng.bit_generator.state = state  # every setting sees the same split
        X, y, n = _split(name, scaling, params.get("noise"), data, rng)
        y = y - y[:n].mean() if centred else y
        gamma, log_sigma = tuned(X[:n], y[:n], penalty)
        gram = gram_matrix(X, gamma=rbf_gamma(np.exp(log_sigma)))
        found, truth = compare(gram, y[:n], gamma, penalty), y[n:]
        unit = {
            "setting": setting,
            "gamma": gamma,
            "log_sigma": log_sigma,
            "rr_own_mse": np.mean((found.own - truth) ** 2),
            "rr_joint_mse": np.mean((found.joint - truth) ** 2),
            "rr_retuned_mse": np.mean((found.retuned - truth) ** 2),
        }
        errors = ((found.transduced - truth) ** 2).mean(axis=1)
        rows += [
            unit | {"alpha_star": float(a), "mse": e, "loo": loo}
            for a, e, loo in zip(ALPHAS_STAR, errors, found.loo, strict=True)
        ]
    return rows
