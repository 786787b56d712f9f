"""Substitutes of the data sets."""

import pytest

from transductive_compendium.datasets import load


@pytest.fixture(scope="session")
def diabetes():
    return load("diabetes")


@pytest.fixture(scope="session")
def substitutes(diabetes):
    return dict.fromkeys(("boston", "kin32fh", "diabetes"), diabetes)


@pytest.fixture(scope="session")
def cancer():
    return {"ida_heart": load("breast_cancer")}
