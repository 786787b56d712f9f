"""Claims on figure 1 and the leave-one-out error at its place: what measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.papers.transductive_regression import figure_1_measures as report
from transductive_compendium.papers.transductive_regression import (
    leave_one_out_search_measures as search_measures,
)
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED

FIGURE_1A = f"{report.PAPER}/figure_1a"
PLACES = {"named": 0.7, "q10": -0.1, "q30": 0.3, "q50": 0.7, "q70": 1.1, "q90": 1.5}


def frame(axis, gains, ridge=None):
    """Rows with a gain at each place or size; ridge regression moves from split to split."""
    rng, rows = np.random.default_rng(0), []
    for split in range(40):
        hard = rng.uniform(0, 5)
        for at, gain in gains.items():
            level = 10.0 + (ridge or {}).get(at, 0.0) + hard
            below = level - gain + 0.01 * rng.standard_normal()
            rows.append({"split": split, axis: at, "ridge": level, "transductive": below})
    return pd.DataFrame(rows)


def over_sigma(gains, ridge=None):
    gains = dict.fromkeys(PLACES, 1.0) | {"named": 2.0, "q50": 2.0} | gains
    rows = frame("place", gains, ridge)
    return rows.assign(log_sigma=rows["place"].map(PLACES))


@pytest.mark.parametrize(
    ("at", "gains", "outcome"),
    [
        (None, {}, REPRODUCED),
        ("named", {}, REPRODUCED),
        (None, {"q90": -1.0}, NOT_REPRODUCED),
        ("named", {"q90": -1.0}, REPRODUCED),
        ("named", {"named": -1.0}, NOT_REPRODUCED),
    ],
)
def test_a_gain_at_one_place_or_at_all(at, gains, outcome):
    found = report.regression_gain({FIGURE_1A: over_sigma(gains)}, at)
    assert outcome_of(found) == outcome


@pytest.mark.parametrize(
    ("minimum", "gains", "ridge", "outcome"),
    [
        ("named", {}, {}, REPRODUCED),
        ("named", {"q90": 2.5}, {}, NOT_REPRODUCED),
        ("named", {"q30": 3.0}, {}, NOT_REPRODUCED),
        # another place is lowest on ridge regression's curve
        ("ridge_curve", {}, {"q30": -2.0}, NOT_REPRODUCED),
        ("ridge_curve", {"q30": 3.0}, {"q30": -2.0}, REPRODUCED),
    ],
)
def test_gain_is_compared_with_that_of_the_chosen_minimum(minimum, gains, ridge, outcome):
    found = report.gain_most_at_minimum(over_sigma(gains, ridge), minimum)
    assert outcome_of(found) == outcome


@pytest.mark.parametrize(
    ("gains", "falls", "grows"),
    [
        ((0.0, 1.0, 2.0), REPRODUCED, REPRODUCED),
        ((2.0, 1.0, 0.0), NOT_REPRODUCED, NOT_REPRODUCED),
        ((0.0, 3.0, 2.0), REPRODUCED, NOT_REPRODUCED),
        ((1.0, -1.0, 1.5), REPRODUCED, REPRODUCED),  # lower at the end, but first rising
    ],
)
def test_the_error_falls_and_the_gain_grows(gains, falls, grows):
    rows = frame("size", dict(zip((1, 5, 25), gains, strict=True)))
    assert outcome_of(report.error_falls({f"{report.PAPER}/figure_1b": rows})) == falls
    assert outcome_of(report.gain_grows(rows, 25, [1, 5])) == grows


def search(log_sigma=0.7, gamma=0.005, spread=0.0, n=20, step=0.1):
    """Rows of a search whose mean surface is 1 at its least place, and paraboloid."""
    rng, rows = np.random.default_rng(0), []
    for split in range(n):
        level = spread * rng.standard_normal()
        for at in np.arange(-1.0, 3.05, step).round(2):
            distance = np.log(search_measures.GAMMAS / gamma)
            errors = 1 + 0.1 * distance**2 + (1 + level) * (at - log_sigma) ** 2
            columns = {f"loo_{j}": error for j, error in enumerate(errors)}
            rows.append({"split": split, "log_sigma": at} | columns)
    return pd.DataFrame(rows).sample(frac=1.0, random_state=0)


def found(**changed):
    return search_measures.loo_excess({"transductive_regression/search_boston": search(**changed)})


def test_the_excess_is_that_of_the_printed_place():
    assert found().estimate == pytest.approx(0.0, abs=1e-12)
    assert found(log_sigma=1.2).estimate == pytest.approx(0.25)
    assert found(gamma=0.01).estimate == pytest.approx(0.1 * np.log(2) ** 2)
    # between two points of the grid
    assert found(log_sigma=0.75, step=0.25).estimate == pytest.approx(0.2 * 0.25**2)


def test_the_jackknife_is_that_of_a_mean():
    value = found(log_sigma=1.2, spread=0.3)
    levels = 1 + 0.3 * np.random.default_rng(0).standard_normal(20)
    assert value.sd == pytest.approx(0.25 * levels.std(ddof=1), rel=1e-6) and value.n == 20
