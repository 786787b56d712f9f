"""BayesianTransduction: scikit-learn's contract, exact limits, diagnoses, errors."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from transductive import BayesianTransduction, BayesPointMachine
from transductive.kernels import gram_matrix
from transductive.version_space import (
    BilliardEscapeError,
    EmptyVersionSpaceError,
    FlightTimes,
    IllConditionedError,
    NotPositiveSemidefiniteError,
)
from transductive.version_space.bayesian_transduction import _disagreement
from transductive_compendium.exact.volumes import cone_volume, probability_positive


@pytest.fixture
def sample():
    X, y = make_classification(60, 4, n_informative=3, n_redundant=0, class_sep=1.0, random_state=0)
    return X[:40], y[:40], X[40:]


# The contract asks for no accuracy that short flights do not have.
@parametrize_with_checks(
    [BayesianTransduction(n_bounces=500, random_state=0, q=0, gamma="scale", ridge=1.0)]
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


# ---- what it computes ---------------------------------------------------------------------------


def test_linear_kernel_against_exact_volumes():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((12, 3))
    y = np.where(X @ [1.0, -1.0, 0.5] > 0, 1, -1)
    new = rng.standard_normal((15, 3))
    exact = probability_positive(X, new, y)
    bt = BayesianTransduction(
        "linear", refresh=np.pi, n_starts=16, n_bounces=3000, random_state=0, q=0
    ).fit(X, y, new)
    p = bt.transduction_proba_[:, 1]
    # 15 points that share a trajectory, each beyond 6 errors (t, 15 degrees of freedom)
    # with probability 2.4e-5
    assert np.all(np.abs(p - exact.value) <= 6 * bt.transduction_error_ + 1e-6)
    assert bt.transduction_error_.max() < 0.02
    sure = np.abs(exact.value - 0.5) > 0.1
    np.testing.assert_array_equal(bt.predict(new)[sure], np.where(exact.value[sure] > 0.5, 1, -1))
    np.testing.assert_array_equal(bt.transduction_, bt.predict(new))
    np.testing.assert_allclose(bt.predict_proba(new), bt.transduction_proba_, atol=1e-12)
    np.testing.assert_allclose(bt.confidence(new), np.abs(2 * p - 1), atol=1e-12)


def test_joint_span_changes_p_and_has_the_exact_value():
    """With the working point in the span, p+ is a ratio of Gaussian orthant probabilities."""
    rng = np.random.default_rng(16)
    X = rng.uniform(-2.0, 2.0, size=(21, 2))
    y = np.where(X[:20, 0] > 0, 1.0, -1.0)
    working = X[20:]
    signs = np.r_[y, 1.0]
    folded = gram_matrix(X, gamma=0.5) * np.outer(signs, signs)
    whole = cone_volume(gram=folded[:20, :20], tol=3e-3)
    part = cone_volume(gram=folded, tol=3e-3)
    exact = part.value / whole.value
    exact_error = exact * np.hypot(part.error / part.value, whole.error / whole.value)
    p, error = {}, {}
    for span in ("train", "joint"):
        bt = BayesianTransduction(
            gamma=0.5, span=span, refresh=np.pi, n_starts=8, n_bounces=15_000, random_state=0, q=0
        ).fit(X[:20], y, working)
        p[span], error[span] = bt.transduction_proba_[0, 1], bt.transduction_error_[0]
    assert exact_error < 0.01
    assert abs(p["joint"] - exact) < 5 * np.hypot(error["joint"], exact_error)
    assert abs(p["joint"] - p["train"]) > 5 * np.hypot(error["joint"], error["train"])


def test_training_points_are_certain(sample):
    X, y, _ = sample
    bt = BayesianTransduction(gamma=0.3, random_state=0, q=0).fit(X, y)
    np.testing.assert_array_equal(bt.predict(X), y)
    np.testing.assert_array_equal(bt.confidence(X), 1.0)


def test_order_of_the_sample_and_rotation_change_only_the_noise(sample):
    X, y, new = sample
    rng = np.random.default_rng(0)
    rotation = np.linalg.qr(rng.standard_normal((4, 4)))[0]
    order = rng.permutation(len(X))
    settings = dict(gamma=0.3, refresh=np.pi, n_starts=12, n_bounces=3000)
    fits = [
        BayesianTransduction(random_state=0, **settings, q=0).fit(X, y, new),
        BayesianTransduction(random_state=1, **settings, q=0).fit(X[order], y[order], new),
        BayesianTransduction(random_state=2, **settings, q=0).fit(X @ rotation, y, new @ rotation),
    ]
    for other in fits[1:]:
        gap = fits[0].transduction_proba_[:, 1] - other.transduction_proba_[:, 1]
        error = np.hypot(fits[0].transduction_error_, other.transduction_error_)
        assert np.all(np.abs(gap) <= 6 * error)


def test_turned_labels_turn_the_probabilities(sample):
    X, y, new = sample
    plus = BayesianTransduction(gamma=0.3, random_state=0, q=0).fit(X, y).predict_proba(new)
    minus = BayesianTransduction(gamma=0.3, random_state=0, q=0).fit(X, 1 - y).predict_proba(new)
    # the folded Gram matrix is the same, so is the trajectory, and every sign is turned
    np.testing.assert_allclose(minus, plus[:, ::-1], atol=1e-9)
    np.testing.assert_allclose(plus.sum(axis=1), 1.0, rtol=1e-12)


def test_working_sample_changes_nothing_in_the_training_span(sample):
    X, y, new = sample
    with_working = BayesianTransduction(gamma=0.3, random_state=0, q=0).fit(X, y, new)
    without = BayesianTransduction(gamma=0.3, random_state=0, q=0).fit(X, y)
    np.testing.assert_array_equal(with_working.trajectory_.arcs, without.trajectory_.arcs)
    assert not hasattr(without, "transduction_")


@pytest.mark.claim("bt-conclusion-ridge", "holds")
def test_ridge_lets_contradictions_fit(sample):
    X, y, _ = sample
    X2, y2 = np.vstack([X, X[:2]]), np.r_[y, 1 - y[:2]]
    with pytest.raises(EmptyVersionSpaceError, match=r"both labels.*ridge > 0"):
        BayesianTransduction(gamma=0.3, random_state=0, q=0).fit(X2, y2)
    bt = BayesianTransduction(
        gamma=0.3, ridge=0.5, refresh=np.pi, n_starts=8, n_bounces=4000, random_state=0, q=0
    ).fit(X2, y2)
    # the two contradictory points are as good as unlabelled by symmetry of their pair
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
        "linear", ridge=ridge, refresh=np.pi, n_starts=20, n_bounces=2000, random_state=0, q=0
    ).fit(x, y, [[1.0]])
    assert abs(bt.transduction_proba_[0, 1] - exact) < 6 * bt.transduction_error_[0]
    assert bt.transduction_error_[0] < 0.01


@pytest.mark.parametrize("start", ["unit_margins", "max_margin"])
def test_same_seed_same_answer(sample, start):
    X, y, new = sample

    def fit(seed):
        bt = BayesianTransduction(
            gamma=0.3, start=start, n_starts=1, refresh=2.0, n_bounces=1000, random_state=seed, q=0
        )
        return bt.fit(X, y).predict_proba(new)

    np.testing.assert_array_equal(fit(3), fit(3))
    assert not np.array_equal(fit(3), fit(4))
    np.testing.assert_array_equal(fit(np.random.default_rng(1)), fit(np.random.default_rng(1)))
    np.testing.assert_array_equal(fit(np.random.RandomState(1)), fit(np.random.RandomState(1)))
    np.testing.assert_array_equal(fit(np.random.SeedSequence(1)), fit(np.random.SeedSequence(1)))
    # None draws anew
    assert not np.array_equal(fit(None), fit(None))


def test_number_of_bounces(sample):
    X, y, _ = sample

    def events(**parameters):
        fitted = BayesianTransduction(n_starts=2, random_state=0, **parameters, q=0).fit(X, y)
        return len(fitted.trajectory_.arcs) // 2

    assert events(n_bounces=1000) == 1000
    assert events(n_bounces=None) == 922
    assert events(n_bounces=None, epsilon=0.1, eta=0.1) == 116
    # a hundred points, and what is more counts
    assert events() == 3000
    X, y = np.vstack([X, X, X + 1e-3]), np.tile(y, 3)
    assert events(ridge=0.1) == 30 * 120


def test_defaults_are_sound_where_the_papers_ball_is_not():
    X, y = load_breast_cancer(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    sample, working = (X[:200], y[:200]), X[200:300]
    found = BayesianTransduction(ridge=1.0, random_state=0, q=0, gamma="scale").diagnose(
        *sample, working
    )
    assert found.state == "sound"
    paper = {"n_starts": 1, "refresh": None, "n_bounces": 1000}
    found = BayesianTransduction(ridge=1.0, random_state=0, **paper, q=0).diagnose(*sample, working)
    assert found.state != "sound"


def test_same_answer_for_any_number_of_threads(sample):
    X, y, new = sample
    one, two, many = (
        BayesianTransduction(gamma=0.3, n_bounces=300, n_jobs=n_jobs, random_state=0, q=0)
        .fit(X, y, new)
        .transduction_proba_
        for n_jobs in (1, 2, -1)
    )
    np.testing.assert_array_equal(one, two)
    np.testing.assert_array_equal(one, many)


def test_tolerance_is_reached():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((8, 3))
    y = np.where(X[:, 0] > 0, 1, -1)
    new = rng.standard_normal((5, 3))
    bt = BayesianTransduction(
        "linear", tol=0.01, refresh=np.pi, n_starts=8, n_bounces=100, random_state=0, q=0
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bt.fit(X, y, new)
    assert bt.transduction_error_.max() <= 0.01
    assert len(bt.trajectory_.arcs) > 8 * 100
    exact = probability_positive(X, new, y).value
    assert np.abs(bt.transduction_proba_[:, 1] - exact).max() < 0.06
    # predictions use the longer trajectory
    np.testing.assert_allclose(bt.predict_proba(new), bt.transduction_proba_, atol=1e-12)


def test_tolerance_is_given_up_with_a_warning():
    X = np.vstack([np.eye(3), -np.eye(3)])
    y = np.repeat([1, -1], 3)
    bt = BayesianTransduction(
        "linear",
        tol=0.001,
        n_starts=8,
        refresh=None,
        n_bounces=100,
        max_bounces=500,
        random_state=0,
        q=0,
    )
    with pytest.warns(ConvergenceWarning, match="after 500 bounces of 8 starts.*refresh"):
        bt.fit(X, y, [[1.0, -0.35, -0.35]])
    assert len(bt.trajectory_.arcs) == 8 * 500
    assert bt.transduction_error_[0] > 0.001


# ---- diagnoses ----------------------------------------------------------------------------------


def test_diagnose_orthant():
    X, y = np.vstack([np.eye(3), -np.eye(3)]), np.repeat([1, -1], 3)
    point = [[1.0, -0.35, -0.35]]
    still = BayesianTransduction("linear", n_bounces=3000, refresh=None, random_state=0, q=0)
    found = still.diagnose(X, y, point)
    assert found.state == "non-ergodic"
    assert found.spread > 0.15 and found.p_value < 1e-3
    assert "refresh" in found.detail
    refreshed = BayesianTransduction("linear", n_bounces=3000, refresh=np.pi, random_state=0, q=0)
    found = refreshed.diagnose(X, y, point)
    assert found.state == "sound"
    assert found.rank == 3 and found.condition == pytest.approx(1.0)
    assert found.spread < 0.15


def test_diagnose_knows_ball_that_never_crosses():
    # each start has its own label for good: no variance within, all of it between
    positive = np.repeat([1.0, 0.0], 12)[:, None]
    times = FlightTimes(positive, np.ones(24), np.repeat(np.arange(8), 3))
    assert _disagreement(times) == (1.0, 0.0)
    moving = np.random.default_rng(0).uniform(0.4, 0.6, size=(24, 1))
    times = FlightTimes(np.hstack([moving, positive]), np.ones(24), times.chain)
    assert _disagreement(times) == (1.0, 0.0)
    times = FlightTimes(np.ones((24, 2)), np.ones(24), times.chain)
    assert _disagreement(times) == (0.0, 1.0)


def test_diagnose_test_has_its_level():
    rng = np.random.default_rng(0)
    chain = np.repeat(np.arange(8), 4)
    p = [
        _disagreement(FlightTimes(rng.normal(0.5, 0.1, (32, 5)), np.ones(32), chain))[1]
        for _ in range(3000)
    ]
    # Bonferroni over five points: the level is kept and nearly used (five standard deviations)
    assert 0.03 < np.mean(np.array(p) < 0.05) < 0.07


def test_diagnose_empty(sample):
    X, y, _ = sample
    bt = BayesianTransduction(gamma=0.3, random_state=0, q=0)
    found = bt.diagnose(np.vstack([X, X[:1]]), np.r_[y, 1 - y[:1]])
    assert found.state == "empty"
    assert "both labels" in found.detail and "(0, 40)" in found.detail and "ridge" in found.detail
    found = BayesianTransduction("linear", random_state=0, q=0).diagnose(X, np.arange(40) % 2)
    assert found.state == "empty"
    assert "no hyperplane" in found.detail and "ridge" in found.detail
    assert found.p_value is None


def test_diagnose_ill_conditioned(sample):
    X, _, _ = sample
    y = np.arange(40) % 2
    found = BayesianTransduction(gamma=1e-6, random_state=0, q=0).diagnose(X, y)
    assert found.state == "ill-conditioned"
    assert "condition number" in found.detail and "ridge" in found.detail
    with pytest.raises(IllConditionedError):
        BayesianTransduction(gamma=1e-6, random_state=0, q=0).fit(X, y)
    # the way out
    assert (
        BayesianTransduction(
            gamma=1e-6, ridge=0.1, refresh=np.pi, n_bounces=2000, random_state=0, q=0
        )
        .diagnose(X, y)
        .state
        != "ill-conditioned"
    )
    found = BayesianTransduction("sigmoid", gamma=3.0, coef0=-2.0, random_state=0, q=0).diagnose(
        X, y
    )
    assert found.state == "ill-conditioned" and "not positive semi-definite" in found.detail


@pytest.mark.parametrize("width", 10.0 ** -np.arange(1, 13))
def test_defaults_on_a_version_space_as_thin_as_can_be(width):
    """Right, or an error: a square pyramid, whose halves and corners are known where it is flat."""
    X = np.array([[width, 1, 0], [width, -1, 0], [-width, 0, -1], [-width, 0, 1]])
    y = np.array([1, 1, 0, 0])
    cuts = np.array([[-width / 3, 1, 0], [-width / 2, 1, 1]])
    bt = BayesianTransduction("linear", random_state=0, q=0)
    bpm = BayesPointMachine("linear", random_state=0, q=0)
    if width < 2e-7:
        # below the root of the rounding error of the Gram matrix, points cannot be told apart
        for model in (bt, bpm):
            with pytest.raises((EmptyVersionSpaceError, IllConditionedError), match="ridge"):
                model.fit(X, y)
        return
    bt.fit(X, y, cuts)
    expected = [1 / 3, 9 / 32]
    if width == 0.1:
        expected = probability_positive(X, cuts, np.where(y == 1, 1, -1)).value
    np.testing.assert_allclose(bt.transduction_proba_[:, 1], expected, atol=0.005)
    assert np.all(np.abs(bt.transduction_proba_[:, 1] - expected) < 6 * bt.transduction_error_)
    w = bpm.fit(X, y).dual_coef_ @ X
    np.testing.assert_allclose(w[1:] / width, 0.0, atol=0.03)


ILL_CONDITIONED = {
    "wide RBF": lambda X: gram_matrix(X, gamma=0.01),
    "copies": lambda X: gram_matrix(np.vstack([X[:20], X[:20]]), gamma=1.0),
    "near copies": lambda X: gram_matrix(np.vstack([X[:20], X[:20] + 1e-7 * X[20:]]), gamma=1.0),
    "polynomial": lambda X: gram_matrix(X, kernel="poly", gamma=1.0, coef0=1.0, degree=9),
    "few features": lambda X: gram_matrix(X[:, :2], kernel="linear"),
    "lengths": lambda X: gram_matrix(X * np.logspace(-6, 6, 40)[:, None], kernel="linear"),
}


@pytest.mark.parametrize("kind", ILL_CONDITIONED)
@pytest.mark.parametrize("rule", ["smooth", "noisy"])
def test_defaults_on_ill_conditioned_kernel_matrices(kind, rule):
    """An answer that agrees with the labels and with itself, or an error with a remedy."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 4))
    K = ILL_CONDITIONED[kind](X)
    y = X[:, 0] + 0.5 * X[:, 1] > 0
    if kind.endswith("copies"):
        y[20:] = y[:20]
    if rule == "noisy":
        y[:20] ^= rng.uniform(size=20) < 0.2
    bt = BayesianTransduction("precomputed", random_state=0, q=0)
    bpm = BayesPointMachine("precomputed", random_state=0, q=0)
    try:
        bt.fit(K, y, K)
        bpm.fit(K, y)
    except (EmptyVersionSpaceError, IllConditionedError, BilliardEscapeError) as error:
        assert rule == "noisy" and "ridge" in str(error)
        return
    p = bt.transduction_proba_[:, 1]
    np.testing.assert_array_equal(p, y.astype(float))
    np.testing.assert_array_equal(bpm.predict(K), y)
    # between the points: another seed's balls, and the vote's stand-in
    between = (K[:20] + K[20:]) / 2.0
    first, second = bt.predict_proba(between), bt.set_params(random_state=1).fit(K, y, between)
    off = np.abs(first - second.transduction_proba_)[:, 1]
    assert np.all(off < 0.02 + 8 * second.transduction_error_)


