"""The search for the published parameters, on small sizes."""

import numpy as np
import pytest
from paper_rooms import unit_rows

from transductive.kernels import gram_matrix, rbf_gamma
from transductive.leave_one_out.spectrum import PENALTIES
from transductive_compendium.papers.transductive_regression import gaussian_ridge, parameter_search
from transductive_compendium.papers.transductive_regression.parameter_search import (
    BASES,
    KERNELS,
    SCALINGS,
    gammas,
    log_sigmas,
)
from transductive_compendium.papers.transductive_regression.regression_setting import (
    PUBLISHED,
    SCALES,
    scale,
)


@pytest.mark.parametrize(
    ("kernel", "divisor"), [("2 sigma^2", 2), ("sigma^2", 1), ("4 sigma^2", 4)]
)
@pytest.mark.parametrize("base", [np.e, 10.0, 2.0])
def test_a_combination_is_a_shift_of_ln_sigma(kernel, divisor, base, substitutes):
    """On [0, 1] with any kernel and base: the same Gram matrix as on [-1, 1] with the shift."""
    X = substitutes["boston"].X[:9]
    X01 = (X - X.min(0)) / np.ptp(X, axis=0)
    log_sigma = 0.7
    gram = gram_matrix(X01, gamma=1.0 / (divisor * base ** (2 * log_sigma)))
    family, shift = SCALINGS["[0, 1]"]
    ln = log_sigma * np.log(base) + shift + KERNELS[kernel]
    same = gram_matrix(scale(X, family), gamma=rbf_gamma(np.exp(ln)))
    np.testing.assert_allclose(gram, same, rtol=1e-10)


def test_names_are_those_of_the_library_and_of_the_scalings():
    assert gaussian_ridge.PENALTIES == PENALTIES
    assert {family for family, _ in SCALINGS.values()} == set(SCALES)


def test_the_published_point_of_every_combination_is_on_the_grid():
    for name, (n_train, gamma, log_sigma) in PUBLISHED.items():
        for factor in (1, n_train):
            assert np.abs(gammas(name) - gamma * factor).min() < 1e-9
        for family, shift in SCALINGS.values():
            for kernel in KERNELS.values():
                for base in BASES.values():
                    there = log_sigma * base + kernel + shift
                    assert np.abs(log_sigmas(name, family) - there).min() < 1e-9


def test_search_rows_are_means_over_the_splits(substitutes, monkeypatch):
    monkeypatch.setattr(parameter_search, "log_sigmas", lambda name, scaling: np.array([0.5]))
    rows = unit_rows(
        "transductive_regression/parameter_search", {"dataset": "kin32fh", "group": 0}, substitutes
    )
    assert len(rows) == 4 * len(gammas("kin32fh"))
    row = rows[(rows.scaling == "[-1, 1]") & (rows.gamma == 0.1)].iloc[0]
    rng = np.random.default_rng(0)
    X, errors = scale(substitutes["kin32fh"].X, "[-1, 1]"), []
    for _ in range(parameter_search.N_SPLITS):
        train = rng.permutation(442)[:64]
        gram = gram_matrix(X[train], gamma=rbf_gamma(np.exp(0.5)))
        y = substitutes["kin32fh"].y[train]
        inverse = np.linalg.inv(gram + 0.1 * np.eye(64))  # penalty "norm"
        errors.append(np.mean((inverse @ (y - y.mean()) / np.diag(inverse)) ** 2))
    assert row.norm_centred == pytest.approx(np.mean(errors))
