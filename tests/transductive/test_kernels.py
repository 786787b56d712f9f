"""Gram matrices against their formulas."""

import joblib
import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics.pairwise import chi2_kernel, laplacian_kernel, rbf_kernel
from sklearn.svm import SVC

from transductive.kernels import check_gram, gram_matrix, rbf_gamma


@pytest.fixture
def points():
    rng = np.random.default_rng(0)
    return rng.standard_normal((7, 3)), rng.standard_normal((4, 3))


FORMULAS = {
    "rbf": lambda a, b: np.exp(-0.4 * np.sum((a - b) ** 2)),
    "laplacian": lambda a, b: np.exp(-0.4 * np.sum(np.abs(a - b))),
    "poly": lambda a, b: (0.4 * a @ b + 0.7) ** 2,
    "sigmoid": lambda a, b: np.tanh(0.4 * a @ b + 0.7),
    "linear": lambda a, b: a @ b,
    "cosine": lambda a, b: a @ b / np.linalg.norm(a) / np.linalg.norm(b),
}


@pytest.mark.parametrize("kernel", FORMULAS)
def test_named_kernels(points, kernel):
    X, Y = points
    parameters = dict(kernel=kernel, gamma=0.4, degree=2, coef0=0.7)
    formula = FORMULAS[kernel]
    for second, K in ((Y, gram_matrix(X, Y, **parameters)), (X, gram_matrix(X, **parameters))):
        expected = [[formula(a, b) for b in second] for a in X]
        np.testing.assert_allclose(K, expected, atol=1e-12)
        assert K.dtype == np.float64 and K.flags.c_contiguous
    np.testing.assert_allclose(K, K.T, rtol=1e-14)


def test_defaults(points):
    X, _ = points
    np.testing.assert_array_equal(gram_matrix(X), gram_matrix(X, kernel="rbf", gamma=1 / 3))
    np.testing.assert_array_equal(
        gram_matrix(X, kernel="poly"), gram_matrix(X, kernel="poly", degree=3, coef0=0.0)
    )


@pytest.mark.parametrize("container", [sparse.csr_matrix, sparse.csr_array, sparse.csc_array])
@pytest.mark.parametrize("kernel", FORMULAS)
def test_repeated_entries_of_a_sparse_matrix_are_summed(kernel, container):
    # documents as lists of their words
    words, starts = [0, 2, 2, 1, 1, 1, 0, 2, 1], [0, 3, 6, 9]
    counts = sparse.csr_matrix((np.ones(9), words, starts), shape=(3, 3))
    dense = counts.toarray()
    if container is sparse.csc_array:
        counts = sparse.csr_array(counts.T).T
    counts = container(counts)
    parameters = dict(kernel=kernel, gamma=0.4, degree=2, coef0=0.7)
    for first, second in ((counts, None), (counts, dense[:2]), (dense[:2], counts)):
        thick = [None if A is None else A if A is not counts else dense for A in (first, second)]
        K = gram_matrix(first, second, **parameters)
        np.testing.assert_allclose(K, gram_matrix(*thick, **parameters), atol=1e-12)
    assert counts.nnz == 9  # the caller's matrix is unchanged


@pytest.mark.parametrize("kernel", FORMULAS)
@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_joblibs_context_changes_no_bit(kernel, backend):
    rng = np.random.default_rng(5)
    X, Y = rng.standard_normal((150, 20)), rng.standard_normal((31, 20))
    alone = [gram_matrix(X, kernel=kernel), gram_matrix(X, Y, kernel=kernel)]
    with joblib.parallel_config(backend=backend, n_jobs=2):
        around = [gram_matrix(X, kernel=kernel), gram_matrix(X, Y, kernel=kernel)]
    for one, two in zip(alone, around, strict=True):
        np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("kernel", [*FORMULAS, "precomputed"])
def test_alignment_in_memory_changes_no_bit(kernel):
    # another process may send an array that is not aligned; NumPy multiplies it by another routine
    X = np.random.default_rng(5).standard_normal((150, 20))
    bytes_ = np.zeros(X.nbytes + 1, np.uint8)
    moved = bytes_[1:].view(np.float64).reshape(X.shape)
    moved[:] = X
    assert not moved.flags.aligned
    np.testing.assert_array_equal(gram_matrix(moved, kernel=kernel), gram_matrix(X, kernel=kernel))
    assert gram_matrix(moved, kernel=kernel).flags.aligned


def test_precomputed(points):
    X, Y = points
    K = X @ Y.T
    np.testing.assert_array_equal(gram_matrix(K, kernel="precomputed"), K)
    np.testing.assert_array_equal(gram_matrix(K, "ignored", kernel="precomputed"), K)
    assert gram_matrix(np.array([[1, 2]]), kernel="precomputed").dtype == np.float64


