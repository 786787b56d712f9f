"""Table 1's validation, on small sizes."""

import numpy as np
import pytest
from paper_rooms import unit_rows

from transductive import TransductiveLinearDiscriminant
from transductive.kernels import rbf_gamma
from transductive_compendium.papers.transductive_regression import table_1_choice

AS_PRINTED = {"tld_basis": "rbf", "y0_basis": "training", "gamma_scale": "closed_form"}


@pytest.fixture
def small_grids(monkeypatch):
    for name, values in (
        ("WIDTHS", (0.5, 1.0)),
        ("COSTS", (1.0,)),
        ("GAMMAS", {"closed_form": (0.1, 1.0), "functional": (0.001, 0.01, 0.1)}),
        ("GAMMAS_STAR", (0.1, 10.0)),
    ):
        monkeypatch.setattr(table_1_choice, name, values)


@pytest.mark.parametrize("more", [0, 40])
def test_the_sweep_counts_what_the_estimator_gets_wrong(small_grids, cancer, more):
    """Points beyond the held-out ones change the transduction, but are not counted."""
    table = cancer["ida_heart"]
    X, y = (table.X - table.X.mean(0)) / table.X.std(0), table.y.astype(float)
    working, held = X[60 : 90 + more], y[60:90]
    found = dict(table_1_choice._discriminants(X[:60], y[:60], working, held, 4.0, AS_PRINTED))
    for gamma in table_1_choice.GAMMAS["closed_form"]:
        for gamma_star in (*table_1_choice.GAMMAS_STAR, np.inf):
            one = TransductiveLinearDiscriminant(gamma, gamma_star, gamma=rbf_gamma(4.0))
            labels = one.fit(X[:60], y[:60], working).transduction_[:30]
            method = "LD" if np.isinf(gamma_star) else "TLD"
            wrong = found[method, 4.0, np.nan, gamma, gamma_star]
            assert wrong == np.sum(labels != held)


@pytest.mark.parametrize(
    ("key", "option", "sizes"),
    [
        # 2 widths; 1 cost; 2 gammas with LD and 2 gamma_star
        ({}, {}, {"SVM": 2, "LD": 4, "TLD": 8}),
        ({"working": "all"}, {}, {"TLD": 8}),
        ({}, {"tld_basis": "linear"}, {"LD": 2, "TLD": 4}),  # one width
        ({}, {"y0_basis": "all"}, {"TLD": 8}),
        ({}, {"gamma_scale": "functional"}, {"LD": 6, "TLD": 12}),  # its own gammas
    ],
)
def test_every_candidate_has_a_row(small_grids, cancer, key, option, sizes):
    key = {"dataset": "ida_heart", "training_set": 0, "working": "fold"} | key
    rows = unit_rows("transductive_regression/table_1_choice", key, cancer, **option)
    assert rows.groupby("method").size().to_dict() == sizes
    assert rows["wrong"].between(0, 341 // 2).all()
    assert rows["loo_error"].notna().equals(rows["method"] == "LD")
