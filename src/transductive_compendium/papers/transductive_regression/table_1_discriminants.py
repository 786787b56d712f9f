"""LD and TLD of Table 1 under each option for their basis functions and for gamma.

Chapelle, Vapnik and Weston, (9), (17) and (20) to (34). Names of the options are those of
``open_choices.yml``.
"""

from functools import cached_property

import numpy as np

from transductive.kernels import gram_matrix, rbf_gamma
from transductive.leave_one_out import (
    LeverageError,
    LooForm,
    LowRankLooForm,
    LowRankRidge,
    RidgeSpectrum,
)

from ...runner.open_choices import open_choices
from .printed_setting import GAMMA_TIMES, Y0_OF_ALL

#: Open choices that change the formulas; `Discriminants` has arguments of these names.
OF_THE_FORMULAS = ("tld_basis", "y0_basis", "gamma_scale")
#: Whether the functions are linear, by option of "tld_basis".
LINEAR = {"rbf": False, "linear": True}
#: From so many points on, low rank is tried first, and taken if it leaves out no more than this.
MIN_LOW_RANK, NEGLIGIBLE = 1500, 1e-9


def formulas(params):
    """Arguments of `Discriminants` among an experiment's parameters."""
    return {choice: params[choice] for choice in OF_THE_FORMULAS}


def changed(params):
    """Options among the parameters that change the formulas: all but the defaults."""
    choices = open_choices("transductive_regression")
    return [option for name, option in formulas(params).items() if option != choices[name].default]


class Discriminants:
    """Ridge regression on labels, and its transduction to working points, for any gamma.

    Parameters
    ----------
    X : array of shape (l, d)
    y : array of shape (l,)
        Labels of -1 and +1.
    X_working : array of shape (m, d)
    sigma : float
        Width of the Gaussian functions; not used by linear ones.
    tld_basis : {"rbf", "linear"}
        Gaussian functions at the points; or the inputs and a constant, so that the penalty is that
        of the kernel ``x.x' + 1`` in feature space.
    y0_basis : {"training", "all"}
        Basis functions of Y0 at the l training points, or at all l + m, fitted to the l pairs. It
        makes no difference for linear ones.
    gamma_scale : {"closed_form", "functional"}
        gamma itself in (9) and (23); or gamma times l in (9) and times l + m in (23), as in (8) and
        (20).
    """

    def __init__(
        self,
        X,
        y,
        X_working,
        sigma,
        tld_basis="rbf",
        y0_basis="training",
        gamma_scale="closed_form",
    ):
        linear, y0_of_all = LINEAR[tld_basis], Y0_OF_ALL[y0_basis]
        if linear:
            X, X_working = (np.c_[points, np.ones(len(points))] for points in (X, X_working))
            self.kernel = lambda A, B=None: gram_matrix(A, B, kernel="linear")
        else:
            self.kernel = lambda A, B=None: gram_matrix(A, B, gamma=rbf_gamma(sigma))
        self.penalty = "norm" if linear else "coefficients"
        self.X, self.y, self.X_working = X, y, X_working
        self.joint = np.vstack([X, X_working])
        self.y0_of_all = y0_of_all and not linear
        times = GAMMA_TIMES[gamma_scale]
        self.times, self.joint_times = times(len(X)), times(len(self.joint))

    def _factored(self, points):
        gram = self.kernel(points)
        return RidgeSpectrum(gram, penalty=self.penalty, overwrite=True)

    @cached_property
    def _sample(self):
        return self._factored(self.X)

    @cached_property
    def _cross(self):
        return self.kernel(self.X_working, self.X)

    @cached_property
    def _whole(self):
        return self._factored(self.joint)

    @cached_property
    def _functions_of_all(self):
        """Values of all l + m functions: their inner products at the pairs, and with the others."""
        at_pairs = self.kernel(self.X, self.joint)
        at_working = self.kernel(self.X_working, self.joint)
        return at_pairs @ at_pairs.T, at_working @ at_pairs.T

    def ridge(self, gamma):
        """(17) with the training points' functions at the working points: LD."""
        return self._cross @ self._sample.coefficients(self.y, gamma * self.times)

    def start(self, gamma):
        """Y0 at the working points."""
        if not self.y0_of_all:
            return self.ridge(gamma)
        square, cross = self._functions_of_all
        return cross @ np.linalg.solve(square + gamma * self.times * np.eye(len(square)), self.y)

    def loo_errors(self, gammas):
        """(15) of ridge regression for each gamma."""
        return self._sample.loo_errors(self.y, np.asarray(gammas) * self.times)

    def transduced(self, gamma, gammas_star):
        """Y* of (34) at the working points, for each gamma*."""
        start, form = self.start(gamma), self._form(gamma * self.joint_times)
        return [form.transduce(self.y, start, gamma_star) for gamma_star in gammas_star]

    def _form(self, alpha):
        n = len(self.joint)
        if n >= MIN_LOW_RANK:
            factor = LowRankRidge(self.joint, self.kernel, alpha, self.penalty, n // 8, NEGLIGIBLE)
            try:
                if factor.truncation <= NEGLIGIBLE:
                    return LowRankLooForm(factor, len(self.X))
            except LeverageError:
                pass  # a leverage near 1 needs all of the Gram matrix
        return LooForm(self._whole, alpha, len(self.X))
