"""Substitutes of the data sets."""

import pytest

from transductive_compendium.datasets import load


@pytest.fixture(scope="session")
def mnist():
    return {"mnist": load("digits")}


@pytest.fixture(scope="session")
def generated():
    return load("generated_text")
