"""Substitutes of the data sets, and a small Gram matrix."""

import numpy as np
import pytest

from transductive_compendium.datasets import load
from transductive_compendium.papers.transductive_regression.gaussian_ridge import gaussian_gram


@pytest.fixture(scope="session")
def diabetes():
    return load("diabetes")


@pytest.fixture(scope="session")
def substitutes(diabetes):
    return dict.fromkeys(("boston", "kin32fh", "diabetes"), diabetes)


@pytest.fixture(scope="session")
def cancer():
    return {"ida_heart": load("breast_cancer")}


@pytest.fixture(scope="session")
def gram():
    """Gram matrix of random points, and targets."""

    def gram(n=9, seed=0, log_sigma=0.5):
        rng = np.random.default_rng(seed)
        return gaussian_gram(rng.standard_normal((n, 3)), log_sigma), rng.standard_normal(n)

    return gram
