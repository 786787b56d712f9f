"""The best of all labellings of a few working points, by branch and bound."""

from __future__ import annotations

from math import comb

import numpy as np

from ..progress import progress_bar
from .label_switching import JointSVM, highest
from .quadratic_programme import NotSeparableError

__all__ = ["MAX_WORKING_POINTS", "BoundedSVM", "best_labels"]

MAX_WORKING_POINTS = 24


class BoundedSVM(JointSVM):
    """`JointSVM` that gives up labels as soon as they are known not to be the best."""

    def bound(self, stop):
        """Lower bound of the objective of the present labels.

        Parameters
        ----------
        stop : float
            Stop as soon as the bound exceeds it.

        Returns
        -------
        float
            The dual objective, solved unless it exceeds `stop`; infinite if nothing separates.
        """
        try:
            solution = self._programme.solve(
                self.tol, max_iter=self._max_iter, stop_objective=-stop
            )
        except NotSeparableError:
            # other labels must not start from coefficients that grew without bound
            self._begin(None)
            return np.inf
        self.iterations += solution.iterations
        return -solution.objective


def best_labels(svm, C_star, n_positive, *, progress=True):
    """Labels of the working points whose SVM has the smallest objective.

    Points are labelled one after the other, those far from the inductive boundary first. The
    objective on some of the points is at most that on all of them, so a branch ends as soon as its
    dual objective reaches the objective of the best labelling known.

    Parameters
    ----------
    svm : BoundedSVM
        On return it has the best labels and is solved.
    C_star : float
    n_positive : int or None
        Number of positive labels; None for any.
    progress : bool, default=True
        Show a bar on a terminal after two seconds: labellings decided, out of all.

    Returns
    -------
    signs : ndarray of shape (m,)
    n_solved : int
        SVMs solved.

    Raises
    ------
    NotSeparableError
        If a cost is infinite and no labelling has a hard margin.
    """
    svm.solve()
    values = svm.decision_values()[svm.n_train :]
    search = _Search(svm, C_star, n_positive, np.argsort(-np.abs(values), kind="stable"))
    # a first upper bound; with n_positive=None the inductive labels are separable
    number = int((values > 0).sum()) if n_positive is None else n_positive
    search.compare(highest(values, number))
    if C_star > 0:  # else all labellings are as good
        none = np.zeros(len(values))
        total = search.completions(none, 0)
        with progress_bar("labellings", total, progress) as search.bar:
            search.descend(none, 0)
    if search.best is None:
        raise NotSeparableError(
            "no labels of the working points have a hyperplane that separates all points: "
            "give a finite C or C_star"
        )
    svm.label(search.best, C_star, C_star)
    svm.solve()
    return search.best, search.n_solved


class _Search:
    def __init__(self, svm, C_star, n_positive, order):
        self.svm, self.C_star, self.order = svm, C_star, order
        self.n_positive = n_positive
        self.best, self.objective, self.n_solved = None, np.inf, 0

    def _bound(self, signs):
        self.n_solved += 1
        self.svm.label(signs, self.C_star, self.C_star)
        return self.svm.bound(self.objective)

    def compare(self, signs):
        """Take `signs` if it is better than the best so far."""
        if self._bound(signs) < self.objective and (primal := self.svm.primal()) < self.objective:
            self.best, self.objective = signs.copy(), primal

    def descend(self, signs, depth):
        """Label the points from `depth` of the order on, in all ways that may still be best."""
        if depth == len(self.order):
            self.compare(signs)
            self.bar.update()
            return
        point, bounds = self.order[depth], []
        for sign in self._possible(signs, depth):
            child = signs.copy()
            child[point] = sign
            bounds.append((self._bound(child), -sign, child))
        for bound, _, child in sorted(bounds, key=lambda entry: entry[:2]):
            if bound < self.objective:
                self.descend(child, depth + 1)
            else:
                self.bar.update(self.completions(child, depth + 1))

    def completions(self, signs, depth):
        """Number of ways to label the points from `depth` of the order on."""
        left = len(self.order) - depth
        if self.n_positive is None:
            return 2**left
        return comb(left, self.n_positive - int((signs > 0).sum()))

    def _possible(self, signs, depth):
        if self.n_positive is None:
            return (1.0, -1.0)
        missing = self.n_positive - int((signs > 0).sum())
        left = len(self.order) - depth
        return ((1.0,) if missing > 0 else ()) + ((-1.0,) if missing < left else ())
