"""The papers' rows do not depend on defaults that may change."""

import re
from pathlib import Path

import numpy as np
import pytest

import transductive_compendium
from transductive import (
    BayesianTransduction,
    BayesPointMachine,
    KernelGibbsSampler,
    TransductiveSVC,
)
from transductive_compendium.papers.comparison import classifiers
from transductive_compendium.papers.comparison.problems import Sample

BILLIARD = ("gamma", "q", "n_bounces", "n_starts", "refresh")
CHAINS = ("gamma", "sampler", "q", "n_samples", "n_chains", "burn_in", "thin")


@pytest.fixture
def without_defaults(monkeypatch):
    """Defaults that no fit accepts, where the estimators may change theirs."""
    for estimator, names in (
        (BayesianTransduction, BILLIARD),
        (BayesPointMachine, BILLIARD),
        (KernelGibbsSampler, CHAINS),
        (TransductiveSVC, ("manifold",)),
    ):
        for name in names:
            monkeypatch.setitem(estimator.__init__.__kwdefaults__, name, "no default")


def test_every_estimator_is_constructed_where_this_file_looks():
    names = "|".join(e.__name__ for e in (BayesianTransduction, BayesPointMachine))
    pattern = re.compile(rf"\b({names}|KernelGibbsSampler)(\(|, sample)")
    root = Path(transductive_compendium.__file__).parent
    found = {
        str(path.relative_to(root)): len(pattern.findall(path.read_text(encoding="utf-8")))
        for path in root.rglob("*.py")
        if pattern.search(path.read_text(encoding="utf-8"))
    }
    assert found == {str(Path("papers/comparison/classifiers.py")): 3}


@pytest.mark.parametrize(
    "method", [classifiers.bpm, classifiers.bt, classifiers.kgs, classifiers.tsvm]
)
def test_methods_of_the_comparison_name_their_choices(method, without_defaults):
    rng = np.random.default_rng(0)
    y = np.where(np.arange(30) % 2, 1.0, -1.0)
    X = rng.standard_normal((30, 2)) + 2.0 * y[:, None]
    answer = method(Sample(X[:10], y[:10], X[10:], y[10:], "rbf"), rng)
    assert np.mean(answer.positive == (y[10:] > 0)) > 0.8
