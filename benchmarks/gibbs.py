"""What is measured of the kernel Gibbs sampler, and the bars that it has to reach."""

import resource
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from time import process_time

import numpy as np
from arviz_stats.base import array_stats
from gibbs_in_numpy import plain, tuned
from measuring import FEW_ROUNDS, least_seconds, table_row
from scipy.linalg.blas import dgemm, dtrmm
from threadpoolctl import threadpool_limits

from transductive.kernels import gram_matrix
from transductive.version_space import KernelBilliard
from transductive.version_space._gibbs import normals
from transductive.version_space.gibbs import BLOCK_STEPS, GibbsChains
from transductive.version_space.whitening import WhitenedPoints

# Ratios to reach: seconds of `plain` over seconds of the kernel.
BARS = {100: 5.0, 300: 3.5, 1000: 5.0}
LARGE, RANK = 10_000, 500
MOST_OF_GEMM = 1.5  # full rank at m = 10,000, over its matrix product
MOST_OF_THOUSAND = 15.0  # rank 500 at m = 10,000, over full rank at m = 1000
MOST_MEMORY = 2.0  # GiB
Q, GAMMA, THIN = 0.05, 0.05, 10
TITLE = "The kernel Gibbs sampler against plain NumPy"
GROUPS = {
    "step": "A step",
    "large": "Ten thousand points",
    "factor": "Before the first step",
    "q = 0": "Without label noise, against the billiard",
}
# Sizes at which chains mix at q = 0; points whose votes are followed; p+ where the vote is open.
NOISE_FREE_SIZES, FOLLOWED, OPEN = (50, 100, 200), 200, (0.02, 0.98)


def draw(m):
    """Points of two classes with flipped labels: X of shape (m, 10) and y of shape (m,)."""
    rng = np.random.default_rng(m)
    X = rng.standard_normal((m, 10))
    y = np.where(X[:, 0] > 0, 1.0, -1.0)
    y[rng.random(m) < Q] *= -1.0
    return X, y


class KernelNormals:
    """The normal numbers of the kernel, behind the method that the NumPy samplers call."""

    def __init__(self, rng):
        self.rng = rng

    def standard_normal(self, shape):
        """As many as the kernel draws at a time."""
        size = int(np.prod(shape))
        numbers = self.rng.random(size + size % 2)
        normals(numbers)
        return numbers[:size].reshape(shape)


class Problem:
    """Points in orthonormal coordinates, of full rank unless `rank` is given."""

    def __init__(self, m, rank=None):
        X, self.signs = draw(m)
        if rank is None:
            self.points = WhitenedPoints.from_gram(gram_matrix(X, gamma=GAMMA), overwrite=True)
        else:
            self.points = WhitenedPoints.from_kernel(X, partial(gram_matrix, gamma=GAMMA), rank)

    def chain(self):
        """A chain of the kernel from a random position, always the same."""
        return GibbsChains(self.points, Q, signs=self.signs, n_chains=1, random_state=0)

    def contender(self, sample, position, same_numbers=False):
        """A NumPy sampler as a function of steps and thin, if asked with the numbers of `chain`."""
        points = np.ascontiguousarray(self.signs[:, None] * self.points.coordinates)
        streams = np.random.SeedSequence(0).spawn(1)[0].spawn(3)
        rngs = [np.random.Generator(np.random.SFC64(seed)) for seed in streams[:2]]
        if same_numbers:
            rngs[0] = KernelNormals(rngs[0])
        beta = np.log((1.0 - Q) / Q)
        return partial(sample, points, beta, position, *rngs)


def check_contender(problem, n_steps=20):
    """Raise unless kernel and contender agree: same directions, same draws, same steps.

    Rounding errors double every few steps, so that longer runs part.

    Raises
    ------
    AssertionError
    """
    chain = problem.chain()
    positions, errors = problem.contender(tuned, chain.positions[0].copy(), True)(n_steps)
    samples = chain.run(n_steps)
    np.testing.assert_array_equal(errors, samples.errors[0])
    np.testing.assert_allclose(positions, samples.positions[0], atol=1e-8)  # chaotic


class Floor:
    """What no sampler is spared: random directions, and their products with all points.

    Attributes
    ----------
    block : int
        Steps that each job is worth: as many as the kernel takes at a time.
    jobs : dict of str to callable
        The matrix product by dgemm and, where the points are a triangular matrix, by dtrmm; the
        directions' normal numbers.
    directions, products : ndarrays of shape (block, r) and (block, m)
    """

    def __init__(self, points):
        m, r = points.coordinates.shape
        self.block = BLOCK_STEPS + 1
        rng = np.random.default_rng(0)
        self.directions = rng.standard_normal((self.block, r))
        self.products = np.empty((self.block, m))
        # in BLAS's order, so that nothing is copied
        factor, right, out = points.coordinates, self.directions.T, self.products.T

        def triangular():
            np.copyto(out, right)
            dtrmm(1.0, factor, out, lower=1, overwrite_b=1)

        self.jobs = {"dgemm": lambda: dgemm(1.0, factor, right, 0.0, out, overwrite_c=1)}
        if points.triangular:
            self.jobs["dtrmm"] = triangular

        def draw():
            rng.random(out=self.directions)
            normals(self.directions.reshape(-1))

        self.jobs["normals"] = draw


