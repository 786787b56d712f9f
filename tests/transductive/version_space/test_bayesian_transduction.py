"""BayesianTransduction without label noise: exact limits, budgets, diagnoses."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.exceptions import ConvergenceWarning

from transductive import BayesianTransduction, BayesPointMachine
from transductive.kernels import gram_matrix
from transductive.version_space import (
    BilliardEscapeError,
    EmptyVersionSpaceError,
    IllConditionedError,
)
from transductive.version_space.flight_plan import midpoints
from transductive_compendium.exact.volumes import probability_positive


@pytest.fixture
def sample():
    X, y = make_classification(60, 4, n_informative=3, n_redundant=0, class_sep=1.0, random_state=0)
    return X[:40], y[:40], X[40:]


# ---- what it computes ---------------------------------------------------------------------------


def test_linear_kernel_against_exact_volumes():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((12, 3))
    y = np.where(X @ [1.0, -1.0, 0.5] > 0, 1, -1)
    new = rng.standard_normal((15, 3))
    exact = probability_positive(X, new, y)
    bt = BayesianTransduction("linear", tol=0.005, n_chains=16, random_state=0, q=0)
    bt.fit(X, y, new)
    p = bt.transduction_proba_[:, 1]
    # 15 points that share a trajectory, each beyond 6 errors (t, 15 degrees of freedom)
    # with probability 2.4e-5
    assert np.all(np.abs(p - exact.value) <= 6 * bt.transduction_error_ + 1e-6)
    assert bt.transduction_error_.max() == bt.proba_error_ <= 0.005
    sure = np.abs(exact.value - 0.5) > 0.1
    np.testing.assert_array_equal(bt.predict(new)[sure], np.where(exact.value[sure] > 0.5, 1, -1))
    np.testing.assert_array_equal(bt.transduction_, bt.predict(new))
    np.testing.assert_allclose(bt.predict_proba(new), bt.transduction_proba_, atol=1e-12)
    np.testing.assert_allclose(bt.confidence(new), np.abs(2 * p - 1), atol=1e-12)


def test_order_of_the_sample_and_rotation_change_only_the_noise(sample):
    X, y, new = sample
    rng = np.random.default_rng(0)
    rotation = np.linalg.qr(rng.standard_normal((4, 4)))[0]
    order = rng.permutation(len(X))
    settings = dict(gamma=0.3, n_chains=12, q=0)
    first, *others = (
        BayesianTransduction(random_state=0, **settings).fit(X, y, new),
        BayesianTransduction(random_state=1, **settings).fit(X[order], y[order], new),
        BayesianTransduction(random_state=2, **settings).fit(X @ rotation, y, new @ rotation),
    )
    for other in others:
        gap = first.transduction_proba_[:, 1] - other.transduction_proba_[:, 1]
        error = np.hypot(first.transduction_error_, other.transduction_error_)
        assert np.all(np.abs(gap) <= 6 * error)


@pytest.mark.claim("bt-conclusion-ridge", "holds")
def test_ridge_makes_contradictions_separable(sample):
    X, y, _ = sample
    X2, y2 = np.vstack([X, X[:2]]), np.r_[y, 1 - y[:2]]
    with pytest.raises(EmptyVersionSpaceError):
        BayesianTransduction(gamma=0.3, random_state=0, q=0).fit(X2, y2)
    bt = BayesianTransduction(gamma=0.3, ridge=0.5, random_state=0, q=0).fit(X2, y2)
    # by symmetry of their pair both contradictory points are as good as unlabelled
    assert np.all(np.abs(bt.predict_proba(X[:2])[:, 1] - 0.5) < 0.45)
    # and walls may be penetrated
    assert bt.confidence(X).min() < 1.0


def test_ridge_is_exact():
    # one dimension of features, and one more for each point: walls of R^4, the point in R^1
    x, y, ridge = np.array([[1.0], [2.0], [-0.5]]), np.array([1, -1, -1]), 0.7
    rows = np.hstack([x, np.sqrt(ridge) * np.eye(3)]) * y[:, None]
    # the ball lives in the span of the walls
    basis = np.linalg.qr(rows.T)[0]
    point = np.array([1.0, 0.0, 0.0, 0.0])
    exact = probability_positive(rows @ basis, point @ basis).value
    assert 0.2 < exact < 0.8
    bt = BayesianTransduction(
        "linear", ridge=ridge, n_chains=20, tol=0.005, random_state=0, q=0
    ).fit(x, y, [[1.0]])
    assert abs(bt.transduction_proba_[0, 1] - exact) < 6 * bt.transduction_error_[0]


def test_same_seed_gives_the_same_probabilities(sample):
    X, y, new = sample

    def fit(seed):
        bt = BayesianTransduction(gamma=0.3, n_chains=1, random_state=seed, q=0)
        return bt.fit(X, y).predict_proba(new)

    np.testing.assert_array_equal(fit(3), fit(3))
    assert not np.array_equal(fit(3), fit(4))
    for source in (np.random.default_rng, np.random.RandomState, np.random.SeedSequence):
        np.testing.assert_array_equal(fit(source(1)), fit(source(1)))
    # None draws new numbers
    assert not np.array_equal(fit(None), fit(None))


# ---- how long it flies --------------------------------------------------------------------------


def test_budget_ends_the_flight_with_a_warning(sample):
    X, y, new = sample
    bt = BayesianTransduction(gamma=0.3, tol=1e-4, n_bounces=500, n_chains=8, random_state=0, q=0)
    for working in (None, new):
        with pytest.warns(ConvergenceWarning, match="n_bounces") as caught:
            bt.fit(X, y, working)
        assert caught[0].filename == __file__
        assert len(bt.trajectory_.arcs) == 8 * 500
        assert bt.proba_error_ > 1e-4
    # a single chain has an error, too, from its batches
    with pytest.warns(ConvergenceWarning):
        bt.set_params(n_chains=1).fit(X, y)
    with pytest.warns(ConvergenceWarning):
        bt.set_params(n_bounces=1).fit(X, y)


def test_without_working_points_the_error_is_that_of_midpoints(sample):
    X, y, _ = sample
    signs = np.where(y == 1, 1.0, -1.0)
    result = midpoints(X @ X.T * np.outer(signs, signs), signs)
    pairs = X[y == 1][: result.shape[1]] + X[y == 0][: result.shape[1]]
    np.testing.assert_allclose(result, signs[:, None] * (X @ pairs.T))
    assert result.shape[1] == min(np.sum(y), np.sum(1 - y))
    model = BayesianTransduction("linear", q=0, ridge=1.0, random_state=0).fit(X, y)
    assert model.transduction_ is model.transduction_proba_ is model.transduction_error_ is None
    # a midpoint at the origin has no sign
    opposite = np.vstack([X, -X])
    turned = np.repeat([1.0, -1.0], 40)
    assert midpoints(opposite @ opposite.T * np.outer(turned, turned), turned).shape == (80, 0)


# ---- diagnoses ----------------------------------------------------------------------------------


def test_diagnose_orthant():
    X, y = np.vstack([np.eye(3), -np.eye(3)]), np.repeat([1, -1], 3)
    result = BayesianTransduction("linear", random_state=0, q=0).diagnose(
        X, y, [[1.0, -0.35, -0.3]]
    )
    assert result.state == "sound"
    assert result.rank == 3 and result.condition == pytest.approx(1.0) and result.error <= 0.02


def test_diagnose_empty(sample):
    X, y, _ = sample
    bt = BayesianTransduction(gamma=0.3, random_state=0, q=0)
    result = bt.diagnose(np.vstack([X, X[:1]]), np.r_[y, 1 - y[:1]])
    assert result.state == "empty" and "(0, 40)" in result.detail and result.error is None
    result = BayesianTransduction("linear", random_state=0, q=0).diagnose(X, np.arange(40) % 2)
    assert result.state == "empty"


def test_diagnose_ill_conditioned(sample, monkeypatch):
    X, _, _ = sample
    y = np.arange(40) % 2
    wide = BayesianTransduction(gamma=1e-6, random_state=0, q=0)
    assert wide.diagnose(X, y).state == "ill-conditioned"
    with pytest.raises(IllConditionedError):
        wide.fit(X, y)
    # the remedy
    assert wide.set_params(ridge=0.1, tol=0.1).diagnose(X, y).state == "sound"
    indefinite = BayesianTransduction("sigmoid", gamma=3.0, coef0=-2.0, random_state=0, q=0)
    assert indefinite.diagnose(X, y).state == "ill-conditioned"

    def escape(self, n):
        raise BilliardEscapeError("a margin of -1")

    monkeypatch.setattr("transductive.version_space.billiard.KernelBilliard.run", escape)
    result = wide.diagnose(X, y)
    assert (result.state, result.detail) == ("ill-conditioned", "a margin of -1")


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("n_bounces", [2, 100])
def test_diagnose_too_short(n_bounces):
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(3)
    X = pd.DataFrame(rng.standard_normal((60, 5)), columns=list("abcde"))
    y = pd.Series(np.where(rng.uniform(size=60) > 0.5, "ill", "well"))
    short = BayesianTransduction(gamma=0.1, n_bounces=n_bounces, random_state=0, q=0)
    result = short.diagnose(X, y)
    assert result.state == "too short" and result.error > 0.02


@pytest.mark.parametrize("width", 10.0 ** -np.arange(1, 13, 2))
def test_defaults_on_a_version_space_as_thin_as_can_be(width):
    """Right, or an error: a square pyramid, whose halves and corners are known where it is flat."""
    X = np.array([[width, 1, 0], [width, -1, 0], [-width, 0, -1], [-width, 0, 1]])
    y = np.array([1, 1, 0, 0])
    cuts = np.array([[-width / 3, 1, 0], [-width / 2, 1, 1]])
    bt = BayesianTransduction("linear", tol=0.002, random_state=0, q=0)
    bpm = BayesPointMachine("linear", random_state=0, q=0)
    if width < 2e-7:
        # below the root of the rounding error of the Gram matrix, points cannot be distinguished
        for model in (bt, bpm):
            with pytest.raises((EmptyVersionSpaceError, IllConditionedError)):
                model.fit(X, y)
        return
    bt.fit(X, y, cuts)
    expected = [1 / 3, 9 / 32]
    if width == 0.1:
        expected = probability_positive(X, cuts, np.where(y == 1, 1, -1)).value
    np.testing.assert_allclose(bt.transduction_proba_[:, 1], expected, atol=0.01)
    assert np.all(np.abs(bt.transduction_proba_[:, 1] - expected) < 6 * bt.transduction_error_)
    w = bpm.fit(X, y).dual_coef_ @ X
    np.testing.assert_allclose(w[1:] / width, 0.0, atol=0.1)


ILL_CONDITIONED = {
    "wide RBF": lambda X: gram_matrix(X, gamma=0.01),
    "copies": lambda X: gram_matrix(np.vstack([X[:20], X[:20]]), gamma=1.0),
    "near copies": lambda X: gram_matrix(np.vstack([X[:20], X[:20] + 1e-7 * X[20:]]), gamma=1.0),
    "polynomial": lambda X: gram_matrix(X, kernel="poly", gamma=1.0, coef0=1.0, degree=9),
    "few features": lambda X: gram_matrix(X[:, :2], kernel="linear"),
    "lengths": lambda X: gram_matrix(X * np.logspace(-6, 6, 40)[:, None], kernel="linear"),
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("kind", ILL_CONDITIONED)
@pytest.mark.parametrize("rule", ["smooth", "noisy"])
def test_defaults_on_ill_conditioned_kernel_matrices(kind, rule):
    """An answer that agrees with the labels and with itself, or an error."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 4))
    K = ILL_CONDITIONED[kind](X)
    y = X[:, 0] + 0.5 * X[:, 1] > 0
    if kind.endswith("copies"):
        y[20:] = y[:20]
    if rule == "noisy":
        y[:20] ^= rng.uniform(size=20) < 0.2
    bt = BayesianTransduction("precomputed", random_state=0, q=0, n_bounces=20_000)
    bpm = BayesPointMachine("precomputed", random_state=0, q=0, n_bounces=20_000)
    try:
        bt.fit(K, y, K)
        bpm.fit(K, y)
    except (EmptyVersionSpaceError, IllConditionedError, BilliardEscapeError):
        assert rule == "noisy" or kind in ("wide RBF", "polynomial", "lengths")
        return
    p = bt.transduction_proba_[:, 1]
    np.testing.assert_array_equal(p, y.astype(float))
    np.testing.assert_array_equal(bpm.predict(K), y)
    # between the points: another seed's balls
    between = (K[:20] + K[20:]) / 2.0
    first = bt.fit(K, y, between).transduction_proba_[:, 1]
    errors = bt.transduction_error_
    second = bt.set_params(random_state=1).fit(K, y, between).transduction_proba_[:, 1]
    assert np.all(np.abs(first - second) < 0.02 + 8 * np.hypot(errors, bt.transduction_error_))


def test_turned_labels_turn_the_probabilities(sample):
    X, y, new = sample
    plus = BayesianTransduction(gamma=0.3, random_state=0, q=0).fit(X, y, new)
    minus = BayesianTransduction(gamma=0.3, random_state=0, q=0).fit(X, 1 - y, new)
    # the folded Gram matrix is the same, so is the trajectory, and every sign is turned
    p, turned = plus.predict_proba(new), minus.predict_proba(new)
    np.testing.assert_allclose(turned, p[:, ::-1], atol=1e-9)
    np.testing.assert_allclose(p.sum(axis=1), 1.0, rtol=1e-12)
