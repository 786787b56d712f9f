"""Statements without an experiment of the paper's: what their measures make of rows."""

import numpy as np
import pandas as pd
from paper_rooms import outcome_of

from transductive_compendium.papers.transductive_regression import (
    regression_controls_measures as report,
)
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED


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
    return pd.DataFrame(rows)


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
