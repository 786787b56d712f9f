"""The number of positive working points, where the objective over that number has a valley.

The number is looked for in the 95 % interval of the share of positives that the labels leave. The
objective falls towards both ends of all numbers, because a hyperplane beside the points has no
slacks. If a gap separates the classes, it also has a valley between: a number with less than
`VALLEY` times the objective of some number on either side. The lowest valley is taken. Without one
it is a number between that of the sample's share and that of the SVM on the labels: the more labels
there are, the nearer to the latter.
"""

from __future__ import annotations

import numpy as np

from .label_switching import HISTORY, JointManySVM, record_solution, switch_while_possible

__all__ = ["CURVE", "MIN_WORKING_POINTS", "NumberByObjective", "share_interval"]

#: Fewer working points do not show a gap.
MIN_WORKING_POINTS = 10
# Numbers tried in the interval, and steps from one of them to the bottom of its valley.
N_NUMBERS, MAX_DESCENTS = 13, 10
VALLEY = 0.85
# With so many labels their SVM's number counts as much as their share.
EQUAL_LABELS = 10
# Objectives of different numbers are compared: they need few digits.
CURVE_TOL = 1e-1

CURVE = np.dtype([("n_positive", np.intp), ("objective", float)])


def share_interval(share, size):
    """95 % interval of a share that is `share` among `size` points (Wilson 1927)."""
    z = 1.959964
    centre = (share + z * z / (2 * size)) / (1 + z * z / size)
    half = z * np.sqrt(share * (1 - share) / size + (z / (2 * size)) ** 2) / (1 + z * z / size)
    return centre - half, centre + half


class NumberByObjective:
    """Moves a solved transductive SVM to the number of positives that its objective prefers.

    Each number is solved from its neighbour's solution: the labels nearest the hyperplane change,
    then pairs are switched at C_star. At the local minima points then take the label of their
    side. All numbers together cost about as much as the first, with a linear kernel three times.

    Parameters
    ----------
    svm : JointSVM
        As `switch_labels` returns it. On return it is solved for the chosen number.
    C_star : float
        Positive and finite.
    low, high : float
        Ends of the interval, as shares.
    size : float
        Number of labels.
    inductive : int
        The number of positives by the SVM on the labels.

    Attributes
    ----------
    valley : bool
    curve : structured ndarray
        Numbers, rising, and their objectives.
    history : structured ndarray
        Solutions for the chosen number, as in `SwitchedLabels`.
    """

    def __init__(self, svm, C_star, low, high, size, inductive):
        self._svm, self._C_star, self._found = svm, C_star, {}
        m = len(svm.signs) - svm.n_train
        ends = [int(np.clip(np.floor(m * share + 0.5), 1, m - 1)) for share in (low, high)]
        numbers = np.unique(np.round(np.linspace(*ends, N_NUMBERS)).astype(int)).tolist()
        tol, svm.switching_tol = svm.switching_tol, max(svm.switching_tol, CURVE_TOL)
        try:
            first = self._keep()
            at = np.searchsorted(numbers, first)
            self._slide([first, *numbers[at:]])
            self._slide([first, *numbers[:at][::-1]])
            if not isinstance(svm, JointManySVM):
                # a path may lead past the best labels: once more from the ends
                self._slide(numbers)
                self._slide(numbers[::-1])
            best = self._lowest_valley(ends)
            self.valley = best is not None
            if not self.valley:
                by_svm = np.clip(inductive, *ends)
                best = round(first + (by_svm - first) * size / (size + EQUAL_LABELS))
                self._slide([min(self._found, key=lambda n: abs(n - best)), best])
        finally:
            svm.switching_tol = tol
        self.history = self._finish(best)
        self._found[best] = (svm.primal(),)
        self.curve = np.array([(n, self._found[n][0]) for n in sorted(self._found)], dtype=CURVE)

    def _keep(self):
        signs = self._svm.signs[self._svm.n_train :].copy()
        number = int((signs > 0).sum())
        primal = self._svm.primal()
        if number not in self._found or primal < self._found[number][0]:
            self._found[number] = primal, signs, self._svm.coefficients.copy()
        return number

    def _slide(self, numbers):
        """Solve for each number from the solution of the one before."""
        self._return_to(numbers[0])
        for number in numbers[1:]:
            self._move(number)

    def _move(self, number):
        """Solve for a number from the present solution."""
        svm, nearest = self._svm, int((self._svm.signs[self._svm.n_train :] > 0).sum())
        if number == nearest:
            return
        signs, values = svm.signs[svm.n_train :].copy(), svm.decision_values()[svm.n_train :]
        side = 1.0 if number > nearest else -1.0
        others = np.flatnonzero(signs != side)
        order = np.argsort(-side * values[others], kind="stable")
        signs[others[order[: abs(number - nearest)]]] = side
        svm.relabel(signs, self._C_star)
        svm.solve(tol=svm.switching_tol)
        slacks = svm.slacks()
        primal = svm.primal(slacks)
        switch_while_possible(svm, slacks, primal, self._C_star, self._C_star, [])
        if svm.switching_tol > CURVE_TOL:
            svm.solve(tol=CURVE_TOL)
        self._keep()

    def _return_to(self, number):
        _, signs, coefficients = self._found[number]
        if not np.array_equal(self._svm.signs[self._svm.n_train :], signs):
            self._svm.relabel(signs, self._C_star, coefficients)
            self._svm.solve(tol=self._svm.switching_tol)

    def _lowest_valley(self, ends):
        """The number at the bottom of the lowest valley; None without one."""
        numbers = sorted(self._found)
        values = np.array([self._found[n][0] for n in numbers])
        bottoms = []
        for i in range(1, len(numbers) - 1):
            if values[i] <= min(values[i - 1], values[i + 1]):
                bottom = self._descend(numbers[i], ends)
                below = np.array(numbers) <= bottom
                rim = min(values[below].max(), values[~below].max())
                if self._found[bottom][0] <= VALLEY * rim:
                    bottoms.append(bottom)
        return min(bottoms, key=lambda n: self._found[n][0], default=None)

    def _descend(self, number, ends):
        """Let points take the label of their side, which lowers the objective; the last number."""
        svm = self._svm
        self._return_to(number)
        for _ in range(MAX_DESCENTS):
            signs = np.where(svm.decision_values()[svm.n_train :] > 0, 1.0, -1.0)
            count = int((signs > 0).sum())
            if np.array_equal(signs, svm.signs[svm.n_train :]) or not ends[0] < count < ends[1]:
                break
            svm.relabel(signs, self._C_star)
            svm.solve(tol=svm.switching_tol)
            number = self._keep()
        return number

    def _finish(self, number):
        """Solve for a number to the full tolerance."""
        svm, costs, history = self._svm, (self._C_star, self._C_star), []
        self._return_to(number)
        record_solution(history, svm, svm.solve(), *costs)
        slacks = svm.slacks()
        switch_while_possible(svm, slacks, svm.primal(slacks), *costs, history)
        record_solution(history, svm, svm.solve(), *costs)
        return np.array(history, dtype=HISTORY)
