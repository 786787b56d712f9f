"""The largest sample on which chains mix, alone and with replicas that exchange, at equal work.

Of four chains two start from the prior and two from a ridge fit of the labels. Work is steps of
all replicas together, burn-in and placement included; the first half is thrown away. R-hat is the
largest of the training errors and of the outputs at 100 test points.
"""

from collections.abc import Iterator

import numpy as np
from measuring import table_row
from scipy.sparse.linalg import lsqr

from transductive.kernels import gram_matrix
from transductive.version_space import ExchangingChains, GibbsChains, WhitenedPoints, noise_ladder
from transductive.version_space.mixing import R_HAT, mixing
from transductive_compendium.datasets import load
from transductive_compendium.papers.kernel_gibbs_sampler.limit import (
    GAMMA,
    OWN_NOISE,
    training_and_test,
)

N_SAMPLES, N_FOLLOWED, MIN_THIN = 1000, 100, 20
N_STEPS = 400_000
HOTTEST_Q = 0.3
SETS = ("banana", "ringnorm", "mnist")
SIZES = (25, 50, 100, 200)
N_TEMPERATURES = (1, 4, 8)
TITLE = "The largest sample on which the chains of the Gibbs sampler mix"
GROUPS = {
    "limit": f"Largest m at which R-hat is at most {R_HAT}",
    "r_hat": f"R-hat after {N_STEPS:,} steps, of each of the four chains with all its replicas",
}
METHOD = (
    f"four chains, two from the prior, two from a ridge fit; m of {', '.join(map(str, SIZES))}; "
    f"replicas from the set's own label noise to {HOTTEST_Q}, steps divided between them"
)


class Problem:
    """Training points in orthonormal coordinates, and what the chains are followed at."""

    def __init__(self, name, m):
        X, self.y, X_test, _ = training_and_test(name, m, {name: load(name)})
        gamma = GAMMA[name] / X.shape[1]

        def kernel(A, B):
            return gram_matrix(A, B, gamma=gamma) + 1.0  # the constant feature is a bias

        self.q = OWN_NOISE[name]
        self.points = WhitenedPoints.from_gram(kernel(X, X))
        self.followed = self.points.transform(kernel(X_test[:N_FOLLOWED], X[self.points.pivots]))
        fit = lsqr(self.points.coordinates, self.y, damp=1.0, iter_lim=200)[0]
        prior = np.random.default_rng(0).standard_normal((2, self.points.rank))
        self.start = np.vstack([prior, fit, fit])

    def samples(self, n_temperatures):
        """Samples of the second half."""
        options = {"signs": self.y, "start": self.start, "random_state": 1}
        half = N_STEPS // (2 * n_temperatures)
        thin = max(half // N_SAMPLES, MIN_THIN)
        if n_temperatures == 1:
            chains = GibbsChains(self.points, self.q, **options)
            return chains.run(half // thin, thin=thin, burn_in=half)
        chains = ExchangingChains(
            self.points, noise_ladder(self.q, HOTTEST_Q, n_temperatures), **options
        )
        for _ in range(2):
            chains.tune(half // 4)
        return chains.run(half // thin, thin=thin, burn_in=half // 2)

    def r_hat(self, n_temperatures):
        """The largest of what is followed."""
        samples = self.samples(n_temperatures)
        outputs = samples.outputs(self.followed)
        return mixing(np.concatenate([samples.errors[..., None], outputs], axis=2)).worst_r_hat


def measure() -> Iterator[dict]:
    """All rows of the table, one by one."""
    for name in SETS:
        largest = dict.fromkeys(N_TEMPERATURES, 0)
        for m in SIZES:
            problem = Problem(name, m)
            for n_temperatures in N_TEMPERATURES:
                found = problem.r_hat(n_temperatures)
                sizes = {"m": m, "n_temperatures": n_temperatures}
                case = f"{name}, m = {m}"
                yield table_row("r_hat", case, sizes, replicas(n_temperatures), "R-hat", found)
                if found <= R_HAT:
                    largest[n_temperatures] = m
        for n_temperatures, m in largest.items():
            sizes = {"m": m, "n_temperatures": n_temperatures}
            case = f"{name}, q = {problem.q:g}"
            yield table_row("limit", case, sizes, replicas(n_temperatures), "points", m)


def replicas(n_temperatures):
    """What a row is about."""
    return "alone" if n_temperatures == 1 else f"{n_temperatures} replicas that exchange"
