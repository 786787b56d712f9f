"""RidgeSpectrum: equation (15) against refits, exact arithmetic and its own bounds."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import Ridge

from transductive.kernels import NotPositiveSemidefiniteError, gram_matrix
from transductive.leave_one_out import LeverageError, RidgeSpectrum, RidgeTridiagonal
from transductive_compendium.exact import loo_reference as reference

ALPHAS = np.array([1e-2, 0.3, 10.0])


def design(kind, rng):
    K = rng.standard_normal((9, 14))
    if kind == "tall":
        return K[:, :4]
    if kind == "deficient":
        return K[:, :3] @ rng.standard_normal((3, 6))
    if kind == "repeated rows":
        return K[[0, 1, 2, 3, 3, 2, 1, 0, 0]]
    if kind == "one column":
        return K[:, :1]
    return K


KINDS = ["wide", "tall", "deficient", "repeated rows", "one column"]


def gram(seed, n=9, gamma=0.3, d=2):
    rng = np.random.default_rng(seed)
    K = gram_matrix(rng.standard_normal((n, d)), gamma=gamma)
    return np.tril(K) + np.tril(K, -1).T, rng.standard_normal(n) + 1.0


# ---- (9), (14), (15) ----------------------------------------------------------------------------


@pytest.mark.claim("tr-eq15-refits", "holds")
@pytest.mark.parametrize("kind", KINDS)
def test_closed_form_is_the_refits_that_keep_all_basis_functions(kind):
    rng = np.random.default_rng(0)
    K = design(kind, rng)
    y = rng.standard_normal(len(K)) + 2.0
    for alpha in ALPHAS:
        residuals = reference.loo_residuals(K, y, alpha)
        refits = reference.refitted_residuals(K, y, alpha)
        np.testing.assert_allclose(residuals, refits, rtol=1e-8, atol=1e-8)
        assert reference.loo_error(K, y, alpha) == pytest.approx(np.mean(refits**2), rel=1e-8)
        # without the formula, without our own solver
        keep = np.arange(len(K)) != 2
        other = Ridge(alpha, fit_intercept=False, solver="svd").fit(K[keep], y[keep])
        assert residuals[2] == pytest.approx(y[2] - other.predict(K[2:3])[0], abs=1e-8)


@pytest.mark.claim("tr-eq15-refits", "holds")
def test_residuals_of_a_gram_matrix_are_the_refits():
    K, y = gram(0)
    spectrum = RidgeSpectrum(K)
    refits = np.array([reference.refitted_residuals(K, y, alpha) for alpha in ALPHAS])
    np.testing.assert_allclose(spectrum.loo_residuals(y, ALPHAS).T, refits, atol=1e-8)
    errors = spectrum.loo_errors(y, ALPHAS)
    np.testing.assert_allclose(errors, np.mean(refits**2, axis=1), rtol=1e-8)


def refit_without_basis_function(K, y, i, alpha, penalty):
    keep = np.arange(len(y)) != i
    part = K[np.ix_(keep, keep)]
    left = part + alpha * np.eye(len(part)) if penalty == "norm" else None
    if left is None:
        return y[i] - K[i, keep] @ reference.coefficients(part, y[keep], alpha)
    return y[i] - K[i, keep] @ np.linalg.solve(left, y[keep])


def refit_with_basis_function(K, y, i, alpha):
    """Minimum of ``|y - K a|^2 + alpha a'Ka`` over all n coefficients, pair i left out."""
    keep = np.arange(len(y)) != i
    return y[i] - K[i] @ np.linalg.solve(K[keep].T @ K[keep] + alpha * K, K[keep].T @ y[keep])


def test_whether_the_basis_function_goes_with_its_pair():
    """With the penalty "norm" it makes no difference (representer theorem); in (8) it does."""
    K, y = gram(3)
    alpha = 0.2
    dual = RidgeSpectrum(K, penalty="norm").loo_residuals(y, alpha)[:, 0]
    document = RidgeSpectrum(K).loo_residuals(y, alpha)[:, 0]
    for i in range(len(y)):
        without = refit_without_basis_function(K, y, i, alpha, "norm")
        assert dual[i] == pytest.approx(without, abs=1e-8)
        assert dual[i] == pytest.approx(refit_with_basis_function(K, y, i, alpha), abs=1e-8)
    without = [refit_without_basis_function(K, y, i, alpha, "coefficients") for i in range(len(y))]
    assert np.all(np.abs(document - without) > 1e-4)
    assert np.abs(document - without).max() > 0.05


