"""The deformed kernel against its definition, its norm and brute force; choice of a strength."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.datasets import make_moons

from transductive.kernel_width import RIDGES
from transductive.kernels import NotPositiveSemidefiniteError, gram_matrix
from transductive.manifold_kernel import STRENGTHS, deform, graph_laplacian, least_loo


def cloud(n=40, d=3, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d))


def rbf(gamma=0.5):
    return partial(gram_matrix, gamma=gamma)


def laplacian_by_loops(points, k):
    """Normalised Laplacian of the symmetric graph of k nearest neighbours, from all distances."""
    d = cdist(points, points)
    near = [[j for j in np.argsort(row, kind="stable") if j != i][:k] for i, row in enumerate(d)]
    width = np.median([d[i, j] for i, js in enumerate(near) for j in js])
    W = np.zeros_like(d)
    for i, js in enumerate(near):
        for j in js:
            W[i, j] = W[j, i] = np.exp(-(d[i, j] ** 2) / (2 * width**2))
    root = 1.0 / np.sqrt(W.sum(axis=1))
    return np.eye(len(d)) - root[:, None] * W * root


def by_definition(points, L, r, kernel, X):
    """``k(x, z) - k_x' (I + M K)^-1 M k_z`` for x in `X` and z in `points`, M = r L^2."""
    K, cross, M = kernel(points), kernel(X, points), r * L @ L
    return cross - cross @ np.linalg.solve(np.eye(len(K)) + M @ K, M @ K)


@pytest.mark.parametrize("far", [0.0, 1e6])
def test_graph_by_all_distances(far):
    points = cloud()
    expected = laplacian_by_loops(points, 7)
    np.testing.assert_allclose(graph_laplacian(points + far, 7).toarray(), expected, atol=1e-7)


def test_sparse_rows_have_the_graph_of_dense_ones():
    points = np.maximum(cloud(30, 8), 0.0)
    expected = graph_laplacian(points, 4).toarray()
    found = graph_laplacian(sparse.csr_matrix(points), 4).toarray()
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_fewer_points_than_neighbours_are_all_joined():
    L = graph_laplacian(cloud(4), 7).toarray()
    assert (L[~np.eye(4, dtype=bool)] < 0).all()


def test_copies_of_a_point():
    # all of one place: the complete graph with equal weights; of two, two such graphs
    np.testing.assert_allclose(
        graph_laplacian(np.ones((5, 2)), 7).toarray(), np.eye(5) * 1.25 - 0.25, atol=1e-15
    )
    L = graph_laplacian(np.repeat([[0.0], [1.0]], 9, axis=0), 7).toarray()
    assert np.abs(L[:9, 9:]).max() == 0.0


def test_a_point_too_far_for_any_weight_is_joined_to_none():
    points = np.r_[cloud(30), [[1e3, 0.0, 0.0]]]
    L = graph_laplacian(points, 7)
    assert np.abs(L[[30]]).max() == 0.0
    _, gram = deform(points, L, 1000.0, rbf())
    assert np.isfinite(gram).all() and gram[30, 30] == pytest.approx(1.0)


def test_rejects_distances_that_overflow():
    with pytest.raises(ValueError, match="scale the features"):
        graph_laplacian(1e160 * cloud(), 7)


@pytest.mark.parametrize("strength", [1.0, 1000.0])
@pytest.mark.parametrize("scale", [1.0, 1e-4, 1e4])
def test_equals_its_definition_in_and_out_of_the_sample(strength, scale):
    points, X = cloud(), cloud(15, seed=1)
    L = graph_laplacian(points, 7)

    def kernel(A, B=None):
        return scale * rbf()(A, B)

    deformed, gram = deform(points, L, strength, kernel, rescale=False)
    # a multiple of the kernel has the multiple of its values: r counts per mean k(x, x)
    for K, at in ((gram, points), (deformed.rows(X), X), (deformed.rows(points), points)):
        expected = by_definition(points, L.toarray(), strength / scale, kernel, at)
        np.testing.assert_allclose(K / scale, expected / scale, atol=1e-10)


