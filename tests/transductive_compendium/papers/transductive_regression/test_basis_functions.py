"""With and without the basis function of the pair left out: rows on small sizes."""

import numpy as np
import pytest
from paper_rooms import unit_rows

from transductive.leave_one_out import RidgeSpectrum
from transductive_compendium.exact import loo_reference as reference
from transductive_compendium.papers.transductive_regression import basis_functions
from transductive_compendium.papers.transductive_regression.gaussian_ridge import (
    gaussian_gram,
    random_rows,
)


def test_basis_functions(substitutes, monkeypatch):
    monkeypatch.setattr(basis_functions, "GAMMAS", np.array([1e-5, 0.1]))
    monkeypatch.setattr(basis_functions, "LOG_SIGMAS", (1.4,))
    rows = unit_rows(
        "transductive_regression/basis_functions", {"dataset": "boston", "split": 0}, substitutes
    )
    assert len(rows) == 2
    # the same rows drawn again, and every column by its definition
    X, targets = random_rows("boston", substitutes, None, np.random.default_rng(0))
    n = 3 * len(X) // 4
    y, truth = targets[:n] - targets[:n].mean(), targets[n:] - targets[:n].mean()
    K = gaussian_gram(X, 1.4)
    last = rows.iloc[1]
    fitted = K[n:, :n] @ reference.coefficients(K[:n, :n], y, 0.1)
    assert last["test"] == pytest.approx(np.mean((fitted - truth) ** 2), rel=1e-8)
    dual = K[n:, :n] @ np.linalg.solve(K[:n, :n] + 0.1 * np.eye(n), y)
    assert last["test_norm"] == pytest.approx(np.mean((dual - truth) ** 2), rel=1e-8)
    assert last["kept"] == pytest.approx(reference.loo_error(K[:n, :n], y, 0.1), rel=1e-8)
    residuals = RidgeSpectrum(K[:n, :n], symmetric=True).loo_residuals_without_basis(y, 0.1)
    assert last["dropped"] == pytest.approx(np.mean(residuals**2), rel=1e-10)
    refits = []
    for i in range(5):
        keep = np.arange(n) != i
        part = K[:n, :n][np.ix_(keep, keep)]
        refits.append(y[i] - K[i, :n][keep] @ reference.coefficients(part, y[keep], 0.1))
    np.testing.assert_allclose(residuals[:5, 0], refits, rtol=1e-7)
    assert rows["kept"].iloc[0] > 1.2 * rows["dropped"].iloc[0]
