"""Weights of rows and classes: whole numbers are copies, 0 is absence, C times weight the cost."""

from functools import partial

import numpy as np
import pytest
from margin_samples import svc
from scipy import sparse
from sklearn.datasets import load_iris
from sklearn.svm import SVC

from transductive import MeanOfPairs, TransductiveSVC, UniversumSVC
from transductive.margin import transductive_svc

MODELS = {
    "transductive": partial(svc, C_star=0.5),
    "exhaustive": partial(svc, C_star=0.5, exhaustive=True),
    "universum": partial(UniversumSVC, C_universum=0.5),
    "squared universum": partial(UniversumSVC, C_universum=0.5, loss="squared"),
}
EACH_MODEL = pytest.mark.parametrize("make", MODELS.values(), ids=MODELS.keys())


def clouds(n, n_others, seed=0, n_classes=2):
    """Overlapping classes, 0, 1, ...: points, labels, other points of all classes, a generator."""
    rng = np.random.default_rng(seed)
    y = np.arange(n + n_others) % n_classes
    X = rng.standard_normal((len(y), 3)) + 1.5 * np.eye(3)[y]
    return X[:n], y[:n], X[n:], rng


@EACH_MODEL
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_whole_weights_are_copies_and_zero_is_none(make, n_classes, kernel, container):
    X, y, others, rng = clouds(30, 8, n_classes=n_classes)
    weight = rng.integers(0, 4, len(y))
    assert (weight == 0).any()
    model = make(kernel=kernel, tol=1e-11)
    X_copies, y_copies = container(np.repeat(X, weight, axis=0)), np.repeat(y, weight)
    copies = model.fit(X_copies, y_copies, container(others))
    values = copies.decision_function(container(X))
    model = make(kernel=kernel, tol=1e-11)
    model.fit(container(X), y, container(others), sample_weight=weight)
    assert model.gamma_ == pytest.approx(copies.gamma_, rel=1e-12)
    np.testing.assert_allclose(model.decision_function(container(X)), values, atol=1e-7)
    # the coefficient of a row is the sum of those of its copies, which may share it in any way
    order = np.r_[np.repeat(np.arange(len(y)), weight), len(y) + np.arange(len(others))]
    for one, coefficients in zip(model.estimators_, np.atleast_2d(copies.dual_coef_), strict=True):
        assert not one.dual_coef_[: len(y)][weight == 0].any()
        if kernel == "rbf":  # the Gram matrix is regular, so the sums are unique
            sums = np.bincount(order, coefficients, len(one.dual_coef_))
            np.testing.assert_allclose(one.dual_coef_, sums, atol=1e-6)


@EACH_MODEL
def test_objective_and_conditions_of_optimality(make):
    X, y, others, rng = clouds(40, 8, seed=1)
    signs, weight = 2.0 * y - 1.0, rng.exponential(size=len(y))
    model = make(2.0, gamma=0.4, tol=1e-9).fit(X, y, others, sample_weight=weight)
    slack = 1.0 - signs * model.decision_function(X)
    dual = signs * model.dual_coef_[: len(y)]
    assert (dual >= 0).all() and (dual <= 2.0 * weight * (1 + 1e-12)).all()
    assert (slack[dual > 1e-9] > -1e-6).all()
    assert (slack[dual < 2.0 * weight * (1 - 1e-9)] < 1e-6).all()
    assert ((dual > 1e-9) & (dual < 2.0 * weight * (1 - 1e-9))).any()
    # another weight of a row with a slack changes the least objective by its slack
    most = np.argmax(slack)
    weight[most] += 1e-4
    other = make(2.0, gamma=0.4, tol=1e-9).fit(X, y, others, sample_weight=weight)
    rise = (other.objective_ - model.objective_) / 2e-4
    assert rise == pytest.approx(slack[most], rel=1e-3)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize("make", [TransductiveSVC, UniversumSVC])
@pytest.mark.parametrize("class_weight", [None, "balanced", {1: 3.0}])
def test_without_other_points_it_is_the_svc_of_scikit_learn(make, kernel, class_weight):
    X, y, others, rng = clouds(60, 20, seed=2)
    kept = y + rng.random(60) > 0.5
    X, y = X[kept], y[kept]
    weight = rng.exponential(size=len(y))
    settings = {"kernel": kernel, "gamma": 0.4, "class_weight": class_weight}
    model = make(2.0, tol=1e-10, **settings).fit(X, y, sample_weight=weight)
    if class_weight == "balanced":  # scikit-learn's SVC does not count weights there
        of_class = weight.sum() / (2 * np.bincount(y, weight))
        settings["class_weight"] = dict(enumerate(of_class))
    other = SVC(C=2.0, tol=1e-10, **settings).fit(X, y, sample_weight=weight)
    values = other.decision_function(others)
    np.testing.assert_allclose(model.decision_function(others), values, atol=1e-5)


