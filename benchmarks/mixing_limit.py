"""The largest sample on which chains mix, alone and with replicas that exchange, at equal work.

python benchmarks/mixing_limit.py [--sets NAME ...] [--sizes M ...] [--steps N] [--ladders N:Q ...]

Of four chains two start from the prior and two from a ridge fit of the labels. Work is steps of
all replicas together, burn-in and placement included; the first half is thrown away. R-hat is the
largest of the training errors and of the outputs at 100 test points.
"""

import argparse
import os
from time import process_time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from scipy.sparse.linalg import lsqr

from transductive.kernels import gram_matrix
from transductive.version_space import ExchangingChains, GibbsChains, WhitenedPoints, noise_ladder
from transductive.version_space.mixing import R_HAT, mixing
from transductive_compendium.datasets import load
from transductive_compendium.papers.kernel_gibbs_sampler.sample_size_limit import (
    GAMMA,
    training_and_test,
)
from transductive_compendium.papers.kernel_gibbs_sampler.sample_size_limit_design import OWN_NOISE

N_SAMPLES, N_FOLLOWED, MIN_THIN = 1000, 100, 20


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

    def run(self, n_steps, n_temperatures, hottest_q):
        """Samples of the second half, and the least rate of exchange (NaN without replicas)."""
        options = {"signs": self.y, "start": self.start, "random_state": 1}
        half = n_steps // (2 * n_temperatures)
        thin = max(half // N_SAMPLES, MIN_THIN)
        if n_temperatures == 1:
            chains = GibbsChains(self.points, self.q, **options)
            return chains.run(half // thin, thin=thin, burn_in=half), np.nan
        ladder = noise_ladder(self.q, hottest_q, n_temperatures)
        chains = ExchangingChains(self.points, ladder, **options)
        for _ in range(2):
            chains.tune(half // 4)
        samples = chains.run(half // thin, thin=thin, burn_in=half // 2)
        return samples, chains.exchange_rates.min()

    def measure(self, n_steps, n_temperatures, hottest_q):
        """R-hat, effective sample sizes, least rate of exchange and seconds."""
        begin = process_time()
        samples, rate = self.run(n_steps, n_temperatures, hottest_q)
        seconds = process_time() - begin
        outputs = samples.outputs(self.followed)
        found = mixing(np.concatenate([samples.errors[..., None], outputs], axis=2))
        return {
            "R-hat": found.worst_r_hat,
            "ESS of errors": found.ess_bulk[0],
            "ESS of outputs": np.median(found.ess_bulk[1:]),
            "errors": samples.errors.mean(),
            "exchange": rate,
            "seconds": seconds,
        }


def ladder(text):
    """The number of temperatures and the hottest q, from a text like 8:0.3."""
    number, _, hottest = text.partition(":")
    return int(number), float(hottest or 0.5)


def main():
    """Print one row for each set, size and ladder, and the largest size that mixed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", nargs="+", default=["banana", "ringnorm", "mnist"])
    parser.add_argument("--sizes", nargs="+", type=int, default=[25, 50, 100, 200, 400])
    parser.add_argument("--steps", type=int, default=400_000)
    parser.add_argument("--ladders", nargs="+", type=ladder, default=[(1, 0.5), (4, 0.3), (8, 0.3)])
    options = parser.parse_args()
    mixed = {}
    for name in options.sets:
        for m in options.sizes:
            problem = Problem(name, m)
            for rungs in options.ladders:
                found = problem.measure(options.steps, *rungs)
                place = f"{name}, q = {problem.q}, {rungs[0]} temperatures"
                place += f" up to {rungs[1]}" if rungs[0] > 1 else ""
                if found["R-hat"] <= R_HAT:
                    mixed[place] = m
                else:
                    mixed.setdefault(place, 0)
                facts = "  ".join(f"{key} {value:.4g}" for key, value in found.items())
                print(f"{place}, m = {m}: {facts}", flush=True)
    for place, m in mixed.items():
        print(f"{place}: R-hat at most {R_HAT} up to m = {m}")


if __name__ == "__main__":
    main()