def go_on(chain, n_samples):
    """A job of ``THIN n_samples`` steps of the kernel."""
    return lambda: chain.run(n_samples, thin=THIN)


def steps(m) -> Iterator[dict]:
    """Microseconds a step of the kernel, of NumPy and of the floor, and their ratios."""
    problem = Problem(m)
    check_contender(problem)
    chain = problem.chain()
    chain.run(1, burn_in=1000)
    contenders = {
        sample.__name__: problem.contender(sample, chain.positions[0].copy())
        for sample in (plain, tuned)
    }
    floor = Floor(problem.points)
    quick, slow = 5 * 10**4 // m, 10**5 // m
    counts = {"kernel": THIN * quick, "plain": slow, "tuned": slow}
    counts |= dict.fromkeys(floor.jobs, floor.block)
    runs = {name: partial(sample, slow, THIN) for name, sample in contenders.items()}
    least = least_seconds({"kernel": go_on(chain, quick), **runs, **floor.jobs})
    step = {name: least[name] / count * 1e6 for name, count in counts.items()}
    place = "step", f"m = {m}", {"m": m, "r": problem.points.rank}
    for name, value in step.items():
        yield table_row(*place, name, "microseconds", value)
    yield table_row(*place, "plain / kernel", "times", step["plain"] / step["kernel"], BARS[m])
    yield table_row(*place, "tuned / kernel", "times", step["tuned"] / step["kernel"])
    ratio = step["kernel"] / (step["dtrmm"] + step["normals"])
    yield table_row(*place, "kernel / (dtrmm + normals)", "times", ratio)


def measure_full_rank(m):
    """Seconds and peak memory (GiB) of a process that samples `m` points in full rank."""
    with threadpool_limits(limits=1):
        X, signs = draw(m)
        begin = process_time()
        gram = gram_matrix(X, gamma=GAMMA)
        formed = process_time()
        points = WhitenedPoints.from_gram(gram, overwrite=True)
        found = {"kernel matrix": formed - begin, "factor": process_time() - formed}
        del gram
        chain = GibbsChains(points, Q, signs=signs, n_chains=1, random_state=0)
        chain.run(1, burn_in=100)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        # in kilobytes, but in bytes on macOS
        found["peak memory"] = peak / (2**30 if sys.platform == "darwin" else 2**20)
        found["rank"] = points.rank
        floor = Floor(points)
        samples = 32
        least = least_seconds({"kernel": go_on(chain, samples), **floor.jobs}, rounds=FEW_ROUNDS)
    found["kernel"] = least["kernel"] / (THIN * samples)
    return found | {name: least[name] / floor.block for name in floor.jobs}


