"""Losses of the U-SVM: what the measures make of rows."""

import numpy as np
import pandas as pd
from paper_rooms import identity_holds

from transductive_compendium.papers.universum import losses_measures as report


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
    return {report.ITEM: pd.concat([shapes, pd.DataFrame(rows)], ignore_index=True)}


def test_two_hinges_are_the_loss_or_not():
    frames = losses()
    assert identity_holds(report.two_hinges(frames), 1e-12)
    frames[report.ITEM].loc[2, "copy_positive"] += 1e-9
    assert not identity_holds(report.two_hinges(frames), 1e-12)


def test_one_row_that_differs_is_enough():
    assert identity_holds(report.trained_twice(losses(), ["a", "b"]))
    assert not identity_holds(report.trained_twice(losses(b=1e-5), ["a", "b"]))
    # columns that are not asked for do not count
    assert identity_holds(report.trained_twice(losses(b=1e-5), ["a"]))


def test_between_two_points_the_primal_is_not_above_the_chord():
    rows = pd.DataFrame({"part": ["convexity", "convexity", "shapes"], "above_chord": [0, 0, 1.0]})
    assert identity_holds(report.below_the_chord({report.ITEM: rows}), 1e-12)
    rows.loc[1, "above_chord"] = 1e-9
    assert not identity_holds(report.below_the_chord({report.ITEM: rows}), 1e-12)
