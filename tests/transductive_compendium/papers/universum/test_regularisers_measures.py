"""Regularisers in the U-SVM: what the measures make of rows."""

import pandas as pd
import pytest
from paper_rooms import identity_holds

from transductive_compendium.papers.universum import regularisers_measures as report

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
    return {report.ITEM: frame}


def test_given_weights_without_conditions_violated():
    assert identity_holds(report.given_weights(regularisers(), ["isotropic"]), 1e-12)
    wrong = regularisers(identity=("violated == 'none' and regulariser == 'linear L1'", 1e-6))
    assert identity_holds(report.given_weights(wrong, ["isotropic"]), 1e-12)
    for names in (["linear L1"], ["isotropic", "linear L1"]):
        assert not identity_holds(report.given_weights(wrong, names), 1e-12)


def test_conditions_are_needed_only_where_the_sides_differ():
    frames = regularisers(identity=("violated == 'intercept'", 0.3))
    found = report.conditions_needed(frames, 0.05)
    assert identity_holds(found) and "linear L1 (intercept) 0.3" in found.shown
    rows = "violated == 'intercept' and regulariser == 'linear L1'"
    assert not identity_holds(report.conditions_needed(regularisers(identity=(rows, 1e-9)), 0.05))


def test_different_weights_are_found():
    assert identity_holds(report.same_machine(regularisers(), "isotropic", ["weights"]))
    assert not identity_holds(report.same_machine(regularisers(), "anisotropic", ["weights"]))


def test_one_norm():
    fine = regularisers(excess=("part == 'absolute' and C_universum == 0.1", 0.9))
    assert identity_holds(report.one_norm_bound(fine))
    assert identity_holds(report.one_norm_excess(fine, 10.0), 1e-3)
    assert not identity_holds(report.one_norm_excess(fine, 1.0), 1e-3)
    # one case above its bound; an excess that rises, all of it within
    above = regularisers(excess=("part == 'absolute' and C_universum == 10.0", 0.011))
    assert not identity_holds(report.one_norm_bound(above))
    rises = regularisers(excess=("part == 'absolute'", 0.009), bound=("part == 'absolute'", 1.0))
    rises[report.ITEM].loc[lambda rows: rows["C_universum"] == 10.0, "excess"] = 0.01
    assert not identity_holds(report.one_norm_bound(rises))


@pytest.mark.parametrize("column, value", [("zeros_programme", 4), ("zeros_svm", 1), ("zeros", 2)])
def test_zeros(column, value):
    assert identity_holds(report.same_zeros(regularisers(), 10.0))
    assert not identity_holds(report.same_zeros(regularisers(), 1.0))
    changed = regularisers(**{column: ("part == 'absolute' and C_universum == 10.0", value)})
    assert not identity_holds(report.same_zeros(changed, 10.0))
