"""First points in version space: feasibility, the support vector machine."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from transductive.kernels import gram_matrix
from transductive.version_space import EmptyVersionSpaceError, FeatureSpan, IllConditionedError
from transductive.version_space.start import interior_point, max_margin_point


def folded_rbf(size, gamma, seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((size, 2))
    y = np.where(X[:, 0] > 0.2 * X[:, 1], 1.0, -1.0)
    return gram_matrix(X, gamma=gamma) * np.outer(y, y)


def separable(size, d, rng, length=True):
    """More walls than dimensions, with room between them."""
    X = rng.standard_normal((size, d))
    X *= np.sign(X @ np.ones(d))[:, None]
    return X / np.linalg.norm(X, axis=1, keepdims=True) if length else X


# ---- a point inside -----------------------------------------------------------------------------


def test_independent_walls_start_with_equal_margins():
    gram = folded_rbf(30, 2.0, 0)
    a = interior_point(FeatureSpan(gram), 30)
    margins = gram @ a
    assert a @ gram @ a == pytest.approx(1.0)
    np.testing.assert_allclose(margins, margins[0], rtol=1e-8)
    assert margins[0] > 0
    # with further points in the span, their coefficients are zero
    few = interior_point(FeatureSpan(gram), 20)
    assert not few[20:].any()
    np.testing.assert_allclose(gram[:20] @ few, (gram @ few)[0], rtol=1e-8)


@pytest.mark.parametrize("seed", range(5))
def test_dependent_walls_start_inside(seed):
    rng = np.random.default_rng(seed)
    X = separable(50, 4, rng, length=False)
    a = interior_point(FeatureSpan(X @ X.T), 50)
    assert np.linalg.norm(a @ X) == pytest.approx(1.0)
    assert (X @ (a @ X)).min() > 1e-6


def test_dependent_walls_of_very_different_lengths():
    rng = np.random.default_rng(0)
    X = separable(20, 3, rng) * 10.0 ** rng.uniform(-6, 6, size=(20, 1))
    a = interior_point(FeatureSpan(X @ X.T), 20)
    assert (X @ (a @ X) / np.linalg.norm(X, axis=1)).min() > 1e-3
    b = max_margin_point(FeatureSpan(X[:3] @ X[:3].T), 3)
    assert (X[:3] @ (b @ X[:3])).min() == pytest.approx(1.0)


def test_linear_programme_is_not_trusted_beyond_its_tolerance():
    """Wide kernels: the solver's own margin is positive where the point is outside."""
    verdicts = []
    for sigma in (3.0, 10.0, 30.0, 100.0):
        gram = folded_rbf(60, 0.5 / sigma**2, 3)
        # not separable by a smooth function: every third label is turned
        turn = np.where(np.arange(60) % 3 == 0, -1.0, 1.0)
        gram = gram * np.outer(turn, turn)
        span = FeatureSpan(gram)
        try:
            a = interior_point(span, 60)
        except IllConditionedError:
            verdicts.append("blurred")
        else:
            assert (gram @ a).min() > 0
            verdicts.append("inside")
    # distinct points under an RBF kernel are never called contradictory or inseparable
    assert "blurred" in verdicts


def test_contradictory_copies_are_named():
    X = np.random.default_rng(0).standard_normal((6, 6))
    rows = np.vstack([X, -X[[1, 4]]])
    with pytest.raises(EmptyVersionSpaceError, match="both labels") as caught:
        interior_point(FeatureSpan(rows @ rows.T), 8)
    assert "(1, 6), (4, 7)" in str(caught.value) and "ridge" in str(caught.value)
    # the ridge of the way out
    interior_point(FeatureSpan(rows @ rows.T + 0.1 * np.eye(8)), 8)
    many = np.vstack([X, -X, X, -X])
    with pytest.raises(EmptyVersionSpaceError, match=r"and \d+ more"):
        interior_point(FeatureSpan(many @ many.T), 24)


# ---- the support vector machine -----------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ["rbf", "linear", "lengths"])
def test_max_margin_point_satisfies_the_kkt_conditions(kind, seed):
    rng = np.random.default_rng(seed)
    if kind == "rbf":
        gram = folded_rbf(40, 0.5, seed)
    else:
        X = separable(40, 4, rng, length=kind == "linear")
        gram = X @ X.T
    a = max_margin_point(FeatureSpan(gram), 40)
    margins = gram @ a
    assert a.min() >= 0
    assert margins.min() >= 1 - 1e-9
    np.testing.assert_allclose(margins[a > 1e-8 * a.max()], 1.0, rtol=1e-6)
    # no duality gap: |w|^2 = sum a
    assert a @ gram @ a == pytest.approx(a.sum(), rel=1e-6)


@pytest.mark.claim("bt-sec3-largest-ball", "holds")
@settings(max_examples=40, derandomize=True)
@given(st.integers(0, 2**32 - 1), st.integers(2, 12), st.integers(2, 5))
def test_svm_is_the_centre_of_the_largest_ball(seed, size, d):
    """Points of equal length: no unit vector is farther from its nearest wall."""
    rng = np.random.default_rng(seed)
    X = separable(size, d, rng)
    span = FeatureSpan(X @ X.T)
    assume(span.rank > 1)
    a = max_margin_point(span, size)
    w = a @ X / np.linalg.norm(a @ X)
    radius = np.arcsin((X @ w).min())
    others = np.vstack(
        [
            rng.standard_normal((300, d)),
            # near competitors are the dangerous ones
            w + 10.0 ** rng.uniform(-6, 0, size=(300, 1)) * rng.standard_normal((300, d)),
        ]
    )
    others /= np.linalg.norm(others, axis=1, keepdims=True)
    assert np.arcsin((others @ X.T).min(axis=1)).max() <= radius + 1e-9


def test_svm_is_not_the_centre_for_unequal_lengths():
    X = np.array([[1.0, 0.0], [0.0, 0.1]])
    a = max_margin_point(FeatureSpan(X @ X.T), 2)
    w = a @ X / np.linalg.norm(a @ X)
    # outputs are equal, distances to the walls are not
    assert w[0] == pytest.approx(0.1 * w[1])
