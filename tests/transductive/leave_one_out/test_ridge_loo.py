"""RidgeLOO: the choice against RidgeCV and refits, scikit-learn's contract, bad input."""

import joblib
import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.utils.estimator_checks import parametrize_with_checks

from transductive import RidgeLOO
from transductive.kernels import NotPositiveSemidefiniteError, gram_matrix
from transductive.leave_one_out import LeverageError
from transductive_compendium.exact import loo_reference as reference

ALPHAS = np.geomspace(1e-3, 1e2, 11)


@pytest.fixture
def sample():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((50, 3))
    y = np.sin(2 * X[:, 0]) + X[:, 1] + 0.2 * rng.standard_normal(50) + 1.0
    return X[:35], y[:35], X[35:], y[35:]


@parametrize_with_checks([RidgeLOO(), RidgeLOO(penalty="norm", gammas=[0.1, 1.0])])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


# ---- what it computes ---------------------------------------------------------------------------


def test_choice_and_coefficients_are_those_of_ridge_cv_on_the_design(sample):
    X, y, new, _ = sample
    found = RidgeLOO(ALPHAS, gamma=0.3).fit(X, y)
    K = gram_matrix(X, gamma=0.3)
    other = RidgeCV(ALPHAS, fit_intercept=False, store_cv_results=True).fit(K, y)
    assert found.alpha_ == other.alpha_
    np.testing.assert_allclose(found.loo_errors_[0], other.cv_results_.mean(axis=0), rtol=1e-8)
    assert found.loo_error_ == pytest.approx(-other.best_score_, rel=1e-8)
    np.testing.assert_allclose(found.dual_coef_, other.coef_, atol=1e-8)
    np.testing.assert_allclose(found.predict(new), other.predict(gram_matrix(new, X, gamma=0.3)))


def test_norm_is_kernel_ridge(sample):
    X, y, new, _ = sample
    found = RidgeLOO([0.3], gamma=0.3, penalty="norm").fit(X, y)
    other = KernelRidge(alpha=0.3, kernel="rbf", gamma=0.3).fit(X, y)
    np.testing.assert_allclose(found.predict(new), other.predict(new), rtol=1e-9)
    np.testing.assert_allclose(found.dual_coef_, other.dual_coef_, rtol=1e-8)
    left_out = cross_val_predict(other, X, y, cv=LeaveOneOut())
    assert found.loo_error_ == pytest.approx(np.mean((left_out - y) ** 2), rel=1e-8)


def test_width_and_ridge_are_chosen_together(sample):
    X, y, _, _ = sample
    gammas = [0.01, 0.1, 0.5, 5.0]
    found = RidgeLOO(ALPHAS, gammas=gammas).fit(X, y)
    assert found.loo_errors_.shape == (4, 11)
    for i, gamma in enumerate(gammas):
        K = gram_matrix(X, gamma=gamma)
        for j in (0, 5, 10):
            refits = reference.refitted_residuals(K, y, ALPHAS[j])
            assert found.loo_errors_[i, j] == pytest.approx(np.mean(refits**2), rel=1e-7)
    i, j = np.unravel_index(found.loo_errors_.argmin(), (4, 11))
    assert (found.gamma_, found.alpha_) == (gammas[i], ALPHAS[j])
    assert found.loo_error_ == found.loo_errors_.min()
    assert 0 < i < 3 and 0 < j < 10
    alone = RidgeLOO([found.alpha_], gamma=found.gamma_).fit(X, y)
    np.testing.assert_array_equal(alone.dual_coef_, found.dual_coef_)


def test_workers_do_not_change_the_result(sample):
    X, y, new, _ = sample
    gammas = np.geomspace(0.01, 5.0, 12)
    one, two = (RidgeLOO(gammas=gammas, n_jobs=n).fit(X, y) for n in (1, 2))
    np.testing.assert_array_equal(one.loo_errors_, two.loo_errors_)
    np.testing.assert_array_equal(one.predict(new), two.predict(new))
    assert (one.alpha_, one.gamma_) == (two.alpha_, two.gamma_)


@pytest.mark.parametrize("backend", ["multiprocessing", "loky", "threading"])
def test_joblibs_context_does_not_change_the_result(sample, backend):
    X, y, _, _ = sample
    alone = RidgeLOO(gammas=[0.1, 1.0]).fit(X, y)
    with joblib.parallel_config(backend=backend, n_jobs=2):
        around = RidgeLOO(gammas=[0.1, 1.0]).fit(X, y)
    np.testing.assert_array_equal(around.loo_errors_, alone.loo_errors_)


