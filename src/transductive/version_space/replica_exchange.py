"""Replica exchange: chains at several label noises that swap positions (parallel tempering)."""

from __future__ import annotations

import numpy as np
from joblib import Parallel, delayed
from scipy.special import expit

from ..blas_threads import one_blas_thread
from .gibbs import GibbsChains, GibbsSamples, check_run, inverse_temperature
from .whitening import WhitenedPoints

__all__ = ["ExchangingChains", "Replicas", "exchange_probability", "noise_ladder"]

# Steps between two attempts to exchange.
EXCHANGE_STEPS = 50
# Least standard deviation of the training errors that the placement of replicas assumes: replicas
# that make hardly any errors need neighbours too.
MIN_DEVIATION = 0.3


def exchange_probability(beta, errors):
    """Probability that two neighbours exchange their positions.

    Parameters
    ----------
    beta, errors : pairs of float
        Inverse temperatures and training errors of the two.

    Returns
    -------
    probability : float
        ``min(1, exp((beta_1 - beta_0) (k_1 - k_0)))``, Metropolis' rule for the product of the
        two posteriors.
    """
    return float(np.exp(min(0.0, (beta[1] - beta[0]) * (errors[1] - errors[0]))))


def noise_ladder(q, hottest_q, n_temperatures):
    """Label noises from `q` to `hottest_q`, in equal steps of the inverse temperature."""
    beta = np.linspace(inverse_temperature(q), inverse_temperature(hottest_q), n_temperatures)
    return expit(-beta)


class Replicas:
    """One chain at each of several inverse temperatures; neighbours exchange positions.

    Parameters
    ----------
    points, signs
        As for `GibbsChains`.
    beta : array of shape (n,)
        Finite inverse temperatures, ascending or descending.
    start : array of shape (n, r)
        First positions.
    seed : SeedSequence

    Attributes
    ----------
    beta : array of shape (n,)
    """

    def __init__(self, points, signs, beta, start, seed):
        self.beta = beta
        self._chains = [
            GibbsChains(points, expit(-b), signs=signs, n_chains=1, start=w, random_state=one)
            for b, w, one in zip(beta, start, seed.spawn(len(beta)), strict=True)
        ]
        self._rng = np.random.default_rng(seed.spawn(1)[0])
        self._turn = 0

    def move(self, n_samples, n_steps):
        """Let all replicas take steps; returns for each what `GibbsChains` returns for a chain."""
        # limiting the threads, as `run` does, would take as long as the steps
        return [chain._run_chain(0, n_samples, n_steps, 0) for chain in self._chains]

    def exchange(self, errors):
        """Let neighbours exchange; pairs with an even and with an odd first one take turns.

        Parameters
        ----------
        errors : array of shape (n,)
            Training errors of the replicas.

        Returns
        -------
        exchanged : ndarray of shape (n - 1,)
            1 for the pairs that exchanged, 0 for those that did not, NaN for pairs not tried.
        """
        exchanged = np.full(max(len(self.beta) - 1, 0), np.nan)
        for j in range(self._turn % 2, len(exchanged), 2):
            pair = slice(j, j + 2)
            exchanged[j] = self._rng.random() < exchange_probability(self.beta[pair], errors[pair])
            if exchanged[j]:
                here, there = self._chains[pair]
                here.positions, there.positions = there.positions, here.positions
        self._turn += 1
        return exchanged

    def set_beta(self, beta):
        """Set other inverse temperatures for the steps that follow."""
        self.beta = beta
        for chain, b in zip(self._chains, beta, strict=True):
            chain.set_noise(expit(-b))


