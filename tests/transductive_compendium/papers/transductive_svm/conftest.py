"""Substitutes of the data sets."""

import pytest

from transductive_compendium.datasets import load


@pytest.fixture(scope="session")
def reuters():
    return {"reuters21578": load("generated_text")}


@pytest.fixture(scope="session")
def digits():
    return dict.fromkeys(("digits", "usps", "mnist"), load("digits"))
