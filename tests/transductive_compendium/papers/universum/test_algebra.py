"""Experiments on the U-SVM's losses, regularisers and contradictions, on small sizes."""

import numpy as np
import pandas as pd
import pytest
from sklearn.svm import LinearSVC

import transductive_compendium.papers.universum.algebra as algebra
from transductive._exact.contradictions import contradictions
from transductive._exact.labellings import cells
from transductive.margin import UniversumSVC
from transductive_compendium.runner import get

ITEMS = ("losses", "regularisers", "contradictions")


def rows_of(item, key, seed=0, **params):
    experiment = get(f"universum/{item}")
    params = {name: p.default for name, p in experiment.parameters.items()} | params
    return pd.DataFrame(experiment.run_unit(key, params, {}, np.random.default_rng(seed)))


@pytest.mark.parametrize("item", ITEMS)
def test_tiers(item):
    experiment = get(f"universum/{item}")
    smoke, paper, full = (experiment.unit_keys({}, tier) for tier in ("smoke", "paper", "full"))
    assert 0 < len(smoke) < len(paper) < len(full)
    # every part is in the smoke tier, and with it every column
    assert {key["part"] for key in smoke} == {key["part"] for key in full}


@pytest.mark.parametrize(
    "item, key",
    [
        ("losses", {"part": "machines", "draw": 1}),
        ("regularisers", {"part": "absolute", "draw": 1}),
        ("contradictions", {"part": "general", "dimension": 2, "draw": 1}),
    ],
)
def test_same_rows_for_the_same_seed(item, key):
    pd.testing.assert_frame_equal(rows_of(item, key), rows_of(item, key))


# ---- losses -------------------------------------------------------------------------------------


def test_losses_by_hand():
    f = np.array([-2.0, -0.5, 0.0, 0.2, 1.5])
    np.testing.assert_allclose(algebra.hinge(f, 1.0), [3.0, 1.5, 1.0, 0.8, 0.0])
    np.testing.assert_allclose(algebra.insensitive(f, 0.5), [1.5, 0.0, 0.0, 0.0, 1.0])


def test_shapes():
    rows = rows_of("losses", {"part": "shapes", "draw": 0})
    assert set(rows["epsilon"]) == set(algebra.SHAPE_EPSILONS)
    both = rows["copy_positive"] + rows["copy_negative"]
    np.testing.assert_allclose(rows["universum"], both, atol=1e-15)
    # never both at once, and for epsilon = 0 the absolute value
    assert (rows["copy_positive"] * rows["copy_negative"]).max() == 0
    plain = rows[rows["epsilon"] == 0]
    np.testing.assert_allclose(plain["universum"], plain["f"].abs())


def test_machines_agree_with_both_solvers():
    rows = rows_of("losses", {"part": "machines", "draw": 0})
    assert len(rows) == len(algebra.KERNELS) * len(algebra.COSTS) * len(algebra.EPSILONS)
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
    labels, rho, upper = algebra.two_copies(y, 4, 2.0, 0.5, 0.1)
    assert labels @ np.r_[np.zeros(6), np.ones(8)] == 0 and set(rho[6:]) == {-0.1}
    ours = UniversumSVC(2.0, 0.5, epsilon=0.1, kernel="linear", tol=1e-10).fit(X, y, U)
    alpha, objective, intercept = algebra.general_dual(K, labels, rho, upper)
    assert objective == pytest.approx(ours.objective_, rel=1e-8)
    assert intercept == pytest.approx(ours.intercept_, abs=1e-5)
    np.testing.assert_allclose((labels * alpha) @ Z, ours.coef_, atol=1e-5)
    assert labels @ alpha == pytest.approx(0.0, abs=1e-9)
    _, wrong, _ = algebra.general_dual(K, labels, np.ones(14), upper)
    assert abs(wrong / objective - 1) > 0.1


# ---- regularisers -------------------------------------------------------------------------------


def test_clouds_have_mean_zero_and_are_not_round():
    U = algebra.cloud(np.random.default_rng(0))
    np.testing.assert_allclose(U.mean(axis=0), 0.0, atol=1e-14)
    spread = np.linalg.eigvalsh(U.T @ U / len(U))
    assert spread[-1] > 20 * spread[0] > 0


