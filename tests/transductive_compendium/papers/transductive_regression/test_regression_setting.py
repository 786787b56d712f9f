"""Section 4.1: scalings, and parameters that a search finds."""

import numpy as np
import pytest

from transductive.kernels import gram_matrix, rbf_gamma
from transductive.leave_one_out import RidgeSpectrum
from transductive_compendium.datasets import available, load
from transductive_compendium.papers.transductive_regression.regression_setting import (
    CHOSEN,
    SETTINGS,
    scale,
)


def test_scalings_are_what_they_are_called(substitutes):
    X = substitutes["boston"].X
    scaled = scale(X, "unit variance")
    np.testing.assert_allclose([scaled.mean(0), scaled.std(0)], [[0] * 10, [1] * 10], atol=1e-9)
    scaled = scale(X, "[-1, 1]")
    np.testing.assert_allclose([scaled.min(0), scaled.max(0)], [[-1] * 10, [1] * 10])


@pytest.mark.skipif(not available("kin32fh"), reason="kin-32fh is not at hand")
@pytest.mark.parametrize("setting", SETTINGS)
def test_chosen_parameters_are_about_those_of_the_least_leave_one_out_error(setting):
    (penalty, scaling, centred), (gamma, log_sigma) = SETTINGS[setting], CHOSEN[setting]
    table, rng = load("kin32fh"), np.random.default_rng(0)
    X, gammas = scale(table.X, scaling), np.r_[gamma, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5]
    log_sigmas = np.r_[log_sigma, 1.0:3.05:0.25]
    errors = np.zeros((len(log_sigmas), len(gammas)))
    for _ in range(20):
        train = rng.permutation(len(X))[:64]
        y = table.y[train] - centred * table.y[train].mean()
        for i, width in enumerate(np.exp(log_sigmas)):
            gram = gram_matrix(X[train], gamma=rbf_gamma(width))
            errors[i] += RidgeSpectrum(gram, symmetric=True, penalty=penalty).loo_errors(y, gammas)
    assert errors[0, 0] < 1.02 * errors.min()
    assert errors[0, 0] < 0.95 * np.median(errors)
