"""Losses, regularisers and contradictions of the U-SVM: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.papers.universum import algebra_measures as report
from transductive_compendium.verdicts.rules import (
    INCONCLUSIVE,
    NOT_REPRODUCED,
    REPRODUCED,
    decide_identity,
    decide_ordering,
    ordering_p,
)


def ordered(evidence):
    return decide_ordering(evidence, ordering_p(evidence)).outcome


def same(evidence, tolerance=1e-6):
    return decide_identity(evidence, tolerance).outcome == REPRODUCED


# ---- losses -------------------------------------------------------------------------------------


def losses(**changes):
    f = np.linspace(-2, 2, 9)
    shapes = pd.DataFrame(
        {
            "part": "shapes",
            "universum": np.maximum(0, np.abs(f) - 0.1),
            "copy_positive": np.maximum(0, -0.1 - f),
            "copy_negative": np.maximum(0, f - 0.1),
        }
    )
    machine = {"part": "machines", "a": 1e-9, "b": 1e-8}
    rows = [machine, machine | {"a": np.nan}, machine | changes]
    return {report.LOSSES: pd.concat([shapes, pd.DataFrame(rows)], ignore_index=True)}


def test_two_hinges_are_the_loss_or_not():
    frames = losses()
    assert same(report.two_hinges(frames), 1e-12)
    frames[report.LOSSES].loc[2, "copy_positive"] += 1e-9
    assert not same(report.two_hinges(frames), 1e-12)


def test_one_machine_that_differs_is_enough():
    assert same(report.trained_twice(losses(), ["a", "b"]))
    assert not same(report.trained_twice(losses(b=1e-5), ["a", "b"]))
    # columns that are not asked for do not count
    assert same(report.trained_twice(losses(b=1e-5), ["a"]))


# ---- regularisers -------------------------------------------------------------------------------

COSTS = (0.1, 1.0, 10.0)


def regularisers(**changes):
    given = [
        {"part": "given", "regulariser": name, "violated": violated, "identity": gap}
        for name in ("isotropic", "linear L1")
        for violated, gap in (("none", 1e-16), ("intercept", 0.3), ("intercept", 0.0))
    ]
    given += [given[1]]
    quadratic = {"part": "quadratic", "regulariser": "isotropic", "weights": 1e-9}
    other = quadratic | {"regulariser": "anisotropic", "weights": 1e-3}
    paths = [
        {
            "part": "absolute",
            "regulariser": "linear L1",
            "feature": k,
            "C_universum": C,
            "excess": 0.05 / C**2,
            "bound": 0.1 / C,
            "zeros": 3 if C > 1 else 1,
            "zeros_programme": 3,
            "zeros_svm": 0,
        }
        for C in COSTS
        for draw in range(3)
        for k in (0, 1)
    ]
    frame = pd.DataFrame([*given, quadratic, other, *paths])
    for column, (rows, value) in changes.items():
        frame.loc[frame.query(rows).index, column] = value
    return {report.REGULARISERS: frame}


def test_given_weights_without_conditions_violated():
    assert same(report.given_weights(regularisers(), "isotropic"), 1e-12)
    wrong = regularisers(identity=("violated == 'none' and regulariser == 'linear L1'", 1e-6))
    assert same(report.given_weights(wrong, "isotropic"), 1e-12)
    assert not same(report.given_weights(wrong, "linear L1"), 1e-12)


def test_conditions_are_needed_only_where_the_sides_differ():
    frames = regularisers(identity=("violated == 'intercept'", 0.3))
    found = report.conditions_needed(frames, 0.05)
    assert found.holds and "linear L1 (intercept) 0.3" in found.detail
    rows = "violated == 'intercept' and regulariser == 'linear L1'"
    assert not report.conditions_needed(regularisers(identity=(rows, 1e-9)), 0.05).holds


def test_machines_are_told_apart():
    assert same(report.same_machine(regularisers(), "isotropic", ["weights"]))
    assert not same(report.same_machine(regularisers(), "anisotropic", ["weights"]))


def test_one_norm():
    fine = regularisers(excess=("part == 'absolute' and C_universum == 0.1", 0.9))
    assert report.one_norm_bound(fine).holds
    assert same(report.one_norm_excess(fine, 10.0), 1e-3)
    assert not same(report.one_norm_excess(fine, 1.0), 1e-3)
    # one case above its bound; an excess that rises, all of it within
    above = regularisers(excess=("part == 'absolute' and C_universum == 10.0", 0.011))
    assert not report.one_norm_bound(above).holds
    rises = regularisers(excess=("part == 'absolute'", 0.009), bound=("part == 'absolute'", 1.0))
    rises[report.REGULARISERS].loc[lambda rows: rows["C_universum"] == 10.0, "excess"] = 0.01
    assert not report.one_norm_bound(rises).holds


@pytest.mark.parametrize("column, value", [("zeros_programme", 4), ("zeros_svm", 1), ("zeros", 2)])
def test_zeros(column, value):
    assert report.same_zeros(regularisers(), 10.0).holds
    assert not report.same_zeros(regularisers(), 1.0).holds
    changed = regularisers(**{column: ("part == 'absolute' and C_universum == 10.0", value)})
    assert not report.same_zeros(changed, 10.0).holds


# ---- contradictions -----------------------------------------------------------------------------


def machines(gain=1.0, n=60, **changes):
    """Draws in two dimensions: contradictions of the SVM, and of the U-SVM at two costs."""
    rng = np.random.default_rng(0)
    rows = []
    for draw in range(n):
        svm = 3.0 + draw % 3
        for k, C in enumerate((0.0, 1.0, 1000.0)):
            own = svm + round(gain * (draw % 2)) * (k > 0)
            rows.append(
                {
                    "part": "general",
                    "dimension": 2,
                    "draw": draw,
                    "C_universum": C,
                    "classes": 10.0,
                    "contradictions": own,
                    "programme": own,
                    "most": 6.0,
                    "mean": 2.0,
                    "above": 1.0,
                    "certain": 2.0,
                    "certain_hit": 2.0,
                    "loss_sum": 5.0 - k,
                    "distance": 1.0,
                    "distance_hit": 0.8 + 0.1 * rng.standard_normal(),
                    "distance_rest": 1.2 + 0.1 * rng.standard_normal(),
                }
                | changes
            )
    return {report.CONTRADICTIONS: pd.DataFrame(rows)}


@pytest.mark.parametrize(
    "gain, outcome", [(1.0, REPRODUCED), (-1.0, NOT_REPRODUCED), (0.0, NOT_REPRODUCED)]
)
def test_more_or_fewer_contradictions(gain, outcome):
    assert ordered(report.more_contradictions(machines(gain), 2, 1000.0)) == outcome


def test_wins_are_draws_with_the_most():
    frames = machines()
    # the SVM has 3, 4 and 5 of 6; one more in each second draw: 6 is reached in one draw of six
    assert report.wins(frames[report.CONTRADICTIONS], 2, 1000.0) == (10, 0)
    assert ordered(report.more_often_most(frames, 2, 1000.0)) == REPRODUCED
    assert report.wins(machines(most=5.0)[report.CONTRADICTIONS], 2, 1000.0) == (10, 10)
    assert ordered(report.more_often_most(machines(most=5.0), 2, 1000.0)) == INCONCLUSIVE


def test_often_not_always():
    assert report.often_not_always(machines(), 2, 1000.0).holds
    # nearer to the average class
    assert not report.often_not_always(machines(most=9.0), 2, 1000.0).holds
    always = machines()
    rows = always[report.CONTRADICTIONS]
    rows["most"] = rows["contradictions"]
    assert not report.often_not_always(always, 2, 1000.0).holds


def test_contradicted_points_are_nearer_or_not():
    assert ordered(report.hits_are_nearer(machines(), 2)) == REPRODUCED
    assert ordered(report.hits_are_nearer(machines(distance_hit=2.0), 2)) == NOT_REPRODUCED
    # draws without either kind are left out
    frames = machines()
    frames[report.CONTRADICTIONS].loc[:29, "distance_hit"] = np.nan
    assert len(report.hits_are_nearer(frames, 2).differences) == 50


def test_small_values_are_contradicted_or_not():
    assert same(report.small_values_are_contradicted(machines()), 1e-9)
    frames = machines()
    frames[report.CONTRADICTIONS].loc[7, "certain_hit"] = 1.0
    assert not same(report.small_values_are_contradicted(frames), 1e-9)


def test_two_counts_agree_or_not():
    assert same(report.counts_agree(machines()), 1e-9)
    frames = machines()
    frames[report.CONTRADICTIONS].loc[7, "programme"] += 1
    assert not same(report.counts_agree(frames), 1e-9)


def test_sums_of_losses_fall():
    assert report.loss_falls(machines()).holds
    frames = machines()
    frames[report.CONTRADICTIONS].loc[7, "loss_sum"] = 5.01
    found = report.loss_falls(frames)
    assert not found.holds and found.detail.startswith("in 59 of 60")


def flat(largest=1e-9, last=10.0):
    rows = [
        {
            "part": "flat",
            "loss": loss,
            "C_universum": C,
            "programme": last if C else 6.0,
            "most": 10.0,
            "largest": largest if C else 2.0,
        }
        for loss in ("absolute", "squared")
        for draw in range(5)
        for C in (0.0, 1000.0)
    ]
    return {report.CONTRADICTIONS: pd.DataFrame(rows)}


def test_on_the_hyperplane_or_not():
    assert report.reaches_the_hyperplane(flat(), "absolute", 1e-5).holds
    assert not report.reaches_the_hyperplane(flat(largest=1e-3), "absolute", 1e-5).holds
    assert not report.reaches_the_hyperplane(flat(last=9.0), "absolute", 1e-5).holds
    frames = flat()
    rows = frames[report.CONTRADICTIONS]
    rows.loc[rows["loss"] == "squared", "largest"] = 1.0
    assert report.reaches_the_hyperplane(frames, "absolute", 1e-5).holds
    assert not report.reaches_the_hyperplane(frames, "squared", 0.05).holds


def test_table_of_contradictions():
    table = report.contradiction_table(machines()[report.CONTRADICTIONS])
    assert list(table.index) == [(2, 0.0), (2, 1.0), (2, 1000.0)]
    assert table.loc[(2, 0.0), "contradictions"] == pytest.approx(4.0)
    assert table.loc[(2, 1000.0), "contradictions"] == pytest.approx(4.5)
    assert table.loc[(2, 1000.0), "most reached (%)"] == pytest.approx(100 / 6)