class ExchangingChains:
    """Chains of the kernel Gibbs sampler, each with replicas at larger label noises.

    The replicas of a chain exchange positions every few steps. So replicas that move more freely
    free the coldest one, whose samples are wanted, from cells that trap it. All laws are unchanged.

    Parameters
    ----------
    points : WhitenedPoints or array of shape (m, r)
        Training points in orthonormal coordinates of feature space.
    q : array of shape (n,)
        Label noises, in (0, 0.5], ascending; samples are drawn for the first.
    signs : array of shape (m,), optional
        Labels, -1 and +1; omitted where `points` are label-signed.
    n_chains : int, default=4
    start : array of shape (r,) or (n_chains, r), optional
        First positions of all replicas of a chain. When omitted, each replica draws its own from
        the prior.
    random_state : int, SeedSequence or None
        Each chain has streams of its own, spawned from this, so that the number of workers
        changes nothing.
    n_jobs : int, default=1
        Threads over which the chains are distributed. Each uses one thread of BLAS.

    Attributes
    ----------
    q : ndarray of shape (n,)
        The ladder, as given or as `tune` placed it.
    exchange_rates : ndarray of shape (n - 1,)
        Share of attempts at which neighbours exchanged in the last run.

    References
    ----------
    Geyer, "Markov chain Monte Carlo maximum likelihood" (1991). Syed, Bouchard-Cote,
    Deligiannidis, Doucet, "Non-reversible parallel tempering", JRSS B 84 (2022): turns of even
    and odd pairs, placement by equal rates.
    """

    def __init__(
        self, points, q, *, signs=None, n_chains=4, start=None, random_state=None, n_jobs=1
    ):
        self.q = np.atleast_1d(np.asarray(q, dtype=np.float64))
        if self.q.ndim != 1 or len(self.q) < 2 or not np.all(np.diff(self.q) > 0):
            raise ValueError(f"q must hold at least two label noises, ascending, got {q!r}")
        if not self.q[0] > 0:
            raise ValueError(
                "replicas need label noise (q > 0): for q = 0 use the billiard, as "
                "BayesPointMachine or BayesianTransduction do"
            )
        beta = np.array([inverse_temperature(one) for one in self.q])
        points = points if isinstance(points, WhitenedPoints) else WhitenedPoints(points)
        root = (
            random_state
            if isinstance(random_state, np.random.SeedSequence)
            else np.random.SeedSequence(random_state)
        )
        # checks the arguments, and draws the first positions of chains without a start
        first = GibbsChains(
            points, 0.5, signs=signs, n_chains=n_chains, start=start, random_state=root.spawn(1)[0]
        )
        self.n_chains, self.n_jobs = first.n_chains, n_jobs
        self.exchange_rates = np.full(len(beta) - 1, np.nan)
        self._rank = points.rank
        self._replicas = []
        for position, seed in zip(first.positions, root.spawn(self.n_chains), strict=True):
            places = np.tile(position, (len(beta), 1))
            if start is None:
                rng = np.random.default_rng(seed.spawn(1)[0])
                places = rng.standard_normal(places.shape)
            self._replicas.append(Replicas(points, first.signs, beta, places, seed))

    def tune(self, n_steps):
        """Place the label noises between the first and the last so that all rates are alike.

        Parameters
        ----------
        n_steps : int
            Steps of each replica; they are discarded, as a burn-in.

        Notes
        -----
        The rate of exchange falls with the product of the neighbours' distance in inverse
        temperature and the standard deviation of the training errors there. So the replicas divide
        the integral of this standard deviation, estimated from all chains, into equal parts.
        """
        attempts = max(n_steps // EXCHANGE_STEPS, 8)
        parts = self._in_parallel(_errors_of_replicas, attempts)
        deviation = np.concatenate(parts).std(axis=0)
        beta = self._replicas[0].beta
        middle = np.maximum(0.5 * (deviation[1:] + deviation[:-1]), MIN_DEVIATION)
        distance = np.r_[0.0, np.cumsum(-np.diff(beta) * middle)]
        placed = np.interp(np.linspace(0.0, distance[-1], len(beta)), distance, beta)
        placed[[0, -1]] = beta[[0, -1]]
        self.q = np.r_[self.q[0], expit(-placed[1:-1]), self.q[-1]]
        for replicas in self._replicas:
            replicas.set_beta(placed)

    def run(self, n_samples, *, thin=1, burn_in=0, replica=0):
        """Continue every chain.

        Parameters
        ----------
        n_samples : int
            Samples of each chain.
        thin : int, default=1
            Steps of each replica from sample to sample. Neighbours try to exchange after each
            sample, and between samples every 50 steps.
        burn_in : int, default=0
            Steps before the first sample; they are discarded.
        replica : int or None, default=0
            Number of the label noise, in `q`, whose samples are returned. None: all of them.

        Returns
        -------
        GibbsSamples, or a list of them
        """
        check_run(n_samples, thin, burn_in)
        wanted = range(len(self.q)) if replica is None else [replica]
        parts = self._in_parallel(
            _samples_of_replicas, n_samples, thin, burn_in, wanted, self._rank
        )
        samples, rates = zip(*parts, strict=True)
        self.exchange_rates = np.mean(rates, axis=0)
        found = [
            GibbsSamples(*(np.array(column) for column in zip(*chains, strict=True)))
            for chains in zip(*samples, strict=True)
        ]
        return found if replica is None else found[0]

    def _in_parallel(self, work, *arguments):
        with one_blas_thread():
            return Parallel(n_jobs=self.n_jobs, require="sharedmem")(
                delayed(work)(replicas, *arguments) for replicas in self._replicas
            )


def _errors_of_replicas(replicas, attempts):
    """Training errors of all replicas in the second half of a number of exchanges."""
    errors = np.empty((attempts, len(replicas.beta)))
    for i in range(attempts):
        errors[i] = [found[0] for _, found, _, _ in replicas.move(1, EXCHANGE_STEPS)]
        replicas.exchange(errors[i])
    return errors[attempts // 2 :]


def _samples_of_replicas(replicas, n_samples, thin, burn_in, wanted, rank):
    """Samples of the requested replicas, and the rates of exchange."""
    for _ in range(-(-burn_in // EXCHANGE_STEPS)):
        _, errors, _, _ = zip(*replicas.move(1, EXCHANGE_STEPS), strict=True)
        replicas.exchange(np.ravel(errors))
    pieces = [EXCHANGE_STEPS] * ((thin - 1) // EXCHANGE_STEPS)
    pieces.append(thin - sum(pieces))
    positions = np.empty((len(wanted), n_samples, rank))
    errors = np.empty((len(wanted), n_samples), dtype=np.int32)
    means = np.zeros((2, len(wanted), n_samples))
    exchanged = []
    for i in range(n_samples):
        for piece in pieces:
            moved = replicas.move(1, piece)
            for j, one in enumerate(wanted):
                position, k, expected, clear = moved[one]
                positions[j, i], errors[j, i] = position[0], k[0]
                means[:, j, i] += np.array([expected[0], clear[0]]) * (piece / thin)
            exchanged.append(replicas.exchange(np.array([k[0] for _, k, _, _ in moved])))
    tried = np.isfinite(exchanged)
    rates = np.nansum(exchanged, axis=0) / np.maximum(tried.sum(axis=0), 1)
    samples = [(positions[j], errors[j], *means[:, j]) for j in range(len(wanted))]
    return samples, rates
