"""Samples that several tests of the noisy estimators share."""

import numpy as np
import pytest

from transductive_compendium.exact.arrangement import Arrangement


@pytest.fixture(scope="session")
def plane():
    """Noisy labels in R^3, the cells into which they cut the sphere, and new points."""
    rng = np.random.default_rng(1)
    X = rng.standard_normal((25, 3))
    y = np.where(X @ [1.0, -1.0, 0.5] > 0, 1, -1)
    y[:2] *= -1
    return X, y, Arrangement(X * y[:, None]), rng.standard_normal((12, 3))
