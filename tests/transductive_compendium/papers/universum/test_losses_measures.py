"""What the U-SVM equals: what the measures make of rows."""

import numpy as np
import pandas as pd
from paper_rooms import identity_holds

from transductive_compendium.papers.universum import losses_measures as report
from transductive_compendium.papers.universum.projection import RATIOS


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
    return pd.concat([shapes, pd.DataFrame(rows)], ignore_index=True)


def test_two_hinges_are_the_loss_or_not():
    rows = losses()
    assert identity_holds(report.two_hinges(rows), 1e-12)
    rows.loc[2, "copy_positive"] += 1e-9
    assert not identity_holds(report.two_hinges(rows), 1e-12)


def test_one_row_that_differs_is_enough():
    assert identity_holds(report.trained_twice(losses(), ["a", "b"]))
    assert not identity_holds(report.trained_twice(losses(b=1e-5), ["a", "b"]))
    # columns that are not asked for do not count
    assert identity_holds(report.trained_twice(losses(b=1e-5), ["a"]))


def test_between_two_points_the_primal_is_not_above_the_chord():
    rows = pd.DataFrame({"part": ["convexity", "convexity", "shapes"], "above_chord": [0, 0, 1.0]})
    assert identity_holds(report.below_the_chord(rows), 1e-12)
    rows.loc[1, "above_chord"] = 1e-9
    assert not identity_holds(report.below_the_chord(rows), 1e-12)


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
    return frame


def test_given_weights_without_conditions_violated():
    assert identity_holds(report.given_weights(regularisers(), ["isotropic"]), 1e-12)
    wrong = regularisers(identity=("violated == 'none' and regulariser == 'linear L1'", 1e-6))
    assert identity_holds(report.given_weights(wrong, ["isotropic"]), 1e-12)
    for names in (["linear L1"], ["isotropic", "linear L1"]):
        assert not identity_holds(report.given_weights(wrong, names), 1e-12)


def test_different_weights_are_found():
    assert not identity_holds(report.same_machine(regularisers(), ["weights"]))
    fine = regularisers(weights=("part == 'quadratic'", 1e-9))
    assert identity_holds(report.same_machine(fine, ["weights"]))


def test_one_norm():
    fine = regularisers(excess=("part == 'absolute' and C_universum == 0.1", 0.9))
    assert identity_holds(report.one_norm_bound(fine))
    # one case above its bound; an excess that rises, all of it within
    above = regularisers(excess=("part == 'absolute' and C_universum == 10.0", 0.011))
    assert not identity_holds(report.one_norm_bound(above))
    rises = regularisers(excess=("part == 'absolute'", 0.009), bound=("part == 'absolute'", 1.0))
    rises.loc[lambda rows: rows["C_universum"] == 10.0, "excess"] = 0.01
    assert not identity_holds(report.one_norm_bound(rises))


def projection(early=1e-2, late=1e-7, slope=0.5):
    rows = []
    for draw in range(3):
        for kernel in ("rbf", "linear"):
            for loss in ("epsilon_insensitive", "squared"):
                for ratio in (0.0, *RATIOS):
                    exact = loss == "epsilon_insensitive"
                    rows.append(
                        {"draw": draw, "kernel": kernel, "universum": "fives", "loss": loss}
                        | {"ratio": ratio}
                        | {"distance": late if exact and ratio > 1 else early}
                        | {"largest": slope / (ratio or 1.0)}
                    )
    return pd.DataFrame(rows)


def test_limit():
    rows = projection()
    assert identity_holds(report.limit_reached(rows), 1e-4)
    assert identity_holds(report.squared_limit(rows), 0.02)
    late = projection(late=1e-3)
    assert not identity_holds(report.limit_reached(late), 1e-4)
    steep = projection(slope=0.6)
    assert not identity_holds(report.squared_limit(steep), 0.02)
