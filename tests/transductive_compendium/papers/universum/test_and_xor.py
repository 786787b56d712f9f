"""AND and XOR with the universum of unit vectors: problems, classifiers, sensitivities."""

import numpy as np
import pytest
from paper_rooms import unit_rows
from sklearn.svm import SVC

from transductive.kernels import gram_matrix
from transductive_compendium.papers.universum import and_xor


def sample(problem="and", distribution="bits", n=40, seed=0):
    return and_xor.sample(problem, distribution, n, np.random.default_rng(seed))


@pytest.mark.parametrize("distribution", ["bits", "uniform"])
def test_only_two_features_decide(distribution):
    for problem, of_four in (("and", [1, -1, -1, -1]), ("xor", [-1, 1, 1, -1])):
        X, y = sample(problem, distribution, 4000)
        corners = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
        for corner, sign in zip(corners, of_four, strict=True):
            assert (y[(np.sign(X[:, :2]) == corner).all(axis=1)] == sign).all()
        assert X.shape[1] == and_xor.FEATURES[problem] and np.abs(X).max() <= 1
        assert np.mean(y > 0) == pytest.approx(0.25 if problem == "and" else 0.5, abs=0.03)
    assert set(np.unique(sample()[0])) == {-1, 1}


def test_training_points_have_both_classes():
    for seed in range(20):
        train, validation, test = and_xor.random_split("and", "bits", np.random.default_rng(seed))
        assert set(train.y) == {-1, 1}
        sizes = and_xor.N_TRAIN, and_xor.N_VALIDATION, and_xor.N_TEST
        assert (len(train.y), len(validation.y), len(test.y)) == sizes


def weights(family):
    """Weights of linear classifiers, of shape (classifiers, d)."""
    return family.coefficients @ family.points


def test_without_a_threshold_the_universum_is_the_l1_norm():
    """No solution has less of 1/2 |w|^2 + C_U |w|_1 + C hinge: steps from it lead uphill."""
    train = sample(n=30)
    (family,) = and_xor.trained_families(train, np.eye(20), False, "linear", (3,))
    variance = ((train.X - train.X.mean(axis=0)) ** 2).sum(axis=1).mean()

    def objective(w, C, C_universum):
        slack = np.maximum(0, 1 - train.y * (train.X @ w)).sum()
        return 0.5 * w @ w + C * slack + C_universum * np.abs(w).sum()

    rng = np.random.default_rng(1)
    for k in range(len(family.costs)):
        w, costs = weights(family)[k], family.costs[k] / variance
        least = objective(w, *costs)
        for step in rng.standard_normal((50, 20)):
            for length in (0.01, 0.1):
                assert objective(w + length * step, *costs) > least - 0.02 * max(1.0, least)


def test_the_l1_norm_leaves_few_weights():
    train = sample(n=30)
    (svm,) = and_xor.trained_families(train, np.empty((0, 20)), False, "linear", (3,))
    (family,) = and_xor.trained_families(train, np.eye(20), False, "linear", (3,))
    strong = np.flatnonzero((family.costs == (10.0, 10.0)).all(axis=1))[0]
    small = [
        (np.abs(w) < 0.02 * np.abs(w).max()).sum()
        for w in (weights(svm)[2], weights(family)[strong])
    ]
    assert small[1] >= small[0] + 3


def test_classifiers_without_an_intercept_have_none():
    train = sample(n=20)
    for kernel in and_xor.KERNELS:
        families = and_xor.trained_families(train, np.eye(20), False, kernel, (2,))
        assert len(families) == len(and_xor.GAMMAS[kernel]) and not any(
            f.intercepts.any() for f in families
        )
        assert all(len(f.costs) == len(and_xor.COSTS) * len(and_xor.RATIOS) for f in families)


def test_without_a_universum_it_is_the_svm():
    train, others = sample(n=60), sample(n=100, seed=5).X
    family = and_xor.trained_families(train, np.empty((0, 20)), True, "rbf", (2,))[2]
    gram = gram_matrix(train.X, gamma=family.gamma)
    variance = np.diagonal(gram).mean() - gram.mean()
    for k, C in enumerate(and_xor.COSTS):
        svc = SVC(C=C / variance, gamma=family.gamma).fit(train.X, train.y)
        np.testing.assert_allclose(
            family.one(k).decision(others)[0], svc.decision_function(others), atol=0.03
        )


