"""Whether Markov chains have mixed: R-hat and effective sample sizes."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache

import numpy as np

__all__ = ["Mixing", "mixing"]

# thresholds of Vehtari et al. (2021)
R_HAT = 1.01
ESS = 400


@dataclass(frozen=True)
class Mixing:
    """Convergence diagnostics, one entry per quantity.

    Attributes
    ----------
    r_hat : ndarray of shape (p,)
        Rank-normalised split R-hat.
    ess_bulk, ess_tail : ndarray of shape (p,)
        Effective sample sizes, all chains together, in the bulk and in the 5 % tails.

    References
    ----------
    Vehtari, Gelman, Simpson, Carpenter, Buerkner, "Rank-normalization, folding, and
    localization: an improved R-hat", Bayesian Analysis 16 (2021).
    """

    r_hat: np.ndarray
    ess_bulk: np.ndarray
    ess_tail: np.ndarray

    @property
    def worst_r_hat(self):
        """Largest R-hat."""
        return float(self.r_hat.max())

    @property
    def least_ess(self):
        """Smallest effective sample size, bulk or tail."""
        return float(min(self.ess_bulk.min(), self.ess_tail.min()))

    @property
    def ok(self):
        """Whether R-hat is at most 1.01 and the effective sample sizes at least 400."""
        return self.worst_r_hat <= R_HAT and self.least_ess >= ESS


@cache
def array_statistics():
    """ArviZ's statistics of arrays; imported when first used, which takes 0.15 s."""
    from arviz_stats.base import array_stats, stats_utils

    if sys.flags.optimize > 1:
        # it appends to docstrings, which python -OO has removed
        stats_utils.update_docstring = lambda *arguments: None
    return array_stats


def mixing(draws):
    """R-hat and effective sample sizes of quantities followed along chains.

    Parameters
    ----------
    draws : array of shape (c, n, p)
        n draws of p quantities by each of c chains. A quantity that is constant over all chains
        counts as mixed; one that is constant in each chain, at different values, does not.

    Returns
    -------
    Mixing
        For a single chain R-hat compares its halves.

    Raises
    ------
    ValueError
        If there are fewer than 4 draws, or 8 of a single chain.
    """
    draws = np.asarray(draws, dtype=np.float64)
    if draws.ndim != 3 or draws.shape[1] < (8 if len(draws) == 1 else 4) or draws.shape[2] == 0:
        raise ValueError(
            "draws must have shape (chains, draws, quantities) with at least 4 draws (8 for "
            f"a single chain), got {draws.shape}"
        )
    if len(draws) == 1:
        half = draws.shape[1] // 2
        draws = np.stack([draws[0, :half], draws[0, -half:]])
    moving = np.ptp(draws, axis=(0, 1)) > 0
    r_hat = np.ones(draws.shape[2])
    bulk, tail = np.full((2, draws.shape[2]), float(draws.shape[0] * draws.shape[1]))
    statistics = array_statistics()
    for j in np.flatnonzero(moving):
        one = np.ascontiguousarray(draws[:, :, j])
        r_hat[j] = statistics.rhat(one)
        bulk[j] = statistics.ess(one)
        tail[j] = statistics.ess(one, method="tail", prob=(0.05, 0.95))
    return Mixing(r_hat, bulk, tail)
