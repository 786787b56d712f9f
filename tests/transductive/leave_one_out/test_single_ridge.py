"""SingleRidge: what RidgeSpectrum says of one alpha, by Cholesky factors, or nothing."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from transductive import TransductiveRidge
from transductive.kernels import NotPositiveSemidefiniteError, gram_matrix
from transductive.leave_one_out import (
    LooForm,
    RidgeSpectrum,
    kernel_ridge,
    single_ridge,
    transductive_ridge,
)
from transductive.leave_one_out.loo_form import SingleLooForm
from transductive.leave_one_out.single_ridge import SingleRidge, UnresolvedError

PENALTIES = ["coefficients", "norm"]


def points(seed, n=60, d=3):
    return np.random.default_rng(seed).standard_normal((n, d))


@settings(max_examples=60, derandomize=True)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(2, 300),
    st.floats(-5.0, 4.0),
    st.floats(-2.0, 1.0),
    st.sampled_from(PENALTIES),
)
def test_equal_to_the_spectrum(seed, n, log_alpha, log_gamma, penalty):
    rng = np.random.default_rng(seed)
    K = gram_matrix(points(seed, n), gamma=10**log_gamma)
    alpha, y, Y = 10**log_alpha, rng.standard_normal(n), rng.standard_normal((n, 3))
    spectrum = RidgeSpectrum(K, penalty=penalty)
    ridge = SingleRidge(K, alpha, penalty)
    C = spectrum.complement(alpha)
    # C as a quadratic form bounds its entries
    size = np.sqrt(np.outer(np.diag(C), np.diag(C)))
    np.testing.assert_array_less(np.abs(ridge.complement(alpha) - C), 1e-7 * size)
    np.testing.assert_array_equal(ridge.complement(alpha), ridge.complement(alpha).T)
    expected = spectrum.loo_residuals(y, alpha)
    np.testing.assert_allclose(
        ridge.loo_residuals(y, alpha), expected, atol=1e-7 * np.abs(expected).max()
    )
    np.testing.assert_allclose(ridge.loo_errors(y, alpha), spectrum.loo_errors(y, alpha), 1e-7)
    for values in (y, Y):
        expected = spectrum.coefficients(values, alpha)
        np.testing.assert_allclose(
            ridge.coefficients(values, alpha), expected, atol=1e-8 * np.abs(expected).max()
        )


@pytest.mark.parametrize("alpha", [1e-6, 1e-4, 1e-2, 1.0])
def test_without_a_square_digits_are_kept(alpha, monkeypatch):
    """Against the sum of positive terms; the square is eps |K|^2 / alpha off."""
    K = gram_matrix(points(0, 200), gamma=0.05)
    exact = RidgeSpectrum(K).complement(alpha)
    monkeypatch.setattr(single_ridge, "MAX_SQUARING_ERROR", 1.0)
    errors = {}
    for name, bound in (("square", np.inf), ("no square", 0.0)):
        monkeypatch.setattr(single_ridge, "SQUARING_ERROR", bound)
        monkeypatch.setattr(single_ridge, "MEASURED_SQUARING_ERROR", bound)
        found = SingleRidge(K, alpha).complement(alpha)
        errors[name] = np.abs(np.diag(found) / np.diag(exact) - 1.0).max()
    norm, eps = np.linalg.norm(K, 2), np.finfo(float).eps
    assert errors["square"] <= 60 * eps * norm**2 / alpha
    assert errors["no square"] <= 60 * eps * max(norm / np.sqrt(alpha), 1.0)
    assert errors["no square"] < errors["square"] or alpha > 1e-3


@pytest.mark.parametrize("gamma, alpha", [(0.1, 1e-2), (0.01, 1e-2), (0.05, 1e-4), (1.0, 1e-6)])
def test_the_measured_error_is_no_less_than_the_true_one(gamma, alpha, monkeypatch):
    K = gram_matrix(points(1, 300), gamma=gamma)
    monkeypatch.setattr(single_ridge, "SQUARING_ERROR", np.inf)
    monkeypatch.setattr(single_ridge, "MEASURED_SQUARING_ERROR", np.inf)
    ridge, exact = SingleRidge(K, alpha), RidgeSpectrum(K)
    root = (exact.vectors * np.sqrt(exact.spectrum / alpha + 1.0)) @ exact.vectors.T
    off = root @ (ridge.complement(alpha) - exact.complement(alpha)) @ root
    assert np.linalg.norm(off, 2) <= ridge._error() < 1e-4


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("alpha", [1e-4, 0.05, 10.0])
@pytest.mark.parametrize("n_train", [1, 40, 79])
def test_downdated_coefficients_are_those_of_the_sample_alone(penalty, alpha, n_train):
    K = gram_matrix(points(8, 80), gamma=0.2)
    y = points(9, n_train, 1)[:, 0]
    joint = SingleRidge(K, alpha, penalty)
    columns = joint.last_columns(alpha, 80 - n_train)
    np.testing.assert_allclose(columns, joint.complement(alpha)[:, n_train:], atol=1e-12)
    own = RidgeSpectrum(K[:n_train, :n_train], penalty=penalty)
    expected = own.coefficients(y, alpha)
    found = joint.first_coefficients(y, alpha, columns)
    np.testing.assert_allclose(found, expected, atol=1e-8 * np.abs(expected).max())


def test_coefficients_that_cannot_be_refined_are_none(monkeypatch):
    K = gram_matrix(points(8, 80), gamma=0.2)
    joint = SingleRidge(K, 0.1)
    monkeypatch.setattr(single_ridge, "REFINED", 0.0)
    assert joint.first_coefficients(np.ones(60), 0.1, joint.last_columns(0.1, 20)) is None
    # the estimator then factors the training points' own matrix
    monkeypatch.setattr(kernel_ridge, "SINGLE_RIDGE_MIN_SAMPLES", 10)
    X, y = points(8, 80), np.sin(points(8, 80)[:70, 0])
    found = TransductiveRidge(0.1, gamma=0.2).fit(X[:70], y, X[70:])
    monkeypatch.undo()
    expected = TransductiveRidge(0.1, gamma=0.2).fit(X[:70], y, X[70:])
    np.testing.assert_allclose(found.inductive_, expected.inductive_, rtol=1e-9)


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("alpha", [1e-5, 1e-2, 1.0])
def test_the_form_without_its_matrix(penalty, alpha):
    K = gram_matrix(points(2, 90), gamma=0.2)
    y, y0 = points(3, 60, 1)[:, 0], points(4, 30, 1)[:, 0]
    whole = LooForm(RidgeSpectrum(K, penalty=penalty), alpha, 60)
    form = SingleLooForm(SingleRidge(K, alpha, penalty), alpha, 60)
    values = np.r_[y, y0]
    assert form.error(values) == pytest.approx(whole.error(values), rel=1e-7)
    for alpha_star in (0.1, 10.0, np.inf):
        np.testing.assert_allclose(
            form.transduce(y, y0, alpha_star), whole.transduce(y, y0, alpha_star), rtol=1e-7
        )
    with pytest.raises(ValueError, match="n_train must be between 1 and 89, got 90"):
        SingleLooForm(SingleRidge(K, alpha, penalty), alpha, 90)


@pytest.mark.parametrize("penalty", PENALTIES)
def test_any_ridge_gives_the_answer_of_the_spectrum_or_an_error(penalty):
    """At any ridge: the spectrum's answer, or none."""
    K = gram_matrix(points(1), gamma=0.1)
    spectrum = RidgeSpectrum(K, penalty=penalty)
    refused = 0
    for alpha in 10.0 ** np.arange(2, -40, -1):
        try:
            found = SingleRidge(K, alpha, penalty).complement(alpha)
        except UnresolvedError:
            refused += 1
        else:
            np.testing.assert_allclose(np.diag(found), np.diag(spectrum.complement(alpha)), 1e-6)
    assert 10 < refused < 40


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("alpha_star", [0.3, [0.1, 1.0]])
@pytest.mark.parametrize("kernel", ["rbf", "poly"])
@pytest.mark.parametrize("n_train", [30, 50, 70])
def test_the_estimator_gives_the_same_by_either(penalty, alpha_star, kernel, n_train, monkeypatch):
    X, new = points(4, 80), points(5, 10)
    y = np.sin(X[:n_train, 0]) + 1.0
    settings = {"gamma": 0.3, "penalty": penalty, "kernel": kernel, "degree": 2}
    answers = []
    for least in (10, 1000):
        monkeypatch.setattr(kernel_ridge, "SINGLE_RIDGE_MIN_SAMPLES", least)
        ridge = TransductiveRidge(0.05, alpha_star, **settings).fit(X[:n_train], y, X[n_train:])
        alone = TransductiveRidge(0.05, **settings).fit(X[:n_train], y)
        answers.append([
            ridge.transduction_, ridge.inductive_, ridge.predict(new), [ridge.alpha_star_],
            [ridge.loo_error_], alone.predict(new), [alone.loo_error_],
        ])  # fmt: skip
    for found, expected in zip(*answers, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-9)


