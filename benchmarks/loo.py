"""What is measured of the leave-one-out algebra, and the bars that it has to reach."""

from collections.abc import Iterator
from functools import partial
from time import process_time

import loo_in_numpy
import numpy as np
from measuring import FEW_ROUNDS, alone, least_seconds, peak_memory, table_row
from sklearn.metrics.pairwise import euclidean_distances
from threadpoolctl import threadpool_limits

from transductive.kernels import rbf_gamma
from transductive.leave_one_out import RidgeLOO, TransductiveRidge
from transductive_compendium.datasets import DataError, load

L, D = 481, 13  # boston's training sample
ALPHAS = np.geomspace(2e-3, 20.0, 30)
SIGMAS = np.exp(np.linspace(0.0, 3.0, 30))
EVERY = 5  # the loops with an inverse for each ridge take every fifth width
AGREE = 1e-8
# Ratios to reach: seconds of the contender over ours.
BARS = {"inverses": 15.0, "RidgeCV": 2.5, "eigenvectors": 1.0}
N_TRAIN, N_WORKING, RANK = 1000, 99_000, 500
MOST_MEMORY, TRUNCATED = 2.0, 1e-2  # GiB; where TransductiveRidge would warn
LARGE = {"alpha": 1.0, "alpha_star": 1.0, "gamma": 0.5}
TITLE = "The leave-one-out algebra against NumPy, SciPy and scikit-learn"
GROUPS = {
    "grid": "A grid of 30 ridges and 30 kernel widths, 481 points",
    "large": "Transductive ridge regression on a hundred thousand points",
}


def sample():
    """X of shape (481, 13), columns standardised, and y: boston's, or drawn, and which."""
    try:
        table, name = load("boston"), "boston"
        X, y = table.X[:L], table.y[:L]
    except DataError as error:
        print(f"points are drawn, since boston is not there: {error}")
        rng, name = np.random.default_rng(0), "drawn points"
        X = rng.standard_normal((L, D))
        y = 20.0 + 10.0 * np.tanh(X[:, 0] * X[:, 1]) + rng.standard_normal(L)
    return (X - X.mean(axis=0)) / X.std(axis=0), np.array(y), name


class Grid:
    """Points and grid, and all that is timed on them.

    Attributes
    ----------
    jobs : dict of str to (callable, int)
        What gives the errors of every n-th width, and this n.
    """

    def __init__(self, X, y, alphas=ALPHAS, sigmas=SIGMAS):
        self.X, self.y, self.alphas = X, y, alphas
        self.gammas = [rbf_gamma(sigma) for sigma in sigmas]
        # of all contenders alike, and no part of their times
        self.squares = euclidean_distances(X, squared=True)
        self.jobs = {"ours": (self.ours, 1)}
        contenders = {
            "inverses": (loo_in_numpy.inverses, EVERY),
            "bare inverses": (loo_in_numpy.bare_inverses, EVERY),
            "eigenvectors": (loo_in_numpy.eigenvectors, 1),
            "RidgeCV": (loo_in_numpy.best_ridge_cv, 1),
            "RidgeCV, all errors": (loo_in_numpy.ridge_cv, 1),
        }
        for name, (errors, step) in contenders.items():
            self.jobs[name] = partial(self.loop, errors, step), step

    def ours(self):
        """Errors of all widths and ridges: `RidgeLOO`, which forms its own distances, and fits."""
        ridge = RidgeLOO(self.alphas, gammas=self.gammas)
        return ridge.fit(self.X, self.y).loo_errors_

    def loop(self, errors, step=1):
        """Errors of every `step`-th width by a contender."""
        return np.array([
            errors(np.exp(-gamma * self.squares), self.y, self.alphas)
            for gamma in self.gammas[::step]
        ])  # fmt: skip

    def check(self):
        """The largest relative difference of ours to each contender.

        Raises
        ------
        AssertionError
            If one exceeds 1e-8.
        """
        ours, worst = self.ours(), {}
        for name, (job, step) in self.jobs.items():
            theirs, expected = job(), ours[::step]
            if theirs.ndim == 1:
                expected = expected.min(axis=1)
            worst[name] = float(np.abs(theirs / expected - 1.0).max())
            assert worst[name] <= AGREE, f"{name}: a relative difference of {worst[name]:.2g}"
        return worst


