"""Contradictions of equivalence classes: counts, points, and the hyperplanes judged."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import unit_rows

from transductive.margin import UniversumSVC
from transductive_compendium.exact.contradictions import contradictions
from transductive_compendium.exact.labellings import cells
from transductive_compendium.papers.universum import contradiction_counts


@pytest.mark.parametrize("d", [1, 2, 3])
def test_traces_are_the_contradictions(d):
    """Cells induced on a point's hyperplane, against all cells, and linear programmes."""
    rng = np.random.default_rng(d)
    X, U = rng.standard_normal((6, d)), rng.standard_normal((4, d))
    classes, found = contradiction_counts.contradicted_classes(X, U)
    every = cells(contradiction_counts.homogeneous(np.vstack([X, U])))
    np.testing.assert_array_equal(classes, np.unique(every[:, :6], axis=0))
    for labels, hit in zip(classes, found, strict=True):
        sides = every[(every[:, :6] == labels).all(axis=1), 6:]
        np.testing.assert_array_equal(hit, (sides > 0).any(axis=0) & (sides < 0).any(axis=0))
    for i in rng.permutation(len(classes))[:5]:
        programme = contradictions(X, classes[i], U, fit_intercept=True)
        np.testing.assert_array_equal(programme, found[i])


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("d", contradiction_counts.DIMENSIONS)
def test_points(d, flat):
    for seed in range(5):
        X, y, W, U = contradiction_counts.draw_points(d, flat, np.random.default_rng(seed))
        assert set(y) == {-1.0, 1.0}
        assert [len(part) for part in (X, y, W, U)] == [
            4,
            4,
            contradiction_counts.N_WORKING,
            contradiction_counts.N_UNIVERSUM,
        ]
        centred = U - U.mean(axis=0)
        assert np.linalg.matrix_rank(centred, tol=1e-9) == (d - 1 if flat else d)
        if flat:
            # its hyperplane has the labels, or all of them the other way round
            normal = np.linalg.svd(centred)[2][-1]
            values = (X - U.mean(axis=0)) @ normal
            assert np.abs(values).min() >= contradiction_counts.CLEARANCE - 1e-9
            assert abs((np.sign(values) * y).sum()) == len(y)


def test_hyperplanes_of_growing_costs():
    X, y, _, U = contradiction_counts.draw_points(3, False, np.random.default_rng(1))
    for loss in ("epsilon_insensitive", "squared"):
        for C_universum, w, b in contradiction_counts.hyperplanes(X, y, U, loss):
            model = UniversumSVC(
                np.inf, C_universum, epsilon=0.0, loss=loss, kernel="linear", tol=1e-9
            ).fit(X, y, U)
            np.testing.assert_allclose(np.r_[w, b], np.r_[model.coef_, model.intercept_], atol=1e-5)
            assert (y * (X @ w + b)).min() > 1 - 1e-6


@pytest.mark.parametrize("d", contradiction_counts.DIMENSIONS)
def test_counts_of_the_classes_of_svm_and_u_svms(d):
    rows = unit_rows(
        "universum/contradictions", {"part": "general", "dimension": d, "draw": 0}, seed=d
    )
    assert list(rows["C_universum"]) == [0.0, *contradiction_counts.UNIVERSUM_COSTS]
    np.testing.assert_array_equal(rows["contradictions"], rows["programme"])
    assert (rows["contradictions"] <= rows["most"]).all() and (rows["mean"] <= rows["most"]).all()
    np.testing.assert_array_equal(rows["above"] == 0, rows["contradictions"] == rows["most"])
    assert (rows["loss_sum"].diff().iloc[1:] <= 1e-6).all()
    np.testing.assert_array_equal(rows["certain"], rows["certain_hit"])
    assert (rows["certain"] <= rows["contradictions"]).all()


def test_a_flat_universum_ends_on_the_hyperplane():
    rows = unit_rows(
        "universum/contradictions", {"part": "flat", "dimension": 3, "draw": 0}, seed=4
    )
    for loss, small in (("absolute", 1e-6), ("squared", 0.05)):
        path = rows[rows["loss"] == loss]["largest"]
        assert path.iloc[0] > 0.1 and path.iloc[-1] < small
    last = rows[rows["C_universum"] == max(contradiction_counts.UNIVERSUM_COSTS)]
    assert (last["programme"] == contradiction_counts.N_UNIVERSUM).all()


def test_picture():
    rows = unit_rows("universum/contradictions", {"part": "picture", "dimension": 2, "draw": 0})
    for name, part in rows.groupby("panel"):
        points = part[part["kind"].isin(["labelled", "working"])]
        lines = part[part["kind"].isin(["member", "hyperplane"])]
        assert len(lines) == contradiction_counts.N_SHOWN_LINES + (name != "fewest")
        # all lines of a panel label its points alike
        values = (
            contradiction_counts.homogeneous(points[["x1", "x2"]].to_numpy())
            @ lines[["x1", "x2", "offset"]].to_numpy().T
        )
        assert (np.sign(values) == points["label"].to_numpy()[:, None]).all()
        # and do not show what is not counted
        universum = part[part["kind"] == "universum"]
        sides = (
            contradiction_counts.homogeneous(universum[["x1", "x2"]].to_numpy())
            @ lines[["x1", "x2", "offset"]].to_numpy().T
        )
        shown = (sides > 0).any(axis=1) & (sides < 0).any(axis=1)
        assert not (shown & (universum["label"].to_numpy() == 0)).any()
    counts = rows[rows["kind"] == "universum"].groupby("panel")["label"].sum()
    assert counts["fewest"] < counts["SVM"] < counts["U-SVM"]


def test_same_rows_for_the_same_seed():
    key = {"part": "general", "dimension": 2, "draw": 1}
    first, again = (unit_rows("universum/contradictions", key) for _ in range(2))
    pd.testing.assert_frame_equal(first, again)