def test_given_weights():
    rows = rows_of("regularisers", {"part": "given", "draw": 0})
    held = rows["violated"] == "none"
    assert rows.loc[held, "identity"].max() < 1e-13
    assert rows.loc[~held, "identity"].min() > 1e-4
    assert set(rows.loc[~held, "violated"]) == {"intercept", "mean"}


def test_quadratic_universa_are_metrics():
    rows = rows_of("regularisers", {"part": "quadratic", "draw": 0})
    assert rows[["weights", "objectives"]].max().max() < 1e-6
    # the universum matters: it is another machine at every cost
    by = rows.pivot(index="C_universum", columns="regulariser", values="objective")
    assert (by.diff().iloc[1:] > 1e-3).all().all()


def test_the_plain_metric_is_the_svm():
    X, y = algebra.labelled_points(np.random.default_rng(1))
    w = algebra.metric_svm(X, y, np.eye(8), 0.5)
    svm = LinearSVC(
        C=0.5, loss="hinge", fit_intercept=False, tol=1e-10, max_iter=1_000_000, random_state=0
    )
    np.testing.assert_allclose(w, svm.fit(X, y).coef_[0], atol=1e-7)
    # half the metric is half the other cost
    v = algebra.metric_svm(X, y, 0.5 * np.eye(8), 0.5)
    np.testing.assert_allclose(v, algebra.metric_svm(X, y, np.eye(8), 1.0), atol=1e-6)
    least = algebra.objective(w, X, y, np.eye(8), 0.5)
    for step in 1e-3 * np.eye(8):
        assert algebra.objective(w + step, X, y, np.eye(8), 0.5) > least


def test_one_norm_svm_is_a_minimum():
    X, y = algebra.labelled_points(np.random.default_rng(2))
    w, least = algebra.one_norm_svm(X, y, 0.25)

    def value(v):
        return np.abs(v).sum() + 0.25 * np.maximum(0, 1 - y * (X @ v)).sum()

    assert value(w) == pytest.approx(least)
    rng = np.random.default_rng(0)
    assert min(value(w + 0.01 * rng.standard_normal(8)) for _ in range(50)) > least
    assert (w == 0).sum() > 0


def test_absolute_losses_tend_to_the_one_norm_svm():
    rows = rows_of("regularisers", {"part": "absolute", "draw": 0})
    path = rows[rows["feature"] == 0].set_index("C_universum")
    assert len(rows) == len(path) * algebra.N_FEATURES
    assert (path["excess"] <= path["bound"] + 1e-6).all()
    assert path["excess"].iloc[0] > 0.01 and path["excess"].iloc[-1] < 1e-6
    last = rows[rows["C_universum"] == rows["C_universum"].max()]
    np.testing.assert_allclose(last["weight"], last["weight_programme"], atol=1e-6)
    assert path["zeros"].iloc[-1] == path["zeros_programme"].iloc[-1] > 0
    assert (path["zeros_svm"] == 0).all()


# ---- contradictions -----------------------------------------------------------------------------


@pytest.mark.parametrize("d", [1, 2, 3])
def test_traces_are_the_contradictions(d):
    """Cells induced on a point's hyperplane, against all cells, and linear programmes."""
    rng = np.random.default_rng(d)
    X, U = rng.standard_normal((6, d)), rng.standard_normal((4, d))
    classes, found = algebra.contradicted_classes(X, U)
    every = cells(algebra.homogeneous(np.vstack([X, U])))
    np.testing.assert_array_equal(classes, np.unique(every[:, :6], axis=0))
    for labels, hit in zip(classes, found, strict=True):
        sides = every[(every[:, :6] == labels).all(axis=1), 6:]
        np.testing.assert_array_equal(hit, (sides > 0).any(axis=0) & (sides < 0).any(axis=0))
    for i in rng.permutation(len(classes))[:5]:
        programme = contradictions(X, classes[i], U, fit_intercept=True)
        np.testing.assert_array_equal(programme, found[i])


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("d", algebra.DIMENSIONS)
def test_points(d, flat):
    for seed in range(5):
        X, y, W, U = algebra.draw_points(d, flat, np.random.default_rng(seed))
        assert set(y) == {-1.0, 1.0}
        assert [len(part) for part in (X, y, W, U)] == [4, 4, algebra.N_WORKING, algebra.N_POINTS]
        centred = U - U.mean(axis=0)
        assert np.linalg.matrix_rank(centred, tol=1e-9) == (d - 1 if flat else d)
        if flat:
            # its hyperplane has the labels, or all of them the other way round
            normal = np.linalg.svd(centred)[2][-1]
            values = (X - U.mean(axis=0)) @ normal
            assert np.abs(values).min() >= algebra.CLEARANCE - 1e-9
            assert abs((np.sign(values) * y).sum()) == len(y)


