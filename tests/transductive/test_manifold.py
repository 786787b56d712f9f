"""`manifold_gram` and the parameter `manifold`: they agree, and what they refuse."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_digits, make_moons
from sklearn.utils.estimator_checks import parametrize_with_checks

from transductive import (
    BayesianTransduction,
    KernelGibbsSampler,
    RidgeLOO,
    TransductiveLinearDiscriminant,
    TransductiveRidge,
    TransductiveSVC,
    UniversumSVC,
    manifold_gram,
    manifold_mixin,
)
from transductive.kernels import NotPositiveSemidefiniteError, gram_matrix
from transductive.manifold_kernel import STRENGTHS

l, m = 16, 60
QUICK = {"n_bounces": 400, "tol": 0.2, "random_state": 0}
ESTIMATORS = [
    TransductiveSVC(10.0, 10.0, manifold=0.0),
    TransductiveRidge(0.1, penalty="norm"),
    TransductiveLinearDiscriminant(0.1),
    BayesianTransduction(gamma=2.0, **QUICK),
    BayesianTransduction(gamma=2.0, q=0, tol=0.5, random_state=0),
]
each = pytest.mark.parametrize("model", ESTIMATORS, ids=lambda e: type(e).__name__)
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture(scope="module")
def moons():
    """Training points, labels, working points and later ones."""
    points, y = make_moons(l + m + 30, noise=0.1, random_state=0)
    return points[:l], np.where(y, 1.0, -1.0)[:l], points[l : l + m], points[l + m :]


@pytest.fixture(scope="module")
def digits():
    """Three classes."""
    X, y = load_digits(n_class=3, return_X_y=True)
    return X[:20], y[:20], X[20:90], X[90:130]


def outputs(model, X):
    name = next(n for n in ("predict_proba", "decision_function", "predict") if hasattr(model, n))
    return getattr(model, name)(X)


def test_no_strength_is_the_kernel_itself(moons):
    X, _, X_working, later = moons
    points = np.r_[X, X_working]
    for parameters in ({"gamma": 2.0}, {"kernel": "poly", "degree": 2, "gamma": 0.5}):
        K = manifold_gram(X, X_working, later, strength=0, **parameters)
        np.testing.assert_array_equal(K[: l + m], gram_matrix(points, **parameters))
        np.testing.assert_array_equal(K[l + m :], gram_matrix(later, points, **parameters))
    tiny = manifold_gram(X, X_working, later, strength=1e-12, gamma=2.0)
    plain = manifold_gram(X, X_working, later, strength=0, gamma=2.0)
    np.testing.assert_allclose(tiny, plain, atol=1e-9)


@each
def test_the_parameter_equals_precomputed_values(model, moons):
    X, y, X_working, later = moons
    X_old = np.r_[X_working[:5], later]
    own = clone(model).set_params(manifold=50.0).fit(X, y, X_working)
    assert own.manifold_ == 50.0
    gamma = getattr(own, "gamma_", None) or own.ridge_.gamma_
    K = manifold_gram(X, X_working, X_old, strength=50.0, gamma=gamma)
    theirs = clone(model).set_params(kernel="precomputed")
    if isinstance(model, TransductiveSVC):
        theirs.fit(K[:l], y, K[l : l + m])
        rows = K[l + m :]
    elif isinstance(model, BayesianTransduction):
        theirs.fit(K[:l, :l], y, K[l : l + m, :l])
        rows = K[l + m :, :l]
    else:
        # the ridges take no precomputed working points; a kernel of the points' numbers does
        def by_number(i, j):
            return K[np.ix_(i[:, 0].astype(int), j[:, 0].astype(int))]

        numbers = np.arange(l + m, dtype=float)[:, None]
        theirs.set_params(kernel=by_number, rank=None).fit(numbers[:l], y, numbers[l:])
        rows = np.arange(l + m, len(K), dtype=float)[:, None]
    np.testing.assert_array_equal(own.transduction_ > 0, theirs.transduction_ > 0)
    np.testing.assert_allclose(outputs(own, X_old), outputs(theirs, rows), atol=1e-3)


def test_other_estimators_take_the_values(moons):
    X, y, X_working, later = moons
    K = manifold_gram(X, X_working, later, y=y, gamma=2.0)
    _, truth = make_moons(l + m + 30, noise=0.1, random_state=0)
    truth = np.where(truth, 1.0, -1.0)[l + m :]
    sampler = KernelGibbsSampler("precomputed", n_bounces=400, random_state=0)
    for model in (RidgeLOO(kernel="precomputed", penalty="norm"), sampler):
        guesses = np.sign(model.fit(K[:l, :l], y).predict(K[l + m :, :l]))
        assert np.mean(guesses == truth) > 0.95
    # values of training points, then universum points, (l, l + u) and (u, l + u)
    few = np.r_[:l, l : l + 5]
    model = UniversumSVC(kernel="precomputed").fit(K[:l, few], y, K[l : l + 5, few])
    assert np.mean(model.predict(K[l + m :, few]) == truth) > 0.9


@each
def test_without_working_points_it_counts_for_nothing(model, moons):
    X, y, _, later = moons
    for manifold in (100.0, "auto"):
        inductive = clone(model).set_params(manifold=manifold).fit(X, y)
        assert inductive.manifold_ == 0.0
        expected = outputs(clone(model).fit(X, y), later)
        np.testing.assert_array_equal(outputs(inductive, later), expected)


def test_classes_share_graph_strength_and_gram_matrix(digits, monkeypatch):
    X, y, X_working, later = digits
    made = []
    for name in ("graph_laplacian", "least_loo", "deform"):
        function = getattr(manifold_mixin, name)

        def counted(*args, name=name, function=function, **options):
            made.append(name)
            return function(*args, **options)

        monkeypatch.setattr(manifold_mixin, name, counted)
    models = [
        TransductiveSVC(10.0, 10.0),
        TransductiveLinearDiscriminant(0.1),
        BayesianTransduction(**QUICK),
        BayesianTransduction(q=0, tol=0.5, n_chains=1, random_state=0),
    ]
    for model in models:
        made.clear()
        model.set_params(manifold="auto").fit(X, y, X_working)
        assert model.manifold_ > 0
        assert {e.manifold_ for e in model.estimators_} == {model.manifold_}
        assert sorted(made) == ["deform", "graph_laplacian", "least_loo"]
        assert model.predict(later).shape == (40,)
        # an estimator of its own, without the shared matrix
        one = model.estimators_[0]
        alone = clone(one).fit(X, (y == 0).astype(int), X_working)
        assert alone.manifold_ == model.manifold_
        np.testing.assert_allclose(outputs(alone, later), outputs(one, later), atol=1e-6)


def test_linear_on_sparse_rows(digits):
    X, y, X_working, later = digits
    dense = TransductiveSVC(kernel="linear", manifold=10.0, tol=1e-6).fit(X, y == 0, X_working)
    rows = [sparse.csr_matrix(part) for part in (X, X_working, later)]
    model = TransductiveSVC(kernel="linear", manifold=10.0, tol=1e-6).fit(rows[0], y == 0, rows[1])
    assert not hasattr(model, "coef_")
    values = model.decision_function(rows[2])
    np.testing.assert_allclose(values, dense.decision_function(later), atol=1e-4)
    K = manifold_gram(rows[0], rows[1], rows[2], strength=10.0, kernel="linear")
    expected = manifold_gram(X, X_working, later, strength=10.0, kernel="linear")
    np.testing.assert_allclose(K, expected, atol=1e-8 * np.abs(expected).max())


def test_precomputed_values_have_no_graph(moons):
    X, y, X_working, _ = moons
    K = gram_matrix(np.r_[X, X_working], gamma=2.0)
    model = TransductiveSVC(kernel="precomputed", manifold=1.0)
    with pytest.raises(ValueError, match="manifold_gram"):
        model.fit(K[:l], y, K[l:])
    assert model.set_params(manifold="auto").fit(K[:l], y, K[l:]).manifold_ == 0.0
    bayes = BayesianTransduction("precomputed", manifold=1.0, **QUICK)
    with pytest.raises(ValueError, match="manifold_gram"):
        bayes.fit(K[:l, :l], y, K[l:, :l])
    assert bayes.set_params(manifold="auto").fit(K[:l, :l], y, K[l:, :l]).manifold_ == 0.0


def test_rejects_more_points_than_fit_into_memory(moons, monkeypatch):
    X, y, X_working, _ = moons
    monkeypatch.setattr(manifold_mixin, "MAX_POINTS", l + m - 1)
    for model in ESTIMATORS:
        with pytest.raises(ValueError, match="fewer working points"):
            clone(model).set_params(manifold=1.0).fit(X, y, X_working)
    monkeypatch.setattr(manifold_mixin.ManifoldMixin, "_auto_max_points", l + m - 1)
    for model in ESTIMATORS:
        assert clone(model).set_params(manifold="auto").fit(X, y, X_working).manifold_ == 0.0
    with pytest.raises(ValueError, match="fewer working points"):
        manifold_gram(X, X_working, strength=1.0)


def test_a_rank_excludes_it(moons):
    X, y, X_working, _ = moons
    for model in (TransductiveRidge(rank=5), TransductiveLinearDiscriminant(rank=5)):
        with pytest.raises(ValueError, match="rank"):
            model.set_params(manifold=1.0).fit(X, y, X_working)
        assert model.set_params(manifold="auto").fit(X, y, X_working).manifold_ == 0.0


def test_two_labels_and_few_points():
    X, X_working = np.array([[0.0], [3.0]]), np.array([[0.5], [2.0]])
    for model in ESTIMATORS:
        for manifold in (10.0, "auto"):
            fitted = clone(model).set_params(manifold=manifold).fit(X, [-1, 1], X_working)
            np.testing.assert_array_equal(np.sign(fitted.transduction_), [-1, 1])


def test_diagnosis_without_working_points_is_of_the_kernel_itself(moons):
    X, y, X_working, _ = moons
    model = BayesianTransduction(gamma=2.0, q=0, tol=0.5, random_state=0)
    plain = model.diagnose(X, y)
    assert model.set_params(manifold=100.0).diagnose(X, y) == plain
    assert model.diagnose(X, y, X_working) != plain


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "y"),
        ({"strength": -1.0}, "'strength'"),
        ({"strength": np.inf}, "'strength'"),
        ({"kernel": "precomputed"}, "'kernel'"),
        ({"n_neighbors": 0}, "'n_neighbors'"),
        ({"y": np.ones(l)}, "one class"),
        ({"y": [0, 1]}, "inconsistent numbers"),
        ({"y": [None, *range(1, l)]}, "y is NaN or missing"),
        ({"y": [np.nan, *range(1, l)]}, "y is NaN or missing"),
        ({"strength": 1.0, "X_working": np.ones((3, 5))}, "X_working: .* manifold_gram"),
        ({"strength": 1.0, "X_new": np.ones((3, 5))}, "X_new: "),
    ],
)
def test_rejects_bad_arguments(moons, options, message):
    X, _, X_working, _ = moons
    with pytest.raises(ValueError, match=message):
        manifold_gram(X, **{"X_working": X_working, **options})


class OnTheSample(TransductiveLinearDiscriminant):
    """The sample itself is the working points, which the checks do not give."""

    def fit(self, X, y, X_working=None):
        return super().fit(X, y, X if X_working is None else X_working)


@parametrize_with_checks([OnTheSample(manifold=10.0), OnTheSample(manifold="auto")])
def test_estimator_contract_with_working_points(estimator, check, monkeypatch):
    monkeypatch.setattr("transductive.manifold_mixin.STRENGTHS", STRENGTHS[:3:2])  # none and one
    check(estimator)


def test_a_kernel_that_is_not_positive_semidefinite_is_left_alone_where_it_may_be():
    rng = np.random.default_rng(3)
    X, labels, W = rng.normal(size=(60, 3)), np.arange(60) % 3, rng.normal(size=(80, 3))
    X[:, 0] += labels
    given = {"kernel": "sigmoid", "gamma": 0.01}
    found = TransductiveSVC(**given).fit(X, labels > 0, W)
    assert found.manifold_ == 0.0
    as_it_is = TransductiveSVC(**given, manifold=0.0).fit(X, labels > 0, W)
    np.testing.assert_array_equal(found.transduction_, as_it_is.transduction_)
    with pytest.raises(NotPositiveSemidefiniteError):
        manifold_gram(X, W, y=labels > 0, **given)


@pytest.mark.parametrize("factor", [1e-85, 1e80, 1e160])
def test_the_choice_does_not_depend_on_the_unit_of_the_values(factor):
    rng = np.random.default_rng(3)
    X, W = rng.normal(size=(2, 60, 4))
    y = np.sin(3 * X[:, 0]) + X[:, 1]
    gram = manifold_gram(X, W, y=y)
    np.testing.assert_array_equal(manifold_gram(X, W, y=factor * y), gram)


@pytest.mark.parametrize(("n_classes", "n"), [(2, 25), (3, 45)])
def test_warns_of_random_labels(n_classes, n):
    said = {"noise": 0, "classes": 0}
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X, y = rng.standard_normal((n + 100, 3)), np.arange(n + 100) % n_classes
        for name in said:
            if name == "classes":
                X += 3 * np.eye(3)[y]
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                TransductiveSVC(C_star=1e-5).fit(X[:n], y[:n], X[n:])
            found = [one for one in caught if f"error on the {n} labels" in str(one.message)]
            assert len(found) <= 1 and all(one.filename == __file__ for one in found)
            said[name] += len(found)
            if found and said[name] < 3:
                # a row of weight 0 is none, but `manifold` takes it
                with warnings.catch_warnings():
                    warnings.filterwarnings("error", "the leave-one-out error")
                    TransductiveSVC(C_star=1e-5).fit(X[:n], y[:n], X[n:], np.arange(n) % 5)
    assert said["noise"] > 6 and said["classes"] == 0


@pytest.mark.filterwarnings("error")
def test_rejects_distances_of_sparse_points_that_overflow():
    X = sparse.csr_array(np.eye(6))
    with pytest.raises(ValueError, match="distances between points overflow: scale the features"):
        manifold_gram(X, 1e200 * X, kernel="cosine", strength=1.0)
