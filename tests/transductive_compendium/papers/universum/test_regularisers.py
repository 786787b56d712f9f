"""Universa that are regularisers: identities, and the SVMs that U-SVMs equal."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import unit_rows
from sklearn.svm import LinearSVC

from transductive_compendium.papers.universum import regularisers


def test_clouds_have_mean_zero_and_are_not_round():
    U = regularisers.cloud(np.random.default_rng(0))
    np.testing.assert_allclose(U.mean(axis=0), 0.0, atol=1e-14)
    spread = np.linalg.eigvalsh(U.T @ U / len(U))
    assert spread[-1] > 20 * spread[0] > 0


def test_given_weights():
    rows = unit_rows("universum/regularisers", {"part": "given", "draw": 0})
    held = rows["violated"] == "none"
    assert rows.loc[held, "identity"].max() < 1e-13
    assert rows.loc[~held, "identity"].min() > 1e-4
    assert set(rows.loc[~held, "violated"]) == {"intercept", "mean"}


def test_quadratic_universa_are_metrics():
    rows = unit_rows("universum/regularisers", {"part": "quadratic", "draw": 0})
    assert rows[["weights", "objectives"]].max().max() < 1e-6
    # the universum matters: the solution differs at every cost
    by = rows.pivot(index="C_universum", columns="regulariser", values="objective")
    assert (by.diff().iloc[1:] > 1e-3).all().all()


def test_the_plain_metric_is_the_svm():
    X, y = regularisers.labelled_points(np.random.default_rng(1))
    w = regularisers.metric_svm(X, y, np.eye(8), 0.5)
    svm = LinearSVC(
        C=0.5, loss="hinge", fit_intercept=False, tol=1e-10, max_iter=1_000_000, random_state=0
    )
    np.testing.assert_allclose(w, svm.fit(X, y).coef_[0], atol=1e-7)
    # half the metric is half the other cost
    v = regularisers.metric_svm(X, y, 0.5 * np.eye(8), 0.5)
    np.testing.assert_allclose(v, regularisers.metric_svm(X, y, np.eye(8), 1.0), atol=1e-6)
    least = regularisers.objective(w, X, y, np.eye(8), 0.5)
    for step in 1e-3 * np.eye(8):
        assert regularisers.objective(w + step, X, y, np.eye(8), 0.5) > least


def test_one_norm_svm_is_a_minimum():
    X, y = regularisers.labelled_points(np.random.default_rng(2))
    w, least = regularisers.one_norm_svm(X, y, 0.25)

    def value(v):
        return np.abs(v).sum() + 0.25 * np.maximum(0, 1 - y * (X @ v)).sum()

    assert value(w) == pytest.approx(least)
    rng = np.random.default_rng(0)
    assert min(value(w + 0.01 * rng.standard_normal(8)) for _ in range(50)) > least
    assert (w == 0).sum() > 0


def test_absolute_losses_tend_to_the_one_norm_svm():
    rows = unit_rows("universum/regularisers", {"part": "absolute", "draw": 0})
    path = rows[rows["feature"] == 0].set_index("C_universum")
    assert len(rows) == len(path) * regularisers.N_FEATURES
    assert (path["excess"] <= path["bound"] + 1e-6).all()
    assert path["excess"].iloc[0] > 0.01 and path["excess"].iloc[-1] < 1e-6
    last = rows[rows["C_universum"] == rows["C_universum"].max()]
    np.testing.assert_allclose(last["weight"], last["weight_programme"], atol=1e-6)
    assert path["zeros"].iloc[-1] == path["zeros_programme"].iloc[-1] > 0
    assert (path["zeros_svm"] == 0).all()


def test_same_rows_for_the_same_seed():
    key = {"part": "absolute", "draw": 1}
    pd.testing.assert_frame_equal(
        unit_rows("universum/regularisers", key), unit_rows("universum/regularisers", key)
    )
