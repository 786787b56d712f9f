"""Modules of the benchmarks, each test with its own."""

import sys
from importlib import import_module
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def benchmark_module(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.setenv("TRANSDUCTIVE_STORE", str(tmp_path / "store"))
    for path in BENCHMARKS.glob("[!_]*.py"):
        monkeypatch.delitem(sys.modules, path.stem, raising=False)
    return import_module
