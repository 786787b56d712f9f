"""The leave-one-out error at the printed place: what the measure makes of rows."""

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.papers.transductive_regression import (
    leave_one_out_search_measures as report,
)


def search(log_sigma=0.7, gamma=0.005, spread=0.0, n=20, step=0.1):
    """Rows of a search whose mean surface is 1 at its least place, and paraboloid."""
    rng, rows = np.random.default_rng(0), []
    for split in range(n):
        level = spread * rng.standard_normal()
        for at in np.arange(-1.0, 3.05, step).round(2):
            distance = np.log(report.GAMMAS / gamma)
            errors = 1 + 0.1 * distance**2 + (1 + level) * (at - log_sigma) ** 2
            columns = {f"loo_{j}": error for j, error in enumerate(errors)}
            rows.append({"split": split, "log_sigma": at} | columns)
    return pd.DataFrame(rows).sample(frac=1.0, random_state=0)


def found(**changed):
    return report.loo_excess({"transductive_regression/search_boston": search(**changed)})


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