def grid() -> Iterator[dict]:
    """Milliseconds a kernel width, and their ratios."""
    X, y, name = sample()
    problem = Grid(X, y)
    place = "grid", name, {"l": len(X), "m": 0}
    worst = problem.check()
    K = np.exp(-problem.gammas[len(problem.gammas) // 2] * problem.squares)
    drivers = least_seconds({
        driver: lambda driver=driver: loo_in_numpy.eigenvectors(K.copy(), y, ALPHAS, driver)
        for driver in loo_in_numpy.DRIVERS
    }, FEW_ROUNDS)  # fmt: skip
    best = min(drivers, key=drivers.get)
    job = partial(loo_in_numpy.eigenvectors, driver=best)
    problem.jobs["eigenvectors"] = partial(problem.loop, job), 1
    jobs = {contender: job for contender, (job, _) in problem.jobs.items()}
    least = least_seconds(jobs, FEW_ROUNDS)
    widths = {
        contender: least[contender] / len(problem.gammas[::step])
        for contender, (_, step) in problem.jobs.items()
    }
    square = np.random.default_rng(0).standard_normal(K.shape)
    widths["dgemm"] = least_seconds({"dgemm": lambda: square @ square})["dgemm"]
    for driver in drivers:
        yield table_row(*place, f"eigh, driver {driver}", "milliseconds", drivers[driver] * 1e3)
    for contender, seconds in widths.items():
        yield table_row(*place, contender, "milliseconds", seconds * 1e3)
    for contender, bar in BARS.items():
        ratio = widths[contender] / widths["ours"]
        yield table_row(*place, f"{contender} / ours", "times", ratio, bar)
    for contender in ("bare inverses", "RidgeCV, all errors"):
        ratio = widths[contender] / widths["ours"]
        yield table_row(*place, f"{contender} / ours", "times", ratio)
    yield table_row(*place, "ours / dgemm", "times", widths["ours"] / widths["dgemm"])
    yield table_row(
        *place, "largest relative difference", "1e-9", max(worst.values()) * 1e9,
        at_most=AGREE * 1e9,
    )  # fmt: skip


def draw(n_train, n_working):
    """Points in three dimensions, the training points first, with noisy values.

    Returns
    -------
    X, y, X_working : ndarrays of shape (n_train, 3), (n_train,) and (n_working, 3)
    """
    rng = np.random.default_rng(0)
    X = rng.uniform(-1.0, 1.0, (n_train + n_working, 3))
    y = np.sin(3.0 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * rng.standard_normal(len(X))
    return X[:n_train], y[:n_train], X[n_train:]


def measure_large(n_train, n_working):
    """What a process takes that estimates the working values at low rank."""
    with threadpool_limits(limits=1):
        points = draw(n_train, n_working)
        begin = process_time()
        ridge = TransductiveRidge(**LARGE, rank=RANK).fit(*points)
        found = {"seconds": process_time() - begin}
        found["peak memory"] = peak_memory()
        found["truncation"], found["rank"] = ridge.truncation_, ridge.rank_
    return found


def large() -> Iterator[dict]:
    """Low rank in a process of its own: its peak memory is the estimator's."""
    found = alone(measure_large, N_TRAIN, N_WORKING)
    place = (
        "large", f"l = {N_TRAIN}, m = {N_WORKING}, rank {found['rank']}",
        {"l": N_TRAIN, "m": N_WORKING},
    )  # fmt: skip
    yield table_row(*place, "fit", "seconds", found["seconds"])
    peak = found["peak memory"]
    yield table_row(*place, "peak memory", "GiB", peak, at_most=MOST_MEMORY)
    truncation = found["truncation"] * 1e6
    yield table_row(*place, "truncation", "1e-6", truncation, at_most=TRUNCATED * 1e6)


def measure() -> Iterator[dict]:
    """All rows of the table, one by one."""
    # first: a process starts with the peak memory of the one that starts it
    yield from large()
    yield from grid()