def test_diagnose_escape(sample, monkeypatch):
    X, y, _ = sample

    def escape(self, n):
        raise BilliardEscapeError("a margin of -1")

    monkeypatch.setattr("transductive.version_space.billiard.KernelBilliard.run", escape)
    found = BayesianTransduction(random_state=0, q=0, gamma="scale").diagnose(X, y)
    assert (found.state, found.detail) == ("ill-conditioned", "a margin of -1")


def test_diagnose_with_few_bounces_and_frames(sample):
    pd = pytest.importorskip("pandas")
    X, y, _ = sample
    bt = BayesianTransduction(gamma=0.3, n_bounces=2, random_state=0, q=0)
    frame = pd.DataFrame(X, columns=list("abcd"))
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        found = bt.diagnose(frame, pd.Series(np.where(y == 1, "ill", "well")))
    assert np.isfinite(found.spread) and 0 <= found.p_value <= 1
    with pytest.raises(ValueError, match="pass X_working to diagnose"):
        BayesianTransduction("precomputed", q=0).diagnose(X @ X.T, y)


# ---- scikit-learn in use ------------------------------------------------------------------------


def test_pipeline_and_grid_search(sample):
    X, y, new = sample
    pipe = make_pipeline(
        StandardScaler(), BayesianTransduction(n_bounces=200, random_state=0, q=0, gamma="scale")
    )
    assert set(pipe.fit(X, y).predict(new)) <= {0, 1}
    search = GridSearchCV(pipe, {"bayesiantransduction__gamma": [0.05, 0.5]}, cv=3)
    search.fit(X, y)
    assert search.best_params_["bayesiantransduction__gamma"] in (0.05, 0.5)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    search = GridSearchCV(
        BayesianTransduction("precomputed", n_bounces=200, random_state=0, q=0),
        {"n_starts": [1, 2]},
        cv=3,
    )
    assert search.fit(gram_matrix(X, gamma=0.3), y).best_score_ > 0.5


