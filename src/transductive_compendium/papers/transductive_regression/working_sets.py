"""Which working sets help transductive regression: tiny, large and shifted ones."""

from itertools import product

import numpy as np

from transductive.kernels import gram_matrix, rbf_gamma

from ...runner import experiment
from .regression_setting import (
    CHOSEN,
    GAMMA_STAR,
    LOG_SIGMA_OF_SIZES,
    PUBLISHED,
    SETTINGS,
    SHRINKING,
    scale,
)
from .ridge_controls import ALPHAS_STAR, compare

#: Numbers of working points.
SIZES = (1, 2, 4, 16, 64, 256, 1024, 2048, 4096)
#: Number of points, the first ones not used for training, on which every size is judged.
N_JUDGED = 64
#: gamma and sigma by the leave-one-out search, or where the paper varies the number of points.
PLACES = ("chosen", "figure 1d")
#: A gamma* so small that Y* may be far from Y0.
LOOSE_GAMMA_STAR = 1e-3
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


def shifted_split(z, n_train, n_working, strength, rng):
    """Rows without replacement: for training in proportion to exp(-s z), then to exp(s z).

    Returns
    -------
    order : ndarray of int, shape (n_train + n_working,)
        Training rows first. Targets enter only through z, so this is a shift of the inputs.
    """
    # rows with the largest log weights plus Gumbel noise are such a sample
    noise = rng.gumbel(size=(2, len(z)))
    train = np.argsort(strength * z - noise[0])[:n_train]
    noise[1, train] = -np.inf
    return np.concatenate([train, np.argsort(-strength * z - noise[1])[:n_working]])


def _judge(found, alphas_star, truth):
    """Mean squared errors of all methods at the first working points, and the choice of gamma*."""
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


def _units(params, profile):
    units = [(shift, 256, split) for split in range(100) for shift in SHIFTS]
    units += [("none", 1024, split) for split in range(100, 112)]
    units += [("none", 2048, split) for split in range(112, 115)]
    if profile == "full":
        units += [("none", 4096, split) for split in range(115, 125)]
    return [
        {"shift": shift, "largest": largest, "split": split} for shift, largest, split in units
    ][: len(SHIFTS) if profile == "smoke" else None]


@experiment(
    "transductive_regression/working_sets",
    version=1,
    title="Tiny, large and shifted working sets on kin32fh",
    datasets=("kin32fh",),
    units=_units,
    page="inductive",
)
def errors_of_working_sets(key, params, data, rng):
    """A row for each setting, place of gamma and sigma, and size: errors at the same points."""
    name = "kin32fh"
    table, n = data[name], PUBLISHED[name][0]
    which, strength = SHIFTS[key["shift"]]
    z = direction(table.X, table.y, which)
    n_working = min(key["largest"], len(z) - n)
    order = shifted_split(z, n, n_working, strength, rng)
    end = n + min(N_JUDGED, n_working)
    distance = z[order[n:]].mean() - z[order[:n]].mean()
    rows = []
    for setting, place in product(SETTINGS, PLACES[: 1 if strength else None]):
        penalty, scaling, centred = SETTINGS[setting]
        gamma, log_sigma = CHOSEN[setting]
        if place == "figure 1d":
            gamma, log_sigma = PUBLISHED[name][1], LOG_SIGMA_OF_SIZES[name]
        y = table.y[order]
        y = y - y[:n].mean() if centred else y
        gram = gram_matrix(scale(table.X, scaling)[order], gamma=rbf_gamma(np.exp(log_sigma)))
        for m in (1, 256) if strength else SIZES:
            if m > n_working:  # a substitute is small
                break
            alphas_star = (LOOSE_GAMMA_STAR, GAMMA_STAR[name], SHRINKING[name] / m, *ALPHAS_STAR)
            judged = []
            for start in range(n, end, m):
                pick = np.r_[:n, start : start + m]
                found = compare(gram[np.ix_(pick, pick)], y[:n], gamma, penalty, alphas_star)
                judged.append(_judge(found, alphas_star, y[start : min(start + m, end)]))
            rows.append(
                {"setting": setting, "place": place, "m": m, "distance": distance}
                | {column: np.mean([j[column] for j in judged]) for column in judged[0]}
            )
    return rows
