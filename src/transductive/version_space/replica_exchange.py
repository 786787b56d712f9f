"""Replica exchange: chains at several label noises that swap positions (parallel tempering)."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from .gibbs import GibbsChains

__all__ = ["Replicas", "exchange_probability"]


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

    References
    ----------
    Geyer, "Markov chain Monte Carlo maximum likelihood" (1991). Syed, Bouchard-Cote,
    Deligiannidis, Doucet, "Non-reversible parallel tempering", JRSS B 84 (2022): even and
    odd pairs take turns.
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
        """Let neighbours exchange; pairs that begin at even and at odd indices take turns.

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
