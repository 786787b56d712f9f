"""The free parameters of Table 1 from validation errors."""

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.papers.transductive_regression import table_1_choice_measures as report
from transductive_compendium.papers.transductive_regression.table_1_chosen import (
    CHOSEN,
    CHOSEN_WITH,
    FREE,
)
from transductive_compendium.runner import RecordMissingError, load_recorded


def _candidates(wrong, method="LD"):
    """Rows of `table_1_choice` from a dict of (sigma, gamma) to the counts of each training set."""
    return pd.DataFrame(
        [
            {"method": method, "training_set": i, "sigma": s, "gamma": g, "wrong": float(count)}
            for (s, g), counts in wrong.items()
            for i, count in enumerate(counts)
        ]
    )


def test_the_median_is_taken_parameter_by_parameter():
    """Of the choices (1, 100), (1, 100), (2, 10), (4, 1), (4, 1): a pair that no set chose."""
    rows = _candidates(
        {
            (1.0, 100.0): (0, 0, 9, 9, 9),
            (2.0, 10.0): (9, 9, 0, 9, 9),
            (4.0, 1.0): (9, 9, 9, 0, 0),
            (2.0, 100.0): (1, 1, 1, 1, 1),
        }
    )
    np.testing.assert_allclose(report.choose(rows, "LD", "median"), (2.0, 10.0))
    np.testing.assert_allclose(report.choose(rows, "LD", "least_mean"), (2.0, 100.0))


def test_ties_are_settled_by_the_tied_candidate_in_the_middle_of_the_logarithms():
    tied = {(1.0, 0.01): (3,) * 5, (8.0, 1.0): (3,) * 5, (4.0, 0.1): (3,) * 5}
    worse = {(4.0, 0.01): (4,) * 5}
    for rule in report.RULES:
        np.testing.assert_allclose(report.choose(_candidates(tied | worse), "LD", rule), (4.0, 0.1))
        # the medians, (2, 0.1), are no candidate; of two that are equally near, the first
        two = _candidates({(1.0, 0.01): (3,) * 5, (4.0, 1.0): (3,) * 5} | worse)
        np.testing.assert_allclose(report.choose(two, "LD", rule), (1.0, 0.01))


def test_the_frozen_parameters_are_those_that_the_recorded_choice_gives():
    try:
        recorded = load_recorded("transductive_regression/table_1_choice")[0]
    except RecordMissingError:
        pytest.skip("the choice is not recorded")
    recorded = recorded[recorded.working == "fold"]
    for name, rows in recorded.groupby("dataset"):
        for rule in report.RULES:
            for method in FREE:
                found = report.choose(rows, method, rule)
                np.testing.assert_allclose(
                    CHOSEN[rule][name][method], found, rtol=5e-3
                )  # three digits


def test_the_frozen_parameters_of_the_options_are_those_that_their_choice_gives():
    try:
        recorded = load_recorded("transductive_regression/table_1_choice_options")[0]
    except RecordMissingError:
        pytest.skip("the choice is not recorded")
    assert set(recorded["option"]) == set(CHOSEN_WITH)
    for (option, name), rows in recorded.groupby(["option", "dataset"]):
        for method, frozen in CHOSEN_WITH[option][name].items():
            found = report.choose(rows, method, "least_mean")
            np.testing.assert_allclose(frozen, found, rtol=5e-3)  # three digits


def test_leave_one_out_chooses_sigma_and_gamma_and_validation_the_rest():
    rows = choice(10.0)
    ridge = rows["method"] == "LD"
    # (15) is least at 2, the errors at 1
    rows.loc[ridge, "loo_error"] = 3.0 - rows.loc[ridge, "sigma"]
    np.testing.assert_allclose(report.choose(rows, "LD", "leave_one_out"), (2.0, 0.1))
    np.testing.assert_allclose(report.choose(rows, "TLD", "leave_one_out"), (2.0, 0.1, 10.0))
    np.testing.assert_allclose(report.choose(rows, "TLD", "least_mean"), (1.0, 0.1, 10.0))


def choice(best_gamma_star):
    """Rows of `table_1_choice` for one set: TLD best at one gamma_star, LD worse, SVM not asked."""
    rows = []
    for number in range(5):
        base = {"dataset": "ida_heart", "working": "fold", "training_set": number}
        for sigma in (1.0, 2.0):
            rows.append({**base, "method": "SVM", "sigma": sigma, "C": 1.0, "wrong": 0.0})
            for gamma_star in (0.1, 1.0, 10.0, np.inf):
                row = {"method": "LD" if np.isinf(gamma_star) else "TLD", "sigma": sigma}
                wrong = 34.0 if gamma_star == best_gamma_star else 51.0
                row |= {"gamma": 0.1, "gamma_star": gamma_star, "wrong": wrong + sigma}
                rows.append(base | row)
    return pd.DataFrame(rows)


def test_the_chosen_parameters_of_every_method_and_rule():
    chosen = report.chosen_table(choice(1.0))
    assert len(chosen) == 6
    for rule in report.RULES:
        row = chosen.loc["ida_heart", "fold", "TLD", rule]
        np.testing.assert_allclose(row[["sigma", "gamma", "gamma_star"]], (1.0, 0.1, 1.0))
        assert np.isnan(chosen.loc["ida_heart", "fold", "LD", rule]["gamma_star"])
