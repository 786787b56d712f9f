"""Losses of the U-SVM, and its dual by other solvers."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import unit_rows

from transductive.margin import UniversumSVC
from transductive_compendium.papers.universum import losses


def test_losses_by_hand():
    f = np.array([-2.0, -0.5, 0.0, 0.2, 1.5])
    np.testing.assert_allclose(losses.hinge(f, 1.0), [3.0, 1.5, 1.0, 0.8, 0.0])
    np.testing.assert_allclose(losses.insensitive(f, 0.5), [1.5, 0.0, 0.0, 0.0, 1.0])


def test_shapes():
    rows = unit_rows("universum/losses", {"part": "shapes", "draw": 0})
    assert set(rows["epsilon"]) == set(losses.CURVE_EPSILONS)
    both = rows["copy_positive"] + rows["copy_negative"]
    np.testing.assert_allclose(rows["universum"], both, atol=1e-15)
    # never both at once, and for epsilon = 0 the absolute value
    assert (rows["copy_positive"] * rows["copy_negative"]).max() == 0
    plain = rows[rows["epsilon"] == 0]
    np.testing.assert_allclose(plain["universum"], plain["f"].abs())


def test_the_u_svm_agrees_with_both_solvers():
    rows = unit_rows("universum/losses", {"part": "machines", "draw": 0})
    assert len(rows) == len(losses.KERNELS) * len(losses.COSTS) * len(losses.EPSILONS)
    assert rows[["svm_objective", "svm_values"]].max().max() < 1e-8
    assert rows[["general_objective", "general_values"]].max().max() < 1e-5
    assert rows["general_intercept"].max() < 1e-5
    # a wider tube costs less
    by = rows.pivot(index=["kernel", "C", "C_universum"], columns="epsilon", values="objective")
    assert (by.diff(axis=1).iloc[:, 1:] < 0).all().all()


def test_a_wrong_dual_would_show():
    """The linear part is what tells the U-SVM's dual from the SVM's."""
    rng = np.random.default_rng(0)
    X, U, y = rng.standard_normal((6, 2)), rng.standard_normal((4, 2)), np.array([1.0, -1.0] * 3)
    Z = np.vstack([X, U, U])
    K = Z @ Z.T
    labels, rho, upper = losses.two_copies(y, 4, 2.0, 0.5, 0.1)
    assert labels @ np.r_[np.zeros(6), np.ones(8)] == 0 and set(rho[6:]) == {-0.1}
    u_svm = UniversumSVC(2.0, 0.5, epsilon=0.1, kernel="linear", tol=1e-10).fit(X, y, U)
    alpha, objective, intercept = losses.general_dual(K, labels, rho, upper)
    assert objective == pytest.approx(u_svm.objective_, rel=1e-8)
    assert intercept == pytest.approx(u_svm.intercept_, abs=1e-5)
    np.testing.assert_allclose((labels * alpha) @ Z, u_svm.coef_, atol=1e-5)
    assert labels @ alpha == pytest.approx(0.0, abs=1e-9)
    _, wrong, _ = losses.general_dual(K, labels, np.ones(14), upper)
    assert abs(wrong / objective - 1) > 0.1


def test_same_rows_for_the_same_seed():
    key = {"part": "machines", "draw": 1}
    pd.testing.assert_frame_equal(
        unit_rows("universum/losses", key), unit_rows("universum/losses", key)
    )
