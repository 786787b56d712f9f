"""TransductiveRidge: the equations through the estimator, its limits, and its uses."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Ridge
from sklearn.utils.estimator_checks import parametrize_with_checks

from transductive import RidgeLOO, TransductiveRidge
from transductive.kernels import NotPositiveSemidefiniteError, gram_matrix
from transductive.leave_one_out import LeverageError
from transductive.leave_one_out import transductive_ridge as module
from transductive_compendium.exact import loo_reference as reference

PENALTIES = ["coefficients", "norm"]


@pytest.fixture
def sample():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 3))
    y = np.sin(2 * X[:, 0]) + X[:, 1] + 0.2 * rng.standard_normal(40) + 1.0
    return X[:20], y[:20], X[20:32], X[32:]


@parametrize_with_checks([TransductiveRidge(), TransductiveRidge(penalty="norm", rank=3)])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


# ---- what it computes ---------------------------------------------------------------------------


@pytest.mark.parametrize("alpha_star", [0.0, 0.1, 10.0])
def test_equations_17_and_34(sample, alpha_star):
    X, y, working, _ = sample
    found = TransductiveRidge(0.05, alpha_star, gamma=0.3).fit(X, y, working)
    joint = np.vstack([X, working])
    K = gram_matrix(joint, gamma=0.3)
    y0 = reference.inductive_values(K[:20, :20], K[20:, :20], y, 0.05)
    M = reference.loo_matrix(reference.complement(K, 0.05))
    values = reference.transduce(M, y, y0, alpha_star)
    np.testing.assert_allclose(found.inductive_, y0, rtol=1e-8)
    np.testing.assert_allclose(found.transduction_, values, rtol=1e-7)
    assert found.loo_error_ == pytest.approx(reference.loo_error_joint(M, np.r_[y, values]))
    assert (found.rank_, found.truncation_, found.alpha_star_) == (32, 0.0, alpha_star)
    # it is the mean squared residual of 32 refits
    refits = reference.refitted_residuals(K, np.r_[y, found.transduction_], 0.05)
    assert found.loo_error_ == pytest.approx(np.mean(refits**2), rel=1e-7)


@pytest.mark.parametrize("penalty", PENALTIES)
def test_predict_is_ridge_regression_on_the_joint_sample(sample, penalty):
    X, y, working, new = sample
    found = TransductiveRidge(0.05, 0.1, gamma=0.3, penalty=penalty).fit(X, y, working)
    joint, values = np.vstack([X, working]), np.r_[y, found.transduction_]
    if penalty == "norm":
        other = KernelRidge(alpha=0.05, kernel="rbf", gamma=0.3).fit(joint, values)
        expected = other.predict(new)
    else:
        other = Ridge(0.05, fit_intercept=False).fit(gram_matrix(joint, gamma=0.3), values)
        expected = other.predict(gram_matrix(new, joint, gamma=0.3))
    np.testing.assert_allclose(found.predict(new), expected, rtol=1e-7)
    # at the working points the function need not pass through the transduced values
    assert np.abs(found.predict(working) - found.transduction_).max() > 1e-4


@pytest.mark.parametrize("penalty", PENALTIES)
def test_without_working_points_it_is_ridge_regression(sample, penalty):
    X, y, _, new = sample
    found = TransductiveRidge(0.05, gamma=0.3, penalty=penalty).fit(X, y)
    assert found.transduction_ is None and found.inductive_ is None
    chosen = RidgeLOO([0.05], gamma=0.3, penalty=penalty).fit(X, y)
    np.testing.assert_allclose(found.predict(new), chosen.predict(new), atol=1e-12)
    assert found.loo_error_ == pytest.approx(chosen.loo_error_, rel=1e-12)


def test_order_and_copies_of_points(sample):
    X, y, working, new = sample
    found = TransductiveRidge(0.05, 0.1, gamma=0.3).fit(X, y, working)
    rng = np.random.default_rng(1)
    order, shuffled = rng.permutation(len(y)), rng.permutation(len(working))
    moved = TransductiveRidge(0.05, 0.1, gamma=0.3).fit(X[order], y[order], working[shuffled])
    np.testing.assert_allclose(moved.transduction_, found.transduction_[shuffled], rtol=1e-8)
    np.testing.assert_allclose(moved.predict(new), found.predict(new), rtol=1e-8)
    assert moved.loo_error_ == pytest.approx(found.loo_error_, rel=1e-8)
    copies = np.vstack([working[:1], working[:1], X[:1], working])
    values = TransductiveRidge(0.05, 0.1, gamma=0.3).fit(X, y, copies).transduction_
    np.testing.assert_allclose(values[[1, 3]], values[0], rtol=1e-8)


def test_the_working_points_matter_together(sample):
    """Transduction: the value of a point depends on which other points are asked for."""
    X, y, working, _ = sample
    alone = TransductiveRidge(0.05, 0.1, gamma=0.3).fit(X, y, working[:1])
    together = TransductiveRidge(0.05, 0.1, gamma=0.3).fit(X, y, working)
    assert together.inductive_[0] == pytest.approx(alone.inductive_[0], rel=1e-10)
    assert abs(together.transduction_[0] - alone.transduction_[0]) > 1e-3


def test_alpha_star_by_leaving_pairs_out_of_the_transduction(sample):
    X, y, working, _ = sample
    grid, settings = [1e-3, 0.1, 10.0], {"gamma": 0.3, "penalty": "norm"}
    found = TransductiveRidge(0.05, grid, **settings).fit(X, y, working)
    errors = []
    for alpha_star in grid:
        alone = TransductiveRidge(0.05, alpha_star, **settings)
        values = []
        for i in range(len(y)):
            keep = np.arange(len(y)) != i
            alone.fit(X[keep], y[keep], np.vstack([working, X[[i]]]))
            values.append(alone.transduction_[-1])
        errors.append(np.mean((np.array(values) - y) ** 2))
    assert found.alpha_star_ == grid[int(np.argmin(errors))]
    alone.set_params(alpha_star=found.alpha_star_).fit(X, y, working)
    np.testing.assert_array_equal(alone.transduction_, found.transduction_)


# ---- low rank -----------------------------------------------------------------------------------


@pytest.mark.parametrize("penalty", PENALTIES)
def test_low_rank_is_the_dense_answer(sample, penalty):
    X, y, working, new = sample
    settings = {"gamma": 0.02, "penalty": penalty}
    dense = TransductiveRidge(0.05, 0.1, rank=None, **settings).fit(X, y, working)
    low = TransductiveRidge(0.05, 0.1, rank=31, **settings).fit(X, y, working)
    assert low.rank_ <= 31 and low.truncation_ < 1e-6 and dense.truncation_ == 0
    for name in ("transduction_", "inductive_", "loo_error_"):
        np.testing.assert_allclose(getattr(low, name), getattr(dense, name), rtol=1e-5)
    np.testing.assert_allclose(low.predict(new), dense.predict(new), rtol=1e-5)
    # a later fit without low rank leaves nothing of it behind
    low.set_params(rank=None).fit(X, y, working)
    np.testing.assert_array_equal(low.transduction_, dense.transduction_)
    np.testing.assert_array_equal(low.predict(new), dense.predict(new))


def test_low_rank_comes_by_itself_where_it_loses_nothing(sample, monkeypatch):
    X, y, working, _ = sample
    monkeypatch.setattr(module, "LOW_RANK_MIN_SAMPLES", 30)
    rng = np.random.default_rng(2)
    more = np.vstack([working, rng.standard_normal((300, 3))])
    smooth = TransductiveRidge(0.05, 0.1, gamma=1e-4).fit(X, y, more)
    assert smooth.rank_ < 40 and 0 < smooth.truncation_ <= 1e-9
    dense = TransductiveRidge(0.05, 0.1, gamma=1e-4, rank=None).fit(X, y, more)
    np.testing.assert_allclose(smooth.transduction_, dense.transduction_, rtol=1e-6)
    rough = TransductiveRidge(0.05, 0.1, gamma=1.0).fit(X, y, more)
    assert (rough.rank_, rough.truncation_) == (332, 0.0)
    # choosing alpha_star needs all of M
    chosen = TransductiveRidge(0.05, [0.1, 1.0], gamma=1e-4).fit(X, y, more)
    assert chosen.rank_ == 332


def test_warns_of_a_rank_too_low_but_not_of_a_kernel_of_zeros(sample):
    X, y, working, _ = sample
    with pytest.warns(ConvergenceWarning, match="rank 3 leaves a relative error") as caught:
        TransductiveRidge(0.05, rank=3, gamma=0.3).fit(X, y, working)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TransductiveRidge(0.05, rank=3, kernel="linear").fit(X, y, working)
        for rank in (3, None):
            nothing = TransductiveRidge(kernel="linear", rank=rank).fit(0 * X, y, 0 * working)
            np.testing.assert_array_equal(nothing.transduction_, 0.0)


# ---- bad input ----------------------------------------------------------------------------------


BAD = {
    "alpha": [0, -1, None, np.inf, "large"],
    "alpha_star": [-1.0, np.nan, [0.1, -1.0], [], {}, ["a"], [[1.0]], [0.0, 1.0], [1.0, np.inf]],
    "penalty": ["ridge"],
    "gamma": [0.0],
    "kernel": ["gauss"],
    "rank": [0, -1, 2.5, "low", True],
}


@pytest.mark.parametrize(
    "parameters",
    [
        *[{name: value} for name, values in BAD.items() for value in values],
        {"rank": 3, "alpha_star": [0.1, 1.0]},
    ],
    ids=str,
)
@pytest.mark.parametrize("transductive", [True, False])
def test_rejects_bad_parameters(sample, parameters, transductive):
    X, y, working, _ = sample
    with pytest.raises(ValueError, match=next(iter(parameters))):
        TransductiveRidge(**parameters).fit(X, y, working if transductive else None)


SIGMOID = {"kernel": "sigmoid", "gamma": 2.0, "coef0": -3.0}


@pytest.mark.parametrize(
    ("parameters", "change", "error", "message"),
    [
        ({}, lambda X, y, W: (X, np.zeros(20), W), ValueError, "targets"),
        ({}, lambda X, y, W: (X, y, W[:, :2]), ValueError, "^X_working.*expects 3"),
        ({}, lambda X, y, W: (X, y, np.full((2, 3), np.nan)), ValueError, "^X_working.*NaN"),
        ({}, lambda X, y, W: (X, y, W[:0]), ValueError, "^X_working.*no rows"),
        ({"kernel": "precomputed"}, lambda X, y, W: (X @ X.T, y, W), ValueError, "precomputed"),
        ({"kernel": "precomputed"}, lambda X, y, W: (X, y), ValueError, r"shape \(20, 3\)"),
        (SIGMOID, lambda *data: data, NotPositiveSemidefiniteError, "semi-definite"),
        (
            {**SIGMOID, "rank": 30},
            lambda *data: data,
            NotPositiveSemidefiniteError,
            "semi-definite",
        ),
        # one point twice: the Gram matrix is singular
        ({"alpha": 1e-40}, lambda X, y, W: (X, y, X[:1]), LeverageError, "alpha"),
        ({"alpha": 1e-320}, lambda *data: data, ArithmeticError, "alpha"),
    ],
)
@pytest.mark.filterwarnings("error")
def test_rejects_bad_samples(sample, parameters, change, error, message):
    model = TransductiveRidge(**parameters)
    with pytest.raises(error, match=message):
        model.fit(*change(*sample[:3]))
    with pytest.raises(NotFittedError):
        model.predict(sample[0])


def test_auto_uses_the_whole_matrix_if_low_rank_fails(monkeypatch):
    rng = np.random.default_rng(0)
    X = np.vstack([rng.uniform(size=(60, 2)), [[9.0, 9.0]]])
    y = X[:, 0] + 0.1 * rng.standard_normal(61)
    working = rng.uniform(size=(20, 2))
    monkeypatch.setattr("transductive.leave_one_out.transductive_ridge.LOW_RANK_MIN_SAMPLES", 50)
    # far from all others, that point has a leverage of 1 but for the ridge
    found = TransductiveRidge(1e-7, gamma=0.05).fit(X, y, working)
    dense = TransductiveRidge(1e-7, gamma=0.05, rank=None).fit(X, y, working)
    assert found.rank_ == 81 and found.truncation_ == 0.0
    np.testing.assert_array_equal(found.transduction_, dense.transduction_)
    monkeypatch.setattr("transductive.leave_one_out.transductive_ridge.MAX_GRAM_ENTRIES", 1000)
    with pytest.raises(ValueError, match="too many for choosing alpha_star"):
        TransductiveRidge(alpha_star=[0.1, 1.0]).fit(X, y, working)


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("n_train", [40, 260])
def test_points_too_many_for_their_gram_matrix(penalty, n_train, monkeypatch):
    """They get as many columns as memory allows, and what that loses at most."""
    monkeypatch.setattr(module, "LOW_RANK_MIN_SAMPLES", 50)
    rng = np.random.default_rng(3)
    X = rng.standard_normal((400, 3))
    y = np.sin(X[:n_train, 0]) + 0.1 * rng.standard_normal(n_train)
    settings = {"alpha": 1.0, "alpha_star": 2.0, "penalty": penalty, "gamma": 0.1}
    dense = TransductiveRidge(**settings, rank=None).fit(X[:n_train], y, X[n_train:])
    bounds = []
    for budget, rank in ((4_000, 10), (10_000, 25), (30_000, 50)):
        monkeypatch.setattr(module, "MAX_GRAM_ENTRIES", budget)
        # the rank that "auto" takes, given
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = TransductiveRidge(**settings, rank=rank).fit(X[:n_train], y, X[n_train:])
        assert found.rank_ == rank and found.truncation_ > 1e-2
        bounds.append(found.error_bound_)
        assert len(caught) == (found.error_bound_ > 0.01 * y.std())
        auto = TransductiveRidge(**settings)
        if caught:
            assert f"{found.error_bound_:.2g}" in str(caught[0].message)
            assert caught[0].filename == __file__
            with pytest.raises(ArithmeticError, match=f"rank={rank} "):
                auto.fit(X[:n_train], y, X[n_train:])
        else:
            auto.fit(X[:n_train], y, X[n_train:])
            np.testing.assert_array_equal(auto.transduction_, found.transduction_)
        if n_train == 40:
            np.testing.assert_allclose(found.inductive_, dense.inductive_, rtol=1e-6)
            error = np.sqrt(np.mean((found.transduction_ - dense.transduction_) ** 2))
            assert error <= found.error_bound_
    assert np.all(np.diff(bounds) < 0) and dense.error_bound_ == 0.0
