"""The identities of leave-one-out, on small sizes."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import unit_rows

from transductive.leave_one_out import RidgeSpectrum
from transductive_compendium.exact import loo_reference as reference
from transductive_compendium.papers.transductive_regression import identities
from transductive_compendium.papers.transductive_regression.gaussian_ridge import transduction


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(identities, "N_TRAIN", 12)
    monkeypatch.setattr(identities, "N_WORKING", 5)


def test_identities_hold(substitutes, few):
    rows = unit_rows(
        "transductive_regression/identities", {"dataset": "boston", "split": 0}, substitutes
    )
    assert list(rows["gamma"]) == list(identities.GAMMAS)
    exact = rows.drop(columns=["gamma", "printed_conforms", "printed_excess"])
    assert exact.to_numpy().max() < 1e-8
    assert not rows["printed_conforms"].any() and np.all(rows["printed_excess"] > 0)


@pytest.mark.parametrize("gamma", [1e-4, 0.1, 10.0])
def test_closed_form_without_the_basis_function(gram, gamma):
    K, y = gram()
    found = RidgeSpectrum(K, symmetric=True).loo_residuals_without_basis(y, gamma)
    refits = identities.refits_without_basis_functions(K, y, gamma, "coefficients")
    np.testing.assert_allclose(found[:, 0], refits, atol=1e-8)
    # which is not what (15) gives
    assert np.abs(found[:, 0] - reference.loo_residuals(K, y, gamma)).max() > 1e-3


def test_the_numerical_minimum_knows_no_matrix(gram):
    K, y = gram(14, seed=1)
    form, y0, values = transduction(K, y[:9], 0.1)
    found = identities.numerical_minimum(RidgeSpectrum(K, symmetric=True), y[:9], y0, 0.1)
    np.testing.assert_allclose(found, values, rtol=1e-9)
    assert identities.objective(form, y[:9], y0, found) <= identities.objective(
        form, y[:9], y0, found + 0.01
    )
    # a defect in (34) would show
    assert identities.deviation(y0, found) > 1e-2


def test_printed_equation(gram):
    K, y = gram(14, seed=2)
    form, y0, _ = transduction(K, y[:9], 0.1)
    assert identities.printed_solution(form, y[:9], y0) is None
    form, y0, values = transduction(K, y[:7], 0.1)
    wrong = identities.printed_solution(form, y[:7], y0)
    assert np.abs(wrong - values).max() > 1e-2
    cost = identities.objective(form, y[:7], y0, values)
    assert identities.objective(form, y[:7], y0, wrong) > cost
    residuals = reference.refitted_residuals(K, np.r_[y[:7], values], 0.1)
    expected = residuals @ residuals + 0.1 * np.sum((values - y0) ** 2)
    assert cost == pytest.approx(expected, rel=1e-8)


def test_same_rows_for_the_same_seed(substitutes, few):
    key = {"dataset": "kin32fh", "split": 1}
    pd.testing.assert_frame_equal(
        unit_rows("transductive_regression/identities", key, substitutes),
        unit_rows("transductive_regression/identities", key, substitutes),
    )