@pytest.mark.parametrize("n_features", [3, 600], ids=["newton", "coordinate descent"])
def test_the_linear_solver_of_many_points_weighs_them_alike(n_features, monkeypatch):
    X, y, others, rng = clouds(30, 40, seed=3)
    more = np.zeros((1, n_features - 3))
    X, others = (np.hstack([part, np.tile(more, (len(part), 1))]) for part in (X, others))
    weight = rng.integers(0, 4, len(y))
    settings = {"kernel": "linear", "tol": 1e-9, "n_positive": 20}
    # the labels that pairs give one at a time may be others, without a cost there are none
    one = svc(1.0, 0.0, **settings).fit(X, y, others, sample_weight=weight)
    monkeypatch.setattr(transductive_svc, "SWITCH_MANY_MIN_POINTS", 10)
    many = svc(1.0, 0.0, **settings).fit(X, y, others, sample_weight=weight)
    np.testing.assert_allclose(many.decision_function(X), one.decision_function(X), atol=1e-6)
    weighted = svc(**settings).fit(X, y, others, sample_weight=weight)
    X, y = np.repeat(X, weight, axis=0), np.repeat(y, weight)
    copies = svc(**settings).fit(X, y, others)
    assert weighted.n_switches_ == copies.n_switches_
    np.testing.assert_allclose(weighted.coef_, copies.coef_, atol=1e-6)


@pytest.mark.parametrize("make", [TransductiveSVC, UniversumSVC])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_weights_of_classes_are_weights_of_their_rows(make, n_classes):
    X, y, others, rng = clouds(45, 9, seed=4, n_classes=n_classes)
    y[y == 1] = np.where(rng.random((y == 1).sum()) < 0.5, 0, 1)
    numbers = {0: 5, 1: 4} if n_classes == 2 else dict.fromkeys(range(3), 3)
    given = {"n_positive": numbers} if make is TransductiveSVC else {}
    balanced = len(y) / (n_classes * np.bincount(y))
    for class_weight, factors in (({1: 2.5}, np.array([1.0, 2.5, 1.0])), ("balanced", balanced)):
        classes = make(class_weight=class_weight, gamma=0.5, **given).fit(X, y, others)
        rows = make(gamma=0.5, **given).fit(X, y, others, sample_weight=factors[y])
        np.testing.assert_allclose(classes.dual_coef_, rows.dual_coef_, atol=1e-12)
    # they are costs: the kernel's width counts rows, and so does the default number of positives
    plain, weighted = (make(class_weight=w).fit(X, y, others) for w in (None, {1: 2.5}))
    assert weighted.gamma_ == plain.gamma_
    if make is TransductiveSVC:
        numbers = [[e.n_positive_ for e in m.estimators_] for m in (plain, weighted)]
        assert numbers[0] == numbers[1]


def test_the_default_number_of_positives_counts_weights():
    X, y, working, _ = clouds(20, 100)
    model = svc().fit(X, y, working, sample_weight=np.where(y == 1, 3.0, 1.0))
    assert model.n_positive_ == 75
    iris = load_iris()
    parts = iris.data[::2], iris.target[::2], iris.data[1::2]
    model.fit(*parts, sample_weight=1.0 + parts[1])
    assert [one.n_positive_ for one in model.estimators_] == [13, 25, 38]


def test_equal_weights_change_nothing_but_the_cost():
    X, y, working, _ = clouds(20, 30)
    plain = svc(1.0, 0.3).fit(X, y, working)
    same = svc(0.25, 0.3).fit(X, y, working, sample_weight=np.full(20, 4.0))
    np.testing.assert_array_equal(plain.dual_coef_, same.dual_coef_)


def test_a_hard_margin_counts_rows_of_any_weight_but_zero():
    X, y = np.array([[0.0], [1.0], [3.0], [4.0]]), [0, 0, 1, 1]
    hard = svc(np.inf, kernel="linear")
    all_of_them = hard.fit(X, y, sample_weight=[1, 0.1, 1, 1])
    np.testing.assert_allclose(all_of_them.coef_, [1.0])
    np.testing.assert_allclose(hard.fit(X, y, sample_weight=[1, 0, 1, 1]).coef_, [2 / 3])
    universum = UniversumSVC(np.inf, kernel="linear")
    np.testing.assert_allclose(universum.fit(X, y, sample_weight=[1, 0, 1, 1]).coef_, [2 / 3])


def test_makers_ignore_rows_of_weight_zero():
    X, y, _, _ = clouds(20, 0)
    weight = (np.arange(20) < 14).astype(float)
    model = UniversumSVC(universum=MeanOfPairs(10, random_state=0), tol=1e-10)
    weighted = model.fit(X, y, sample_weight=weight).decision_function(X)
    np.testing.assert_allclose(model.fit(X[:14], y[:14]).decision_function(X), weighted, atol=1e-7)


REFUSED = [
    (-np.ones(20), None, "Negative values"),
    (np.ones(19), None, "sample_weight"),
    (lambda y: 1.0 * (y != 1), None, "class 1 have sample_weight 0"),
    (np.full(20, np.nan), None, "NaN"),
    *[(None, bad, "class_weight") for bad in ({1: 0.0}, {3: 1.0}, {1: "heavy"}, "heavy")],
]


@pytest.mark.parametrize("make", [TransductiveSVC, UniversumSVC])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("weight, class_weight, named", REFUSED)
def test_refusals(make, n_classes, weight, class_weight, named):
    X, y, _, _ = clouds(20, 0, n_classes=n_classes)
    weight = weight(y) if callable(weight) else weight
    with pytest.raises(ValueError, match=named):
        make(class_weight=class_weight).fit(X, y, sample_weight=weight)
