"""Shared by experiments: ridge regression on Gaussian basis functions, transduction with it."""

import numpy as np

from transductive.kernels import gram_matrix, rbf_gamma
from transductive.leave_one_out import LooForm, RidgeSpectrum

from .regression_setting import scale

#: gamma* of the checks of equations.
GAMMA_STAR = 0.1


def random_rows(name, data, n, rng):
    """At most n random rows: features of unit variance over the whole set, and targets."""
    dataset = data[name]
    rows = rng.permutation(len(dataset.y))[:n]
    return scale(dataset.X, "unit variance")[rows], dataset.y[rows]


def gaussian_gram(X, log_sigma):
    """Gram matrix of the paper's basis functions, symmetric to the last bit."""
    K = gram_matrix(X, gamma=rbf_gamma(np.exp(log_sigma)))
    return np.tril(K) + np.tril(K, -1).T


def transduction(K, y, gamma):
    """Leave-one-out form of the joint set, Y0 (17) and Y* (34)."""
    n_train = len(y)
    sample = RidgeSpectrum(K[:n_train, :n_train], symmetric=True)
    y0 = K[n_train:, :n_train] @ sample.coefficients(y, gamma)
    form = LooForm(RidgeSpectrum(K, symmetric=True), gamma, n_train)
    return form, y0, form.transduce(y, y0, GAMMA_STAR)
