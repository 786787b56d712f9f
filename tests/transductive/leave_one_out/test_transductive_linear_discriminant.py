"""TransductiveLinearDiscriminant: signs of transductive regression on labels."""

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from transductive import TransductiveLinearDiscriminant, TransductiveRidge

SETTINGS = {"alpha": 0.05, "alpha_star": 0.5, "gamma": 0.3}


@pytest.fixture
def sample():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 2))
    y = np.where(X[:, 0] + X[:, 1] ** 2 + 0.3 * rng.standard_normal(60) > 0.5, 1, -1)
    return X[:25], y[:25], X[25:], y[25:]


@parametrize_with_checks([TransductiveLinearDiscriminant()])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def test_signs_of_transductive_regression(sample):
    X, y, working, truth = sample
    found = TransductiveLinearDiscriminant(**SETTINGS).fit(X, y, working)
    ridge = TransductiveRidge(**SETTINGS).fit(X, y.astype(float), working)
    np.testing.assert_array_equal(found.ridge_.transduction_, ridge.transduction_)
    np.testing.assert_array_equal(found.transduction_, np.where(ridge.transduction_ > 0, 1, -1))
    np.testing.assert_array_equal(found.decision_function(working), ridge.predict(working))
    assert np.mean(found.transduction_ != truth) < 0.25
    alone = TransductiveLinearDiscriminant(**SETTINGS).fit(X, y)
    assert alone.transduction_ is None
    np.testing.assert_array_equal(
        alone.decision_function(working), TransductiveRidge(**SETTINGS).fit(X, y).predict(working)
    )


def test_a_value_of_zero_has_no_sign():
    """Two points mirrored at the working point: it belongs to neither class."""
    X = np.array([[-1.0], [1.0]])
    found = TransductiveLinearDiscriminant(kernel="linear").fit(X, [0, 1], [[0.0]])
    assert found.ridge_.transduction_[0] == 0.0 and found.transduction_[0] == 0


@pytest.mark.parametrize(
    ("parameters", "labels", "message"),
    [
        ({}, [1], "two classes"),
        ({"alpha": -1.0}, [0, 1], "'alpha'"),
        ({"n_jobs": 0}, [0, 1], "jobs"),
    ],
)
def test_rejects_bad_arguments(sample, parameters, labels, message):
    y = np.resize(labels, 25)
    with pytest.raises(ValueError, match=message):
        TransductiveLinearDiscriminant(**parameters).fit(sample[0], y, sample[2])
