"""UniversumSVC: other formulations of its problem, closed forms, limits, and its uses."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quadratic_problems import clouds, gaussian
from scipy import sparse
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from transductive import MeanOfPairs, TransductiveSVC, UniversumSVC
from transductive.margin import NotSeparableError, minimise
from transductive.margin.universum_solver import UniversumSolver

TIGHT = {"gamma": 0.5, "tol": 1e-10}


def draw(seed=0, l=40, u=30, d=3):
    """Two overlapping classes, their labels, and points in between."""
    X, y = clouds(l, d, seed)
    return X, y, 0.7 * np.random.default_rng(seed + 100).standard_normal((u, d))


# weights and copies give solutions that agree to `tol`, and the check asks for seven digits
WHERE_WEIGHTS_ARE_COPIES = [
    f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")
]


def reasons(estimator):
    if estimator.universum is not None:
        reason = "copies make other universum points"
    elif estimator.tol == 1e-3:
        reason = "tol is 1e-3"
    else:
        return {}
    return dict.fromkeys(WHERE_WEIGHTS_ARE_COPIES, reason)


@parametrize_with_checks(
    [
        UniversumSVC(),
        UniversumSVC(loss="squared", kernel="linear", tol=1e-12),
        UniversumSVC(universum=MeanOfPairs(20, random_state=0)),
    ],
    expected_failed_checks=reasons,
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


# ---- the problem, formulated otherwise -----------------------------------------------------------


@pytest.mark.claim("un-loss-dual", "holds")
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("epsilon", [0.7, 0.1, 0.0])
def test_dual_of_the_poster_on_explicitly_doubled_points(epsilon, fit_intercept, kernel):
    """rho_i = 1 for labelled points and -epsilon for both copies, labels +1 and -1."""
    X, y, U = draw()
    C, C_universum, u = 2.0, 0.3, len(U)
    signs, rho = np.r_[y, np.ones(u), -np.ones(u)], np.r_[np.ones(len(y)), np.full(2 * u, -epsilon)]
    boxes = np.r_[np.full(len(y), C), np.full(2 * u, C_universum)] * signs
    joint = np.vstack([X, U, U])
    K = gaussian(joint) if kernel == "rbf" else joint @ joint.T
    dual = minimise(
        K,
        signs * rho,
        np.minimum(boxes, 0.0),
        np.maximum(boxes, 0.0),
        total=0.0 if fit_intercept else None,
        tol=1e-10,
    )
    parameters = {"epsilon": epsilon, "fit_intercept": fit_intercept, "kernel": kernel}
    model = UniversumSVC(C, C_universum, **parameters, **TIGHT).fit(X, y, U)
    f = dual.values + dual.intercept
    np.testing.assert_allclose(model.decision_function(joint), f, atol=1e-7)
    # no dual value exceeds the primal objective, so that both are optimal
    hinges, losses = (
        np.maximum(0.0, 1.0 - y * f[: len(y)]),
        np.maximum(0.0, np.abs(f[-u:]) - epsilon),
    )
    primal = 0.5 * dual.coefficients @ dual.values + C * hinges.sum() + C_universum * losses.sum()
    np.testing.assert_allclose([model.objective_, primal], -dual.objective, rtol=1e-7)


@pytest.mark.parametrize("C", [0.3, 10.0])
def test_without_a_universum_it_is_the_svm(C):
    X, y, U = draw(2)
    same = TransductiveSVC(C, **TIGHT).fit(X, y).decision_function(U)
    without = UniversumSVC(C, **TIGHT).fit(X, y)
    np.testing.assert_allclose(without.decision_function(U), same, atol=1e-10)
    assert without.universum_values_.shape == (0,) and without.universum_ is None
    for costs in ({"C_universum": 0.0}, {"epsilon": 1e3}):
        model = UniversumSVC(C, **costs, **TIGHT).fit(X, y, U)
        np.testing.assert_allclose(model.decision_function(U), same, atol=1e-8)


# ---- squared loss: closed form -------------------------------------------------------------------


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("C_universum", [0.01, 1.0, 100.0])
def test_squared_loss_is_an_svm_in_another_metric(C_universum, fit_intercept):
    # 1/2 |w|^2 + C_U |X_U w + b|^2 = 1/2 v'Mv with v = (w, b): the SVM with kernel x'M^-1 x
    X, y, U = draw(3)
    model = UniversumSVC(
        2.0, C_universum, loss="squared", kernel="linear", fit_intercept=fit_intercept,
        tol=1e-11,
    ).fit(X, y, U)  # fmt: skip
    A, B, penalty = X, U, np.ones(X.shape[1])
    if fit_intercept:
        A, B, penalty = np.c_[X, np.ones(len(X))], np.c_[U, np.ones(len(U))], np.r_[penalty, 0.0]
    K = A @ np.linalg.solve(np.diag(penalty) + 2.0 * C_universum * B.T @ B, A.T)
    far = 2.0 * y
    other = minimise(
        0.5 * (K + K.T), y, np.minimum(far, 0.0), np.maximum(far, 0.0), total=None, tol=1e-12
    )
    np.testing.assert_allclose(model.decision_function(X), other.values, atol=1e-8)
    np.testing.assert_allclose(model.objective_, -other.objective, rtol=1e-9)


# ---- limits --------------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", ["epsilon_insensitive", "squared"])
def test_growing_cost_puts_a_rank_deficient_universum_on_the_hyperplane(loss):
    rng = np.random.default_rng(5)
    X, y = clouds(40, 6, 5)
    U = rng.standard_normal((50, 2)) @ rng.standard_normal((2, 6))
    far = []
    for C_universum in (0.01, 1.0, 100.0):
        model = UniversumSVC(
            1.0, C_universum, epsilon=0.0, loss=loss, kernel="linear", fit_intercept=False,
            tol=1e-7,
        ).fit(X, y, U)  # fmt: skip
        far.append(np.abs(model.universum_values_).max())
    assert np.all(np.diff(far) <= 1e-9) and far[-1] < 2e-3 * far[0]
    # what is left is the SVM on the complement of the universum's span
    P = np.eye(6) - np.linalg.pinv(U) @ U
    projected = UniversumSVC(1.0, kernel="linear", fit_intercept=False, tol=1e-9)
    f = projected.fit(X @ P, y).decision_function(X @ P)
    np.testing.assert_allclose(model.decision_function(X), f, atol=2e-3)
    assert np.abs(f).max() > 0.1


def test_a_hard_margin_that_exists_and_one_that_does_not():
    X, y, U = draw(6)
    model = UniversumSVC(np.inf, 0.1, **TIGHT | {"gamma": 5.0, "tol": 1e-8}).fit(X, y, U)
    assert (y * model.decision_function(X)).min() > 1.0 - 1e-6
    with pytest.raises(NotSeparableError, match="soft margin"):
        UniversumSVC(np.inf, 0.1, kernel="linear").fit(X, y, U)


@pytest.mark.parametrize("loss, epsilon", [
    ("epsilon_insensitive", 0.0), ("epsilon_insensitive", 0.2), ("squared", 0.0),
])  # fmt: skip
def test_gap_bounds_the_excess_of_a_loose_tolerance_at_a_large_cost(loss, epsilon):
    X, y, U = draw(16, l=50, u=100, d=6)
    given = {"epsilon": epsilon, "loss": loss, "gamma": 0.5}
    loose = UniversumSVC(1.0, 1e3, **given).fit(X, y, U)
    tight = UniversumSVC(1.0, 1e3, tol=2e-5, **given).fit(X, y, U)
    above = loose.objective_ - tight.objective_
    assert 0.0 <= above <= loose.gap_
    assert tight.gap_ < 0.1 * loose.gap_ < 0.1 * 100 * 1e3 * loose.tol
    if loss != "squared":
        assert above > 0.01 * tight.objective_


# ---- warm starts ---------------------------------------------------------------------------------


@settings(max_examples=25)
@given(
    seed=st.integers(0, 10_000),
    loss=st.sampled_from(["epsilon_insensitive", "squared"]),
    fit_intercept=st.booleans(),
    steps=st.lists(
        st.tuples(
            st.floats(0.01, 20.0),
            st.one_of(st.just(0.0), st.floats(0.001, 5.0)),
            st.sampled_from([0.0, 0.05, 0.5]),
        ),
        min_size=2,
        max_size=5,
    ),
)
def test_any_order_of_costs_gives_the_solutions_from_scratch(seed, loss, fit_intercept, steps):
    X, y, U = draw(seed, l=20, u=12)
    K = gaussian(np.vstack([X, U]))
    given = {"loss": loss, "fit_intercept": fit_intercept, "tol": 1e-9}
    solver = UniversumSolver(K, np.ones(len(K)), y, **given)
    for step in steps:
        warm = solver.solve(*step)
        cold = UniversumSolver(K, np.ones(len(K)), y, **given).solve(*step)
        assert abs(warm.primal() - cold.primal()) <= 1e-7 * max(1.0, cold.primal())
        np.testing.assert_allclose(warm.coefficients @ K, cold.coefficients @ K, atol=1e-4)
        assert warm.gap <= 1e-6 * max(1.0, warm.primal())
        if fit_intercept:
            assert abs(warm.coefficients.sum()) < 1e-8


def test_conditions_of_optimality_at_universum_points():
    # inside the tube no force, beyond it all of C_U towards the hyperplane
    X, y, U = draw(7)
    model = UniversumSVC(3.0, 0.2, epsilon=0.4, **TIGHT).fit(X, y, U)
    f, b = model.universum_values_, model.dual_coef_[len(y) :]
    inside, beyond = np.abs(f) < 0.4 - 1e-6, np.abs(f) > 0.4 + 1e-6
    assert inside.sum() > 2 and beyond.sum() > 2
    np.testing.assert_allclose(b[inside], 0.0, atol=1e-9)
    np.testing.assert_allclose(b[beyond], -0.2 * np.sign(f[beyond]), atol=1e-9)
    at_edge = ~inside & ~beyond
    assert np.all(-b[at_edge] * np.sign(f[at_edge]) >= -1e-9)
    np.testing.assert_allclose(model.decision_function(U), f, atol=1e-7)


# ---- uses ----------------------------------------------------------------------------------------


def test_dense_sparse_and_precomputed_input_agree():
    X, y, U = draw(8)
    X, U = np.maximum(X, 0.0), np.maximum(U, 0.0)
    plain = UniversumSVC(kernel="linear", tol=1e-9).fit(X, y, U)
    f = plain.decision_function(U)
    thin = UniversumSVC(kernel="linear", tol=1e-9)
    thin.fit(sparse.csr_array(X), y, sparse.csr_array(U))
    np.testing.assert_allclose(thin.decision_function(sparse.csr_array(U)), f, atol=1e-8)
    for mixed in ((sparse.csr_array(X), U), (X, sparse.csr_array(U))):
        model = UniversumSVC(kernel="linear", tol=1e-9).fit(mixed[0], y, mixed[1])
        np.testing.assert_allclose(model.decision_function(U), f, atol=1e-8)
    joint = np.vstack([X, U])
    K = joint @ joint.T
    given = UniversumSVC(kernel="precomputed", tol=1e-9).fit(K[: len(y)], y, K[len(y) :])
    np.testing.assert_allclose(given.decision_function(K[len(y) :]), f, atol=1e-8)


def test_a_maker_as_parameter_makes_the_universum_of_each_training_part():
    pd = pytest.importorskip("pandas")
    X, y, _ = draw(9)
    maker = MeanOfPairs(25, random_state=3)
    made = UniversumSVC(universum=maker, **TIGHT).fit(X, y)
    by_hand = UniversumSVC(**TIGHT).fit(X, y, maker.fit_transform(X, y))
    np.testing.assert_array_equal(made.dual_coef_, by_hand.dual_coef_)
    assert made.universum_ is not maker and made.universum_values_.shape == (25,)
    with warnings.catch_warnings():
        # made points have no names, whatever the sample's
        warnings.simplefilter("error")
        named = UniversumSVC(universum=maker, **TIGHT).fit(pd.DataFrame(X, columns=list("abc")), y)
    np.testing.assert_array_equal(named.dual_coef_, made.dual_coef_)
    given = UniversumSVC(universum=maker, **TIGHT).fit(X, y, X[:4])
    assert given.universum_ is None and given.universum_values_.shape == (4,)
    assert cross_val_score(UniversumSVC(universum=maker), X, y, cv=3).min() > 0.5
    search = GridSearchCV(
        UniversumSVC(universum=maker), {"C_universum": [0.1, 1.0], "universum__n_points": [5, 10]}
    )
    assert set(search.fit(X, y).best_params_) == {"C_universum", "universum__n_points"}


# ---- refusals ------------------------------------------------------------------------------------


REFUSED = [
    *[({name: bad}, {}, f"'{name}'") for name, bad in [
        ("C", 0.0), ("C_universum", -1.0), ("C_universum", np.inf), ("C_universum", "1"),
        ("epsilon", -0.1), ("epsilon", np.nan), ("epsilon", np.inf), ("loss", "hinge"),
        ("tol", 0.0), ("max_iter", 0), ("max_iter", True), ("universum", np.ones((3, 4))),
    ]],
    *[({"loss": "squared", "C_universum": bad}, {}, "C_universum") for bad in (1e-16, 5e-324)],
    ({}, {"X_universum": np.full((3, 3), np.nan)}, "X_universum"),
    ({}, {"X_universum": np.ones((3, 2))}, "X_universum"),
    ({}, {"y": np.ones(40)}, "1 class"),
    ({"kernel": "precomputed"}, {"X": np.eye(40), "X_universum": np.eye(40)[:3]}, "square"),
    ({"kernel": "precomputed", "universum": MeanOfPairs()}, {"X": np.eye(40),
      "X_universum": None}, "universum"),
]  # fmt: skip


@pytest.mark.parametrize("parameters, data, named", REFUSED)
def test_refusals(parameters, data, named):
    given = dict(zip(("X", "y", "X_universum"), draw(12), strict=True)) | data
    with pytest.raises(ValueError, match=named):
        UniversumSVC(**parameters).fit(**given)


def test_objective_of_a_hard_margin():
    # slacks within the tolerance cost nothing, the universum what it always does
    X, y, U = draw(6)
    model = UniversumSVC(np.inf, 0.1, gamma=5.0, tol=1e-4).fit(X, y, U)
    values = np.r_[model.decision_function(X), model.universum_values_] - model.intercept_
    losses = np.maximum(0.0, np.abs(model.universum_values_) - 0.1)
    assert 0.1 * losses.sum() > 0.01 and (y * model.decision_function(X)).min() < 1.0
    expected = 0.5 * model.dual_coef_ @ values + 0.1 * losses.sum()
    assert model.objective_ == pytest.approx(expected, rel=1e-5)


def test_a_tiny_squared_loss_changes_nothing():
    X, y, U = draw(18)
    given = {"loss": "squared", **TIGHT, "tol": 1e-8}
    f = UniversumSVC(1.0, 0.0, **given).fit(X, y, U).decision_function(U)
    tiny = UniversumSVC(1.0, 1e-15, **given).fit(X, y, U)
    np.testing.assert_allclose(tiny.decision_function(U), f, atol=1e-6)
    assert tiny.n_iter_ < 10_000
    for C_universum in (1e-16, 5e-324):
        same = UniversumSVC(1.0, C_universum, **TIGHT).fit(X, y, U)
        np.testing.assert_allclose(same.decision_function(U), f, atol=1e-6)
