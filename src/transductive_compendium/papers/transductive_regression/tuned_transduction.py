"""Transductive and inductive ridge regression, each tuned by leave-one-out."""

import numpy as np
from scipy.spatial.distance import pdist

from transductive.kernels import gram_matrix, rbf_gamma
from transductive.leave_one_out import RidgeLOO

from ...runner import Parameter, crossed, experiment
from .regression_setting import SETTINGS, scale, split_sizes
from .ridge_controls import ALPHAS, ALPHAS_STAR, compare

N_SPLITS = {"smoke": 1, "paper": 100, "full": 300}
#: Training and working rows of the tables that are not in section 4.1.
OWN_SIZES = {"diabetes": (300, 142), "usps": (300, 500)}
#: Where the working points of each sine are.
SINE = {"sine, in the gap": "gap", "sine, outside": "outside", "sine, everywhere": "everywhere"}
#: Its training and working points.
N_SINE = (30, 60)
#: Kernel widths over the median distance of the training points.
WIDTHS = 2.0 ** np.arange(-2.0, 3.01, 0.5)


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
        X, y = scale(table.X, scaling), table.y
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
