"""Outputs of the margin estimators agree with one another, whatever the scales of the features."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from transductive import TransductiveSVC, UniversumSVC


@pytest.mark.parametrize("part", range(4))
def test_objective_gap_and_values_are_those_of_the_solution(part):
    rng = np.random.default_rng(part)
    for _ in range(125):
        l, m, d = rng.integers(4, 13), rng.integers(1, 7), rng.integers(1, 5)
        scales = 10.0 ** rng.uniform(-4, 4, d)
        Z = (rng.standard_normal((l + m, d)) + rng.choice([0.0, 1.0, 30.0])) * scales
        y = np.r_[0, 1, rng.integers(0, 2, l - 2)]
        X, W, C = Z[:l], Z[l:], 10.0 ** rng.uniform(-3, 3)
        kernel = rng.choice(["linear", "poly", "rbf", "laplacian", "cosine"])
        same = {"kernel": kernel, "degree": 2, "coef0": 1.0, "max_iter": 500}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            warnings.simplefilter("ignore", UserWarning)
            svm = TransductiveSVC(C, C, manifold=float(rng.integers(2)), n_positive=m // 2, **same)
            svm.fit(X, y, W)
            universum = UniversumSVC(C, C, **same).fit(X, y, W)
        for model, others in ((svm, svm.working_values_), (universum, universum.universum_values_)):
            f = model.decision_function(Z)
            K = model._kernel(Z, Z) if model._deformed is None else model._deformed.rows(Z)
            b = model.dual_coef_
            # rounding of K b; a deformed kernel solves a linear system for each new point
            size = np.abs(K).max() * np.abs(b).sum() + np.abs(f).max()
            rounding = (1e-12 if model._deformed is None else 1e-8) * size
            np.testing.assert_allclose(others, f[l:], rtol=1e-9, atol=rounding)
            signs = np.r_[2 * y - 1, np.zeros(m)]
            if model is svm:
                signs[l:] = 2 * svm.transduction_ - 1
            costs, loss = np.full(l + m, C), 0.0
            if model is universum:
                costs[l:], loss = 0.0, C * np.maximum(0.0, np.abs(f[l:]) - 0.1).sum()
            primal = 0.5 * b @ K @ b + costs @ np.maximum(0.0, 1.0 - signs * f) + loss
            slack = rounding * (np.abs(b).sum() + C * (l + m))
            np.testing.assert_allclose(model.objective_, primal, rtol=1e-9, atol=slack)
            if model is universum:
                # by weak duality, any feasible coefficients give a lower bound
                dual = b[:l] @ signs[:l] - 0.1 * np.abs(b[l:]).sum() - 0.5 * b @ K @ b
                assert model.objective_ - dual <= model.gap_ + slack
                assert np.abs(b).max() <= C * (1 + 1e-9) and abs(b.sum()) <= 1e-9 * np.abs(b).sum()