def test_data_frames_and_string_labels(sample):
    pd = pytest.importorskip("pandas")
    X, y, new = sample
    names = np.array(["healthy", "ill"], dtype=object)
    frame, later = (pd.DataFrame(Z, columns=list("abcd")) for Z in (X, new))
    plain = BayesianTransduction(gamma=0.3, random_state=0, q=0).fit(X, y, new)
    for span in ("train", "joint"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            bt = BayesianTransduction(gamma=0.3, span=span, random_state=0, q=0)
            bt.fit(frame, names[y], later)
        assert list(bt.classes_) == ["healthy", "ill"]
        assert set(bt.transduction_) <= set(names)
        np.testing.assert_array_equal(bt.predict(later), bt.transduction_)
    bt = BayesianTransduction(gamma=0.3, random_state=0, q=0).fit(frame, pd.Series(names[y]), later)
    np.testing.assert_allclose(bt.transduction_proba_, plain.transduction_proba_, rtol=1e-9)
    np.testing.assert_array_equal(bt.transduction_, names[plain.transduction_])
    with pytest.raises(ValueError, match="feature names"):
        bt.fit(frame, y, later.rename(columns={"a": "z"}))


@pytest.mark.parametrize("kernel", ["rbf", "poly", "laplacian"])
def test_precomputed_kernel_is_the_kernel(sample, kernel):
    X, y, new = sample
    bt = BayesianTransduction(kernel, gamma=0.3, coef0=1.0, random_state=0, q=0).fit(X, y)
    parameters = dict(kernel=kernel, gamma=0.3, degree=3, coef0=1.0)
    K, cross = gram_matrix(X, **parameters), gram_matrix(new, X, **parameters)
    pre = BayesianTransduction("precomputed", random_state=0, q=0)
    before = K.copy()
    pre.fit(K, y, cross)
    np.testing.assert_array_equal(K, before)
    np.testing.assert_array_equal(pre.predict_proba(cross), bt.predict_proba(new))
    np.testing.assert_allclose(pre.transduction_proba_, bt.predict_proba(new), rtol=1e-10)


def test_callable_kernel(sample):
    X, y, new = sample

    def kernel(a, b):
        return np.exp(-0.3 * np.sum((a - b) ** 2))

    ours = BayesianTransduction(kernel, n_bounces=20, random_state=0, q=0, gamma="scale").fit(X, y)
    theirs = BayesianTransduction(gamma=0.3, n_bounces=20, random_state=0, q=0).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new), atol=1e-6)


