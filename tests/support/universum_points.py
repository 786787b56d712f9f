"""Points by which the tests of the room of Inference with the Universum try its functions."""

import numpy as np


def labelled_and_universum(flat, seed=0):
    """Labelled points, a universum of 30 points (on a plane through no origin), new points."""
    rng = np.random.default_rng(seed)
    X, new = rng.standard_normal((40, 8)), rng.standard_normal((25, 8))
    signs = np.where(X[:, 0] + X[:, 1] + 0.5 * rng.standard_normal(40) > 0, 1.0, -1.0)
    U = 0.3 + 0.7 * rng.standard_normal((30, 8))
    if flat:
        U = 0.3 + rng.standard_normal((30, 2)) @ rng.standard_normal((2, 8))
    return X, signs, U, new
