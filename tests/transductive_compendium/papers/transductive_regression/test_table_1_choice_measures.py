"""The free parameters of Table 1 from validation errors."""

from itertools import product

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


def recorded(item):
    try:
        return load_recorded(f"transductive_regression/{item}")[0]
    except RecordMissingError:
        pytest.skip("the choice is not recorded")


def test_the_frozen_parameters_are_those_that_the_recorded_choice_gives():
    """To three digits."""
    for name, rows in recorded("table_1_choice").query("working == 'fold'").groupby("dataset"):
        for rule, method in product(report.RULES, FREE):
            found = report.choose(rows, method, rule)
            np.testing.assert_allclose(CHOSEN[rule][name][method], found, rtol=5e-3)
    options = recorded("table_1_choice_options")
    assert set(options["option"]) == set(CHOSEN_WITH)
    for (option, name), rows in options.groupby(["option", "dataset"]):
        for method, frozen in CHOSEN_WITH[option][name].items():
            found = report.choose(rows, method, "least_mean")
            np.testing.assert_allclose(frozen, found, rtol=5e-3)


def test_leave_one_out_chooses_sigma_and_gamma_and_validation_the_rest():
    rows = pd.DataFrame(
        [
            {"method": "TLD" if np.isfinite(gamma_star) else "LD", "training_set": number}
            | {"sigma": sigma, "gamma": 0.1, "gamma_star": gamma_star}
            # (15) is least at 2, the errors at 1
            | {"loo_error": 3.0 - sigma, "wrong": sigma + 17.0 * (gamma_star != 10.0)}
            for number in range(5)
            for sigma in (1.0, 2.0)
            for gamma_star in (0.1, 1.0, 10.0, np.inf)
        ]
    )
    np.testing.assert_allclose(report.choose(rows, "LD", "leave_one_out"), (2.0, 0.1))
    np.testing.assert_allclose(report.choose(rows, "TLD", "leave_one_out"), (2.0, 0.1, 10.0))
    np.testing.assert_allclose(report.choose(rows, "TLD", "least_mean"), (1.0, 0.1, 10.0))
