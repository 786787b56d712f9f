"""Labellings that lines allow, their margins, and the widest."""

from itertools import product

import numpy as np
import pytest
from sklearn.svm import SVC

from transductive.margin import NotSeparableError, TransductiveSVC
from transductive_compendium.papers.transductive_svm import widest_margin


@pytest.fixture(params=range(4))
def problem(request):
    rng = np.random.default_rng(request.param)
    return rng.standard_normal((3, 2)), np.array([1.0, -1.0, 1.0]), rng.standard_normal((5, 2))


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


def test_the_widest_class_is_the_exhaustive_optimum(problem):
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