@settings(max_examples=40, derandomize=True)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 8),
    st.integers(1, 8),
    st.floats(-2.0, 2.0),
    st.floats(-3.0, 3.0),
)
def test_closed_form_for_any_shape(seed, n, p, size, log_alpha):
    rng = np.random.default_rng(seed)
    K, y = 10**size * rng.standard_normal((n, p)), rng.standard_normal(n)
    alpha = 10 ** (2 * size + log_alpha)
    np.testing.assert_allclose(
        reference.loo_residuals(K, y, alpha),
        reference.refitted_residuals(K, y, alpha),
        rtol=1e-8,
        atol=1e-8,
    )


def test_invariances():
    rng = np.random.default_rng(5)
    K, y = gram(5)
    order = rng.permutation(len(y))
    base = RidgeSpectrum(K).loo_residuals(y, ALPHAS)
    moved = RidgeSpectrum(K[np.ix_(order, order)]).loo_residuals(y[order], ALPHAS)
    np.testing.assert_allclose(moved, base[order], atol=1e-11)
    # scaled basis functions need the ridge scaled
    scaled = RidgeSpectrum(30.0 * K).loo_residuals(y, 900.0 * ALPHAS)
    np.testing.assert_allclose(scaled, base, atol=1e-11)
    scaled = RidgeSpectrum(30.0 * K, penalty="norm").loo_residuals(y, 30 * ALPHAS)
    plain = RidgeSpectrum(K, penalty="norm").loo_residuals(y, ALPHAS)
    np.testing.assert_allclose(scaled, plain, atol=1e-11)


# ---- the kernel ---------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("overwrite", [False, True])
def test_overwrites_its_argument_only_on_request(order, overwrite):
    K, y = gram(8)
    expected = RidgeSpectrum(K).loo_residuals(y, ALPHAS)
    mine = np.array(K, order=order)
    kept = mine.copy()
    mine.setflags(write=False)
    y.setflags(write=False)
    alphas = ALPHAS.copy()
    alphas.setflags(write=False)
    spectrum = RidgeSpectrum(mine, overwrite=overwrite)
    np.testing.assert_allclose(spectrum.loo_residuals(y, alphas), expected, atol=1e-12)
    np.testing.assert_array_equal(mine, kept)
    mine.setflags(write=True)
    spectrum = RidgeSpectrum(mine, overwrite=overwrite)
    np.testing.assert_allclose(spectrum.loo_residuals(y, alphas), expected, atol=1e-12)
    assert np.array_equal(mine, kept) == (not overwrite)


# ---- rounding -----------------------------------------------------------------------------------


# both factorisations of a Gram matrix
FACTORS = pytest.mark.parametrize("factor", [RidgeSpectrum, RidgeTridiagonal])


def exact_residuals(K, y, alpha, penalty):
    """Leave-one-out residuals, ``y'Cy`` and diag(C) in rational arithmetic."""
    n = len(K)
    K = [[Fraction(float(v)) for v in row] for row in K]
    alpha = Fraction(float(alpha))
    if penalty == "norm":
        A = [list(row) for row in K]
    else:
        A = [[sum(a * b for a, b in zip(r, s, strict=True)) for s in K] for r in K]
    for i in range(n):
        A[i][i] += alpha
        A[i] += [alpha * (i == j) for j in range(n)]
    for k in range(n):
        A[k] = [v / A[k][k] for v in A[k]]
        for i in range(n):
            if i != k:
                A[i] = [a - A[i][k] * b for a, b in zip(A[i], A[k], strict=True)]
    C = [row[n:] for row in A]
    y = [Fraction(float(v)) for v in y]
    image = [sum(c * v for c, v in zip(row, y, strict=True)) for row in C]
    diagonal = [C[i][i] for i in range(n)]
    residuals = [a / c for a, c in zip(image, diagonal, strict=True)]
    form = sum(a * b for a, b in zip(image, y, strict=True))
    return (
        np.array([float(v) for v in residuals]),
        float(form),
        np.array([float(v) for v in diagonal]),
    )


def residual_bound(eta, form, diagonal, residuals):
    """What a relative error eta of C costs: (lambda^2 - 1) / 2 of the part that C has besides."""
    factor = np.exp(4.0 * np.arcsinh(eta / 2.0)) - 1.0
    return factor / 2.0 * np.sqrt(np.maximum(form / diagonal - residuals**2, 0.0))


@pytest.mark.parametrize("penalty", ["coefficients", "norm"])
@pytest.mark.parametrize("gamma", [0.3, 3e-3, 3e-5])
@FACTORS
def test_small_ridges_against_exact_arithmetic(factor, penalty, gamma):
    K, y = gram(10, gamma=gamma)
    spectrum = factor(K, penalty=penalty)
    eigenvalue = np.linalg.eigvalsh(K)[0]
    checked = 0
    # down to where nothing is left
    for alpha in 10.0 ** np.arange(0, -32, -2):
        if penalty == "norm" and alpha < 100 * abs(min(eigenvalue, 0.0)):
            break  # K + alpha I itself need not be positive definite
        try:
            found = spectrum.loo_residuals(y, alpha)[:, 0]
        except LeverageError:
            break
        residuals, form, diagonal = exact_residuals(K, y, alpha, penalty)
        bound = residual_bound(spectrum.resolution(alpha), form, diagonal, residuals)
        assert np.all(np.abs(found - residuals) <= bound + 1e-13 * np.abs(residuals).max())
        if factor is RidgeSpectrum:
            complements = np.diag(spectrum.complement(alpha))
            np.testing.assert_allclose(complements, diagonal, rtol=spectrum.resolution(alpha))
        checked += 1
    assert checked >= (6 if penalty == "norm" else 12)