def test_rejects_indefinite_and_asymmetric_matrices(monkeypatch):
    X = points(6)
    with pytest.raises(NotPositiveSemidefiniteError, match="has a negative eigenvalue"):
        SingleRidge(np.diag([1.0, 1.0, -1e-6]), 1.0)
    SingleRidge(np.diag([1.0, 1.0, -1e-10]), 1.0)
    with pytest.raises(NotPositiveSemidefiniteError):
        SingleRidge(gram_matrix(X, kernel="sigmoid", gamma=2.0, coef0=-3.0), 1.0)
    np.testing.assert_allclose(SingleRidge(np.zeros((3, 3)), 2.0).complement(2.0), np.eye(3))
    with pytest.raises(ValueError, match="penalty must be one of"):
        SingleRidge(np.eye(2), 1.0, "ridge")
    with pytest.raises(ValueError, match="not symmetric"):
        SingleRidge(np.triu(np.ones((3, 3))), 1.0)
    with pytest.raises(ValueError, match=r"alpha = 0\.1, "):
        SingleRidge(np.eye(2), 0.1).complement(0.2)
    # the estimator asks the spectrum where this says nothing
    monkeypatch.setattr(kernel_ridge, "SINGLE_RIDGE_MIN_SAMPLES", 10)
    small = TransductiveRidge(1e-9, gamma=0.3).fit(X[:30], X[:30, 0], X[30:])
    monkeypatch.undo()
    again = TransductiveRidge(1e-9, gamma=0.3).fit(X[:30], X[:30, 0], X[30:])
    np.testing.assert_array_equal(small.transduction_, again.transduction_)


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("log_gamma", [-4.0, -3.0, -2.0, -1.0, 0.0])
def test_low_rank_is_given_up_only_where_it_fails(penalty, log_gamma, monkeypatch):
    monkeypatch.setattr(transductive_ridge, "LOW_RANK_MIN_SAMPLES", 100)
    X, outcomes = points(7, 400, 2), set()
    y = np.sin(X[:100, 0])
    for alpha in (1e-3, 1.0, 1e3):
        settings = {"alpha": alpha, "gamma": 10**log_gamma, "penalty": penalty}
        found = TransductiveRidge(**settings).fit(X[:100], y, X[100:]).rank_
        with monkeypatch.context() as context:
            context.setattr(TransductiveRidge, "_needs_more", lambda *arguments: False)
            assert TransductiveRidge(**settings).fit(X[:100], y, X[100:]).rank_ == found
        outcomes.add(found < 400)
    assert outcomes == ({True} if log_gamma < -2.5 else {False} if log_gamma > -0.5 else outcomes)