def full_rank(m) -> Iterator[dict]:
    """What full rank costs, in a process of its own: its peak memory is the sampler's."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        found = process.submit(measure_full_rank, m).result()
    place = "large", f"m = {m}, full rank", {"m": m, "r": found["rank"]}
    for name in ("kernel", "dgemm", "dtrmm", "normals"):
        yield table_row(*place, name, "microseconds", found[name] * 1e6)
    ratio = found["kernel"] / found["dgemm"]
    yield table_row(*place, "kernel / dgemm", "times", ratio, at_most=MOST_OF_GEMM)
    yield table_row(*place, "kernel / dtrmm", "times", found["kernel"] / found["dtrmm"])
    peak = found["peak memory"]
    yield table_row(*place, "peak memory", "GiB", peak, at_most=MOST_MEMORY)
    for name in ("kernel matrix", "factor"):
        yield table_row("factor", *place[1:], name, "seconds", found[name])


def low_rank(m, rank) -> Iterator[dict]:
    """What a cut-off at `rank` costs, beside full rank at m = 1000."""
    begin = process_time()
    problem = Problem(m, rank)
    seconds = process_time() - begin
    chain, small, floor = problem.chain(), Problem(1000).chain(), Floor(problem.points)
    least = least_seconds({"kernel": go_on(chain, 32), "small": go_on(small, 100), **floor.jobs})
    step = {name: least[name] / floor.block for name in floor.jobs}
    step["kernel"], one = least["kernel"] / (THIN * 32), least["small"] / (THIN * 100)
    place = "large", f"m = {m}, rank {rank}", {"m": m, "r": problem.points.rank}
    for name in ("kernel", "dgemm", "normals"):
        yield table_row(*place, name, "microseconds", step[name] * 1e6)
    yield table_row(*place, "kernel / dgemm", "times", step["kernel"] / step["dgemm"])
    yield table_row(
        *place, "kernel / kernel at m = 1000, full rank", "times", step["kernel"] / one,
        at_most=MOST_OF_THOUSAND,
    )  # fmt: skip
    yield table_row("factor", *place[1:], "kernel values and factor", "seconds", seconds)


def factor(m) -> Iterator[dict]:
    """Seconds to factorise the kernel matrix of `m` points."""
    gram = gram_matrix(draw(m)[0], gamma=GAMMA)
    least = least_seconds({"factor": lambda: WhitenedPoints.from_gram(gram)}, rounds=FEW_ROUNDS)
    place = "factor", f"m = {m}, full rank", {"m": m, "r": m}
    yield table_row(*place, "factor", "seconds", least["factor"])


def samples_by_billiard(gram, cross, n_events):
    """p+ at some points and its effective sample size a second, by four balls."""
    billiard = KernelBilliard(gram, n_starts=4, refresh=4 * np.pi, random_state=0)
    begin = process_time()
    flights = billiard.run(n_events).flight_times(cross, n_batches=50)
    seconds = process_time() - begin
    p, error = flights.probability, flights.standard_error()
    with np.errstate(divide="ignore", invalid="ignore"):
        return p, p * (1.0 - p) / error**2 / seconds


def effective(votes):
    """Effective sample sizes of votes, of shape (chains, samples, points)."""
    moving = np.ptp(votes, axis=(0, 1)) > 0
    ess = np.zeros(len(moving))
    for j in np.flatnonzero(moving):
        ess[j] = array_stats.ess(votes[..., j], method="mean")
    return ess


def samples_by_gibbs(gram, signs, cross, n_samples, thin):
    """The same by four chains at q = 0, a tenth of the samples' steps before them."""
    points = WhitenedPoints.from_gram(gram)
    chains = GibbsChains(points, 0.0, signs=signs, random_state=0)
    chains.run(1, burn_in=n_samples * thin // 10)
    begin = process_time()
    votes = (chains.run(n_samples, thin=thin).outputs(points.transform(cross)) > 0).astype(float)
    seconds = process_time() - begin
    return votes.mean(axis=(0, 1)), effective(votes) / seconds


def samples_by_hopsy(gram, signs, cross, n_samples, thin):
    """The same by hopsy's hit-and-run, whose normal law on the cone has uniform directions; None
    where it is not installed.
    """
    try:
        import hopsy
    except ImportError:
        return None
    points = WhitenedPoints.from_gram(gram)
    walls = signs[:, None] * points.coordinates
    rank = walls.shape[1]
    model = hopsy.Gaussian(np.zeros(rank), np.eye(rank))
    problem = hopsy.Problem(-walls, np.zeros(len(walls)), model)
    start = np.linalg.lstsq(walls, np.ones(len(walls)))[0]
    new, chains = points.transform(cross), []
    begin = process_time()
    for seed in range(4):
        proposal = hopsy.TruncatedGaussianProposal(problem, start)
        chain = hopsy.MarkovChain(problem, proposal=proposal, starting_point=start)
        states = hopsy.sample(chain, hopsy.RandomNumberGenerator(seed), n_samples, thin)[1]
        chains.append(states[0] @ new.T > 0)
    seconds = process_time() - begin
    votes = np.array(chains, dtype=float)
    return votes.mean(axis=(0, 1)), effective(votes) / seconds


def noise_free(m, n_events=20_000, n_samples=1000, thin=100) -> Iterator[dict]:
    """Effective samples a second of the sampler at q = 0 beside those of the billiard."""
    rng = np.random.default_rng(m)
    X, new = rng.standard_normal((m, 10)), rng.standard_normal((FOLLOWED, 10))
    signs = np.where(X[:, 0] > 0, 1.0, -1.0)
    gram, cross = gram_matrix(X, gamma=GAMMA), gram_matrix(new, X, gamma=GAMMA)
    folded = gram * np.outer(signs, signs)
    p, billiard = samples_by_billiard(folded, (cross * signs).T.copy(), n_events)
    p_gibbs, gibbs = samples_by_gibbs(gram, signs, cross, n_samples, thin)
    undecided = (p > OPEN[0]) & (p < OPEN[1])
    place = "q = 0", f"m = {m}", {"m": m, "r": m}
    rates = np.median(billiard[undecided]), np.median(gibbs[undecided])
    for name, rate in zip(("billiard", "kernel"), rates, strict=True):
        yield table_row(*place, name, "effective samples a second", rate)
    yield table_row(*place, "billiard / kernel", "times", rates[0] / rates[1])
    if (peer := samples_by_hopsy(gram, signs, cross, n_samples, thin=10)) is not None:
        rate = np.median(peer[1][undecided])
        yield table_row(*place, "hopsy", "effective samples a second", rate)
        yield table_row(*place, "billiard / hopsy", "times", rates[0] / rate)
        apart = np.abs(p - peer[0])[undecided].mean()
        yield table_row(*place, "difference of p+, hopsy, mean", "probability", apart)
    apart = np.abs(p - p_gibbs)[undecided].mean()
    yield table_row(*place, "difference of p+, mean", "probability", apart)


def measure() -> Iterator[dict]:
    """All rows of the table, one by one."""
    for m in BARS:
        yield from steps(m)
    for m in NOISE_FREE_SIZES:
        yield from noise_free(m)
    yield from factor(1000)
    yield from full_rank(LARGE)
    yield from low_rank(LARGE, RANK)
