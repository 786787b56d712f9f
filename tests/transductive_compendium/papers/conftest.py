"""What tests of several rooms share."""

import os
from functools import lru_cache

import pytest

from transductive_compendium import datasets
from transductive_compendium.environment import DATA


@lru_cache(maxsize=12)
def _load(folder, name, load=datasets.load):
    return load(name)


@pytest.fixture
def loaded_once(monkeypatch):
    """Experiments whose data sets are the same get the same tables, loaded once by a process."""
    monkeypatch.setattr(datasets, "load", lambda name: _load(os.environ.get(DATA), name))
