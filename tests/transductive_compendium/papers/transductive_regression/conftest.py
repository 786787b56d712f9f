"""Substitutes of the data sets, rows of a unit, and a small Gram matrix."""

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.datasets import load
from transductive_compendium.papers.transductive_regression.gaussian_ridge import gaussian_gram
from transductive_compendium.runner import get


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
def rows_of():
    """Rows of one unit, from data sets by their names."""

    def rows_of(item, key, data, seed=0, **params):
        experiment = get(f"transductive_regression/{item}")
        data = {name: data[name] for name in experiment.datasets if name in data}
        return pd.DataFrame(experiment.run_unit(key, params, data, np.random.default_rng(seed)))

    return rows_of


@pytest.fixture(scope="session")
def gram():
    """Gram matrix of random points, and targets."""

    def gram(n=9, seed=0, log_sigma=0.5):
        rng = np.random.default_rng(seed)
        return gaussian_gram(rng.standard_normal((n, 3)), log_sigma), rng.standard_normal(n)

    return gram
