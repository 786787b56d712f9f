"""Beyond the universum poster: projected kernels, predictors from training data, controls."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import PredefinedSplit, cross_val_score
from sklearn.svm import SVC

import transductive_compendium.papers.universum.beyond as beyond
from transductive.kernels import gram_matrix
from transductive.margin.universum_solver import UniversumSolver
from transductive_compendium.datasets import load
from transductive_compendium.papers.universum import images
from transductive_compendium.runner import get

ITEMS = ("which_universum", "controls", "projection")
DRAW = (0, 0)


@pytest.fixture(scope="module")
def data():
    return {"mnist": load("digits")}


def _rows(item, key, data, seed=0):
    run_unit = get(f"universum/{item}").run_unit
    return pd.DataFrame(run_unit(key, {"seed": 0}, data, np.random.default_rng(seed)))


@pytest.mark.parametrize("item", ITEMS)
def test_smoke_is_the_beginning_of_paper(item):
    experiment = get(f"universum/{item}")
    smoke, paper, full = (experiment.unit_keys({}, t) for t in ("smoke", "paper", "full"))
    assert 0 < len(smoke) < len(paper) < len(full)


# ---- projection ---------------------------------------------------------------------------------


def _problem(flat, seed=0):
    """Labelled points, a universum of 30 points (on a plane through no origin), new points."""
    rng = np.random.default_rng(seed)
    X, new = rng.standard_normal((40, 8)), rng.standard_normal((25, 8))
    signs = np.where(X[:, 0] + X[:, 1] + 0.5 * rng.standard_normal(40) > 0, 1.0, -1.0)
    U = 0.3 + 0.7 * rng.standard_normal((30, 8))
    if flat:
        U = 0.3 + rng.standard_normal((30, 2)) @ rng.standard_normal((2, 8))
    return X, signs, U, new


@pytest.mark.parametrize("rank", [1, 2, None])
def test_projected_kernel_is_the_kernel_of_projected_points(rank):
    X, _, U, _ = _problem(flat=True)
    axes = beyond.UniversumAxes(U @ U.T)
    assert axes.rank == 2
    (found,) = axes.project(X @ X.T, X @ U.T, (rank,))
    centre = U.mean(axis=0)
    basis = np.linalg.svd(U - centre)[2][: rank or 2]
    left = (X - centre) - (X - centre) @ basis.T @ basis
    np.testing.assert_allclose(found, left @ left.T, atol=1e-10)


def _both(kernel, flat, loss, costs):
    """Values at new points of the projected-kernel SVM, and of U-SVMs at costs in units of its."""
    X, signs, U, new = _problem(flat)
    joint, C = np.concatenate([X, U]), 2.0
    K, K_new = gram_matrix(joint, **kernel), gram_matrix(new, joint, **kernel)
    axes, cross = beyond.UniversumAxes(K[40:, 40:]), K[:40, 40:]
    (projected,) = axes.project(K[:40, :40], cross)
    b, intercept = beyond.support_vector_machine(projected, signs, C, tol=1e-10)
    assert intercept == 0.0
    duals, intercept = axes.extend(cross, b)
    threshold = np.abs(duals).max()
    machine = UniversumSolver(K, np.diagonal(K).copy(), signs, loss=loss, tol=1e-10)
    found = []
    for cost in costs:
        machine.solve(C, cost * threshold)
        found.append((K_new @ machine.coefficients + machine.intercept, machine.values[40:]))
    # the same values without f's representation by the kernel itself
    means = K_new[:, 40:].mean(axis=1)
    centred = K_new[:, :40] - means[:, None] - cross.mean(axis=1) + K[40:, 40:].mean()
    limit = (centred - axes.coordinates(K_new[:, 40:]) @ axes.coordinates(cross).T) @ b
    np.testing.assert_allclose(K_new @ np.r_[b, duals] + intercept, limit, atol=1e-7)
    return limit, found


@pytest.mark.parametrize("flat", [False, True])
def test_usvm_is_the_projected_svm_from_a_finite_cost_on(flat):
    """Absolute loss: an exact penalty. The universum then lies on the hyperplane."""
    kernel = {"kernel": "linear"} if flat else {"kernel": "rbf", "gamma": 0.1}
    costs = (0.5, 1.01, 50.0)
    limit, found = _both(kernel, flat, "epsilon_insensitive", costs)
    (below, _), (at, on_plane), (far, _) = found
    np.testing.assert_allclose(at, limit, atol=1e-6)
    np.testing.assert_allclose(far, limit, atol=1e-6)
    assert np.abs(on_plane).max() < 1e-6
    if not flat:  # multipliers are unique
        assert np.abs(below - limit).max() > 1e-2


def test_squared_loss_only_approaches_the_projected_svm():
    kernel = {"kernel": "rbf", "gamma": 0.1}
    limit, found = _both(kernel, False, "squared", (10.0, 100.0, 1000.0))
    gaps = [np.abs(values - limit).max() for values, _ in found]
    assert gaps[0] / gaps[1] == pytest.approx(10.0, rel=0.1)
    assert gaps[1] / gaps[2] == pytest.approx(10.0, rel=0.02)
    # f = dual / (2 C_universum), and the largest dual is the threshold
    assert np.abs(found[2][1]).max() == pytest.approx(0.5 / 1000.0, rel=0.01)


def test_an_intercept_would_leave_the_universum_off_the_hyperplane():
    """f = 0 at the universum fixes the intercept, so the projected kernel must have none."""
    X, signs, U, _ = _problem(flat=True)
    U = U + 2.0 * X[signs > 0].mean(axis=0)
    axes, cross = beyond.UniversumAxes(U @ U.T), X @ U.T
    (projected,) = axes.project(X @ X.T, cross)
    _, free = beyond.support_vector_machine(projected, signs, 2.0, fit_intercept=True)
    assert abs(free) > 0.1


def test_cross_validation_is_that_of_scikit_learn():
    X, signs, _, _ = _problem(flat=False)
    folds = np.arange(40) % 5
    K = gram_matrix(X, kernel="rbf", gamma=0.2)
    found = beyond.left_out_errors(lambda fold: [K, K], signs, 2.0, folds, fit_intercept=True)
    scores = cross_val_score(SVC(C=2.0, gamma=0.2), X, signs, cv=PredefinedSplit(folds))
    assert found == [pytest.approx(1.0 - scores.mean())] * 2 and found[0] > 0


def test_shares_of_scatter():
    X, signs, U, _ = _problem(flat=True)
    axes = beyond.UniversumAxes(U @ U.T)
    between, within = beyond.shares(axes, X @ U.T, X @ X.T, signs)
    basis = np.linalg.svd(U - U.mean(axis=0))[2][:2]
    parts = [X[signs < 0], X[signs > 0]]
    difference = parts[1].mean(axis=0) - parts[0].mean(axis=0)
    assert between == pytest.approx(
        (basis @ difference) @ (basis @ difference) / difference.dot(difference)
    )
    scatter = sum((p - p.mean(axis=0)).T @ (p - p.mean(axis=0)) for p in parts)
    assert within == pytest.approx(np.trace(basis @ scatter @ basis.T) / np.trace(scatter))


# ---- universa -----------------------------------------------------------------------------------


def _universum(kind, seed=0):
    train, _ = images.split("digits", DRAW, 1000)
    return beyond.universum("digits", kind, train, DRAW, np.random.default_rng(seed))


def test_unlabelled_images_are_nowhere_else(data):
    train, judged = beyond._judged("digits", DRAW, 1000)
    seen = {row.tobytes() for part in (train, *judged.values()) for row in part.X}
    reserve = beyond._reserve("digits", DRAW)[0]
    for kind, signs in beyond.CLASSES.items():
        points = _universum(kind)
        assert len(points) and not seen & {row.tobytes() for row in points}
        of = {x.tobytes(): y for x, y in zip(reserve.X, reserve.y, strict=True)}
        assert {of[row.tobytes()] for row in points} == set(signs)


def test_changed_images(data):
    rest = images.universum("digits", "Rest", images.split("digits", DRAW, 1000)[0], 1000, DRAW)
    for kind in ("pixels shuffled", "one permutation", "turned"):
        points = _universum(kind)
        np.testing.assert_array_equal(np.sort(points, axis=1), np.sort(rest, axis=1))
        assert (points != rest).any()
    np.testing.assert_allclose(_universum("inverted"), 1.0 - rest)
    # one permutation keeps all angles, shuffling does not
    points = _universum("one permutation")
    np.testing.assert_allclose(points @ points.T, rest @ rest.T)
    points = _universum("pixels shuffled")
    assert np.abs(points @ points.T - rest @ rest.T).max() > 0.1


@pytest.mark.parametrize("kind", sorted({*beyond.CANDIDATES, *beyond.CONTROLS}))
def test_universa_are_of_one_size(kind, data):
    n, d = _universum(kind).shape
    wanted = images.size("digits", beyond.N_UNIVERSUM)
    # of one class the stand-in has fewer
    assert d == 64 and (n == wanted or (kind in ("fives", "eights") and 20 < n < wanted))


# ---- rows ---------------------------------------------------------------------------------------


def test_rows_of_a_draw_are_paired(data):
    keys = [{"draw": 0, "n_train": 1000, "universum": kind} for kind in ("Mean", "fives", "3")]
    rows = pd.concat([_rows("which_universum", key, data) for key in keys], ignore_index=True)
    for column in ("error_svm", "error_unseen_svm", "cv_error_svm", "gamma"):
        assert rows[column].nunique() == 1
    assert (rows["error_oracle"] <= rows["error"]).all()
    for end in ("", "_svm", "_projected"):
        low, high = (rows[[f"error{end}", f"error_unused{end}"]].agg(f, axis=1) for f in (min, max))
        assert rows[f"error_unseen{end}"].between(low, high).all()
    assert rows["between"].between(0, 1).all() and rows["within"].between(0, 1).all()
    made = rows["cv_error_leaking"] != rows["cv_error_all"]
    assert not made[1:].any()  # only a universum that is made is made anew


def test_controls_have_the_same_machines_at_two_costs(data):
    rows = _rows("controls", {"draw": 0, "universum": "fives"}, data).set_index("method")
    assert tuple(rows.loc["fixed", ["C_universum", "epsilon"]]) == beyond.FIXED
    assert rows.at["largest", "C_universum"] == max(images.UNIVERSUM_COSTS)
    assert rows.at["chosen", "error_validation"] <= rows.at["fixed", "error_validation"]
    plain = _rows("controls", {"draw": 0, "universum": "Rest"}, data).set_index("method").loc["SVM"]
    pd.testing.assert_series_equal(plain, rows.loc["SVM"])


def test_projection_rows_reach_the_limit(data):
    key = {"draw": 0, "kernel": "rbf", "universum": "fives"}
    rows = _rows("projection", key, data)
    exact = rows[rows["loss"] == "epsilon_insensitive"].set_index("ratio")
    assert (exact.loc[1.1:, "distance"] < 1e-4).all() and (exact.loc[1.1:, "largest"] < 1e-4).all()
    assert exact.at[0.0, "distance"] > 1e-2
    squared = rows[rows["loss"] == "squared"].set_index("ratio")["distance"]
    assert (np.diff(squared.loc[1.1:]) < 0).all()


# ---- what is seen -------------------------------------------------------------------------------


def _same(part, other):
    return part.X.shape == other.X.shape and (part.X == other.X).all()


@pytest.mark.parametrize("kind", beyond.MADE)
def test_cross_validation_makes_a_universum_of_the_part_that_is_left(kind, data, monkeypatch):
    seen, made = [], beyond.universum

    def universum(name, kind, labelled, draw, rng):
        seen.append(labelled)
        return made(name, kind, labelled, draw, rng)

    monkeypatch.setattr(beyond, "universum", universum)
    _rows("which_universum", {"draw": 0, "n_train": 1000, "universum": kind}, data)
    train, _ = images.split("digits", DRAW, 1000)
    first, *parts = seen
    assert _same(first, train) and len(parts) == beyond.FOLDS
    # every image is left out of the universum of one fold, and is in all others
    held = [set(map(bytes, train.X)) - set(map(bytes, part.X)) for part in parts]
    assert [len(h) + len(p.y) for h, p in zip(held, parts, strict=True)] == [len(train.y)] * 5
    assert set.union(*held) == set(map(bytes, train.X)) and sum(map(len, held)) == len(train.y)


@pytest.mark.parametrize(
    "item, key",
    [
        ("which_universum", {"draw": 0, "n_train": 1000, "universum": "3"}),
        ("controls", {"draw": 0, "universum": "Rest"}),
    ],
)
def test_machines_are_chosen_by_validation_images(item, key, data, monkeypatch):
    chosen, choose = [], beyond.best

    def best(fits, y, name="validation"):
        chosen.append((choose(fits, y, name), fits, y, name))
        return chosen[-1][0]

    monkeypatch.setattr(beyond, "best", best)
    rows = _rows(item, key, data)
    ((fit, fits, y, name),) = chosen
    _, judged = beyond._judged("digits", DRAW, 1000)
    np.testing.assert_array_equal(y, judged["validation"].y)
    assert name == "validation" and len(fits) > 1
    row = rows[rows["method"] == "chosen"].iloc[0] if "method" in rows else rows.iloc[0]
    assert (row["C_universum"], row["epsilon"]) == (fit.C_universum, fit.epsilon)
    np.testing.assert_array_equal(
        row["error"], np.mean(np.where(fit.values["test"] > 0, 1, -1) != judged["test"].y)
    )
