"""AND and XOR with the universum of unit vectors: problems, classifiers, what measures make."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of, unit_rows
from sklearn.svm import SVC

from transductive.kernels import gram_matrix
from transductive_compendium.papers.universum import and_xor
from transductive_compendium.papers.universum import and_xor_measures as report
from transductive_compendium.papers.universum.and_xor import FEATURES, KERNELS
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED, SMALLER


def sample(problem="and", distribution="bits", n=40, seed=0):
    return and_xor.sample(problem, distribution, n, np.random.default_rng(seed))


@pytest.mark.parametrize("distribution", ["bits", "uniform", "gaussian_noise"])
def test_only_two_features_decide(distribution):
    for problem, of_four in (("and", [1, -1, -1, -1]), ("xor", [-1, 1, 1, -1])):
        X, y = sample(problem, distribution, 4000)
        corners = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
        for corner, sign in zip(corners, of_four, strict=True):
            assert (y[(np.sign(X[:, :2]) == corner).all(axis=1)] == sign).all()
        assert X.shape[1] == and_xor.FEATURES[problem]
        assert distribution == "gaussian_noise" or np.abs(X).max() <= 1
        assert np.mean(y > 0) == pytest.approx(0.25 if problem == "and" else 0.5, abs=0.03)
    assert set(np.unique(sample()[0])) == {-1, 1}


def test_training_points_have_both_classes():
    for seed in range(20):
        train, validation, test = and_xor.random_split("and", "bits", np.random.default_rng(seed))
        assert set(train.y) == {-1, 1}
        sizes = and_xor.N_TRAIN, and_xor.N_VALIDATION, and_xor.N_TEST
        assert (len(train.y), len(validation.y), len(test.y)) == sizes


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
        w, costs = (family.coefficients @ family.points)[k], family.costs[k] / variance
        least = objective(w, *costs)
        for step in rng.standard_normal((50, 20)):
            for length in (0.01, 0.1):
                assert objective(w + length * step, *costs) > least - 0.02 * max(1.0, least)


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


def test_without_a_threshold_the_linear_kernel_cannot_do_and(monkeypatch):
    monkeypatch.setattr(and_xor, "KERNELS", ("linear",))
    zero, both = (_rows(toy_bias=bias)["error"] for bias in ("zero", "both_zero"))
    assert zero["none", "linear"] == 0 and both["none", "linear"] > 0.2
    assert zero["axes", "linear"] == both["axes", "linear"] > 0.2


@pytest.mark.parametrize("choice", ["validation", "cross_validation"])
def test_a_choice_without_the_test_set_is_no_better_than_one_with_it(choice):
    rows = _rows(toy_law="gaussian", selection=choice)["error"]
    least = _rows(toy_law="gaussian", selection="test")["error"]
    assert (least <= rows).all() and (least < rows).any()


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
    X, _ = sample("and", "gaussian_noise", 500)
    assert set(np.unique(X[:, :2])) == {-1.0, 1.0} and X[:, 2:].std() == pytest.approx(1, abs=0.05)
    X, _ = sample("and", "gaussian", 500)
    assert X[:, :2].std() == pytest.approx(1, abs=0.1) and len(np.unique(X)) == 10000


def made_up(gains, share=0.2):
    """SVMs err on 20 %, on XOR with the linear kernel on 50 %; U-SVMs on `gains` points less."""
    rng, rows = np.random.default_rng(1), []
    for draw, problem, kernel in product(range(100), FEATURES, KERNELS):
        base = 50.0 if (problem, kernel) == ("xor", "linear") else 20.0
        for universum, own in (("none", 0.0), ("axes", gains.get((problem, kernel), 5.0))):
            row = {"draw": draw, "problem": problem, "kernel": kernel, "universum": universum}
            row["error"] = (base - own + 0.2 * rng.standard_normal()) / 100
            row["share"] = 0.3 + (share + 0.01 * rng.standard_normal()) * (own > 0)
            rows.append(row)
    return pd.DataFrame(rows)


AND = [["and", kernel] for kernel in KERNELS]


def test_all_kernels_must_gain():
    found = report.toy_gains(made_up({}), AND)
    assert found.gaps.shape == (100, 3) and "AND linear 20.0 to 15.0" in found.shown
    np.testing.assert_allclose(found.gaps.mean(axis=0), 5.0, atol=0.1)
    assert outcome_of(found, 1, gain=5.0) == REPRODUCED
    assert outcome_of(found, 1, gain=20.0) == SMALLER
    worse = made_up({("and", "rbf"): -5.0})
    assert outcome_of(report.toy_gains(worse, AND), 1) == NOT_REPRODUCED
    assert outcome_of(report.toy_gains(worse, AND[:2]), 1) == REPRODUCED


def test_shares_of_the_relevant_inputs():
    assert outcome_of(report.toy_input_shares(made_up({}), AND), 1) == REPRODUCED
    assert outcome_of(report.toy_input_shares(made_up({}, share=-0.2), AND), 1) == NOT_REPRODUCED


@pytest.mark.parametrize(
    ("gains", "where", "outcome"),
    [
        ({("xor", "linear"): 0.5}, ("xor", "linear"), REPRODUCED),
        ({("and", "poly"): 0.0}, ("and", "poly"), NOT_REPRODUCED),  # alike, but below 45 %
        ({}, ("xor", "linear"), NOT_REPRODUCED),
    ],
)
def test_no_learning_is_alike_and_near_one_half(gains, where, outcome):
    found = report.toy_no_learning(made_up(gains), *where, 45.0, 2.3)
    assert outcome_of(found, 1, margin=2.3) == outcome


def test_columns_are_named_as_the_claims_name_them():
    cells = report.toy_column(made_up({}), "xor").cells
    assert set(cells) == {f"{u} {k}" for u in ("none", "axes") for k in KERNELS}
    assert cells["axes rbf"].estimate == pytest.approx(15.0, abs=0.1)
    assert cells["none linear"].estimate == pytest.approx(50.0, abs=0.1)
