"""Table 1's validation on small sizes, and the free parameters from validation errors."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from transductive import TransductiveLinearDiscriminant
from transductive.kernels import rbf_gamma
from transductive_compendium.papers.transductive_regression import table_1_choice
from transductive_compendium.papers.transductive_regression import table_1_choice_measures as report
from transductive_compendium.papers.transductive_regression.table_1_chosen import (
    CHOSEN,
    CHOSEN_WITH,
    FREE,
)
from transductive_compendium.runner import load_recorded

AS_PRINTED = {"tld_basis": "rbf", "y0_basis": "training", "gamma_scale": "closed_form"}


@pytest.mark.parametrize("more", [0, 40])
def test_the_sweep_counts_what_the_estimator_gets_wrong(cancer, monkeypatch, more):
    """Points beyond the held-out ones change the transduction, but are not counted."""
    monkeypatch.setattr(table_1_choice, "GAMMAS", {"closed_form": (0.1, 1.0)})
    monkeypatch.setattr(table_1_choice, "GAMMAS_STAR", (0.1, 10.0))
    table = cancer["ida_heart"]
    X, y = (table.X - table.X.mean(0)) / table.X.std(0), table.y.astype(float)
    working, held = X[60 : 90 + more], y[60:90]
    found = dict(table_1_choice._discriminants(X[:60], y[:60], working, held, 4.0, AS_PRINTED))
    for gamma, gamma_star in product((0.1, 1.0), (0.1, 10.0, np.inf)):
        one = TransductiveLinearDiscriminant(gamma, gamma_star, gamma=rbf_gamma(4.0))
        labels = one.fit(X[:60], y[:60], working).transduction_[:30]
        method = "LD" if np.isinf(gamma_star) else "TLD"
        assert found[method, 4.0, np.nan, gamma, gamma_star] == np.sum(labels != held)


def _candidates(wrong, method="LD"):
    """Rows of `table_1_choice` from a dict of (sigma, gamma) to the counts of each training set."""
    rows = [
        {"method": method, "training_set": i, "sigma": s, "gamma": g, "wrong": float(count)}
        for (s, g), counts in wrong.items()
        for i, count in enumerate(counts)
    ]
    return pd.DataFrame(rows)


def test_the_median_is_taken_parameter_by_parameter():
    """Of the choices (1, 100), (1, 100), (2, 10), (4, 1), (4, 1): a pair that no set chose."""
    chosen = {(1.0, 100.0): (0, 0, 9, 9, 9), (2.0, 10.0): (9, 9, 0, 9, 9)}
    chosen |= {(4.0, 1.0): (9, 9, 9, 0, 0), (2.0, 100.0): (1, 1, 1, 1, 1)}
    rows = _candidates(chosen)
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
    """To three digits."""
    recorded = load_recorded("transductive_regression/table_1_choice")[0]
    for name, rows in recorded.query("working == 'fold'").groupby("dataset"):
        for rule, method in product(report.RULES, FREE):
            found = report.choose(rows, method, rule)
            np.testing.assert_allclose(CHOSEN[rule][name][method], found, rtol=5e-3)
    options = load_recorded("transductive_regression/table_1_choice_options")[0]
    assert set(options["option"]) == set(CHOSEN_WITH)
    for (option, name), rows in options.groupby(["option", "dataset"]):
        for method, frozen in CHOSEN_WITH[option][name].items():
            found = report.choose(rows, method, "least_mean")
            np.testing.assert_allclose(frozen, found, rtol=5e-3)


def test_leave_one_out_chooses_sigma_and_gamma_and_validation_the_rest():
    """(15) is least at sigma = 2, the errors are least at 1."""
    grid = product(range(5), (1.0, 2.0), (0.1,), (0.1, 1.0, 10.0, np.inf))
    rows = pd.DataFrame(grid, columns=["training_set", "sigma", "gamma", "gamma_star"])
    rows["method"] = np.where(np.isinf(rows["gamma_star"]), "LD", "TLD")
    rows["loo_error"] = 3.0 - rows["sigma"]
    rows["wrong"] = rows["sigma"] + 17.0 * (rows["gamma_star"] != 10.0)
    np.testing.assert_allclose(report.choose(rows, "LD", "leave_one_out"), (2.0, 0.1))
    np.testing.assert_allclose(report.choose(rows, "TLD", "leave_one_out"), (2.0, 0.1, 10.0))
    np.testing.assert_allclose(report.choose(rows, "TLD", "least_mean"), (1.0, 0.1, 10.0))