# ---- bad input ----------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize(
    "parameters, error, message",
    [
        ({"ridge": -1.0}, ValueError, "The 'ridge' parameter"),
        ({"ridge": float("nan")}, ValueError, "The 'ridge' parameter"),
        ({"start": "anywhere"}, ValueError, "The 'start' parameter"),
        ({"span": "all"}, ValueError, "The 'span' parameter"),
        ({"kernel": "gauss"}, ValueError, "The 'kernel' parameter"),
        ({"gamma": 0.0}, ValueError, "The 'gamma' parameter"),
        ({"gamma": "wide"}, ValueError, "The 'gamma' parameter"),
        ({"n_bounces": 0}, ValueError, "The 'n_bounces' parameter"),
        ({"n_starts": 0}, ValueError, "The 'n_starts' parameter"),
        ({"refresh": -1.0}, ValueError, "The 'refresh' parameter"),
        ({"span": "joint"}, ValueError, "pass X_working to fit"),
        ({"tol": 0.1, "n_starts": 4}, ValueError, "pass X_working to fit"),
        ({"n_bounces": None, "eta": 2.0}, ValueError, "The 'eta' parameter"),
        ({"kernel": "sigmoid", "gamma": 3.0, "coef0": -2.0}, NotPositiveSemidefiniteError, "ridge"),
        ({"kernel": "poly", "gamma": 1e200}, ValueError, "not finite"),
    ],
)
def test_bad_parameters(sample, parameters, error, message):
    X, y, _ = sample
    with pytest.raises(error, match=message):
        BayesianTransduction(random_state=0, q=0, gamma="scale").set_params(**parameters).fit(X, y)


