"""AND and XOR with the universum of unit vectors: problems, machines, sensitivities."""

import numpy as np
import pandas as pd
import pytest

import transductive_compendium.papers.universum.toy as toy
from transductive_compendium.runner import get

EXPERIMENT = "universum/and_xor"


def sample(problem="and", distribution="bits", n=40, seed=0):
    return toy.sample(problem, distribution, n, np.random.default_rng(seed))


def test_smoke_is_the_beginning_of_paper():
    smoke, paper, full = (get(EXPERIMENT).unit_keys({}, t) for t in ("smoke", "paper", "full"))
    assert 0 < len(smoke) < len(paper) < len(full)


@pytest.mark.parametrize("distribution", toy.DISTRIBUTIONS)
def test_only_two_features_decide(distribution):
    for problem, of_four in (("and", [1, -1, -1, -1]), ("xor", [-1, 1, 1, -1])):
        X, y = sample(problem, distribution, 4000)
        corners = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
        for corner, sign in zip(corners, of_four, strict=True):
            assert (y[(np.sign(X[:, :2]) == corner).all(axis=1)] == sign).all()
        assert X.shape[1] == toy.FEATURES[problem] and np.abs(X).max() <= 1
        assert np.mean(y > 0) == pytest.approx(0.25 if problem == "and" else 0.5, abs=0.03)
    assert set(np.unique(sample()[0])) == {-1, 1}


def test_training_points_have_both_classes():
    for seed in range(20):
        train, validation, test = toy.draw("and", "bits", np.random.default_rng(seed))
        assert set(train.y) == {-1, 1}
        sizes = toy.N_TRAIN["and", "bits"], toy.N_VALIDATION, toy.N_TEST
        assert (len(train.y), len(validation.y), len(test.y)) == sizes


def test_rotated_directions_are_at_right_angles():
    rng = np.random.default_rng(0)
    assert len(toy.directions(toy.NONE, 6, rng)) == 0
    np.testing.assert_array_equal(toy.directions(toy.AXES, 6, rng), np.eye(6))
    turned = toy.directions(toy.ROTATED, 6, rng)
    np.testing.assert_allclose(turned @ turned.T, np.eye(6), atol=1e-12)
    assert np.abs(turned).max() < 0.999


def weights(family):
    """Weights of linear machines, of shape (machines, d)."""
    return family.coefficients @ family.points


def test_outside_the_loss_the_universum_is_the_l1_norm():
    """No machine has less of 1/2 |w|^2 + C_U |w|_1 + C hinge: steps from it lead uphill."""
    train = sample(n=30)
    (family,) = toy.machines(train, np.eye(20), toy.OUTSIDE, "linear")
    centred = train.X - train.X.mean(axis=0)
    variance = (centred**2).sum(axis=1).mean()

    def objective(w, b, C, C_universum):
        slack = np.maximum(0, 1 - train.y * (train.X @ w + b)).sum()
        free = 0.5 * b**2 / (toy.CONSTANT * variance)
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
    (svm,) = toy.machines(train, np.empty((0, 20)), toy.TRAINED, "linear")
    (family,) = toy.machines(train, np.eye(20), toy.OUTSIDE, "linear")
    strong = np.flatnonzero((family.costs == (10.0, 10.0)).all(axis=1))[0]
    small = [
        (np.abs(w) < 0.02 * np.abs(w).max()).sum()
        for w in (weights(svm)[2], weights(family)[strong])
    ]
    assert small[0] <= 3 and small[1] >= 10


def test_machines_without_an_intercept_have_none():
    train = sample(n=20)
    for kernel, size in (("linear", 1), ("poly", 3), ("rbf", 2)):
        families = toy.machines(train, np.eye(20), toy.ZERO, kernel, 0.1)
        assert len(families) == size and not any(f.intercepts.any() for f in families)
        assert all(len(f.costs) == len(toy.COSTS) * len(toy.RATIOS) for f in families)


def test_a_machine_without_universum_is_the_support_vector_machine():
    from sklearn.svm import SVC

    train, others = sample(n=60), sample(n=100, seed=5).X
    family = toy.machines(train, np.empty((0, 20)), toy.TRAINED, "rbf", 0.1)[0]
    gram = toy.gram_matrix(train.X, gamma=family.gamma)
    variance = np.diagonal(gram).mean() - gram.mean()
    for k, C in enumerate(toy.COSTS):
        svc = SVC(C=C / variance, gamma=family.gamma).fit(train.X, train.y)
        np.testing.assert_allclose(
            family.one(k).decision(others)[0], svc.decision_function(others), atol=0.03
        )


def test_sensitivity_of_a_linear_machine_is_its_weight():
    X = sample(n=4000).X
    w = np.arange(20.0)
    machine = toy.Family("linear", 1.0, np.eye(20), np.ones((1, 2)), w[None], np.array([0.3]))
    moved = toy.sensitivity(machine, X, np.random.default_rng(0))
    np.testing.assert_allclose(moved, w, rtol=0.1)


def test_rows_of_a_unit():
    key = {"draw": 0, "problem": "xor", "distribution": "bits"}
    rows = pd.DataFrame(get(EXPERIMENT).run_unit(key, {}, {}, np.random.default_rng(0)))
    assert len(rows) == len(toy.MACHINES) * len(toy.KERNELS)
    assert (rows["error_oracle"] <= rows["error"]).all()
    assert rows["share"].between(0, 1).all()
    svm = rows["universum"] == toy.NONE
    assert (rows.loc[svm, "C_universum"] == 0).all() and (rows.loc[~svm, "C_universum"] > 0).all()
