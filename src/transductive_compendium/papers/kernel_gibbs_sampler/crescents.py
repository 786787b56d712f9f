"""Two crescents in the plane: the substitute for the unpublished points of figure 3."""

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