@FACTORS
def test_small_ridges_keep_digits_that_the_square_loses(factor):
    """K'K formed: no digit left where the eigendecomposition of K has ten."""
    K, y = gram(10, gamma=3e-2)
    alpha = 1e-14
    residuals = exact_residuals(K, y, alpha, "coefficients")[0]
    found = factor(K).loo_residuals(y, alpha)[:, 0]
    squared = reference.loo_residuals(K, y, alpha)
    size = np.abs(residuals).max()
    assert np.abs(found - residuals).max() < 1e-7 * size
    assert np.abs(squared - residuals).max() > 1e-2 * size


@FACTORS
def test_a_gram_matrix_of_single_precision_is_taken_as_it_is(factor):
    """Its negative eigenvalues are part of it: (15) holds for any symmetric design."""
    K, y = gram(11, n=12, gamma=1e-3)
    K = K.astype(np.float32).astype(float)
    assert np.linalg.eigvalsh(K)[0] < -1e-9
    spectrum = factor(K)
    for alpha in (1e-6, 1e-10, 1e-14, 1e-18):
        residuals, form, diagonal = exact_residuals(K, y, alpha, "coefficients")
        bound = residual_bound(spectrum.resolution(alpha), form, diagonal, residuals)
        found = spectrum.loo_residuals(y, alpha)[:, 0]
        assert np.all(np.abs(found - residuals) <= bound + 1e-13 * np.abs(residuals).max())
    # as a squared norm it has no meaning below that eigenvalue
    dual = factor(K, penalty="norm")
    with pytest.raises(LeverageError):
        dual.loo_errors(y, 1e-10)
    residuals = exact_residuals(K, y, 1e-6, "norm")[0]
    np.testing.assert_allclose(dual.loo_residuals(y, 1e-6)[:, 0], residuals, rtol=1e-5)


@pytest.mark.parametrize("n", [40, 300])
def test_resolution_of_a_large_eigenvalue(n):
    """All kernel values 1: rounding of the null space grows with n, and so does the bound."""
    y = np.arange(n) - 0.3 * n
    for penalty, alpha in (("norm", 1e-9), ("norm", 1e-6), ("coefficients", 1e-18)):
        spectrum = RidgeSpectrum(np.ones((n, n)), penalty=penalty)
        rest = alpha / (n + alpha) if penalty == "norm" else alpha / (n**2 + alpha)
        ones = np.ones(n) / np.sqrt(n)
        # C is 1 but for `rest` in the direction of the ones
        U, w = spectrum.vectors, alpha / (spectrum.spectrum + alpha)
        scaled = np.sqrt(w)[:, None] * (U.T - np.outer(U.T @ ones, ones))
        across = np.linalg.norm(scaled, 2) ** 2 - 1.0
        along = np.sum(w * (U.T @ ones) ** 2) / rest - 1.0
        eta = float(spectrum.resolution(alpha))
        assert eta < 0.05
        assert max(abs(across), abs(along)) <= np.expm1(2 * np.arcsinh(eta / 2))
        C = alpha / (spectrum.spectrum + alpha)
        assert np.abs(C[:-1] - 1.0).max() <= eta
        assert spectrum.loo_residuals(y, alpha).shape == (n, 1)


@pytest.mark.parametrize("penalty", ["coefficients", "norm"])
@FACTORS
def test_raises_only_where_no_digit_is_left(factor, penalty):
    K, y = gram(12, gamma=1e-3)
    copies = np.array([0, 1, 2, 3, 4, 4, 3, 2, 1])  # whatever the width, K is singular
    spectrum = factor(K[np.ix_(copies, copies)], penalty=penalty)
    with pytest.raises(LeverageError, match="1 to working precision") as caught:
        spectrum.loo_errors(y, [1.0, 1e-40])
    least = float(str(caught.value).rsplit(" ", 1)[1])
    assert np.isfinite(spectrum.loo_errors(y, 1.05 * least)).all()
    with pytest.raises(LeverageError):
        spectrum.loo_errors(y, 0.9 * least)
    with pytest.raises(LeverageError):
        spectrum.loo_errors(y, 0.0)
    # far above rounding nothing is refused
    for alpha in 10.0 ** np.arange(-10, 12):
        spectrum.check_alphas(alpha)
    assert np.isinf(spectrum.resolution(0.0))


