"""The limit of a large cost of the universum: its principal axes are projected out.

Sinz, Chapelle, Agarwal and Schölkopf, An Analysis of Inference with the Universum, NIPS 20 (2008).
"""

from __future__ import annotations

import numpy as np

from transductive.margin.universum_solver import UniversumSolver


class UniversumAxes:
    """Principal axes of a universum in feature space, about its mean.

    Parameters
    ----------
    gram : ndarray of shape (u, u)
        Kernel values of the universum.

    Attributes
    ----------
    rank : int
    """

    def __init__(self, gram):
        self._means = gram.mean(axis=0)
        centred = gram - self._means - self._means[:, None] + self._means.mean()
        values, vectors = np.linalg.eigh(centred)
        kept = np.flatnonzero(values > 1e-10 * values[-1])[::-1]
        self.rank = len(kept)
        self._map = vectors[:, kept] / np.sqrt(values[kept])

    def coordinates(self, cross):
        """Coordinates of points along the axes, from their kernel values with the universum.

        Parameters
        ----------
        cross : ndarray of shape (n, u)

        Returns
        -------
        ndarray of shape (n, rank)
            The axis of the largest variance first.
        """
        centred = cross - cross.mean(axis=1, keepdims=True) - self._means + self._means.mean()
        return centred @ self._map

    def project(self, gram, cross, ranks=(None,)):
        """Kernel values about the universum's mean, without the parts along its leading axes.

        Parameters
        ----------
        gram : ndarray of shape (n, n)
        cross : ndarray of shape (n, u)
            Kernel values of the same points with the universum.
        ranks : tuple of int or None
            Numbers of axes; None for all.

        Returns
        -------
        list of ndarrays of shape (n, n)
            One for each of `ranks`.
        """
        means, z = cross.mean(axis=1), self.coordinates(cross)
        centred = gram - means[:, None] - means + self._means.mean()
        return [centred - z[:, :rank] @ z[:, :rank].T for rank in ranks]

    def extend(self, cross, coefficients):
        """The projected-kernel SVM as a function of the kernel itself.

        Parameters
        ----------
        cross : ndarray of shape (l, u)
            Kernel values of the labelled points with the universum.
        coefficients : ndarray of shape (l,)
            Its signed duals, all axes projected out.

        Returns
        -------
        universum : ndarray of shape (u,)
            Signed duals of the universum points, the shortest possible. At costs above the largest
            of them the U-SVM with epsilon = 0 is the same classifier. It may be at lower costs,
            too, if other duals give the same w, as when the centred kernel matrix has a low rank.
        intercept : float
        """
        along = self._map @ (self.coordinates(cross).T @ coefficients)
        # the origin is the mean of the universum, so that all duals together are 0
        universum = (along.sum() - coefficients.sum()) / len(along) - along
        return universum, -float(cross.mean(axis=1) @ coefficients + self._means @ universum)


def train_svm(gram, signs, C, fit_intercept=False, tol=1e-3):
    """The SVM's signed duals, shape (l,), and intercept, from a Gram matrix of shape (l, l)."""
    gram = np.ascontiguousarray(gram)
    solver = UniversumSolver(
        gram,
        np.ascontiguousarray(np.diagonal(gram)),
        signs,
        fit_intercept=fit_intercept,
        tol=tol,
    ).solve(C, 0.0)
    return solver.coefficients, solver.intercept
