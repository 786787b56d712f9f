"""Working sets: shifts, and rows on small sizes."""

import numpy as np
import pytest
from paper_rooms import unit_rows
from sklearn.linear_model import LinearRegression

from transductive_compendium.papers.transductive_regression import working_sets as experiment


def test_the_shift_is_as_strong_as_asked_and_keeps_both_parts_apart():
    z = np.random.default_rng(0).standard_normal(40_000)
    found = []
    for strength in (0.0, 0.5, 1.0):
        order = experiment.shifted_split(z, 50, 200, strength, np.random.default_rng(1))
        assert len(np.unique(order)) == 250
        found.append(z[order[50:]].mean() - z[order[:50]].mean())
    # of a normal variable, exponential weights move the mean by the strength
    np.testing.assert_allclose(found, [0.0, 1.0, 2.0], atol=0.6)


def test_directions_are_standardised_and_one_follows_the_target(diabetes):
    X = (diabetes.X - diabetes.X.mean(axis=0)) / diabetes.X.std(axis=0)
    for which in ("target", "principal"):
        z = experiment.direction(diabetes.X, diabetes.y, which)
        assert (z.mean(), z.std()) == pytest.approx((0.0, 1.0), abs=1e-12)
        if which == "target":  # no direction correlates more
            best = np.sqrt(LinearRegression().fit(X, diabetes.y).score(X, diabetes.y))
            assert np.corrcoef(z, diabetes.y)[0, 1] == pytest.approx(best)
        else:  # and none explains more of the features
            top = np.linalg.eigvalsh(X.T @ X / len(X))[-1]
            assert np.linalg.norm(X.T @ z / len(z)) == pytest.approx(np.sqrt(top))
            assert np.abs(X.T @ z).max() == (X.T @ z).max()  # its sign is not left to LAPACK


@pytest.fixture(scope="module")
def working_sets(diabetes):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(experiment, "N_JUDGED", 8)
        patch.setattr(experiment, "SIZES", (1, 8, 64))
        key = {"shift": "none", "largest": 64, "split": 0}
        yield unit_rows("transductive_regression/working_sets", key, {"kin32fh": diabetes})


def test_every_size_is_judged_at_the_same_points(working_sets):
    assert np.isfinite(working_sets.select_dtypes("number").to_numpy()).all()
    groups = working_sets.groupby(["setting", "place"])
    assert (groups["m"].agg(list).map(tuple) == (1, 8, 64)).all()
    for column in ("rr_mse", "rr_retuned_mse", "rr_loo"):
        np.testing.assert_allclose(groups[column].max(), groups[column].min(), rtol=1e-9)
    assert (groups["tr_loose_mse"].max() > 1.0001 * groups["tr_loose_mse"].min()).all()
    norm = working_sets[working_sets["setting"] == "norm"]
    np.testing.assert_array_equal(norm["rr_mse"], norm["rr_joint_mse"])


def test_a_working_set_of_one_is_a_rule(working_sets, diabetes, monkeypatch):
    """Its values do not depend on which other points are asked about."""
    monkeypatch.setattr(experiment, "N_JUDGED", 8)
    monkeypatch.setattr(experiment, "SIZES", (1,))
    key = {"shift": "none", "largest": 8, "split": 0}
    alone = unit_rows("transductive_regression/working_sets", key, {"kin32fh": diabetes})
    ones = working_sets[working_sets["m"] == 1]
    for column in ("tr_loose_mse", "tr_fixed_mse", "tr_chosen_mse"):
        np.testing.assert_allclose(alone[column], ones[column], rtol=1e-9)


def test_a_promise_is_what_the_choice_gains_by_leave_one_out(working_sets):
    assert (working_sets["promised"] >= 0).all()
    always = working_sets["ridge_chosen"] == 1.0
    assert (working_sets["promised"][always] == 0).all() and not always.all()
    np.testing.assert_allclose(
        working_sets["tr_chosen_mse"][always], working_sets["rr_mse"][always]
    )
