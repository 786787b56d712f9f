"""Labellings that lines allow, counted; their margins, and the widest."""

from itertools import product

import numpy as np
import pytest
from paper_rooms import unit_rows
from sklearn.svm import SVC

from transductive.margin import NotSeparableError, TransductiveSVC, UniversumSVC
from transductive.margin.exhaustive_labelling import BoundedSVM, best_labels
from transductive_compendium.datasets import separable_sphere
from transductive_compendium.exact.labellings import (
    bayes_labelling_joint,
    bayes_labelling_marginal,
    joint_posterior,
)
from transductive_compendium.papers.transductive_svm import widest_margin


@pytest.fixture(params=[(1, 4), (1, 5), (2, 0), (2, 1), (2, 2), (2, 3)], ids=str)
def problem(request):
    d, seed = request.param
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((3, d)), np.array([1.0, -1.0, 1.0])
    if d == 1:  # three points of a line are separable if the middle one is not alone
        X, y = np.sort(X, axis=0), np.array([1.0, -1.0, -1.0])
    return X, y, rng.standard_normal((5, d))


def test_classes_left_are_the_separable_labellings(problem):
    X, y, X_working = problem
    separable = []
    for labels in product((-1.0, 1.0), repeat=5):
        try:
            widest_margin.hard_margin(np.vstack([X, X_working]), np.r_[y, labels])
            separable.append(labels)
        except NotSeparableError:
            continue
    left = widest_margin.classes_left(X, y, X_working)
    assert {tuple(row) for row in left} == set(separable) and len(left) == len(separable)


def test_margin_of_a_class_is_half_the_distance_of_hulls(problem):
    X, y, X_working = problem
    left = widest_margin.classes_left(X, y, X_working)
    margins = widest_margin.class_margins(X, y, X_working, left)
    Z = np.vstack([X, X_working])
    for labels, margin in zip(left, margins, strict=True):
        svm = SVC(kernel="linear", C=1e8, tol=1e-8).fit(Z, np.r_[y, labels])
        if margin > 0.02:  # else scikit-learn's margin is not hard
            assert margin == pytest.approx(1.0 / np.linalg.norm(svm.coef_), rel=1e-4)


@pytest.mark.claim("ts-classes-search", "holds")
def test_the_widest_class_is_the_exhaustive_optimum(problem):
    """The hyperplane of maximum margin on both samples is that of one of finitely many classes."""
    X, y, X_working = problem
    labels, line = widest_margin.widest(
        X, y, X_working, widest_margin.classes_left(X, y, X_working)
    )
    best = TransductiveSVC(
        np.inf, np.inf, kernel="linear", n_positive="any", exhaustive=True, tol=1e-6
    ).fit(X, y, X_working)
    np.testing.assert_array_equal(labels, best.transduction_)
    assert line.margin == pytest.approx(1.0 / np.linalg.norm(best.coef_), rel=1e-4)
    own = np.r_[y, labels] * line.values(np.vstack([X, X_working]))
    assert own.min() == pytest.approx(1.0, abs=1e-4)


def test_on_the_circle_the_widest_class_is_the_most_probable_and_the_svm_the_label_wise_best():
    differ = 0
    for seed in range(24):
        problem = separable_sphere(4, 2, seed=seed, n_working=5)
        y = problem.y.astype(float)
        if abs(y.sum()) == 4:
            continue
        posterior = joint_posterior(problem.X, problem.X_working, y)
        joint, each = bayes_labelling_joint(posterior), bayes_labelling_marginal(posterior)
        points = np.vstack([problem.X, problem.X_working])
        K, given = points @ points.T, {"fit_intercept": False, "tol": 1e-8}
        best, _ = best_labels(
            BoundedSVM(K, np.diagonal(K).copy(), y, np.inf, **given), np.inf, None
        )
        np.testing.assert_array_equal(best, joint)
        svm = UniversumSVC(np.inf, kernel="linear", **given).fit(problem.X, y)
        np.testing.assert_array_equal(svm.predict(problem.X_working), each)
        differ += (joint != each).any()
    assert differ >= 3


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_counts_of_classes_agree(dimension):
    key = {"dimension": dimension, "working": 4}
    row = unit_rows("transductive_svm/equivalence_classes", key, seed=5).loc[0]
    assert row["classes"] == row["cover"] >= row["drawn"] > 0.7 * row["cover"]
    assert row["left"] == row["separable"] < 2**4
    assert row["left_mean"] == pytest.approx(row["left_cover"])
    assert row["same_labels"] == 1
    if dimension < 3:
        assert row["margin"] == pytest.approx(row["margin_exhaustive"], rel=1e-4)