def test_machines_of_growing_costs():
    X, y, _, U = algebra.draw_points(3, False, np.random.default_rng(1))
    for loss in ("epsilon_insensitive", "squared"):
        for C_universum, w, b in algebra.machines(X, y, U, loss):
            model = UniversumSVC(
                np.inf, C_universum, epsilon=0.0, loss=loss, kernel="linear", tol=1e-9
            ).fit(X, y, U)
            np.testing.assert_allclose(np.r_[w, b], np.r_[model.coef_, model.intercept_], atol=1e-5)
            assert (y * (X @ w + b)).min() > 1 - 1e-6


@pytest.mark.parametrize("d", algebra.DIMENSIONS)
def test_counts_of_the_machines_classes(d):
    rows = rows_of("contradictions", {"part": "general", "dimension": d, "draw": 0}, seed=d)
    assert list(rows["C_universum"]) == [0.0, *algebra.GROWING]
    np.testing.assert_array_equal(rows["contradictions"], rows["programme"])
    assert (rows["contradictions"] <= rows["most"]).all() and (rows["mean"] <= rows["most"]).all()
    np.testing.assert_array_equal(rows["above"] == 0, rows["contradictions"] == rows["most"])
    assert (rows["loss_sum"].diff().iloc[1:] <= 1e-6).all()
    np.testing.assert_array_equal(rows["certain"], rows["certain_hit"])
    assert (rows["certain"] <= rows["contradictions"]).all()


def test_a_flat_universum_ends_on_the_hyperplane():
    rows = rows_of("contradictions", {"part": "flat", "dimension": 3, "draw": 0}, seed=4)
    for loss, small in (("absolute", 1e-6), ("squared", 0.05)):
        path = rows[rows["loss"] == loss]["largest"]
        assert path.iloc[0] > 0.1 and path.iloc[-1] < small
    last = rows[rows["C_universum"] == max(algebra.GROWING)]
    assert (last["programme"] == algebra.N_POINTS).all()


def test_picture():
    rows = rows_of("contradictions", {"part": "picture", "dimension": 2, "draw": 0})
    for name, part in rows.groupby("panel"):
        points = part[part["kind"].isin(["labelled", "working"])]
        lines = part[part["kind"].isin(["member", "hyperplane"])]
        assert len(lines) == algebra._N_MEMBERS + (name != "fewest")
        # all lines of a panel label its points alike
        values = (
            algebra.homogeneous(points[["x1", "x2"]].to_numpy())
            @ lines[["x1", "x2", "offset"]].to_numpy().T
        )
        assert (np.sign(values) == points["label"].to_numpy()[:, None]).all()
        # and do not show what is not counted
        universum = part[part["kind"] == "universum"]
        sides = (
            algebra.homogeneous(universum[["x1", "x2"]].to_numpy())
            @ lines[["x1", "x2", "offset"]].to_numpy().T
        )
        shown = (sides > 0).any(axis=1) & (sides < 0).any(axis=1)
        assert not (shown & (universum["label"].to_numpy() == 0)).any()
    counts = rows[rows["kind"] == "universum"].groupby("panel")["label"].sum()
    assert counts["fewest"] < counts["SVM"] < counts["U-SVM"]
