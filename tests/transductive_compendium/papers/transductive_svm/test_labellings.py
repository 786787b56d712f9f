"""The toy picture, equivalence classes, greedy and exhaustive labellings, joint or label-wise."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.svm import SVC

import transductive_compendium.papers.transductive_svm.labellings as labellings
from transductive._exact.labellings import joint_posterior
from transductive.margin import NotSeparableError, TransductiveSVC
from transductive_compendium.datasets import load
from transductive_compendium.runner import get

ITEMS = ("toy", "clouds", "equivalence_classes", "greedy", "descent", "joint_or_marginal")


@pytest.fixture(scope="module")
def data():
    return dict.fromkeys(labellings.SETS, load("breast_cancer")) | {"digits": load("digits")}


def _rows(item, key, data=None, seed=0, **params):
    experiment = get(f"transductive_svm/{item}")
    params = {name: p.default for name, p in experiment.parameters.items()} | params
    return pd.DataFrame(experiment.run_unit(key, params, data, np.random.default_rng(seed)))


@pytest.mark.parametrize("item", ITEMS)
def test_smoke_is_the_beginning_of_paper(item):
    experiment = get(f"transductive_svm/{item}")
    smoke, paper, full = (experiment.unit_keys({}, t) for t in ("smoke", "paper", "full"))
    assert 0 < len(smoke) < len(paper) <= len(full)


# ---- classes and margins ------------------------------------------------------------------------


@pytest.fixture(params=range(4))
def problem(request):
    rng = np.random.default_rng(request.param)
    return rng.standard_normal((3, 2)), np.array([1.0, -1.0, 1.0]), rng.standard_normal((5, 2))


def test_classes_left_are_the_separable_labellings(problem):
    X, y, X_working = problem
    separable = []
    for labels in product((-1.0, 1.0), repeat=5):
        try:
            labellings.hard_margin(np.vstack([X, X_working]), np.r_[y, labels])
            separable.append(labels)
        except NotSeparableError:
            continue
    left = labellings.classes_left(X, y, X_working)
    assert {tuple(row) for row in left} == set(separable) and len(left) == len(separable)


def test_margin_of_a_class_is_half_the_distance_of_hulls(problem):
    X, y, X_working = problem
    left = labellings.classes_left(X, y, X_working)
    margins = labellings.class_margins(X, y, X_working, left)
    Z = np.vstack([X, X_working])
    for labels, margin in zip(left, margins, strict=True):
        machine = SVC(kernel="linear", C=1e8, tol=1e-8).fit(Z, np.r_[y, labels])
        if margin > 0.02:  # else scikit-learn's margin is not hard
            assert margin == pytest.approx(1.0 / np.linalg.norm(machine.coef_), rel=1e-4)


def test_the_widest_class_is_the_exhaustive_optimum(problem):
    X, y, X_working = problem
    labels, line = labellings.widest(X, y, X_working, labellings.classes_left(X, y, X_working))
    best = TransductiveSVC(
        np.inf, np.inf, kernel="linear", n_positive="any", exhaustive=True, tol=1e-6
    ).fit(X, y, X_working)
    np.testing.assert_array_equal(labels, best.transduction_)
    assert line.margin == pytest.approx(1.0 / np.linalg.norm(best.coef_), rel=1e-4)
    own = np.r_[y, labels] * line.values(np.vstack([X, X_working]))
    assert own.min() == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_counts_of_classes_agree(dimension):
    row = _rows("equivalence_classes", {"dimension": dimension, "working": 4}, seed=5).loc[0]
    assert row["classes"] == row["cover"] >= row["drawn"] > 0.7 * row["cover"]
    assert row["left"] == row["separable"] < 2**4
    assert row["left_mean"] == pytest.approx(row["left_cover"])
    assert row["same_labels"] == 1
    if dimension < 3:
        assert row["margin"] == pytest.approx(row["margin_exhaustive"], rel=1e-4)


# ---- clouds -------------------------------------------------------------------------------------


@pytest.mark.parametrize("gap", [0.0, 0.5, 1.0])
def test_clouds_are_strips_apart(gap):
    X, y = labellings.two_clouds(gap, np.random.default_rng(1))
    l = 2 * labellings.N_LABELLED
    assert sorted(y[:l]) == [-1, -1, 1, 1] and y.sum() == 0
    assert labellings.hard_margin(X, y).margin >= gap / 2
    # moved apart or together, the clouds themselves do not change
    near, same = labellings.two_clouds(0.0, np.random.default_rng(1))
    np.testing.assert_array_equal(y, same)
    for side in (-1, 1):
        shift = (X - near)[y == side]
        np.testing.assert_allclose(shift, np.tile(shift[0], (len(shift), 1)), atol=1e-12)
        assert np.linalg.norm(shift[0]) == pytest.approx(gap / 2)


def test_transductive_line_is_the_widest_and_keeps_the_training_labels():
    rows = _rows("clouds", {"gap": 0.25}, seed=3).set_index("method")
    assert rows["margin_joint"].idxmax() == "transductive"
    assert rows["margin_training"].idxmax() == "inductive"
    assert rows.at["transductive, number known", "positive"] == labellings.N_DOTS
    assert rows.at["greedy", "positive"] == labellings.N_DOTS
    exact = rows.drop(index="greedy")
    assert (exact["margin_training"] >= exact["margin_joint"]).all() and exact["separates"].all()


def test_toy_rows_hold_the_picture():
    rows = _rows("toy", {"gap": 1.0}, problem=7)
    points = rows[rows["label"] != 0]
    assert points["kind"].value_counts().to_dict() == {"test": 40, "training": 4}
    line = rows[rows["kind"] == "transductive"].iloc[0]
    values = points["x1"] * line["x1"] + points["x2"] * line["x2"] + line["offset"]
    assert np.abs(values).min() == pytest.approx(1.0, abs=1e-3)


# ---- greedy -------------------------------------------------------------------------------------


def test_objective_is_the_machines():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((12, 2)), np.where(np.arange(12) % 3 > 0, 1.0, -1.0)
    machine = TransductiveSVC(2.0, kernel="linear", tol=1e-6).fit(X, y)
    found = labellings.objective(X @ X.T, y, np.full(12, 2.0))
    assert found == pytest.approx(machine.objective_, rel=1e-5)


@pytest.mark.parametrize("name", ["ida_heart", labellings.CLOUDS])
def test_points_have_both_classes_among_the_first(name, data):
    for seed in range(5):
        gram, y = labellings.draw_points(name, 20, data, np.random.default_rng(seed))
        assert gram.shape == (20, 20) and set(y[: labellings.N_SAMPLE]) == {-1.0, 1.0}
        assert np.linalg.eigvalsh(gram).min() > -1e-9


@pytest.mark.parametrize("name", ["banana", "digits"])
def test_exhaustive_labellings_are_no_worse(name, data):
    rows = _rows("greedy", {"dataset": name, "working": 6}, data, seed=4)
    assert len(rows) == len(labellings.COSTS)
    slack = 1 + 1e-6
    assert (rows["objective_any"] <= rows["objective_count"] * slack).all()
    for other in ("greedy", "start"):
        assert (rows["objective_count"] <= rows[f"objective_{other}"] * slack).all()
    # one may have the right number of positives and wrong labels, not the other way round
    gap = (rows["positive"] - rows["positive_true"]).abs()
    assert (gap <= rows[["wrong_start", "wrong_greedy", "wrong_count"]].min(axis=1)).all()


def test_descent_has_a_row_for_each_solution(data):
    rows = _rows("descent", {"dataset": "digits"}, data, seed=1)
    assert (rows["solution"] == np.arange(len(rows))).all() and rows["switch"].any()
    switch = rows["switch"].to_numpy()
    assert (rows["objective"].diff()[switch] < 0).all()
    assert (rows["C_minus"].diff()[1:] >= 0).all() and rows["C_minus"].iloc[-1] == 1.0


# ---- joint or label-wise ------------------------------------------------------------------------


@pytest.mark.parametrize("points", ["unit", "any length"])
def test_problems_are_separable_and_have_both_labels(points):
    for seed in range(5):
        X, y, X_working = labellings.draw_separable(3, points, 4, np.random.default_rng(seed))
        assert set(y) == {-1.0, 1.0} and X_working.shape == (4, 3)
        TransductiveSVC(np.inf, kernel="linear", fit_intercept=False).fit(X, y)
        unit = np.allclose(np.linalg.norm(X, axis=1), 1.0)
        assert unit == (points == "unit")


def test_the_posterior_knows_directions_only():
    X, y, W = labellings.draw_separable(3, "unit", 3, np.random.default_rng(2))
    same, _, scaled = labellings.draw_separable(3, "any length", 3, np.random.default_rng(2))
    assert not np.allclose(W, scaled)
    np.testing.assert_allclose(
        joint_posterior(X, W, y).probabilities, joint_posterior(same, scaled, y).probabilities
    )


def test_in_the_plane_both_machines_are_exact():
    """Arcs: the widest margin is the longest arc, the inductive SVM the middle of all."""
    differ = 0
    for seed in range(12):
        key = {"dimension": 2, "points": "unit", "working": 5}
        rows = _rows("joint_or_marginal", key, seed=seed).set_index("method")
        assert rows.at["exhaustive", "wrong_joint"] == 0
        assert rows.at["inductive", "wrong_marginal"] == 0
        differ += rows["differ"].iloc[0]
        assert (rows["probability"] <= rows["probability_joint"] + 1e-12).all()
        assert (rows["risk"] >= rows["risk_marginal"] - 1e-12).all()
    assert differ > 0
