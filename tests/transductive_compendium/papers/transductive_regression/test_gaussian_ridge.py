"""Ridge regression with both penalties."""

import numpy as np

from transductive.kernels import gram_matrix
from transductive.leave_one_out import RidgeSpectrum
from transductive_compendium.papers.transductive_regression.gaussian_ridge import both_penalties
from transductive_compendium.papers.transductive_regression.regression_setting import scale


def test_one_factorisation_serves_both_penalties(substitutes):
    X, y = scale(substitutes["boston"].X[:40], "unit variance"), substitutes["boston"].y[:40]
    gram = gram_matrix(X, gamma=0.1)
    for penalty, ridge in both_penalties(gram.copy()).items():
        alone = RidgeSpectrum(gram, symmetric=True, penalty=penalty)
        np.testing.assert_allclose(ridge.loo_errors(y, [0.1, 1]), alone.loo_errors(y, [0.1, 1]))
        np.testing.assert_allclose(ridge.coefficients(y, 0.1), alone.coefficients(y, 0.1))
