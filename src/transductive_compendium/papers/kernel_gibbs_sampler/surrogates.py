"""Substitutes for the unpublished points of figure 3."""

import numpy as np

# the size of figure 3's training set
N_POINTS = 76


def crescents(n, rng):
    """Two interleaved crescents, blurred.

    Half circles of radius 2, with normal noise of standard deviation 0.4.

    Parameters
    ----------
    n : int
        Points, half of them in each class.
    rng : numpy.random.Generator

    Returns
    -------
    X : ndarray of shape (n, 2)
    y : ndarray of int of shape (n,)
        Classes -1 and +1.
    """
    y = np.where(np.arange(n) % 2, -1, 1)
    t = rng.uniform(0.0, np.pi, n)
    X = y[:, None] * np.column_stack([2.0 * np.cos(t) - 1.0, 2.0 * np.sin(t) - 0.5])
    return X + 0.4 * rng.standard_normal((n, 2)), y


def clouds(n, rng):
    """Two normal clouds of unit variance in the plane, means 2 apart, half of the points each."""
    y = np.where(np.arange(n) % 2, -1, 1)
    return rng.standard_normal((n, 2)) + np.column_stack([y, np.zeros(n)]), y


#: Points, and the share of their labels that is wrong, by option of "surrogate".
SURROGATES = {"clouds": (clouds, 0.0), "crescents": (crescents, 0.0), "flipped": (crescents, 0.1)}


def substitute(surrogate, n, rng, n_test=0):
    """Points and labels, then `n_test` test points, under an option of the choice "surrogate".

    "clouds", "crescents", or "flipped": crescents, a tenth of the n labels wrong.
    """
    points, wrong = SURROGATES[surrogate]
    X, y = points(n + n_test, rng)
    if wrong:
        y = y.copy()
        y[rng.permutation(n)[: round(wrong * n)]] *= -1
    return X, y
