"""AND and XOR with the universum of unit vectors: problems, classifiers, sensitivities."""

import numpy as np
import pytest
from paper_rooms import unit_rows
from sklearn.svm import SVC

from transductive.kernels import gram_matrix
from transductive_compendium.papers.universum import and_xor


def sample(problem="and", distribution="bits", n=40, seed=0):
    return and_xor.sample(problem, distribution, n, np.random.default_rng(seed))


@pytest.mark.parametrize("distribution", and_xor.DISTRIBUTIONS)
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
        sizes = and_xor.N_TRAIN["and", "bits"], and_xor.N_VALIDATION, and_xor.N_TEST
        assert (len(train.y), len(validation.y), len(test.y)) == sizes


def test_rotated_directions_are_at_right_angles():
    rng = np.random.default_rng(0)
    assert len(and_xor.directions(and_xor.NO_UNIVERSUM, 6, rng)) == 0
    np.testing.assert_array_equal(and_xor.directions(and_xor.AXES, 6, rng), np.eye(6))
    turned = and_xor.directions(and_xor.ROTATED, 6, rng)
    np.testing.assert_allclose(turned @ turned.T, np.eye(6), atol=1e-12)
    assert np.abs(turned).max() < 0.999


def weights(family):
    """Weights of linear classifiers, of shape (classifiers, d)."""
    return family.coefficients @ family.points


def test_outside_the_loss_the_universum_is_the_l1_norm():
    """No solution has less of 1/2 |w|^2 + C_U |w|_1 + C hinge: steps from it lead uphill."""
    train = sample(n=30)
    (family,) = and_xor.trained_families(train, np.eye(20), and_xor.OUTSIDE, "linear")
    centred = train.X - train.X.mean(axis=0)
    variance = (centred**2).sum(axis=1).mean()

    def objective(w, b, C, C_universum):
        slack = np.maximum(0, 1 - train.y * (train.X @ w + b)).sum()
        free = 0.5 * b**2 / (and_xor.CONSTANT_FEATURE * variance)
        return 0.5 * w @ w + free + C * slack + C_universum * np.abs(w).sum()

    rng = np.random.default_rng(1)
    for k in range(len(family.costs)):
        w, b = weights(family)[k], family.intercepts[k]
        C, C_universum = family.costs[k] / variance
        least = objective(w, b, C, C_universum)
        for step in rng.standard_normal((50, 21)):
            for length in (0.01, 0.1):
                moved = objective(w + length * step[:20], b + length * step[20], C, C_universum)
                assert moved > least - 0.02 * max(1.0, least)


def test_the_l1_norm_leaves_few_weights():
    train = sample(n=30)
    (svm,) = and_xor.trained_families(train, np.empty((0, 20)), and_xor.TRAINED, "linear")
    (family,) = and_xor.trained_families(train, np.eye(20), and_xor.OUTSIDE, "linear")
    strong = np.flatnonzero((family.costs == (10.0, 10.0)).all(axis=1))[0]
    small = [
        (np.abs(w) < 0.02 * np.abs(w).max()).sum()
        for w in (weights(svm)[2], weights(family)[strong])
    ]
    assert small[0] <= 3 and small[1] >= 10


def test_classifiers_without_an_intercept_have_none():
    train = sample(n=20)
    for kernel, size in (("linear", 1), ("poly", 3), ("rbf", 2)):
        families = and_xor.trained_families(train, np.eye(20), and_xor.ZERO, kernel, 0.1)
        assert len(families) == size and not any(f.intercepts.any() for f in families)
        assert all(len(f.costs) == len(and_xor.COSTS) * len(and_xor.RATIOS) for f in families)


def test_without_a_universum_it_is_the_svm():
    train, others = sample(n=60), sample(n=100, seed=5).X
    family = and_xor.trained_families(train, np.empty((0, 20)), and_xor.TRAINED, "rbf", 0.1)[0]
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
    key = {"draw": 0, "problem": "xor", "distribution": "bits"}
    rows = unit_rows("universum/and_xor", key)
    assert len(rows) == len(and_xor.METHODS) * len(and_xor.KERNELS)
    assert (rows["error_oracle"] <= rows["error"]).all()
    assert rows["share"].between(0, 1).all()
    svm = rows["universum"] == and_xor.NO_UNIVERSUM
    assert (rows.loc[svm, "C_universum"] == 0).all() and (rows.loc[~svm, "C_universum"] > 0).all()
