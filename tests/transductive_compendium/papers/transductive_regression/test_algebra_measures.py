"""Claims on the algebra of leave-one-out: what their measures make of rows."""

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.papers.transductive_regression import algebra as experiments
from transductive_compendium.papers.transductive_regression import algebra_measures as report
from transductive_compendium.runner.records import RecordMissingError, load_recorded
from transductive_compendium.verdicts.rules import (
    INCONCLUSIVE,
    NOT_REPRODUCED,
    REPRODUCED,
    decide_equivalence,
    decide_identity,
    decide_ordering,
    ordering_p,
)


@pytest.mark.parametrize(
    ("item", "columns"),
    [
        (report.IDENTITIES, ["refits", "two_forms", "minimum", "printed_excess"]),
        (report.SMALL_RIDGE, ["route", "gamma", "error", "error_of_complement", "refused", "norm"]),
        (report.LOW_RANK, ["truncation", "bound", "complement", "transduction"]),
        (report.BASIS, ["dataset", "split", "gamma", "kept", "dropped", "norm", "test"]),
    ],
)
def test_recorded_rows_have_what_the_measures_read(item, columns):
    try:
        rows, _ = load_recorded(item)
    except RecordMissingError:
        pytest.skip("not recorded")
    assert set(columns) <= set(rows)


# ---- identities ---------------------------------------------------------------------------------


def identities(**changes):
    rows = pd.DataFrame(
        {"refits": [1e-12, 3e-11], "two_forms": [2e-15, 0.0], "printed_excess": [0.5, 40.0]}
    )
    return {report.IDENTITIES: rows.assign(**{"printed_conforms": False, **changes})}


def test_the_largest_deviation_decides():
    found = report.largest_deviation(identities(), ["refits", "two_forms"])
    assert found.error == 3e-11
    assert decide_identity(found, 1e-8).outcome == REPRODUCED
    off = report.largest_deviation(identities(two_forms=[0.0, 1e-6]), ["refits", "two_forms"])
    assert decide_identity(off, 1e-8).outcome == NOT_REPRODUCED
    # columns that are not asked for do not count
    assert report.largest_deviation(identities(), ["two_forms"]).error == 2e-15


def test_the_printed_equation_is_wrong_only_if_everywhere():
    assert report.printed_is_wrong(identities(), 0.01).holds
    assert not report.printed_is_wrong(identities(), 0.6).holds
    assert not report.printed_is_wrong(identities(printed_excess=[0.0, 1.0]), 0.01).holds
    once = identities(printed_conforms=[True, False])
    assert not report.printed_is_wrong(once, 0.01).holds


# ---- small ridges -------------------------------------------------------------------------------


def small_ridge(power=0.5, route="K'K formed", plateau=1e-9, dataset="boston", wider=4.0):
    """Our route errs by eps |K| / sqrt(gamma) and is refused late; the other by its square."""
    gammas, norm = experiments.SMALL_GAMMAS, 50.0
    ours = np.minimum(2.2e-16 * norm / gammas**power, plateau)
    other = 2.2e-16 * norm**2 / gammas
    frames = [
        pd.DataFrame({"route": name, "gamma": gammas, "error": error, "refused": False})
        for name, error in ((report.FACTOR, ours), (route, other))
    ]
    rows = pd.concat(frames, ignore_index=True)
    refused = (rows["route"] == report.FACTOR) & (rows["gamma"] < 1e-25)
    rows["error"] = rows["error"].mask(refused)
    rows = rows.assign(refused=refused, error_of_complement=rows["error"])
    return rows.assign(dataset=dataset, wider=wider, split=0, norm=norm)


def both_widths(**settings):
    parts = [small_ridge(**settings), small_ridge(**settings | {"wider": 0.0})]
    return {report.SMALL_RIDGE: pd.concat(parts, ignore_index=True)}


def test_errors_within_the_bound_and_no_refusal_without_need():
    assert report.factor_within_bound(both_widths()).holds
    # an error that grows like the square is above the bound somewhere
    assert not report.factor_within_bound(both_widths(power=1.0, plateau=1e9)).holds
    needless = both_widths()
    rows = needless[report.SMALL_RIDGE]
    rows.loc[(rows["route"] == report.FACTOR) & (rows["gamma"] < 1e-10), "refused"] = True
    found = report.factor_within_bound(needless)
    assert not found.holds and "without need" in found.detail


def test_the_bound_is_the_one_of_the_text():
    rows = pd.DataFrame({"norm": [50.0], "gamma": [1e-8]})
    eta = 4 * np.sqrt(experiments.N_POINTS) * np.finfo(float).eps * 50.0 / 1e-4
    # to first order the relative error of C
    assert report.residual_bound(rows)[0] == pytest.approx(eta, rel=1e-6)
    # and a number however small gamma is
    assert np.isfinite(report.residual_bound(rows.assign(gamma=1e-40)))[0]


