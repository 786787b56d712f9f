"""What is measured of the kernel Gibbs sampler, and the bars that it has to reach."""

from collections.abc import Iterator
from functools import partial
from time import process_time

import numpy as np
from arviz_stats.base import array_stats
from gibbs_in_numpy import plain, tuned
from measuring import least_seconds, table_row

from transductive.kernels import gram_matrix
from transductive.version_space import KernelBilliard
from transductive.version_space.gibbs import GibbsChains
from transductive.version_space.whitening import WhitenedPoints

# Ratios to reach: seconds of `plain` over seconds of the kernel.
BARS = {100: 5.0, 300: 3.5, 1000: 5.0}
Q, GAMMA, THIN = 0.05, 0.05, 10
TITLE = "The kernel Gibbs sampler against plain NumPy"
GROUPS = {
    "step": "A step",
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

    def contender(self, sample, position):
        """A NumPy sampler as a function of steps and thin."""
        points = np.ascontiguousarray(self.signs[:, None] * self.points.coordinates)
        streams = np.random.SeedSequence(0).spawn(1)[0].spawn(3)
        rngs = [np.random.Generator(np.random.SFC64(seed)) for seed in streams[:2]]
        beta = np.log((1.0 - Q) / Q)
        return partial(sample, points, beta, position, *rngs)


def go_on(chain, n_samples):
    """A job of ``THIN n_samples`` steps of the kernel."""
    return lambda: chain.run(n_samples, thin=THIN)


def steps(m) -> Iterator[dict]:
    """Microseconds a step of the kernel, of NumPy and of the floor, and their ratios."""
    problem = Problem(m)
    chain = problem.chain()
    chain.run(1, burn_in=1000)
    contenders = {
        sample.__name__: problem.contender(sample, chain.positions[0].copy())
        for sample in (plain, tuned)
    }
    quick, slow = 5 * 10**4 // m, 10**5 // m
    counts = {"kernel": THIN * quick, "plain": slow, "tuned": slow}
    runs = {name: partial(sample, slow, THIN) for name, sample in contenders.items()}
    least = least_seconds({"kernel": go_on(chain, quick), **runs})
    step = {name: least[name] / count * 1e6 for name, count in counts.items()}
    place = "step", f"m = {m}", {"m": m, "r": problem.points.rank}
    for name, value in step.items():
        yield table_row(*place, name, "microseconds", value)
    yield table_row(*place, "plain / kernel", "times", step["plain"] / step["kernel"], BARS[m])
    yield table_row(*place, "tuned / kernel", "times", step["tuned"] / step["kernel"])


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
