"""Small ridges: exact residuals, and rows on small sizes."""

from fractions import Fraction

import numpy as np
import pytest
from paper_rooms import unit_rows

from transductive_compendium.papers.transductive_regression import small_ridge


def by_fractions(K, y, gamma):
    """C of (26) in rational arithmetic, by Gauss-Jordan elimination."""
    n = len(K)
    K = [[Fraction(float(v)) for v in row] for row in K]
    rows = [[sum(a * b for a, b in zip(r, s, strict=True)) for s in K] for r in K]
    for i in range(n):
        rows[i][i] += Fraction(gamma)
        rows[i] += [Fraction(gamma) * (i == j) for j in range(n)]
    for k in range(n):
        rows[k] = [v / rows[k][k] for v in rows[k]]
        for i in range(n):
            if i != k:
                rows[i] = [a - rows[i][k] * b for a, b in zip(rows[i], rows[k], strict=True)]
    C = [row[n:] for row in rows]
    image = [sum(c * Fraction(float(v)) for c, v in zip(row, y, strict=True)) for row in C]
    form = sum(a * Fraction(float(v)) for a, v in zip(image, y, strict=True))
    residuals = [float(image[i] / C[i][i]) for i in range(n)]
    return np.array(residuals), np.sqrt([float(form / C[i][i]) for i in range(n)])


@pytest.mark.parametrize("gamma", [1.0, 1e-10, 1e-30])
@pytest.mark.parametrize("log_sigma", [0.5, 4.0])
def test_decimal_arithmetic_is_exact(gram, gamma, log_sigma):
    K, y = gram(6, log_sigma=log_sigma)
    residuals, sizes = small_ridge.exact_loo(K, y, gamma)
    expected, expected_sizes = by_fractions(K, y, gamma)
    np.testing.assert_allclose(residuals, expected, rtol=1e-13)
    np.testing.assert_allclose(sizes, expected_sizes, rtol=1e-13)
    assert np.all(np.abs(residuals) <= sizes * (1 + 1e-12))


def test_small_ridges(substitutes, monkeypatch):
    monkeypatch.setattr(small_ridge, "N_POINTS", 8)
    key = {"dataset": "boston", "wider": 4.0, "split": 0}
    rows = unit_rows("transductive_regression/small_ridge", key, substitutes)
    assert set(rows["route"]) == set(small_ridge.ROUTES)
    table = rows.pivot(index="gamma", columns="route", values="error")
    # all routes are right where nothing is small, and one is lost where another is not
    assert table.loc[1.0].max() < 1e-9
    lost = table["K'K formed"] > 1
    assert lost.any() and table["factor of K"][lost].min() < 1e-6
    refused = rows[rows["route"] == "factor of K"].set_index("gamma")["refused"]
    assert not refused[refused.index > 1e-15].any()
    np.testing.assert_array_equal(rows["error"].isna(), rows["refused"])
