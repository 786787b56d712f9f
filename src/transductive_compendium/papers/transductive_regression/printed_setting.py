"""Section 4.1 as printed: (9), (17), (22) to (34), with what the paper leaves open as parameters.

Names of parameters and their values are those of ``open_choices.yml``.
"""

import numpy as np

from transductive.kernels import gram_matrix, rbf_gamma
from transductive.leave_one_out import RidgeSpectrum

from ...runner import Parameter

DATASETS = ("boston", "kin32fh")
#: Training rows, published gamma and published log sigma.
PUBLISHED = {"kin32fh": (64, 0.1, 2.0), "boston": (481, 0.005, 0.7)}
N_TEST = {"boston": 25, "kin32fh": 256}
#: gamma and log sigma by option of "scaling": the least leave-one-out error over splits 0 to 4 of
#: `leave_one_out_search`.
OWN_MINIMA = {
    "delve": {"boston": (0.01, 1.2), "kin32fh": (0.05, 2.25)},
    "variance": {"boston": (0.01, 0.8), "kin32fh": (0.1, 1.75)},
}
#: gamma and log sigma on a data set with a scaling, by option of "parameters".
MINIMA = {
    "published": lambda name, scaling: PUBLISHED[name][1:],
    "own_minimum": lambda name, scaling: OWN_MINIMA[scaling][name],
}
#: gamma from which leave-one-out chooses.
GAMMAS = np.array([d * 10.0**e for e in range(-5, 1) for d in (1, 2, 5)] + [10.0])
BASES = {"natural": np.e, "ten": 10.0, "two": 2.0}
#: What gamma is multiplied by in a sum of squares over n points, by option of "gamma_scale".
GAMMA_TIMES = {"closed_form": lambda n: 1, "functional": lambda n: n}
#: Whether Y0 has all l + m basis functions, by option of "y0_basis".
Y0_OF_ALL = {"training": False, "all": True}


def _median_and_deviation(train):
    centre = np.median(train, axis=0)
    return centre, np.abs(train - centre).sum(axis=0) / (len(train) - 1)


def _mean_and_deviation(train):
    return train.mean(axis=0), train.std(axis=0, ddof=1)


def _middle_and_half_range(train):
    low, high = train.min(axis=0), train.max(axis=0)
    return (low + high) / 2, (high - low) / 2


#: Centre and width of each input, by option of "scaling"; "raw" leaves the inputs as they are.
SCALINGS = {
    "delve": _median_and_deviation,
    "variance": _mean_and_deviation,
    "unit_range": _middle_and_half_range,
}
#: Scaling of all inputs, by option of "binary"; "delve" gives those with two values -1 and 1.
ALL_ALIKE = {"delve": None, "standardised": "variance"}
#: For the searches, which identify the scaling and so start from its default.
DEFAULT_SCALING = {
    "scaling": Parameter("delve", str, "code of the inputs", choices=(*SCALINGS, "raw"))
}


def encoded(train, test, how, binary="delve"):
    """Inputs on the scale of the training cases, by options of "scaling" and "binary".

    DELVE divides by the mean absolute deviation from the median, with n - 1; a feature with two
    values gets -1 and 1. With ``binary="standardised"`` every feature gets mean 0 and variance 1.
    """
    how = ALL_ALIKE[binary] or how
    if how == "raw":
        return train, test
    centre, width = SCALINGS[how](train)
    if not ALL_ALIKE[binary]:
        both = np.vstack([train, test])
        low, high = both.min(axis=0), both.max(axis=0)
        two_values = ((both == low) | (both == high)).all(axis=0)
        centre = np.where(two_values, (low + high) / 2, centre)
        width = np.where(two_values, (high - low) / 2, width)
    width = np.where(width > 0, width, 1.0)
    return (train - centre) / width, (test - centre) / width


def centre_of(y, how):
    """Constant that is subtracted from the targets; their scale changes no ordering."""
    return {"delve": np.median(y), "mean": y.mean(), "raw": 0.0}[how]