@pytest.mark.parametrize("rescale", [True, False])
@pytest.mark.parametrize("kernel", ["rbf", "linear", "poly"])
def test_rows_of_the_points_equal_their_gram_matrix(kernel, rescale):
    points = cloud()
    parameters = partial(gram_matrix, kernel=kernel, gamma=0.3, degree=2)
    deformed, gram = deform(points, graph_laplacian(points, 7), 100.0, parameters, rescale=rescale)
    size = np.abs(gram).max()
    np.testing.assert_allclose(deformed.rows(points), gram, atol=1e-10 * size)
    some = np.array([7, 3, 20])
    np.testing.assert_allclose(deformed.rows(points, some), gram[:, some], atol=1e-10 * size)
    if rescale:
        np.testing.assert_allclose(np.diag(gram), np.diag(parameters(points)), rtol=1e-10)


def test_blocks_of_rows_change_nothing(monkeypatch):
    points, X = cloud(), cloud(90, seed=1)
    deformed, _ = deform(points, graph_laplacian(points, 7), 10.0, rbf())
    whole = deformed.rows(X)
    monkeypatch.setattr("transductive.manifold_kernel.BLOCK_ENTRIES", 300)
    np.testing.assert_allclose(deformed.rows(X), whole, atol=1e-13)


def test_a_point_at_the_origin_of_feature_space_stays_there():
    points = np.r_[cloud(), [[0.0, 0.0, 0.0]]]
    kernel = partial(gram_matrix, kernel="linear")
    deformed, gram = deform(points, graph_laplacian(points, 7), 10.0, kernel)
    assert np.abs(gram[-1]).max() == 0.0 and np.abs(deformed.rows(points[-1:])).max() == 0.0


@settings(max_examples=40)
@given(st.integers(0, 999), st.sampled_from([1.0, 100.0, 1e4]), st.sampled_from([0.01, 1.0, 30.0]))
def test_symmetric_and_positive_semidefinite_with_new_points(seed, strength, gamma):
    points, X = cloud(25, 2, seed), cloud(10, 2, seed + 1000)
    L = graph_laplacian(points, 5)
    deformed, gram = deform(points, L, strength, rbf(gamma))
    np.testing.assert_allclose(gram, gram.T, rtol=0, atol=1e-11)
    assert np.linalg.eigvalsh(gram)[0] > -1e-9 * len(gram)
    # new points as well: a Gram matrix of all is one of a kernel, so that for each new point the
    # squared distance from the span of the others is not negative
    rows = deformed.rows(X)
    inverse = np.linalg.pinv(gram, rcond=1e-10, hermitian=True)
    assert np.einsum("ij,jk,ik->i", rows, inverse, rows).max() < 1.0 + 1e-4


@settings(max_examples=20)
@given(st.permutations(range(12)))
def test_the_order_of_the_points_does_not_matter(order):
    points = cloud(12)
    order = np.array(order)
    _, gram = deform(points, graph_laplacian(points, 4), 100.0, rbf())
    _, other = deform(points[order], graph_laplacian(points[order], 4), 100.0, rbf())
    np.testing.assert_allclose(other, gram[np.ix_(order, order)], atol=1e-11)


def test_ridge_minimises_loss_and_both_norms():
    """Over functions of the kernel itself, without the deformed one: the representer identity."""
    points = cloud(30)
    l, alpha, r = 8, 0.3, 20.0
    y = np.random.default_rng(2).standard_normal(l)
    L = graph_laplacian(points, 5)
    K, M = rbf()(points), r * (L @ L).toarray()
    # f = K c: |y - f|^2 + alpha (c'K c + f'M f), whose gradient vanishes
    P = np.eye(30)[:l]
    c = np.linalg.solve(K @ P.T @ P @ K + alpha * (K + K @ M @ K) + 1e-13 * np.eye(30), K @ P.T @ y)
    deformed, gram = deform(points, L, r, rbf(), rescale=False)
    a = np.linalg.solve(gram[:l, :l] + alpha * np.eye(l), y)
    np.testing.assert_allclose(gram[:, :l] @ a, K @ c, atol=1e-6)
    X = cloud(20, seed=5)
    np.testing.assert_allclose(deformed.rows(X)[:, :l] @ a, rbf()(X, points) @ c, atol=1e-6)


