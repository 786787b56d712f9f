"""The largest sample on which the samplers of label-noise posteriors mix within ten minutes.

Of four chains two start from the prior and two from a ridge fit of the labels. They move in
rounds, each twice as long as the one before; R-hat is that of the last round, the largest of the
training errors and of the outputs at 100 test points. The last round takes what is left of ten
minutes of processor time. Sizes grow until a sampler fails.
"""

from collections.abc import Iterator
from functools import lru_cache
from time import process_time

import numpy as np
from measuring import stored, table_row
from scipy.sparse.linalg import lsqr

from transductive.kernels import gram_matrix
from transductive.version_space import GibbsChains, RefractingBilliard, WhitenedPoints
from transductive.version_space.mixing import R_HAT, mixing
from transductive_compendium.datasets import load

#: Label noise of each set, and the Gaussian kernel's gamma times the number of features.
OWN_NOISE = {"banana": 0.1, "ringnorm": 0.02, "mnist": 0.02}
GAMMA = {"banana": 2.0, "ringnorm": 1.0, "mnist": 16.0}
N_TEST = 1000
N_SAMPLES, N_FOLLOWED = 250, 100
PATIENCE = 600.0
SIZES = (100, 250, 500, 1000, 2000, 5000, 10_000)
#: Each sampler, and its steps or flights from sample to sample in the first round.
SAMPLERS = {"billiard": (RefractingBilliard, 1), "hit and run": (GibbsChains, 20)}
TITLE = "The largest sample on which the samplers of label-noise posteriors mix"
GROUPS = {
    "limit": f"Largest m at which R-hat is at most {R_HAT} within ten minutes",
    "r_hat": "R-hat, and seconds until then",
}
METHOD = (
    f"one thread; processor time; four chains, two from the prior, two from a ridge fit; m of "
    f"{', '.join(map(str, SIZES))}; each set's own label noise"
)


def training_and_test(name, m):
    """The first m training points in an order of their own, and test points.

    The test part is the published one, or else 1000 points (a third of a small set).
    """
    table = load(name)
    X, y, n_train = table.X, table.y, table.n_train
    rng = np.random.default_rng(np.random.SeedSequence([2000, 514]))
    if n_train is None:
        order = rng.permutation(len(y))
        n_train = len(y) - min(N_TEST, len(y) // 3)
        train, test = order[:n_train], order[n_train:]
    else:
        train, test = rng.permutation(n_train), np.arange(n_train, len(y))
    if name == "mnist":
        X = X / X.max()
    else:
        X = (X - X[train].mean(axis=0)) / X[train].std(axis=0)
    train = train[:m]
    return X[train], y[train].astype(float), X[test], y[test]


@lru_cache(1)
class Problem:
    """Training points in orthonormal coordinates, and what the chains are followed at."""

    def __init__(self, name, m):
        X, self.y, X_test, _ = training_and_test(name, m)
        gamma = GAMMA[name] / X.shape[1]

        def kernel(A, B):
            return gram_matrix(A, B, gamma=gamma) + 1.0  # the constant feature is a bias

        self.q, self.m = OWN_NOISE[name], len(X)
        self.points = WhitenedPoints.from_gram(kernel(X, X))
        self.followed = self.points.transform(kernel(X_test[:N_FOLLOWED], X[self.points.pivots]))
        fit = lsqr(self.points.coordinates, self.y, damp=1.0, iter_lim=200)[0]
        prior = np.random.default_rng(0).standard_normal((2, self.points.rank))
        self.start = np.vstack([prior, fit, fit])

    def mix(self, sampler):
        """R-hat at the end, and seconds until then."""
        kind, thin = SAMPLERS[sampler]
        begin = process_time()
        chains = kind(self.points, self.q, signs=self.y, start=self.start, random_state=1)
        spent, last = 0.0, False
        while True:
            samples = chains.run(N_SAMPLES, thin=thin)
            r_hat = self._r_hat(samples)
            now = process_time() - begin
            if r_hat <= R_HAT or last:
                return r_hat, now
            a_step = (now - spent) / thin
            spent, left = now, (PATIENCE - now) / a_step
            last = left < 6 * thin
            thin = max(1, int(left)) if last else 2 * thin
            if left < 1.0:
                return r_hat, now

    def _r_hat(self, samples):
        outputs = samples.outputs(self.followed)
        return mixing(np.concatenate([samples.errors[:, :, None], outputs], axis=2)).worst_r_hat


@stored("mixing_limit", __file__)
def mixed(name, m, sampler):
    """R-hat and seconds; NaN if the set has fewer points."""
    problem = Problem(name, m)
    return problem.mix(sampler) if problem.m == m else (np.nan, np.nan)


def measure() -> Iterator[dict]:
    """All rows of the table, one by one."""
    for name in OWN_NOISE:
        largest = dict.fromkeys(SAMPLERS, 0)
        climbing = list(SAMPLERS)
        for m in SIZES:
            for sampler in climbing.copy():
                r_hat, seconds = mixed(name, m, sampler)
                if not r_hat <= R_HAT:
                    climbing.remove(sampler)
                else:
                    largest[sampler] = m
                if np.isfinite(r_hat):
                    place = "r_hat", f"{name}, m = {m}", {"m": m}
                    yield table_row(*place, f"{sampler}: R-hat", "-", r_hat)
                    yield table_row(*place, f"{sampler}: all chains", "seconds", seconds)
        for sampler, m in largest.items():
            case = f"{name}, q = {OWN_NOISE[name]}"
            yield table_row("limit", case, {"m": m}, sampler, "points", m)