def test_sensitivity_of_a_linear_classifier_is_its_weight():
    X = sample(n=4000).X
    w = np.arange(20.0)
    classifier = and_xor.ClassifierFamily(
        "linear", 1.0, 0, np.eye(20), np.ones((1, 2)), w[None], np.array([0.3])
    )
    moved = and_xor.sensitivity(classifier, X, np.random.default_rng(0))
    np.testing.assert_allclose(moved, w, rtol=0.1)


def test_rows_of_a_unit():
    rows = unit_rows(and_xor.NAME, {"draw": 0, "problem": "xor"}, toy_size=9)
    assert len(rows) == 2 * len(and_xor.KERNELS) and rows["share"].between(0, 1).all()
    svm = rows["universum"] == and_xor.NO_UNIVERSUM
    assert (rows.loc[svm, "C_universum"] == 0).all() and (rows.loc[~svm, "C_universum"] > 0).all()


def _rows(problem="and", **params):
    return unit_rows(and_xor.NAME, {"draw": 0, "problem": problem}, **params).set_index(
        ["universum", "kernel"]
    )


def test_bits_of_so_many_points_are_learnt_without_a_universum():
    """All but XOR with the linear kernel, where a line has three corners right at best."""
    assert (_rows()["error"] == 0).all()
    xor = _rows("xor")["error"]
    assert (xor.drop("linear", level="kernel") == 0).all()
    assert xor["none", "linear"] > 0.2


def test_without_a_threshold_the_linear_kernel_cannot_do_and():
    zero, both = (_rows(toy_bias=bias)["error"] for bias in ("zero", "both_zero"))
    assert zero["none", "linear"] == 0 and both["none", "linear"] > 0.2
    assert zero["axes", "linear"] == both["axes", "linear"] > 0.2


def test_an_odd_kernel_of_degree_three_cannot_tell_xor():
    """Why the polynomial kernel has an offset: x and -x are of one class."""
    X, y = and_xor.sample("xor", "bits", 200, np.random.default_rng(0))
    np.testing.assert_array_equal(X[:, 0] * X[:, 1], -y)
    odd = (X @ X.T) ** 3
    np.testing.assert_array_equal(odd, -((X @ -X.T) ** 3))


@pytest.mark.parametrize("choice", ["validation", "cross_validation", "test"])
def test_the_choice_is_the_best_of_what_it_looks_at(choice, monkeypatch):
    rows = _rows(toy_law="gaussian", selection=choice)["error"]
    least = _rows(toy_law="gaussian", selection="test")["error"]
    assert (least <= rows).all()
    if choice != "test":
        assert (least < rows).any()


def test_cross_validation_counts_each_point_once():
    rng = np.random.default_rng(0)
    train = and_xor.Sample(rng.standard_normal((20, 3)), np.where(np.arange(20) % 2, 1.0, -1.0))
    seen = []

    class Family:
        def decision(self, X):
            return np.ones((2, len(X)))

    def families_of(rest):
        seen.append(len(rest.y))
        return [Family()]

    wrong = and_xor._cross_validation_errors(train, families_of)
    np.testing.assert_allclose(wrong, [10.0, 10.0])  # always one class: half are wrong
    assert seen == [16] * 5


def test_features_may_be_gaussian():
    rng = np.random.default_rng(0)
    X, y = and_xor.sample("and", "gaussian_noise", 500, rng)
    assert set(np.unique(X[:, :2])) == {-1.0, 1.0} and X[:, 2:].std() == pytest.approx(1, abs=0.05)
    np.testing.assert_array_equal(y, np.where((X[:, :2] > 0).all(axis=1), 1, -1))
    gaussian = and_xor.sample("and", "gaussian", 500, rng).X
    assert gaussian[:, :2].std() == pytest.approx(1, abs=0.1) and len(np.unique(gaussian)) == 10000


def test_every_law_has_the_whole_grid(monkeypatch):
    seen = []
    made = and_xor.trained_families

    def families(*args, **kwargs):
        found = made(*args, **kwargs)
        seen.extend((f.kernel, f.gamma) for f in found)
        return found

    monkeypatch.setattr(and_xor, "trained_families", families)
    whole = {(kernel, gamma) for kernel, grid in and_xor.GAMMAS.items() for gamma in grid}
    for law in ("bits", "gaussian_noise", "uniform", "gaussian"):
        seen.clear()
        _rows(toy_law=law)
        assert set(seen) == whole