def test_rejects_indefinite_kernels():
    points = cloud()
    with pytest.raises(NotPositiveSemidefiniteError, match="positive semi-definite"):
        bad = 1.5 * np.eye(40) - rbf()(points)
        deform(points, graph_laplacian(points, 7), 1000.0, lambda A: bad.copy())
    with pytest.raises(NotPositiveSemidefiniteError):
        deform(points, graph_laplacian(points, 7), 1.0, lambda A: -rbf()(A))


def test_rejects_strengths_that_leave_rounding_errors():
    points = cloud()
    # of a kernel that can have any values the null space of the Laplacian is left
    _, gram = deform(points, graph_laplacian(points, 7), 1e12, rbf(100.0), rescale=False)
    degrees = np.sqrt(np.diag(gram))
    np.testing.assert_allclose(gram, np.outer(degrees, degrees), atol=1e-8)
    with pytest.raises(ArithmeticError, match="weaker"):
        deform(points, graph_laplacian(points, 7), 1e11, rbf(1e-9))


def chosen(points, targets, gammas, strengths=STRENGTHS):
    return least_loo(points, targets, graph_laplacian(points, 7), rbf, gammas, strengths)[:2]


def test_the_choice_by_leaving_out_and_fitting_again():
    points, moon = make_moons(60, noise=0.25, random_state=3)
    l, gammas, strengths = 20, [0.5, 4.0], (0.0, 10.0, 1000.0)
    y = np.where(moon, 1.0, -1.0)[:l]
    L, squares = graph_laplacian(points, 7), {}
    for strength in reversed(strengths):
        for gamma in gammas:
            gram = deform(points, L, strength, rbf(gamma))[1][:l, :l]
            by_ridge = []
            for ridge in RIDGES:
                left_out = np.empty(l)
                for i in range(l):
                    others = np.arange(l) != i
                    A = gram[np.ix_(others, others)] + ridge * np.eye(l - 1)
                    left_out[i] = (y[i] - gram[i, others] @ np.linalg.solve(A, y[others])) ** 2
                by_ridge.append(left_out)
            squares[gamma, strength] = min(by_ridge, key=np.mean)
    best = min(squares.values(), key=np.mean)
    excess = {pair: square - best for pair, square in squares.items()}
    within = [p for p, e in excess.items() if e.mean() <= e.std(ddof=1) / np.sqrt(l)]
    assert 1 < len(within) < len(squares)
    assert chosen(points, y, gammas, strengths) == within[0]


def test_labels_that_follow_the_gaps_get_a_strong_deformation_and_others_none():
    points, moon = make_moons(200, noise=0.05, random_state=0)
    _, strength = chosen(points, np.where(moon, 1.0, -1.0)[:30], [0.5])
    assert strength >= 100.0
    # half-spaces of a cloud without gaps, in so many dimensions that neighbours are far away
    for seed in range(3):
        points = cloud(250, 20, seed)
        _, strength = chosen(points, np.where(points.sum(axis=1) > 0, 1.0, -1.0)[:150], [0.005])
        assert strength <= 1.0


def test_classes_choose_together():
    points, y = make_moons(80, noise=0.1, random_state=0)
    signs = np.where(y, 1.0, -1.0)[:20]
    both = chosen(points, np.c_[signs, -signs], [0.5, 2.0])
    assert both == chosen(points, signs, [0.5, 2.0])


def test_does_not_choose_strengths_that_leave_rounding_errors():
    points, y = make_moons(40, noise=0.1, random_state=0)
    signs = np.where(y, 1.0, -1.0)[:20]
    _, strength = chosen(points, signs, [1e-9], (0.0, 1e11))
    assert strength == 0.0
    assert chosen(points, signs, [1e-9], (1e11,)) == (1e-9, 1e11)
