"""A progress bar appears on a terminal after two seconds, and nowhere else."""

import sys

import numpy as np
import pytest

from transductive import TransductiveSVC
from transductive.progress import progress_bar


def on_a_terminal(monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("transductive.progress.DELAY", 0.0)


def test_bar_counts_on_a_terminal(capsys, monkeypatch):
    on_a_terminal(monkeypatch)
    with progress_bar("steps", 3) as bar:
        bar.update(3)
    assert "steps" in capsys.readouterr().err
    with progress_bar("steps", 3, wanted=False) as bar:
        bar.update(3)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("n_classes, counted", [(2, "doublings"), (3, "classes")])
def test_a_fit_has_one_bar(capsys, monkeypatch, n_classes, counted):
    on_a_terminal(monkeypatch)
    X = np.random.default_rng(0).standard_normal((24, 2))
    TransductiveSVC(manifold=0).fit(X[:12], np.arange(12) % n_classes, X[12:])
    bars = capsys.readouterr().err
    assert counted in bars and (n_classes == 2 or "doublings" not in bars)


def test_nothing_is_printed_without_a_terminal(capsys, monkeypatch):
    monkeypatch.setattr("transductive.progress.DELAY", 0.0)
    X = np.random.default_rng(0).standard_normal((24, 2))
    TransductiveSVC(manifold=0).fit(X[:12], np.arange(12) % 2, X[12:])
    assert capsys.readouterr().err == ""