@pytest.mark.parametrize("load", [load_wine, load_breast_cancer])
def test_the_default_grid_omits_ridges_too_small_for_raw_features(load):
    X, y = load(return_X_y=True)
    y = y - y.mean()
    model = RidgeLOO(kernel="linear", penalty="norm").fit(X, y)
    grid = np.geomspace(1e-6, 1e2, 25)
    other = RidgeCV(grid, fit_intercept=False, store_cv_results=True).fit(X, y)
    assert model.alpha_ == other.alpha_
    left_out = np.isinf(model.loo_errors_[0])
    assert left_out[0] and not left_out[5:].any()
    np.testing.assert_allclose(
        model.loo_errors_[0, 8:], other.cv_results_.mean(axis=0)[8:], rtol=1e-3
    )
    # a ridge given by the user is not left out
    with pytest.raises(LeverageError, match="scale the features, or take alpha above"):
        RidgeLOO(grid, kernel="linear", penalty="norm").fit(X, y)
    with pytest.raises(LeverageError):
        RidgeLOO(kernel="linear", penalty="norm").fit(X * 1e6, y)


def test_two_points_and_kernels():
    X, y = np.array([[0.0], [1.0]]), np.array([0.0, 1.0])
    K = gram_matrix(X, gamma=1.0)
    found = RidgeLOO([0.5], gamma=1.0).fit(X, y)
    refits = reference.refitted_residuals(K, y, 0.5)
    assert found.loo_error_ == pytest.approx(np.mean(refits**2))
    rng = np.random.default_rng(0)
    X = rng.standard_normal((20, 3))
    y = X @ [1.0, -1.0, 0.5] + 0.1 * rng.standard_normal(20)
    for kernel in ("linear", "poly", "laplacian", "cosine", lambda A, B: A @ B.T + 1.0):
        found = RidgeLOO([0.1, 1.0], kernel=kernel, degree=2).fit(X, y)
        K = gram_matrix(X, kernel=kernel, gamma=found.gamma_, degree=2)
        expected = [reference.loo_error(K, y, alpha) for alpha in (0.1, 1.0)]
        np.testing.assert_allclose(found.loo_errors_[0], expected, rtol=1e-6)


# ---- bad input ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        *[({"alphas": bad}, "alphas") for bad in ([], {}, ["a"], [1.0, 0.0], 1.0, [np.inf])],
        *[({"gammas": bad}, "gammas") for bad in ([], [0.1, -1.0])],
        ({"kernel": "linear", "gammas": [0.1, 1.0]}, "gammas"),
        *[({"gamma": bad}, "'gamma'") for bad in (-1.0, "wide")],
        *[({"n_jobs": bad}, "n_jobs") for bad in (0, True)],
        ({"penalty": "ridge"}, "'penalty'"),
        ({"kernel": "gauss"}, "'kernel'"),
    ],
)
def test_rejects_bad_parameters(sample, parameters, name):
    with pytest.raises(ValueError, match=name):
        RidgeLOO(**parameters).fit(*sample[:2])


@pytest.mark.parametrize(
    ("change", "parameters", "error", "message"),
    [
        (lambda X, y: (X, np.full(35, 3.0)), {}, ValueError, "targets"),
        (lambda X, y: (X[:1], y[:1]), {}, ValueError, "minimum of 2"),
        (lambda X, y: (X, y), {"kernel": "precomputed"}, ValueError, r"shape \(35, 3\)"),
        (
            lambda X, y: (X, y),
            {"kernel": "sigmoid", "gamma": 2.0, "coef0": -3.0},
            NotPositiveSemidefiniteError,
            "eigenvalue",
        ),
        # one point twice: the Gram matrix is singular
        (
            lambda X, y: (np.vstack([X, X[:1]]), np.r_[y, 1.0]),
            {"alphas": [1e-40, 1.0]},
            LeverageError,
            "alpha",
        ),
    ],
)
def test_rejects_bad_samples(sample, change, parameters, error, message):
    with pytest.raises(error, match=message):
        RidgeLOO(**parameters).fit(*change(*sample[:2]))
