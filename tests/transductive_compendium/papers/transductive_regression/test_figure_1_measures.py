"""Claims on figure 1: what their measures make of rows."""

import numpy as np
import pandas as pd
from paper_rooms import outcome_of

from transductive_compendium.papers.transductive_regression import figure_1_measures as report
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED

FIGURE_1A = f"{report.PAPER}/figure_1a"
PLACES = {"named": 0.7, "q10": -0.1, "q30": 0.3, "q50": 0.7, "q70": 1.1, "q90": 1.5}
SIZES = (1, 5, 25)


def frame(axis, gains, ridge=None, **columns):
    """Rows with a gain at each place or size; ridge regression moves from split to split."""
    rng, rows = np.random.default_rng(0), []
    for split in range(40):
        hard = rng.uniform(0, 5)
        for at, gain in gains.items():
            level = 10.0 + (ridge or {}).get(at, 0.0) + hard
            below = level - gain + 0.01 * rng.standard_normal()
            row = {"split": split, axis: at, "ridge": level, "transductive": below}
            rows.append(row | {name: values[at] for name, values in columns.items()})
    return pd.DataFrame(rows)


def over_sigma(ridge=None, **changed):
    gains = dict.fromkeys(PLACES, 1.0) | {"named": 2.0, "q50": 2.0} | changed
    rows = frame("place", gains, ridge, log_sigma=PLACES)
    return rows


def test_a_gain_at_one_place_or_at_all():
    def outcome(at=None, **changed):
        return outcome_of(report.regression_gain({FIGURE_1A: over_sigma(**changed)}, at))

    assert outcome() == outcome("named") == REPRODUCED
    assert outcome(q90=-1.0) == NOT_REPRODUCED and outcome("named", q90=-1.0) == REPRODUCED
    assert outcome("named", named=-1.0) == NOT_REPRODUCED
    # what is only drawn, on some of the splits, decides nothing
    rows = over_sigma()
    drawn = rows.query("place == 'named' and split < 9")
    drawn = drawn.assign(place="drawn 0.2", transductive=1e3)
    found = report.regression_gain({FIGURE_1A: pd.concat([rows, drawn])})
    assert outcome_of(found) == REPRODUCED


def test_gain_is_compared_with_that_of_the_chosen_minimum():
    def outcome(minimum="named", **changed):
        return outcome_of(report.gain_most_at_minimum(over_sigma(**changed), minimum))

    assert outcome() == REPRODUCED
    assert outcome(q90=2.5) == NOT_REPRODUCED
    # another place is lowest on ridge regression's curve
    low = {"ridge": {"q30": -2.0}, "minimum": "ridge_curve"}
    assert outcome(**low) == NOT_REPRODUCED
    assert outcome(q30=3.0, **low) == REPRODUCED
    assert outcome(q30=3.0) == NOT_REPRODUCED


def over_sizes(*gains):
    rows = frame("size", dict(zip(SIZES, gains, strict=True)))
    return rows


def test_the_error_falls_and_the_gain_grows():
    def falls(*gains):
        return outcome_of(report.error_falls({f"{report.PAPER}/figure_1b": over_sizes(*gains)}))

    def grows(*gains):
        return outcome_of(report.gain_grows(over_sizes(*gains), 25, [1, 5]))

    assert falls(0.0, 1.0, 2.0) == grows(0.0, 1.0, 2.0) == REPRODUCED
    assert falls(2.0, 1.0, 0.0) == grows(2.0, 1.0, 0.0) == NOT_REPRODUCED
    assert grows(0.0, 3.0, 2.0) == NOT_REPRODUCED
    # lower at the end, but first rising
    assert falls(1.0, -1.0, 1.5) == REPRODUCED and falls(1.0, 2.0, 1.5) == REPRODUCED