@FACTORS
@pytest.mark.parametrize("least", [-8e-15, -1e-12, -1e-9])
def test_eigenvalues_just_below_zero_give_an_error_or_finite_values(factor, least):
    """With "norm" a ridge must outweigh it."""
    rng = np.random.default_rng(0)
    Q = np.linalg.qr(rng.standard_normal((10, 10)))[0]
    tilted = Q * np.r_[np.ones(9), least] @ Q.T
    for K in (np.diag(np.r_[np.ones(9), least]), (tilted + tilted.T) / 2):
        ridge = factor(K, penalty="norm")
        for share in (0.3, 0.6):
            with pytest.raises(LeverageError):
                ridge.loo_errors(np.arange(10.0), -share * least)
        assert np.isfinite(ridge.loo_errors(np.arange(10.0), -2.0 * least)).all()
        assert np.isfinite(factor(K).loo_errors(np.arange(10.0), 1e-20)).all()


# ---- bad input ----------------------------------------------------------------------------------

ASYMMETRIC, INDEFINITE = [[1.0, 0.5], [0.2, 1.0]], [[1.0, 2.0], [2.0, 1.0]]


@pytest.mark.parametrize(
    ("matrix", "settings", "error"),
    [
        (np.ones(3), {}, "the Gram matrix"),
        (np.ones((0, 0)), {}, "the Gram matrix"),
        (np.ones((2, 3)), {}, "the Gram matrix"),
        ([[1.0, np.nan], [np.nan, 1.0]], {}, "the Gram matrix"),
        ([[np.inf, 1.0], [1.0, 1.0]], {}, "the Gram matrix"),
        (ASYMMETRIC, {}, "the Gram matrix"),
        (INDEFINITE, {}, NotPositiveSemidefiniteError),
        (INDEFINITE, {"penalty": "norm"}, NotPositiveSemidefiniteError),
        (np.eye(2), {"penalty": "ridge"}, "penalty"),
    ],
)
def test_rejects_bad_matrices(matrix, settings, error):
    kind, message = (ValueError, error) if isinstance(error, str) else (error, "eigenvalue -1")
    with pytest.raises(kind, match=message):
        RidgeSpectrum(matrix, **settings)


def test_rejects_bad_targets_and_ridges():
    K, y = gram(13)
    spectrum = RidgeSpectrum(K)
    for bad in (y[:-1], y[:, None], 1.0, np.where(y == y[3], np.nan, y)):
        with pytest.raises(ValueError, match=r"^y "):
            spectrum.loo_errors(bad, 1.0)
    for bad in (-1.0, np.nan, np.inf, [[1.0]], [1.0, -1.0]):
        with pytest.raises(ValueError, match="alphas"):
            spectrum.loo_errors(y, bad)
    for bad in (0.0, -1.0, np.nan):
        with pytest.raises(ValueError, match="alpha"):
            spectrum.coefficients(y, bad)
    with pytest.raises(LeverageError, match="alpha"):
        RidgeSpectrum(np.zeros((2, 2))).loo_errors([1.0, 2.0], 0.0)


def test_coefficients_of_several_targets():
    K, _ = gram(1)
    y = np.random.default_rng(1).standard_normal((len(K), 3))
    coefficients = RidgeSpectrum(K).coefficients(y, 0.1)
    np.testing.assert_allclose(coefficients, reference.coefficients(K, y, 0.1), atol=1e-9)
    one = RidgeSpectrum(K).coefficients(y[:, 0], 0.1)
    np.testing.assert_allclose(one, coefficients[:, 0], atol=1e-12)


def test_limits():
    K, y = gram(6)
    # a large ridge predicts nothing, a zero design neither
    np.testing.assert_allclose(RidgeSpectrum(K).loo_residuals(y, 1e12)[:, 0], y, atol=1e-10)
    for penalty in ("coefficients", "norm"):
        nothing = RidgeSpectrum(np.zeros((9, 9)), penalty=penalty)
        np.testing.assert_allclose(nothing.loo_residuals(y, 1e-9)[:, 0], y)
    np.testing.assert_array_equal(RidgeSpectrum(np.zeros((9, 9))).coefficients(y, 1.0), 0.0)
    # constant targets are nothing special to the algebra
    ones = np.ones(9)
    np.testing.assert_allclose(
        RidgeSpectrum(K).loo_residuals(ones, 0.1)[:, 0],
        reference.refitted_residuals(K, ones, 0.1),
        atol=1e-9,
    )
    assert RidgeSpectrum([[2.0]]).loo_errors([3.0], 1.0)[0] == pytest.approx(9.0)
