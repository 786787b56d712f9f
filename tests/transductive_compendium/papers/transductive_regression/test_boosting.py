"""Boosted networks of table 1 (Chapelle, Vapnik, Weston) and the divisions all methods share."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import AdaBoostClassifier
from sklearn.linear_model import Ridge
from sklearn.tree import DecisionTreeClassifier

from transductive_compendium.datasets import load
from transductive_compendium.papers.transductive_regression import boosting
from transductive_compendium.papers.transductive_regression.boosting import (
    CHOICE,
    RIDGE,
    boost,
    fit_rbf_net,
    loss_and_gradient,
    starting_units,
)
from transductive_compendium.papers.transductive_regression.splits import N_POSTAL_RUNS, partition
from transductive_compendium.runner import get, load_recorded

DOCUMENT = "transductive_regression"


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


# ---- the network --------------------------------------------------------------------------------


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
@settings(max_examples=20, deadline=None)
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
        monkeypatch.setattr(boosting, "STEPS", steps)
        error[steps] = np.mean(fit_rbf_net(X, y, weights, start)(X) != y)
    # a tenth is labelled wrongly
    assert error[10] < 0.2 < error[0]


def test_no_more_centres_than_distinct_points():
    X = np.repeat([[0.0, 0.0], [3.0, 0.0], [3.0, 1.0]], 5, axis=0)
    units = starting_units(X, 8, 0)
    units = units[np.argsort(units[:, :2].sum(axis=1))]
    np.testing.assert_allclose(units[:, :2], [[0, 0], [3, 0], [3, 1]])
    np.testing.assert_allclose(np.exp(units[:, 2]), [3, 1, 1])


# ---- boosting -----------------------------------------------------------------------------------


def test_without_penalty_every_round_is_adaboost():
    X, y = _noisy_disc()
    watched = _Watched(_stump)
    hypotheses, alphas = boost(watched, X, y, rounds=30)
    other = AdaBoostClassifier(
        DecisionTreeClassifier(max_depth=1), n_estimators=30, random_state=0
    ).fit(X, y)
    np.testing.assert_allclose(alphas, other.estimator_weights_, rtol=1e-9)
    for hypothesis, weights, theirs, error in zip(
        hypotheses, watched.weights, other.estimators_, other.estimator_errors_, strict=True
    ):
        np.testing.assert_array_equal(hypothesis(X), theirs.predict(X))
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


def test_soft_margins_take_weight_off_wrong_labels():
    X, y = _noisy_disc()
    start = starting_units(X, 4, 0)
    share = []
    for penalty in (0.0, 0.3):
        watched = _Watched(lambda *sample: fit_rbf_net(*sample, start))
        boost(watched, X, y, penalty, rounds=20)
        share.append(np.mean([w[: len(y) // 10].sum() for w in watched.weights[5:]]))
    assert share[1] < 0.8 * share[0]


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


# ---- the divisions ------------------------------------------------------------------------------


def test_published_divisions_come_first_then_others_of_their_size():
    partitions = np.array([[0, 2, 4, 6], [1, 3, 5, 7]])
    table = SimpleNamespace(name="toy", y=np.ones(10), partitions=partitions)
    for split in range(6):
        train, test, published = partition(table, split)
        assert published == (split < 2)
        assert len(train) == 4
        assert sorted([*train, *test]) == list(range(10))
    np.testing.assert_array_equal(partition(table, 1)[0], partitions[1])
    drawn = {tuple(partition(table, split)[0]) for split in range(2, 6)}
    assert len(drawn) == 4
    assert tuple(partition(table, 2)[0]) in drawn
    other = SimpleNamespace(name="other", y=np.ones(10), partitions=partitions)
    assert tuple(partition(other, 2)[0]) not in drawn


def test_postal_runs_share_out_the_training_part_and_have_one_test_set():
    table = SimpleNamespace(name="usps", y=np.ones(9298), partitions=None, n_train=7291)
    runs = [partition(table, split) for split in range(N_POSTAL_RUNS)]
    assert all(len(train) == 317 for train, _, _ in runs)
    assert sorted(np.concatenate([train for train, _, _ in runs])) == list(range(7291))
    for _, test, published in runs:
        np.testing.assert_array_equal(test, runs[0][1])
        assert not published
    assert len(set(runs[0][1])) == 2000
    assert runs[0][1].min() >= 7291
    with pytest.raises(ValueError, match="0 to 22"):
        partition(table, N_POSTAL_RUNS)


# ---- the experiments ----------------------------------------------------------------------------


def test_a_hundred_splits_of_six_sets_and_the_postal_runs():
    experiment = get(f"{DOCUMENT}/boosting")
    smoke, paper = (experiment.unit_keys({}, tier) for tier in ("smoke", "paper"))
    assert [key["dataset"] for key in smoke] == list(CHOICE)
    assert len(paper) == 6 * 100 + N_POSTAL_RUNS


def test_a_unit_counts_wrong_test_rows(monkeypatch):
    monkeypatch.setattr(boosting, "STEPS", 2)
    table = load("breast_cancer")
    key, rng = {"dataset": "ida_heart", "split": 0}, np.random.default_rng(0)
    [row] = boosting._run_boosting(key, {}, {"ida_heart": table}, rng)
    train, test, published = partition(table, 0)
    assert (row["n_train"], row["n_test"]) == (len(train), len(test))
    assert row["published"] == published
    for name in ("ab", "ab_reg"):
        wrong = row[f"{name}_error"] * len(test) / 100.0
        assert wrong == pytest.approx(round(wrong))
        # the lesser class is 37 % of the rows
        assert 0.0 < row[f"{name}_error"] < 20.0


@pytest.mark.parametrize("dataset", CHOICE)
def test_the_frozen_choice_is_what_the_record_says(dataset):
    rows = load_recorded(f"{DOCUMENT}/boosting_choice")[0]
    rows = rows[rows["dataset"] == dataset]
    plain, soft = rows[rows["penalty"] == 0], rows[rows["penalty"] > 0]
    assert set(soft["centres"]) == {CHOICE[dataset][0]}
    # of equal errors, the first
    medians = [
        some.loc[some.groupby("split")["error"].idxmin(), column].median()
        for some, column in ((plain, "centres"), (soft, "penalty"))
    ]
    assert medians == list(CHOICE[dataset])
