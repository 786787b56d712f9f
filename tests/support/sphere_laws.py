"""Points on a sphere, exact posteriors over the cells that they cut, and a test of fit."""

import numpy as np
from scipy import stats

from transductive.version_space.label_noise import error_potential

#: Each test of a law fails a right sampler with this probability, were its seed drawn anew.
FALSE_ALARM = 1e-5


def sphere(rng, n, dimension=3):
    """Uniform points on the unit sphere."""
    points = rng.standard_normal((n, dimension))
    return points / np.linalg.norm(points, axis=1, keepdims=True)


def noisy(rng, m, dimension, flips=0.15):
    """Label-signed points of which a linear teacher contradicts some."""
    points = sphere(rng, m, dimension)
    points *= np.where(points[:, 0] > 0, 1.0, -1.0)[:, None]
    points[: int(flips * m)] *= -1.0
    return points


def posterior(cells, q, errors=None, m=None):
    """Probability of each cell under label noise q, or "infer".

    `errors` of the cells and the number m of points are those of the cells' own points by default.
    """
    errors = cells.errors if errors is None else errors
    potential = error_potential(q, m or len(cells.points))[errors]
    mass = cells.areas * np.exp(potential.min() - potential)
    return mass / mass.sum()


def fits(counts, probabilities):
    """Chi-square test of independent draws, rare cells put together."""
    order = np.argsort(probabilities)
    expected, counts = probabilities[order] * counts.sum(), counts[order]
    rare = np.cumsum(expected) < 10.0
    if rare.any():
        # the first cell that brings the rare ones to ten joins them
        rare[np.argmin(rare)] = True
        expected = np.r_[expected[rare].sum(), expected[~rare]]
        counts = np.r_[counts[rare].sum(), counts[~rare]]
    return stats.chisquare(counts, expected).pvalue > FALSE_ALARM
