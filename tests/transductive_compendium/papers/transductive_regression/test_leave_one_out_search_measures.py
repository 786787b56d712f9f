"""Where the leave-one-out error is least: what the measure makes of rows."""

import numpy as np
import pandas as pd
from paper_rooms import outcome_of

from transductive_compendium.papers.transductive_regression import (
    leave_one_out_search_measures as report,
)
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED


def surfaces(log_sigma=0.7, gamma=0.005, item="search_boston", n=20):
    """Rows of a search whose mean surface is least at a place; single splits are elsewhere."""
    rng, rows = np.random.default_rng(0), []
    for split in range(n):
        away = rng.normal(0.0, 0.02, 2)
        for at in np.arange(-1.0, 3.05, 0.1).round(2):
            distance = np.log(report.GAMMAS / gamma) + away[0]
            errors = 1 + 0.1 * distance**2 + (at - log_sigma + away[1]) ** 2
            columns = {f"loo_{j}": error for j, error in enumerate(errors)}
            rows.append({"split": split, "log_sigma": at} | columns)
    return {f"transductive_regression/{item}": pd.DataFrame(rows)}


def test_the_printed_place_may_be_a_step_away():
    def outcome(**place):
        return outcome_of(report.printed_place(surfaces(**place), "search_boston"), 5)

    assert outcome() == REPRODUCED
    assert outcome(log_sigma=0.8, gamma=0.01) == REPRODUCED
    assert outcome(log_sigma=1.0) == NOT_REPRODUCED
    assert outcome(gamma=0.02) == NOT_REPRODUCED
    assert (
        "gamma 0.02, log sigma 0.70"
        in report.printed_place(surfaces(gamma=0.02), "search_boston").shown
    )
