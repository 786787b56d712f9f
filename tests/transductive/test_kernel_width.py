"""The width from labelled points: against refits, on wide and narrow patterns, by scale."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from transductive import BayesianTransduction, BayesPointMachine, KernelGibbsSampler
from transductive.kernel_width import MOST_POINTS, MULTIPLES, RIDGES, gamma_by_loo
from transductive.kernels import NotPositiveSemidefiniteError, gram_matrix


def rbf(X, gamma):
    return gram_matrix(X, gamma=gamma)


def checkers(n, fields, seed=0):
    """Points in the unit square, labelled by the fields of a chessboard."""
    X = np.random.default_rng(seed).uniform(size=(n, 2))
    return X, np.where(np.floor(X * fields).sum(axis=1) % 2, 1.0, -1.0)


def test_the_rule_by_leaving_out_and_fitting_again():
    X, y = checkers(25, 2)
    y[:3] *= -1
    squares = []
    for multiple in MULTIPLES:
        K = rbf(X, 4.0 * multiple)
        by_ridge = []
        for ridge in RIDGES:
            left_out = np.empty(25)
            for i in range(25):
                others = np.arange(25) != i
                A = K[np.ix_(others, others)] + ridge * np.eye(24)
                left_out[i] = (y[i] - K[i, others] @ np.linalg.solve(A, y[others])) ** 2
            by_ridge.append(left_out)
        squares.append(min(by_ridge, key=np.mean))
    best = min(squares, key=np.mean)
    within = [(s - best).mean() <= (s - best).std(ddof=1) / 5.0 for s in squares]
    expected = 4.0 * MULTIPLES[within.index(True)]
    assert gamma_by_loo(X, y, rbf, 4.0) == pytest.approx(expected)


def test_narrow_patterns_get_narrow_kernels():
    X, fields = checkers(200, 3)
    scale = 1.0 / (2 * X.var())
    noise = 0.3 * np.random.default_rng(2).standard_normal(200)
    halves = np.where(X[:, 0] + noise > 0.5, 1.0, -1.0)
    assert gamma_by_loo(X, halves, rbf, scale) < scale < gamma_by_loo(X, fields, rbf, scale)


def test_random_labels_get_the_widest_kernel():
    X, _ = checkers(40, 2)
    chosen = [
        gamma_by_loo(X, np.random.default_rng(seed).choice([-1.0, 1.0], 40), rbf, 6.0)
        for seed in range(20)
    ]
    assert np.mean(np.array(chosen) == 6.0 * MULTIPLES[0]) > 0.7


@given(st.integers(0, 99), st.integers(-20, 20))
def test_units_of_the_features_change_nothing(seed, exponent):
    X, y = checkers(20, 2, seed)
    chosen = gamma_by_loo(X, y, rbf, 3.0)
    # powers of two change no rounding
    assert gamma_by_loo(X * 2.0**exponent, y, rbf, 3.0 / 4.0**exponent) * 4.0**exponent == chosen


def test_a_subset_of_many_points_chooses():
    X, y = checkers(2 * MOST_POINTS, 3)
    order = np.argsort(y, kind="stable")
    half = np.sort(order[::2])
    assert gamma_by_loo(X, y, rbf, 1.0) == gamma_by_loo(X[half], y[half], rbf, 1.0)
    # classes that take turns: every second point would be of one class
    n = min(np.sum(y < 0), np.sum(y > 0))
    turns = np.c_[np.flatnonzero(y < 0)[:n], np.flatnonzero(y > 0)[:n]].ravel()
    assert gamma_by_loo(X[turns], y[turns], rbf, 1.0) > MULTIPLES[0]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_ridge_is_part_of_the_kernel():
    X, y = checkers(30, 2)
    model = BayesianTransduction("sigmoid", coef0=1.0, n_bounces=1, tol=0.2, random_state=0)
    with pytest.raises(NotPositiveSemidefiniteError, match="add a ridge"):
        model.fit(X - 0.5, y)
    model.set_params(ridge=6.0).fit(X - 0.5, y)
    assert model.gamma_ > 0.0


def test_classes_share_a_width():
    X, _ = checkers(80, 2)
    y = np.floor(3 * X[:, 0]).astype(int)
    model = BayesianTransduction(n_bounces=1, tol=0.2, random_state=0).fit(X, y)
    signs = np.where(y[:, None] == [0, 1, 2], 1.0, -1.0)
    expected = gamma_by_loo(X, signs, rbf, 1.0 / (2 * X.var()))
    assert model.gamma_ == expected and {e.gamma_ for e in model.estimators_} == {expected}


@pytest.mark.parametrize(("kernel", "gamma"), [("linear", 1 / 12), ("precomputed", None)])
def test_kernels_without_a_width(kernel, gamma):
    X = np.sqrt(3.0) * np.kron(np.eye(2), [[2.0, 2.0], [2.0, -2.0]])
    y = [0, 0, 1, 1]
    X_or_K = X @ X.T if kernel == "precomputed" else X
    model = KernelGibbsSampler(kernel, n_bounces=1, random_state=0).fit(X_or_K, y)
    assert model.gamma_ == (gamma and pytest.approx(1 / (4 * X.var())))


@pytest.mark.parametrize("estimator", [BayesianTransduction, BayesPointMachine, KernelGibbsSampler])
def test_it_is_the_width_of_every_estimator_by_default(estimator):
    X, y = checkers(60, 3)
    found = estimator(random_state=0, n_bounces=5000).fit(X, y)
    scale = 1.0 / (2 * X.var())
    assert found.gamma_ == pytest.approx(gamma_by_loo(X, y, rbf, scale))
    assert found.gamma_ > 2 * scale
