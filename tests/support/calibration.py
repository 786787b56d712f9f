"""Ranks of the truth among posterior samples: uniform if the sampler's law is the posterior."""

import numpy as np
from scipy import stats

from transductive.version_space import GibbsChains, RefractingBilliard, WhitenedPoints

#: Posterior samples beside the truth.
N_OTHERS = 9


def reversible_chain(points, y, w, rng, *, q, thin=20):
    """Positions and label noises of a chain of hit-and-run that has w at a random place.

    If w is a draw from the posterior, its rank is uniform however slowly the chain mixes, since a
    reversible sampler may be run from w both ways (Besag and Clifford, Biometrika 76, 1989).
    """
    before = int(rng.integers(N_OTHERS + 1))
    chains = GibbsChains(
        points, q, signs=y, n_chains=2, start=w, random_state=int(rng.integers(2**63))
    )
    back, forth = chains.run(N_OTHERS, thin=thin).positions
    return np.vstack([back[:before], forth[: N_OTHERS - before]]), np.full(N_OTHERS, float(q))


def flights(points, y, w, rng, *, q, thin=6):
    """Positions and label noises from a billiard that starts anywhere."""
    billiard = RefractingBilliard(
        points, q, signs=y, n_chains=1, random_state=int(rng.integers(2**63))
    )
    samples = billiard.run(N_OTHERS, thin=thin, burn_in=64)
    return samples.positions[0], samples.noise[0]


def ranks(X, q, n_repetitions, seed, others, *, prior=(1.0, 9.0)):
    """Ranks, from 0 to `N_OTHERS`, of quantities of the true w among those of posterior samples.

    For each repetition w, and the label noise if q is "infer", are drawn from the prior and the
    labels of the rows of `X` given them: then they are a draw from the posterior given the labels.

    Parameters
    ----------
    X : ndarray of shape (m, r)
    q : float or "infer"
    n_repetitions, seed : int
    others : callable
        Positions and label noises of `N_OTHERS` posterior samples from (points, y, w, rng).
    prior : pair of float, default=(1, 9)
        Of the true label noise: a Beta law, cut at 1/2.

    Returns
    -------
    ranks : ndarray of shape (n_repetitions, 5)
        Of training errors, mean margin, margin of the first point, first coordinate, label noise.
    """
    m, r = X.shape
    rng = np.random.default_rng(seed)
    points = WhitenedPoints(X)
    found = np.empty((n_repetitions, 5), dtype=int)
    for row in found:
        noise = q
        while noise == "infer" or noise > 0.5:
            noise = rng.beta(*prior)
        w = rng.standard_normal(r)
        w /= np.linalg.norm(w)
        y = np.where((X @ w > 0) ^ (rng.random(m) < noise), 1.0, -1.0)
        sampled, noises = others(points, y, w, rng)
        positions = np.vstack([sampled, w])
        margins = y * (positions @ X.T)
        values = np.array(
            [
                np.sum(margins <= 0.0, axis=1),
                margins.mean(axis=1),
                margins[:, 0],
                positions[:, 0],
                np.r_[noises, noise],
            ]
        )
        among, own = values[:, :-1], values[:, -1:]
        # ties, as training errors have, are broken at random
        row[:] = np.sum(among < own, axis=1) + rng.integers(np.sum(among == own, axis=1) + 1)
    return found


def p_values(found):
    """Chi-square tests of uniform ranks, one for each quantity."""
    return np.array(
        [stats.chisquare(np.bincount(c, minlength=N_OTHERS + 1)).pvalue for c in found.T]
    )