def split_sizes(name, data):
    """Numbers of training and test rows of a split: the paper's, or as many as the table allows."""
    n_test = min(N_TEST[name], len(data.y) // 4)
    return min(PUBLISHED[name][0], len(data.y) - n_test), n_test


class PrintedSplit:
    """A random division of a table, ridge and transductive regression on it.

    Parameters
    ----------
    table : Dataset
    name : {"boston", "kin32fh"}
    params : dict
        Options by open choice.
    rng : Generator
    """

    def __init__(self, table, name, params, rng):
        n_train, n_test = split_sizes(name, table)
        order = rng.permutation(len(table.y))[: n_train + n_test]
        train, test = order[:n_train], order[n_train:]
        self.name, self.params, self.n_train, self.n_test = name, params, n_train, n_test
        binary = params.get("binary", "delve")  # kin-32fh has no binary input
        self.X, self.X_test = encoded(table.X[train], table.X[test], params["scaling"], binary)
        centre = centre_of(table.y[train], params["target"])
        self.y, self.truth = table.y[train] - centre, table.y[test] - centre

    def minimum(self):
        """gamma and log sigma of the figures."""
        return MINIMA[self.params["parameters"]](self.name, self.params["scaling"])

    def at(self, log_sigma):
        """The Gram matrices for one log sigma."""
        return PrintedFit(self, BASES[self.params["log_base"]] ** log_sigma)


class PrintedFit:
    """One width: factors of the training part, and kernel values of the rest."""

    def __init__(self, split, sigma):
        gamma = rbf_gamma(sigma)
        self.split, self.times = split, GAMMA_TIMES[split.params["gamma_scale"]]
        self.y0_of_all = Y0_OF_ALL[split.params["y0_basis"]]
        self.ridge = RidgeSpectrum(gram_matrix(split.X, gamma=gamma), overwrite=True)
        self.cross = gram_matrix(split.X, split.X_test, gamma=gamma)
        self.own = gram_matrix(split.X_test, gamma=gamma)
        if self.y0_of_all:
            self.square = gram_matrix(split.X, gamma=gamma)

    def chosen_gamma(self):
        """gamma of the least (15)."""
        times = self.times(self.split.n_train)
        return GAMMAS[self.ridge.loo_errors(self.split.y, GAMMAS * times).argmin()]

    def ridge_values(self, gamma):
        """(17) with the training basis functions: the plotted values of ridge regression."""
        times = self.times(self.split.n_train)
        return self.cross.T @ self.ridge.coefficients(self.split.y, gamma * times)

    def start(self, gamma, group):
        """Y0 at the points `group`."""
        if not self.y0_of_all:
            return self.ridge_values(gamma)[group]
        times = self.times(self.split.n_train)
        joint = np.hstack([self.square, self.cross[:, group]])  # (l, l + m) basis functions
        dual = np.linalg.solve(joint @ joint.T + gamma * times * np.eye(len(joint)), self.split.y)
        return np.hstack([self.cross[:, group].T, self.own[np.ix_(group, group)]]) @ (
            joint.T @ dual
        )

    def transduced(self, gamma, group, gammas_star):
        """Y* of (34) at the points `group`, transduced together, for each gamma*."""
        times = self.times(self.split.n_train + len(group))
        joining = JoiningPoints(self.ridge, self.cross, self.own, self.split.y, gamma * times)
        return joining.transduce(group, self.start(gamma, group), gammas_star)


class JoiningPoints:
    """Equation (34) for working points that join training points already factored.

    With P the inverse of ``K + z I`` on all points, ``z = -i sqrt(alpha)``, C is the real part of
    z P. The bordered inverse needs the factors of the training part alone, so that m points that
    join take O(l m^2) operations. The values are those of `LooForm.transduce`.

    Parameters
    ----------
    ridge : RidgeSpectrum
        Of the Gram matrix of the l training points.
    cross : ndarray of shape (l, w)
        Kernel values between training points and all that may join.
    own : ndarray of shape (w, w)
        Kernel values between those.
    y : ndarray of shape (l,)
    alpha : float
        gamma of the joint set, equation (23).
    """

    def __init__(self, ridge, cross, own, y, alpha):
        self.z, self.cross, self.own, self.y = -1j * np.sqrt(alpha), cross, own, y
        U = ridge.vectors
        inverse = 1.0 / (np.sqrt(ridge.spectrum) + self.z)
        # of P on the training points: its diagonal, P y and P cross
        self.diagonal = U**2 @ inverse
        self.Py = U @ (inverse * (y @ U))
        self.Pcross = U @ (inverse[:, None] * (U.T @ cross))

    def transduce(self, group, y0, alphas_star):
        """Values at the points `group`, which join together: a row for each alpha_star."""
        z, B, Q = self.z, self.cross[:, group], self.Pcross[:, group]
        schur = self.own[np.ix_(group, group)] + z * np.eye(len(group)) - B.T @ Q
        inverse = np.linalg.inv(schur)
        V = Q @ inverse
        # blocks of C, its diagonal, and C Y for Y* = 0
        C1, C2 = -(z * V).real, (z * inverse).real
        D, D_own = (z * (self.diagonal + (V * Q).sum(axis=1))).real, np.diag(C2)
        CY, CY_own = (z * (self.Py + V @ (Q.T @ self.y))).real, C1.T @ self.y
        M1y = C1.T @ (CY / D**2) + C2 @ (CY_own / D_own**2)
        M2 = C1.T @ (C1 / D[:, None] ** 2) + C2 @ (C2 / D_own[:, None] ** 2)
        eye = np.eye(len(group))
        return np.array([np.linalg.solve(M2 + a * eye, a * y0 - M1y) for a in alphas_star])
