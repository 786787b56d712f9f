"""gamma* by leave-one-out and tuned ridge regression: rows on small sizes, and the choice."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import unit_rows

from transductive.kernels import gram_matrix, rbf_gamma
from transductive_compendium.exact import loo_reference as reference
from transductive_compendium.papers.transductive_regression import tuned_transduction as experiment
from transductive_compendium.papers.transductive_regression.tuned_transduction import (
    ALPHAS,
    SETTINGS,
    SINE,
)
from transductive_compendium.papers.transductive_regression.tuned_transduction_measures import (
    choice,
    overlap,
)


def test_tuning_takes_the_least_leave_one_out_error(diabetes):
    X, y = diabetes.X[:60] / diabetes.X.std(axis=0), diabetes.y[:60]
    gamma, log_sigma = experiment.tuned(X, y, "coefficients")
    gram = gram_matrix(X, gamma=rbf_gamma(np.exp(log_sigma)))
    widths = np.median(np.linalg.norm(X[:, None] - X, axis=2)[np.triu_indices(60, 1)])
    grams = [gram_matrix(X, gamma=rbf_gamma(width)) for width in widths * experiment.WIDTHS]
    least = min(reference.loo_error(K, y, a) for K in grams for a in ALPHAS)
    assert reference.loo_error(gram, y, gamma) == pytest.approx(least, rel=1e-6)


def test_the_sine_has_its_gap():
    samples = {
        where: experiment.sample_sine(where, 0.0, np.random.default_rng(0))
        for where in SINE.values()
    }
    gap = {where: (X[:, 0] > 0.4) & (X[:, 0] < 0.6) for where, (X, _) in samples.items()}
    assert not any(inside[:30].any() for inside in gap.values())
    assert gap["gap"][30:].all() and not gap["outside"].any()
    assert 0 < gap["everywhere"][30:].sum() < 60
    X, y = samples["everywhere"]
    np.testing.assert_allclose(y, np.sin(2 * np.pi * X[:, 0]))
    _, noisy = experiment.sample_sine("everywhere", 0.2, np.random.default_rng(0))
    np.testing.assert_allclose(noisy[30:], y[30:])
    assert 0.1 < np.std(noisy[:30] - y[:30]) < 0.3


def test_both_settings_see_the_same_split(diabetes, monkeypatch):
    monkeypatch.setitem(experiment.SETTINGS, "written", experiment.SETTINGS["norm"])
    key = {"dataset": "diabetes", "split": 0}
    rows = unit_rows("transductive_regression/inductive", key, {"diabetes": diabetes})
    first, second = (rows[rows["setting"] == name] for name in SETTINGS)
    columns = rows.columns.drop("setting")
    np.testing.assert_allclose(first[columns], second[columns], rtol=1e-9)


def test_each_split_has_its_own_choice():
    rows = [
        {"split": split, "alpha_star": alpha_star, "loo": loo}
        for split in range(5)
        for alpha_star, loo in ((0.1, 0.8), (10.0, 0.9), (np.inf, 0.0 if split == 3 else 1.0))
    ]
    assert choice(pd.DataFrame(rows))["alpha_star"].to_list() == [0.1, 0.1, 0.1, np.inf, 0.1]


def test_overlap_of_splits():
    """A part of a large table: its share f gives f / (1 - f), whatever is judged."""
    shares = {"boston": 25 / 481, "diabetes": 142 / 300, "usps": 800 / 8498}
    shares |= {"kin32fh": 320 / 7872, "sine, outside": 0.0}
    assert {name: overlap(name) for name in shares} == pytest.approx(shares)
