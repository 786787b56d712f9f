"""Boosted networks: their gradient, AdaBoost against scikit-learn's, and Table 1's experiment."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paper_rooms import unit_rows
from sklearn.ensemble import AdaBoostClassifier
from sklearn.linear_model import Ridge
from sklearn.tree import DecisionTreeClassifier

from transductive_compendium.papers.transductive_regression import boosted_networks, boosting
from transductive_compendium.papers.transductive_regression.boosted_networks import (
    RIDGE,
    boost,
    fit_rbf_net,
    loss_and_gradient,
    starting_units,
)


def _noisy_disc(n=120, seed=0):
    """Points labelled by a disc, the first tenth of them wrongly."""
    X = np.random.default_rng(seed).uniform(-1.0, 1.0, (n, 2))
    y = np.where(np.sum(X**2, axis=1) < 0.5, 1, -1)
    y[: n // 10] *= -1
    return X, y


def _stump(X, y, weights):
    return DecisionTreeClassifier(max_depth=1, random_state=0).fit(X, y, weights).predict


class _Watched:
    """A learner that remembers the weights it was given."""

    def __init__(self, learner):
        self.learner, self.weights = learner, []

    def __call__(self, X, y, weights):
        self.weights.append(weights)
        return self.learner(X, y, weights)


def _some_units(seed=1):
    rng = np.random.default_rng(seed)
    X, y = _noisy_disc(40)
    units = np.column_stack([rng.uniform(-1.0, 1.0, (4, 2)), rng.uniform(-1.0, 0.0, 4)])
    return X, y, rng.dirichlet(np.ones(len(y))), units


def test_loss_is_that_of_weighted_ridge_regression_on_the_gaussians():
    X, y, weights, units = _some_units()
    squares = ((X[:, None] - units[:, :2]) ** 2).sum(axis=-1)
    hidden = np.exp(-squares / (2.0 * np.exp(units[:, 2]) ** 2))
    ridge = Ridge(RIDGE, fit_intercept=False, solver="cholesky").fit(hidden, y, weights)
    residual = y - ridge.predict(hidden)
    expected = 0.5 * (weights @ residual**2 + RIDGE * ridge.coef_ @ ridge.coef_)
    assert loss_and_gradient(units.ravel(), X, y, weights)[0] == pytest.approx(expected)


@given(st.integers(0, 2**31))
@settings(max_examples=20)
def test_gradient_is_that_of_the_loss_with_the_output_weights_refitted(seed):
    X, y, weights, units = _some_units(seed)

    def loss(flat):
        return loss_and_gradient(flat, X, y, weights)[0]

    steps = 1e-6 * np.eye(units.size)
    # differences to both sides: one-sided ones are as inexact as a steep loss is curved
    numerical = [(loss(units.ravel() + step) - loss(units.ravel() - step)) / 2e-6 for step in steps]
    gradient = loss_and_gradient(units.ravel(), X, y, weights)[1]
    np.testing.assert_allclose(gradient, numerical, atol=1e-5)


def test_fitted_centres_and_widths_beat_those_of_the_start(monkeypatch):
    X, y = _noisy_disc(200)
    weights, start = np.full(200, 1 / 200), starting_units(X, 3, 0)
    error = {}
    for steps in (0, 10):
        monkeypatch.setattr(boosted_networks, "STEPS", steps)
        error[steps] = np.mean(fit_rbf_net(X, y, weights, start)(X) != y)
    # a tenth is labelled wrongly
    assert error[10] < 0.2 < error[0]


def test_no_more_centres_than_distinct_points():
    X = np.repeat([[0.0, 0.0], [3.0, 0.0], [3.0, 1.0]], 5, axis=0)
    units = starting_units(X, 8, 0)
    units = units[np.argsort(units[:, :2].sum(axis=1))]
    np.testing.assert_allclose(units[:, :2], [[0, 0], [3, 0], [3, 1]])
    np.testing.assert_allclose(np.exp(units[:, 2]), [3, 1, 1])


def test_without_penalty_every_round_is_adaboost():
    X, y = _noisy_disc()
    watched = _Watched(_stump)
    hypotheses, alphas = boost(watched, X, y, rounds=30)
    other = AdaBoostClassifier(
        DecisionTreeClassifier(max_depth=1), n_estimators=30, random_state=0
    ).fit(X, y)
    np.testing.assert_allclose(alphas, other.estimator_weights_, rtol=1e-9)
    for hypothesis, weights, peer, error in zip(
        hypotheses, watched.weights, other.estimators_, other.estimator_errors_, strict=True
    ):
        np.testing.assert_array_equal(hypothesis(X), peer.predict(X))
        assert weights[hypothesis(X) != y].sum() == pytest.approx(error)


@pytest.mark.parametrize("penalty", [0.0, 0.1, 0.5])
def test_weights_follow_the_soft_margins(penalty):
    X, y = _noisy_disc()
    n = len(y)
    watched = _Watched(_stump)
    hypotheses, alphas = boost(watched, X, y, penalty, rounds=12)
    alphas, given = np.array(alphas), np.array(watched.weights)
    margins = y * np.array([h(X) for h in hypotheses])

    def terms(alphas):
        t, total = len(alphas), alphas.sum()
        mean_weight = alphas @ given[:t] / total
        soft_margin = alphas @ margins[:t] / total + penalty * (n * mean_weight) ** 2
        return np.exp(-0.5 * total * soft_margin)

    for t in range(1, 12):
        expected = terms(alphas[:t])
        np.testing.assert_allclose(given[t], expected / expected.sum(), rtol=1e-8)
        # the newest of the hypotheses' weights is at the least sum
        for moved in (-1e-2, 1e-2):
            assert terms(alphas[:t] + moved * (np.arange(t) == t - 1)).sum() > expected.sum()


def test_a_run_ends_at_a_perfect_hypothesis_and_at_a_guess():
    X, y = _noisy_disc()
    perfect, guess = (lambda *_: lambda Z: y), (lambda *_: lambda Z: np.ones(len(Z), dtype=int))
    for learner in (perfect, guess):
        hypotheses, alphas = boost(learner, X, y)
        assert (len(hypotheses), alphas) == (1, [1.0])
    # a constant errs on half of the weight once its errors have been weighted up
    mostly = np.where(np.arange(len(y)) < 40, -1, 1)
    _, alphas = boost(guess, X, mostly)
    assert alphas == pytest.approx([np.log(2.0)])


def test_options_choose_centres_and_penalty(cancer, monkeypatch):
    asked = []

    def wrong_rows(table, train, test, n_centres, penalty, seed, power):
        asked.append((n_centres, penalty, power))
        return 1, 200

    monkeypatch.setattr(boosting, "wrong_rows", wrong_rows)
    table = {"ida_thyroid": cancer["ida_heart"]}
    key = {"dataset": "ida_thyroid", "split": 0}
    for params in ({}, {"choice": "median"}, {"boosting": "squared_influence"}):
        unit_rows(boosting.NAME, key, table, **params)
    assert asked[1::2] == [(8, 0.01, 1), (4, 0.01, 1), (8, 0.003, 2)]
    assert asked[::2] == [(8, 0.0, 1), (4, 0.0, 1), (8, 0.0, 2)]
