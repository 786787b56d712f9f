"""Claims on figure 1 as printed: what their measures make of rows."""

import numpy as np
import pandas as pd
from paper_rooms import outcome_of

from transductive_compendium.papers.transductive_regression import (
    figure_1_printed_measures as report,
)
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED

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


def over_sigma(minimum="named", ridge=None, **changed):
    gains = dict.fromkeys(PLACES, 1.0) | {"named": 2.0, "q50": 2.0} | changed
    rows = frame("place", gains, ridge, log_sigma=PLACES).assign(minimum=minimum)
    return {"transductive_regression/figure_1a_printed": rows}


def test_a_gain_at_one_place_or_at_all():
    def outcome(at=None, **changed):
        return outcome_of(report.printed_gain(over_sigma(**changed), "figure_1a", at))

    assert outcome() == outcome("named") == REPRODUCED
    assert outcome(q90=-1.0) == NOT_REPRODUCED and outcome("named", q90=-1.0) == REPRODUCED
    assert outcome("named", named=-1.0) == NOT_REPRODUCED


def test_most_at_the_minimum_that_is_meant():
    def outcome(**changed):
        return outcome_of(report.printed_most_at_minimum(over_sigma(**changed), "figure_1a"))

    assert outcome() == REPRODUCED
    assert outcome(q90=2.5) == NOT_REPRODUCED
    # another place is lowest on ridge regression's curve
    low = {"ridge": {"q30": -2.0}, "minimum": "ridge_curve"}
    assert outcome(**low) == NOT_REPRODUCED
    assert outcome(q30=3.0, **low) == REPRODUCED
    assert outcome(q30=3.0) == NOT_REPRODUCED


def over_sizes(*gains):
    rows = frame("size", dict(zip(SIZES, gains, strict=True)))
    return {"transductive_regression/figure_1b_printed": rows}


def test_the_error_falls_and_the_gain_grows():
    def falls(*gains):
        return outcome_of(report.printed_falls(over_sizes(*gains), "figure_1b"))

    def grows(*gains):
        found = report.printed_gain_grows(over_sizes(*gains), "figure_1b", 25, [1, 5])
        return outcome_of(found)

    assert falls(0.0, 1.0, 2.0) == grows(0.0, 1.0, 2.0) == REPRODUCED
    assert falls(2.0, 1.0, 0.0) == grows(2.0, 1.0, 0.0) == NOT_REPRODUCED
    assert grows(0.0, 3.0, 2.0) == NOT_REPRODUCED
    # lower at the end, but first rising
    assert falls(1.0, -1.0, 1.5) == REPRODUCED and falls(1.0, 2.0, 1.5) == REPRODUCED


def controls(test_at=0.1, loo_at=0.1, linear=3.0, free=3.0):
    rows = [
        {
            "dataset": name,
            "split": split,
            "gamma": gamma,
            "loo": 1 + np.log(gamma / loo_at) ** 2 + 0.01 * (split % 3),
            "mse": 1 + np.log(gamma / test_at) ** 2 + 0.01 * (split % 2),
            "mse_published": 1.0,
            "mse_linear": linear + 0.1 * (split % 2),
            "mse_held": 1.0,
            "mse_unconstrained": free if name == "boston" else 3.0,
        }
        for name in ("boston", "kin32fh")
        for split in range(40)
        for gamma in (0.01, 0.1, 0.2, 1.0)
    ]
    return {report.CONTROLS: pd.DataFrame(rows)}


def test_controls_need_both_data_sets():
    def outcome(worse, better, **changed):
        return outcome_of(report.gain_over_control(controls(**changed), worse, better))

    assert outcome("mse_linear", "mse_published") == REPRODUCED
    assert outcome("mse_linear", "mse_published", linear=0.5) == NOT_REPRODUCED
    assert outcome("mse_unconstrained", "mse_held") == REPRODUCED
    assert outcome("mse_unconstrained", "mse_held", free=0.5) == NOT_REPRODUCED


def test_the_two_gammas_may_be_a_step_apart():
    def outcome(**changed):
        return outcome_of(report.same_gamma(controls(**changed), 5, 2.5))

    assert outcome() == outcome(loo_at=0.2) == REPRODUCED
    assert outcome(loo_at=1.0) == outcome(test_at=0.01) == NOT_REPRODUCED
