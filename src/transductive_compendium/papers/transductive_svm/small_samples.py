"""Small random samples of data sets, to compare labellings of the working points."""

import numpy as np
from sklearn.preprocessing import scale

from transductive.kernels import gram_matrix

from .two_clouds import two_clouds

SETS = ("ida_heart", "ida_thyroid", "banana", "digits")
CLOUDS = "clouds"
#: Training points, both classes among them.
N_TRAIN = 10


def random_sample(name, n, data, rng):
    """Random rows of a data set or of two clouds; the first `N_TRAIN` have both classes.

    Returns
    -------
    gram : ndarray of shape (n, n)
        RBF kernel; its gamma is one over the number of features and the variance of the table.
    y : ndarray of shape (n,)
    """
    if name == CLOUDS:
        X, y = two_clouds(0.25, rng)
    else:
        X, y = data[name].X, data[name].y
        X = scale(X) if data[name].substitute and name != "digits" else X
    gamma = 1.0 / (X.shape[1] * X.var())
    order = rng.permutation(len(y))[:n]
    while len(np.unique(y[order[:N_TRAIN]])) < 2:
        order = rng.permutation(len(y))[:n]
    return gram_matrix(X[order], gamma=gamma), y[order].astype(float)