def test_lost_where_the_other_still_has_digits():
    frames = both_widths()
    found = report.digits_lost(frames, "K'K formed", 1.0, 1e-6)
    assert found.holds and "1e-13" in found.detail
    # both lost at the same place: nothing is shown
    assert not report.digits_lost(
        both_widths(power=1.0, plateau=1e9), "K'K formed", 1.0, 1e-6
    ).holds
    # a route that never loses its digits
    mild = both_widths()
    rows = mild[report.SMALL_RIDGE]
    rows.loc[rows["route"] == "K'K formed", "error"] = 1e-12
    assert not report.digits_lost(mild, "K'K formed", 1.0, 1e-6).holds
    assert "at none" in report.digits_lost(mild, "K'K formed", 1.0, 1e-6).detail
    # numbers that are no numbers are lost
    rows.loc[(rows["route"] == "K'K formed") & (rows["gamma"] < 1e-20), "error"] = np.nan
    assert report.digits_lost(mild, "K'K formed", 1.0, 1e-6).holds
    # one width may be enough, if it is the one that is asked for
    rows.loc[(rows["route"] == "K'K formed") & (rows["wider"] == 0), "error"] = 1e-12
    assert not report.digits_lost(mild, "K'K formed", 1.0, 1e-6).holds
    assert report.digits_lost(mild, "K'K formed", 1.0, 1e-6, singular=True).holds


# ---- low rank -----------------------------------------------------------------------------------


def low_rank(**changes):
    rows = pd.DataFrame(
        {
            "truncation": [2.0, 0.1, 1e-3, 1e-12],
            "bound": [5.0, 0.11, 1e-3, 1e-12],
            "complement": [0.3, 0.01, 1e-5, 1e-10],
            "transduction": [0.5, 0.02, 1e-4, 1e-10],
        }
    )
    return {report.LOW_RANK: rows.assign(**changes)}


def test_a_bound_holds_in_every_row_or_not():
    assert report.truncation_bounds(low_rank()).holds
    above = report.truncation_bounds(low_rank(complement=[0.3, 0.2, 1e-5, 0.0]))
    assert not above.holds and above.detail.startswith("1 of 4")


def test_values_count_where_little_is_left_out():
    assert report.values_within(low_rank(), 0.01, 0.01).holds
    assert not report.values_within(low_rank(), 0.2, 0.01).holds
    # with nothing to look at nothing is shown
    assert not report.values_within(low_rank(truncation=1.0), 0.01, 0.01).holds


# ---- whose basis function goes ------------------------------------------------------------------


def basis(kept_at=0.1, dropped_at=0.1, small=3.0, n=40, spread=0.02):
    """Both leave-one-out errors smallest at a gamma of their own; test error smallest at 0.1."""
    rng = np.random.default_rng(0)
    grid = pd.MultiIndex.from_product(
        [["boston", "diabetes"], range(n), [0.7, 1.4], 10.0 ** np.arange(-4, 2)],
        names=["dataset", "split", "log_sigma", "gamma"],
    )
    rows = grid.to_frame(index=False)

    def valley(at, log_sigma):
        away = np.log10(rows["gamma"] / at) ** 2 + (rows["log_sigma"] != log_sigma)
        return 10.0 * (1 + 0.1 * away)

    noise = 1 + spread * rng.standard_normal(len(rows))
    rows["test"] = valley(0.1, 0.7) * noise
    rows["test_norm"] = rows["test"] + 1
    rows["kept"] = valley(kept_at, 0.7) * np.where(rows["gamma"] < 0.01, small, 1.0)
    rows["dropped"] = valley(dropped_at, 0.7)
    rows["norm"] = valley(0.1, 1.4)
    return rows


def test_choices_are_the_smallest_estimates():
    table = report.choices(basis(kept_at=1.0, dropped_at=0.01, spread=0.0))
    assert len(table) == 2 * 40 * 4
    for estimate, gamma, log_sigma in (
        ("kept", 1.0, 0.7),
        ("dropped", 0.01, 0.7),
        ("norm", 0.1, 1.4),
        ("test", 0.1, 0.7),
    ):
        part = table[table["estimate"] == estimate]
        np.testing.assert_allclose(part["gamma"], gamma)
        np.testing.assert_allclose(part["log_sigma"], log_sigma)
    # test errors by the form that the estimate is of
    by = table.set_index("estimate")["test_error"].groupby(level=0).first()
    assert by["kept"] == pytest.approx(11.0) and by["test"] == pytest.approx(10.0)
    assert by["norm"] == pytest.approx(12.0)


def decided(rows, dataset="boston"):
    return decide_equivalence(report.choice_of_basis({report.BASIS: rows}, dataset), 0.05).outcome


def test_choices_that_do_not_matter_and_that_do():
    assert decided(basis()) == REPRODUCED
    assert decided(basis(kept_at=10.0)) == NOT_REPRODUCED
    assert decided(basis(kept_at=10.0, spread=0.3)) == INCONCLUSIVE
    # one data set does not stand for the other
    mixed = basis(kept_at=10.0)
    fine = basis()
    rows = pd.concat([mixed[mixed["dataset"] == "boston"], fine[fine["dataset"] == "diabetes"]])
    assert decided(rows) == NOT_REPRODUCED and decided(rows, "diabetes") == REPRODUCED


def nearer(rows, largest=0.001):
    evidence = report.nearer_without_basis({report.BASIS: rows}, "boston", largest)
    return decide_ordering(evidence, ordering_p(evidence), 0.1)


def test_further_from_the_test_error_at_small_ridges():
    found = nearer(basis(spread=0.1))
    assert found.outcome == REPRODUCED
    evidence = report.nearer_without_basis({report.BASIS: basis(spread=0.0)}, "boston", 0.001)
    np.testing.assert_allclose(evidence.differences, np.log(3.0))
    # factors too small and too large are the same distance
    evidence = report.nearer_without_basis(
        {report.BASIS: basis(spread=0.0, small=1 / 3)}, "boston", 0.001
    )
    np.testing.assert_allclose(evidence.differences, np.log(3.0))
    assert nearer(basis(spread=0.1, small=1.0)).outcome == NOT_REPRODUCED
