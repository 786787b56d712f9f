"""Linear classifiers without a Gram matrix: the same optimum as with one, and the same labels."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from planted import off
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from transductive import TransductiveSVC, UniversumSVC
from transductive.margin import label_switching, linear_programme, minimise, transductive_svc
from transductive.margin._linear import sweep
from transductive.margin.linear_programme import LinearPoints, LinearProgramme
from transductive_compendium.exact import linear_reference as reference


def draw(seed, n=40, d=5, distance=0.3):
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(n) < 0.4, 1.0, -1.0)
    y[:2] = -1.0, 1.0
    X = rng.standard_normal((n, d)) * (rng.random((n, d)) < 0.7) + distance * y[:, None]
    return X, y, rng


@pytest.fixture(params=["Newton", "coordinates"])
def method(request, monkeypatch):
    """Either method, whatever the number of features."""
    many = 500 if request.param == "Newton" else 0
    monkeypatch.setattr(linear_programme, "NEWTON_MAX_FEATURES", many)
    return request.param


@pytest.mark.parametrize("weight", [0.0, 0.7])
def test_sweep_is_that_of_the_reference(weight):
    X, y, rng = draw(0)
    rows = csr_array(X)
    lower, upper = np.minimum(y, 0.0), np.maximum(y, 0.0)
    lower[5] = upper[5] = 0.0
    b, active, shift = np.zeros(len(y)), rng.permutation(len(y)), 0.1
    w = np.zeros(X.shape[1])
    least, most = -np.inf, np.inf
    for _ in range(8):
        expected = reference.sweep(X, y, lower, upper, b, active, shift, weight, least, most)
        shift, low, high, left = sweep(
            rows.data, rows.indices.astype(np.intc), rows.indptr.astype(np.intp),
            (X**2).sum(axis=1), y, lower, upper, b, w, active, shift, weight, least, most,
        )  # fmt: skip
        np.testing.assert_allclose(b, expected[0], atol=1e-12)
        np.testing.assert_allclose(w, X.T @ b, atol=1e-12)
        assert shift == pytest.approx(expected[2])
        assert (low, high) == pytest.approx((min(0.0, *expected[3]), max(0.0, *expected[3])))
        assert active[:left].tolist() == expected[4]
        active, least, most = active[:left].copy(), low or -np.inf, high or np.inf
    assert left < len(y)


# coefficients, and the hyperplane
@pytest.mark.parametrize("argument", [7, 8])
def test_detects_an_error_of_one_percent_in_a_sweep(argument, monkeypatch):
    wrong = off(sweep, argument=argument)
    monkeypatch.setitem(globals(), "sweep", wrong)
    with pytest.raises(AssertionError):
        test_sweep_is_that_of_the_reference(0.7)
    # and without the reference: the conditions of the optimum are checked from all points
    monkeypatch.setattr(linear_programme, "sweep", wrong)
    monkeypatch.setattr(linear_programme, "NEWTON_MAX_FEATURES", 0)
    X, y, _ = draw(0)
    programme = LinearProgramme(LinearPoints(X), y, np.minimum(y, 0.0), np.maximum(y, 0.0))
    with pytest.warns(UserWarning, match="linear solver stopped"):
        assert not programme.solve(1e-3, max_iter=200).converged


@pytest.mark.parametrize("method", ["Newton", "coordinates"])
@pytest.mark.parametrize("sparse", [False, True])
@settings(max_examples=40)
@pytest.mark.filterwarnings("ignore:the linear solver stopped")
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(4, 60),
    d=st.integers(1, 8),
    intercept=st.booleans(),
    scale=st.sampled_from([1e-2, 1.0, 30.0]),
    tol=st.sampled_from([1e-2, 1e-3, 1e-5]),
)
@example(seed=4446, n=43, d=4, intercept=True, scale=30.0, tol=0.001)
def test_same_optimum_as_by_the_gram_matrix(method, sparse, seed, n, d, intercept, scale, tol):
    X, y, rng = draw(seed, n, d)
    # some points have no cost, as working points without a label
    box = y * scale * rng.random(n) * (rng.random(n) < 0.9)
    lower, upper = np.minimum(box, 0.0), np.maximum(box, 0.0)
    total = 0.0 if intercept else None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linear_programme, "NEWTON_MAX_FEATURES", 500 if method == "Newton" else 0)
        programme = LinearProgramme(
            LinearPoints(csr_array(X) if sparse else X), y, lower, upper, total=total
        )
        found = programme.solve(tol)
    other = minimise(X @ X.T, y, lower, upper, total=total, tol=tol)
    # few features are left to Newton steps: coordinates may need more sweeps than they get there
    assert found.converged or (method == "coordinates" and scale == 30.0)
    assert found.converged == (found.violation <= tol)
    b = found.coefficients
    assert np.all(b >= lower) and np.all(b <= upper)
    assert not intercept or abs(b.sum()) < 1e-12 * n * scale
    # the gap is the primal less the dual objective, and bounds the error
    w = X.T @ b
    hinge = np.abs(box) @ np.maximum(0.0, 1.0 - y * (X @ w + found.intercept))
    primal = 0.5 * w @ w + hinge
    rounding = 1e-9 * (1.0 + primal)
    assert found.gap == pytest.approx(primal + found.objective, abs=rounding)
    assert found.gap >= -rounding
    assert abs(found.objective - other.objective) <= found.gap + other.gap + rounding
    assert intercept or found.intercept == 0.0


def test_warm_start_gives_the_cold_solution(method):
    """Labels exchanged, costs doubled: the solution does not depend on the way to it."""
    X, y, _ = draw(3, n=80)
    points = LinearPoints(X)
    programme = LinearProgramme(points, y, np.minimum(y, 0.0), np.maximum(y, 0.0))
    programme.solve(1e-6)
    pair = np.array([np.argmax(y), np.argmin(y)])
    y[pair] = y[pair[::-1]]
    before = programme.coefficients[pair[::-1]]
    programme.replace(pair, y[pair], np.minimum(y, 0.0)[pair], np.maximum(y, 0.0)[pair], before)
    np.testing.assert_allclose(programme.values, X @ (X.T @ programme.coefficients), atol=1e-12)
    programme.solve(1e-6)
    programme.set_boxes(np.minimum(2 * y, 0), np.maximum(2 * y, 0), 2 * programme.coefficients)
    warm = programme.solve(1e-6)
    cold = LinearProgramme(points, y, np.minimum(2 * y, 0.0), np.maximum(2 * y, 0.0)).solve(1e-6)
    assert warm.objective == pytest.approx(cold.objective, abs=warm.gap + cold.gap + 1e-9)
    assert warm.iterations < cold.iterations or method == "coordinates"


@pytest.mark.parametrize("values", [[1.0, 1.0, 1.0], [0.0, 0.0, 0.0]])
@pytest.mark.parametrize("total", [0.0, None])
def test_one_class_and_points_without_features(method, values, total):
    X, y = np.array(values)[:, None], np.ones(3)
    found = LinearProgramme(LinearPoints(X), y, 0.0 * y, y, total=total).solve()
    other = minimise(X @ X.T, y, 0.0 * y, y, total=total)
    assert found.converged and 0 <= found.gap <= 3 * 1e-3
    assert abs(found.objective - other.objective) <= found.gap + other.gap


# ---- the transductive SVM -----------------------------------------------------------------------


@pytest.fixture
def any_size(monkeypatch):
    """The linear path however few points there are, and no Gram matrix."""

    def no_gram(*_, **__):
        raise AssertionError("a Gram matrix was asked for")

    monkeypatch.setattr(transductive_svc, "SWITCH_MANY_MIN_POINTS", 0)
    monkeypatch.setattr("transductive.margin.margin_classifier.solver_gram", no_gram)


def split(seed, l=10, m=120, d=6):
    X, y, _ = draw(seed, l + m, d)
    return X[:l], y[:l], X[l:]


@pytest.mark.parametrize("sparse", [False, True])
def test_greedy_algorithm_on_the_hyperplane(method, any_size, sparse):
    X, y, working = split(2, m=300, d=12)
    kind = csr_array if sparse else np.asarray
    model = TransductiveSVC(1.0, kernel="linear", C_star=0.5, n_positive=40)
    model.fit(kind(X), y, kind(working))
    history = model.history_
    after = np.flatnonzero(history["switch"])
    assert np.all(history["objective"][after] < history["objective"][after - 1])
    assert np.all(history["switched_objective"][after] < history["objective"][after - 1])
    assert np.all(history["objective"][after] <= history["switched_objective"][after])
    assert history["pairs"].max() > 1 and model.n_switches_ == history["pairs"].sum()
    assert np.all((history["pairs"] > 0) == history["switch"])
    assert model.n_positive_ == 40 == (model.transduction_ == 1.0).sum()
    # the classifier is the support vector machine for its labels
    points, signs = np.vstack([X, working]), np.r_[y, model.transduction_]
    costs = np.r_[np.ones(len(y)), np.full(len(working), 0.5)]
    np.testing.assert_allclose(model.coef_, points.T @ model.dual_coef_)
    np.testing.assert_allclose(model.decision_function(working), model.working_values_)
    values = points @ model.coef_ + model.intercept_
    primal = 0.5 * model.coef_ @ model.coef_ + costs @ np.maximum(0.0, 1.0 - signs * values)
    assert model.objective_ == pytest.approx(primal)
    box = signs * costs
    best = minimise(points @ points.T, signs, np.minimum(box, 0), np.maximum(box, 0), tol=1e-6)
    assert -best.objective - 1e-9 <= primal <= -best.objective + history["gap"][-1] + 1e-4
    assert history["violation"][-1] <= 1e-3


@settings(max_examples=30)
@given(seed=st.integers(0, 10**6), shift=st.floats(-1e12, 1e12), wide=st.booleans())
def test_centring_is_exact(seed, shift, wide):
    X = np.random.default_rng(seed).random((9, 3)) * [1.0, 1e-3, 0.0] + shift * (not wide)
    points = LinearPoints(X, centred=True)
    np.testing.assert_array_equal(points.X + points.centre, X)
    spread = X.max(axis=0) - X.min(axis=0)
    # the last digit of a constant may stay
    least = 3 * spread + np.spacing(np.abs(X))
    assert np.all((np.abs(points.X) <= least) | (points.centre == 0))
    at_zero = LinearPoints(np.vstack([X, 0.0 * X[0]]), centred=True)
    assert not at_zero.centre.any()


@settings(max_examples=30)
@given(
    seed=st.integers(0, 10**6),
    scale=st.floats(-6, 6).map(lambda power: 10.0**power),
    intercept=st.booleans(),
)
def test_scale_of_the_features_is_a_scale_of_the_costs(seed, scale, intercept):
    """``scale X`` with costs C is X with ``scale^2 C``, whatever the scale."""
    X, y, _ = draw(seed, 60)
    total = 0.0 if intercept else None
    points, scaled = LinearPoints(X), LinearPoints(scale * X)
    found = LinearProgramme(points, y, np.minimum(y, 0), np.maximum(y, 0), total=total).solve()
    box = y / scale**2
    other = LinearProgramme(
        scaled, y, np.minimum(box, 0.0), np.maximum(box, 0.0), total=total
    ).solve()
    assert found.converged and other.converged
    gaps = found.gap + scale**2 * other.gap + 1e-9
    assert scale**2 * other.objective == pytest.approx(found.objective, abs=gaps)


@pytest.mark.parametrize("cost", [1e2, 1e4, 1e6])
@pytest.mark.parametrize("total", [0.0, None])
def test_large_costs_with_many_points_are_solved_by_newton_steps(cost, total):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((2000, 20))
    y = np.sign(X[:, 0] + X[:, 1] * X[:, 2] + 0.5 * rng.standard_normal(2000))
    # few points are near the margin
    box = cost * y * np.where(np.arange(2000) < 100, 1.0, 1e-3)
    found = LinearProgramme(
        LinearPoints(X), y, np.minimum(box, 0), np.maximum(box, 0), total=total
    ).solve()
    assert found.converged and found.gap <= 1e-3 * -found.objective


# ---- points far from 0, and badly scaled ones ---------------------------------------------------


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
@pytest.mark.parametrize("n", [60, 1200])
@pytest.mark.parametrize("estimator", [TransductiveSVC(1.0, kernel="linear", tol=1e-6), None])
def test_a_shift_of_all_points_moves_the_intercept_alone(kind, n, estimator):
    X, y, _ = draw(3, n=n, d=3)
    # numbers that a shift by a power of two leaves as they are
    X = np.round(X * 64) / 64
    shift = np.array([2.0**20, 0.0, -(2.0**9)])
    model = UniversumSVC(kernel="linear", tol=1e-6) if estimator is None else estimator
    here = clone(model).fit(X[:40], y[:40], X[40:])
    there = clone(model).fit(kind(X[:40] + shift), y[:40], kind(X[40:] + shift))
    np.testing.assert_allclose(there.coef_, here.coef_, atol=1e-5)
    moved = there.intercept_ + shift @ there.coef_
    # the product alone has so many digits
    assert moved == pytest.approx(here.intercept_, abs=1e-4)


def test_single_precision_sees_distances_of_far_points():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((300, 5)) + 25.0, rng.integers(2, size=300)
    far = TransductiveSVC(kernel="linear").fit(X[:40], y[:40], X[40:])
    near = TransductiveSVC(kernel="linear").fit(X[:40] - 25.0, y[:40], X[40:] - 25.0)
    assert far.objective_ == pytest.approx(near.objective_, rel=0.02)
    assert far.n_iter_ < 2 * near.n_iter_


@pytest.mark.parametrize(
    ("n", "kind", "most"),
    [
        (60, np.asarray, label_switching.STUCK_MAX_ITER),
        (1010, np.asarray, label_switching.LINEAR_STUCK_MAX_ITER),
        (60, csr_array, label_switching.LINEAR_STUCK_MAX_ITER),
    ],
)
def test_unreachable_tolerance_ends_soon_with_one_warning(n, kind, most):
    X, y, rng = draw(0, n=n, d=3)
    X[:, 0] = 1e7 * rng.standard_normal(n)
    with pytest.warns(ConvergenceWarning, match="scale the features") as caught:
        model = TransductiveSVC(kernel="linear").fit(kind(X[:40]), y[:40], kind(X[40:]))
    assert len([w for w in caught if w.category is ConvergenceWarning]) == 1
    # a switch that is undone takes two solutions
    assert model.n_iter_ <= 3 * most * model.n_machines_
    assert np.isfinite(model.working_values_).all()
