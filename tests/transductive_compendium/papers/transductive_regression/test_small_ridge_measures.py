"""Claims on small ridges: what their measures make of rows."""

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.papers.transductive_regression import small_ridge_measures as report
from transductive_compendium.papers.transductive_regression.small_ridge import (
    GAMMAS,
    N_POINTS,
)
from transductive_compendium.runner import RecordMissingError, load_recorded
from transductive_compendium.verdicts.rules import HOLDS, decide_mathematics


def holds(evidence):
    return decide_mathematics(evidence).outcome == HOLDS


def test_recorded_rows_have_what_the_measures_read():
    try:
        rows, _ = load_recorded(report.ITEM)
    except RecordMissingError:
        pytest.skip("not recorded")
    assert set(["route", "gamma", "error", "error_of_complement", "refused", "norm"]) <= set(rows)


def small_ridge(power=0.5, route="K'K formed", plateau=1e-9, dataset="boston", wider=4.0):
    """The factor errs by eps |K| / sqrt(gamma) and is refused late; the other by its square."""
    gammas, norm = GAMMAS, 50.0
    own = np.minimum(2.2e-16 * norm / gammas**power, plateau)
    other = 2.2e-16 * norm**2 / gammas
    frames = [
        pd.DataFrame({"route": name, "gamma": gammas, "error": error, "refused": False})
        for name, error in ((report.FACTOR, own), (route, other))
    ]
    rows = pd.concat(frames, ignore_index=True)
    refused = (rows["route"] == report.FACTOR) & (rows["gamma"] < 1e-25)
    rows["error"] = rows["error"].mask(refused)
    rows = rows.assign(refused=refused, error_of_complement=rows["error"])
    return rows.assign(dataset=dataset, wider=wider, split=0, norm=norm)


def both_widths(**settings):
    parts = [small_ridge(**settings), small_ridge(**settings | {"wider": 0.0})]
    return {report.ITEM: pd.concat(parts, ignore_index=True)}


def test_errors_within_the_bound_and_no_refusal_without_need():
    assert holds(report.factor_within_bound(both_widths()))
    # an error that grows like the square is above the bound somewhere
    assert not holds(report.factor_within_bound(both_widths(power=1.0, plateau=1e9)))
    needless = both_widths()
    rows = needless[report.ITEM]
    rows.loc[(rows["route"] == report.FACTOR) & (rows["gamma"] < 1e-10), "refused"] = True
    found = report.factor_within_bound(needless)
    assert not holds(found)


def test_the_bound_is_the_one_of_the_text():
    rows = pd.DataFrame({"norm": [50.0], "gamma": [1e-8]})
    eta = 4 * np.sqrt(N_POINTS) * np.finfo(float).eps * 50.0 / 1e-4
    # to first order the relative error of C
    assert report.residual_bound(rows)[0] == pytest.approx(eta, rel=1e-6)
    # and a number however small gamma is
    assert np.isfinite(report.residual_bound(rows.assign(gamma=1e-40)))[0]


def test_lost_where_the_other_still_has_digits():
    frames = both_widths()
    found = report.digits_lost(frames, "K'K formed", 1.0, 1e-6)
    assert holds(found) and "1e-13" in found.shown
    # both lost at the same place: nothing is shown
    assert not holds(
        report.digits_lost(both_widths(power=1.0, plateau=1e9), "K'K formed", 1.0, 1e-6)
    )
    # a route that never loses its digits
    mild = both_widths()
    rows = mild[report.ITEM]
    rows.loc[rows["route"] == "K'K formed", "error"] = 1e-12
    assert not holds(report.digits_lost(mild, "K'K formed", 1.0, 1e-6))
    assert "at none" in report.digits_lost(mild, "K'K formed", 1.0, 1e-6).shown
    # what is not a number is lost
    rows.loc[(rows["route"] == "K'K formed") & (rows["gamma"] < 1e-20), "error"] = np.nan
    assert holds(report.digits_lost(mild, "K'K formed", 1.0, 1e-6))
    # one width may be enough, if it is the one that is asked for
    rows.loc[(rows["route"] == "K'K formed") & (rows["wider"] == 0), "error"] = 1e-12
    assert not holds(report.digits_lost(mild, "K'K formed", 1.0, 1e-6))
    assert holds(report.digits_lost(mild, "K'K formed", 1.0, 1e-6, singular=True))