def test_width_of_the_rbf_kernel():
    a, b = np.zeros((1, 2)), np.array([[3.0, 4.0]])
    for sigma in (0.5, 3.0, 10.0):
        K = gram_matrix(a, b, gamma=rbf_gamma(sigma))
        assert K[0, 0] == pytest.approx(np.exp(-25 / (2 * sigma**2)))


@pytest.mark.parametrize("gamma", [None, 0.01, 3.0])
def test_a_gaussian_kernel_far_from_the_origin_keeps_its_digits(points, gamma):
    # multiples of 1/1024, so that shifts are exact
    X, Y = (np.round(part * 1024) / 1024 for part in points)
    for A, B in ((X, None), (X, Y), (Y, X)):
        near = gram_matrix(A, B, gamma=gamma)
        far = gram_matrix(A + 2.0**33, None if B is None else B + 2.0**33, gamma=gamma)
        np.testing.assert_allclose(near, far, atol=1e-14)
        for kind in (np.ndarray.tolist, np.int64, np.float32):
            same = gram_matrix(kind(64 * A), None if B is None else kind(64 * B), gamma=gamma)
            assert np.isfinite(same).all()
    # one of them near the origin: the kernel is 0, whatever the rounding
    assert not gram_matrix(X, Y + 2.0**33, gamma=gamma).any()


@pytest.mark.parametrize("function", [rbf_kernel, laplacian_kernel, chi2_kernel])
def test_kernel_functions_are_those_of_svc(function, points):
    X, Y = (np.abs(part) for part in points)
    np.testing.assert_array_equal(gram_matrix(X, Y, kernel=function), function(X, Y))
    np.testing.assert_array_equal(gram_matrix(X.tolist(), kernel=function), function(X))
    svc = SVC(kernel=function).fit(X, [0, 1] * 3 + [0])
    values = gram_matrix(Y, X[svc.support_], kernel=function) @ svc.dual_coef_[0] + svc.intercept_
    np.testing.assert_allclose(svc.decision_function(Y), values)
    sparse_values = gram_matrix(sparse.csr_matrix(X), kernel=lambda A, B: A @ B.T)
    np.testing.assert_allclose(sparse_values, X @ X.T)


def test_the_matrix_of_a_kernel_function_is_copied(points):
    kept = np.eye(7)
    K = gram_matrix(points[0], kernel=lambda A, B: kept)
    K[0, 0] = 5.0
    assert kept[0, 0] == 1.0


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("scale", "kernel", "message"),
    [
        (1.0, "gauss", "unknown kernel 'gauss'"),
        (1e200, "linear", "not finite"),
        (1e100, "linear", r"above 1e\+150"),
        (1.0, lambda A, B: np.full((7, 7), np.nan), "not finite"),
        # functions of two points
        (1.0, lambda a, b: float(np.exp(-np.sum((a - b) ** 2))), r"kernel.*\(7, 7\)"),
        (1.0, lambda a, b: float(np.dot(a, b)), "kernel function must take two matrices"),
        (1.0, lambda a, b: a * b, r"kernel.*\(7, 7\)"),
        (1.0, lambda A, B: None, r"kernel.*\(7, 7\)"),
        (1.0, lambda A, B: A @ B.T + 0j, "kernel.*complex"),
        (1.0, lambda A, B: (A @ B.T).astype(str), r"kernel.*\(7, 7\)"),
    ],
)
def test_rejects_kernels_without_real_values(scale, kernel, message, points):
    with pytest.raises(ValueError, match=message):
        gram_matrix(scale * points[0], kernel=kernel)


@pytest.mark.parametrize("sigma", [0.0, -1.0, float("nan"), 1e-300, "1"])
def test_rejects_widths_that_are_not_positive(sigma):
    with pytest.raises(ValueError, match="sigma"):
        rbf_gamma(sigma)


@pytest.mark.parametrize(
    "K",
    [
        np.ones((2, 3)),
        np.ones(3),
        np.empty((0, 0)),
        np.array([[1.0, np.nan], [np.nan, 1.0]]),
        np.array([[1.0, -np.inf], [-np.inf, 1.0]]),
        np.array([[1.0, 0.5], [0.2, 1.0]]),
    ],
)
def test_rejects_matrices_that_are_not_gram_matrices(K):
    with pytest.raises(ValueError, match=r"^gram "):
        check_gram(K, "gram")


def test_a_gram_matrix_may_be_asymmetric_by_rounding():
    K = np.array([[1.0, 0.5], [0.5 + 1e-9, 1.0]])
    check_gram(K)
    with pytest.raises(ValueError, match=r"^K is not symmetric"):
        check_gram(K, tol=1e-10)