def test_bad_samples(sample):
    X, y, new = sample
    bt = BayesianTransduction(random_state=0, q=0, gamma="scale")
    with pytest.raises(ValueError, match="NaN"):
        bt.fit(np.where(X > 2, np.nan, X), y)
    with pytest.raises(ValueError, match="1 class"):
        bt.fit(X, np.zeros(40, dtype=int))
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        bt.fit(X, y[:-1])
    with pytest.raises(ValueError, match="4 features"):
        bt.fit(X, y, new[:, :2])
    with pytest.raises(ValueError, match="4 features"):
        bt.set_params(span="joint").fit(X, y, new[:, :2])
    bt.set_params(span="train")
    with pytest.raises(ValueError, match="NaN"):
        bt.fit(X, y, np.full((2, 4), np.nan))
    with pytest.raises(ValueError, match="Expected 2D array"):
        bt.fit(X, y, new[0])
    with pytest.raises(NotFittedError):
        BayesianTransduction(q=0, gamma="scale").predict(new)
    with pytest.raises(ValueError, match="4 features"):
        bt.fit(X, y).predict(new[:, :3])
    with pytest.raises(ValueError, match="tol is measured between starts"):
        BayesianTransduction(tol=0.1, n_starts=3, q=0, gamma="scale").fit(X, y, new)


