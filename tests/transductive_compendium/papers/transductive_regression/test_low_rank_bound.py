"""Low rank: the error of C, and rows on small sizes."""

import numpy as np
import pytest
from paper_rooms import unit_rows

from transductive.leave_one_out import LowRankRidge, RidgeSpectrum
from transductive.leave_one_out import _loo_reference as reference
from transductive_compendium.papers.transductive_regression import low_rank_bound


def test_error_of_the_complement_against_eigenvalues():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((20, 2))

    def kernel(A, B):
        return np.exp(-0.2 * np.sum((A[:, None] - B[None]) ** 2, axis=2))

    gamma = 0.1
    spectrum = RidgeSpectrum(kernel(X, X), symmetric=True)
    C = reference.complement(kernel(X, X), gamma)
    found = []
    for rank in (1, 5, 12):
        low = LowRankRidge(X, kernel, gamma, "coefficients", rank)
        T = low.factor @ low.half
        ratios = np.linalg.eigvals(np.linalg.solve(C, np.eye(20) - T @ T.T)).real
        found.append(low_rank_bound.complement_error(spectrum, gamma, low.factor))
        expected = max(ratios.max(), 1 / ratios.min()) - 1
        assert found[-1] == pytest.approx(expected, rel=1e-6, abs=1e-8)
    assert found[0] > 1 and found[-1] < 0.1
    whole = np.linalg.cholesky(kernel(X, X) + 1e-14 * np.eye(20))
    assert low_rank_bound.complement_error(spectrum, gamma, whole) < 1e-10


def test_low_rank(substitutes, monkeypatch):
    monkeypatch.setattr(low_rank_bound, "RANKS", (5, 20, 50))
    rows = unit_rows("transductive_regression/low_rank", {"n": 90, "split": 0}, substitutes)
    assert set(rows["rank"]) == {5, 20, 50}
    assert np.all(rows["complement"] <= rows["bound"] * (1 + 1e-9) + 1e-10)
    for _, part in rows.groupby("log_sigma"):
        assert np.all(np.diff(part["truncation"]) < 0) and np.all(np.diff(part["complement"]) < 0)
        assert part["transduction"].iloc[-1] < part["transduction"].iloc[0]
    eta = rows["truncation"]
    # the squared stretch of a shear by eta
    stretch = [np.linalg.norm([[1.0, 0.0], [e, 1.0]], 2) ** 2 - 1 for e in eta]
    np.testing.assert_allclose(rows["bound"], stretch, rtol=1e-6, atol=1e-9)
