"""The loops that the kernel is timed against play the same billiard."""

import sys
from importlib import import_module
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"


@pytest.mark.parametrize("l, m", [(13, 0), (40, 27)])
def test_contenders_agree_with_the_kernel(monkeypatch, l, m):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    for name in ("billiard", "contenders"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    billiard = import_module("billiard")
    billiard.check_contenders(billiard.Problem(l, m), n_bounces=40)