def test_bad_precomputed_kernels(sample):
    X, y, new = sample
    bt = BayesianTransduction("precomputed", random_state=0, q=0)
    with pytest.raises(ValueError, match="precomputed kernel matrix must be square"):
        bt.fit(X @ X[:20].T, y)
    with pytest.raises(NotPositiveSemidefiniteError, match=r"not positive semi-definite.*ridge"):
        bt.fit(gram_matrix(X, gamma=0.3) - 0.9 * np.eye(40), y)
    with pytest.raises(ValueError, match="not symmetric"):
        bt.fit(gram_matrix(X, gamma=0.3) + np.triu(np.ones((40, 40))), y)
    with pytest.raises(ValueError, match="needs the points themselves"):
        bt.set_params(span="joint").fit(gram_matrix(X), y, gram_matrix(new, X))


def test_diagnose_says_too_short_when_starts_agree_on_nothing():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((60, 5))
    y = np.where(rng.uniform(size=60) > 0.5, 1, -1)
    short = BayesianTransduction(gamma=0.1, n_bounces=100, refresh=None, random_state=0, q=0)
    found = short.diagnose(X, y)
    assert found.state in ("too short", "non-ergodic")
    assert found.spread > 0.1
    long = BayesianTransduction(gamma=0.1, n_bounces=20_000, refresh=3.0, random_state=0, q=0)
    assert long.diagnose(X, y).spread < found.spread / 3


def test_refit_without_a_working_sample_forgets_the_old_answers():
    X = np.array([[0.0], [1.0], [4.0], [5.0]])
    y = np.array([-1, -1, 1, 1])
    model = BayesianTransduction(gamma=0.5, random_state=0, q=0).fit(X, y, [[0.5]])
    assert model.transduction_.shape == (1,)
    model.fit(X, y)
    assert not hasattr(model, "transduction_")


def test_diagnose_with_a_tolerance_judges_the_run_that_reaches_it():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((60, 5))
    y = np.where(rng.uniform(size=60) > 0.5, 1, -1)
    model = BayesianTransduction(gamma=0.1, n_starts=4, refresh=3.0, tol=0.045, random_state=0, q=0)
    assert model.diagnose(X, y).state == "sound"
    loose = model.set_params(tol=0.3, n_bounces=100)
    found = loose.diagnose(X, y)
    assert found.state == "too short"
    assert "lower tol" in found.detail
