"""gamma* by leave-one-out and tuned ridge regression: rows on small sizes."""

import numpy as np
import pytest
from paper_rooms import unit_rows

from transductive.kernels import gram_matrix, rbf_gamma
from transductive_compendium.exact import loo_reference as reference
from transductive_compendium.papers.transductive_regression import tuned_transduction as experiment
from transductive_compendium.papers.transductive_regression.tuned_transduction import (
    ALPHAS,
    SCALES,
    SETTINGS,
    SINE,
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


def test_scalings(diabetes):
    centre, width = SCALES["unit variance"](diabetes.X)
    X = (diabetes.X - centre) / width
    np.testing.assert_allclose([X.mean(0), X.std(0)], [[0] * 10, [1] * 10], atol=1e-9)
    centre, width = SCALES["[-1, 1]"](diabetes.X)
    X = (diabetes.X - centre) / width
    np.testing.assert_allclose([X.min(0), X.max(0)], [[-1] * 10, [1] * 10])


def test_both_settings_see_the_same_split(diabetes, monkeypatch):
    monkeypatch.setitem(experiment.SETTINGS, "written", experiment.SETTINGS["norm"])
    rows = unit_rows(
        "transductive_regression/inductive",
        {"dataset": "diabetes", "split": 0},
        {"diabetes": diabetes},
    )
    first, second = (rows[rows["setting"] == name] for name in SETTINGS)
    columns = rows.columns.drop("setting")
    np.testing.assert_allclose(first[columns], second[columns], rtol=1e-9)


def test_the_noise_is_a_parameter():
    key = {"dataset": "sine, outside", "split": 0}
    quiet, loud = (
        unit_rows("transductive_regression/inductive", key, {}, noise=noise)
        for noise in (0.01, 1.0)
    )
    assert quiet["loo"].min() < 0.1 * loud["loo"].min()
    assert quiet["mse"].min() < 0.1 * loud["mse"].min()
