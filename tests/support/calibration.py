"""Ranks of the truth among posterior samples: uniform if the sampler's law is the posterior."""

import numpy as np
from scipy import stats

from transductive.version_space import GibbsChains, WhitenedPoints


def quantities(positions, X, y):
    """Training errors, mean margin, margin of the first point, first coordinate: (4, n)."""
    margins = y * (positions @ X.T)
    return np.array(
        [np.sum(margins <= 0.0, axis=1), margins.mean(axis=1), margins[:, 0], positions[:, 0]]
    )


def ranks(X, q, n_repetitions, seed, *, assumed_q=None, n_others=9, thin=20):
    """Ranks, from 0 to `n_others`, of quantities of the true w among those of posterior samples.

    For each repetition w is drawn from the prior and the labels of the rows of `X` are drawn
    given w: then w is a draw from the posterior given the labels. It is put at a random place of
    a chain: a reversible sampler is run from it both ways. So the ranks are uniform
    for a right sampler, however slowly it mixes (Besag and Clifford, Biometrika 76, 1989).

    Returns
    -------
    ranks : ndarray of shape (n_repetitions, 4)
    """
    m, r = X.shape
    rng = np.random.default_rng(seed)
    points = WhitenedPoints(X)
    found = np.empty((n_repetitions, 4), dtype=int)
    for row in found:
        w = rng.standard_normal(r)
        w /= np.linalg.norm(w)
        y = np.where((X @ w > 0) ^ (rng.random(m) < q), 1.0, -1.0)
        before = int(rng.integers(n_others + 1))
        chains = GibbsChains(
            points,
            q if assumed_q is None else assumed_q,
            signs=y,
            n_chains=2,
            start=w,
            random_state=int(rng.integers(2**63)),
        )
        back, forth = chains.run(n_others, thin=thin).positions
        others = quantities(np.vstack([back[:before], forth[: n_others - before]]), X, y)
        own = quantities(w[None], X, y)
        # ties, as training errors have, are broken at random
        row[:] = np.sum(others < own, axis=1) + rng.integers(np.sum(others == own, axis=1) + 1)
    return found


def p_values(found, n_others=9):
    """Chi-square tests of uniform ranks, one for each quantity."""
    return np.array(
        [stats.chisquare(np.bincount(column, minlength=n_others + 1)).pvalue for column in found.T]
    )
