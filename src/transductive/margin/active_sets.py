"""Sequential minimal optimisation without the whole Gram matrix: on one active set after another.

Variables that violate their KKT conditions, and those off their bounds, form an active set with a
small Gram matrix, on which `Smo` moves pairs; when the set is full, variables that satisfy their
conditions leave it. The moves then update the gradient of all variables, by blocks of rows that
are not kept (Joachims, Making Large-Scale SVM Learning Practical, 1999). The set doubles when
variables off their bounds fill more than half of it, because variables that take turns undo one
another's progress.
"""

from __future__ import annotations

import numpy as np

from ._smo import INDEFINITE, LIMIT, OPTIMAL, STALLED, UNBOUNDED, Smo

__all__ = ["ACTIVE_SET_VARIABLES", "ActiveSets"]

# Their Gram matrix has 64 MiB in single precision, at most 1 GiB after the room has grown.
ACTIVE_SET_VARIABLES = 4096
ACTIVE_SET_MAX_VARIABLES = 16_384
# Share of all variables' violation at which a set stops: later sets undo greater accuracy.
PART_VIOLATION = 0.1
# Rows copied to their mirror image at a time, so that they stay in a near cache.
STRIP_ROWS = 64


class ActiveSets:
    """State of one programme, with the interface of `Smo`, whose Gram matrix is `GramBlocks`.

    Parameters are those of `Smo`, and `growing`, bool of shape (n + doubled,): the variables that
    `grow` multiplies. Their part of the gradient is kept apart: a difference in single precision
    would lose one binary digit each time the costs double.
    """

    def __init__(
        self, gram, diagonal, target, lower, upper, ridge, doubled, equality, coefficients, growing
    ):
        self._gram, self._diagonal, self._doubled = gram, diagonal, doubled
        self._target, self._lower, self._upper, self._ridge = target, lower, upper, ridge
        self._equality, self._growing, self.coefficients = equality, growing, coefficients
        self.gradient, self.iterations, self.violation = np.empty(len(target)), 0, 0.0
        self.pair = None
        self._make_room(ACTIVE_SET_VARIABLES)
        self.refresh()

    def _make_room(self, size):
        """Allocate a Gram matrix for at most `size` variables; none is active yet."""
        size = min(size, len(self._target), ACTIVE_SET_MAX_VARIABLES)
        self._variables = np.empty(0, dtype=np.intp)
        # padded, since rows whose length is a power of two compete for the same cache lines
        self._part = np.empty((size, size + 16), self._diagonal.dtype)[:, :size]

    def mark(self):
        """Do nothing: no state depends on the boxes."""

    def _points(self, variables):
        n = len(self._diagonal)
        return np.where(variables < n, variables, variables - self._doubled)

    def move(self, variables, values):
        """Set some coefficients, and the gradient with them."""
        change = values - self.coefficients[variables]
        self.coefficients[variables] = values
        moved = change != 0
        variables, change = variables[moved], change[moved]
        self.gradient[variables] += self._ridge[variables] * change
        inside = self._growing[variables]
        self.gradient += self._along(variables[~inside], change[~inside])
        if inside.any():
            along = self._along(variables[inside], change[inside])
            self.gradient += along
            self._grown += along

    def _along(self, variables, change):
        along = self._gram.times(self._points(variables), change)
        return np.r_[along, along[len(along) - self._doubled :]]

    def grow(self, factor):
        """Multiply the growing coefficients by `factor`."""
        b, growing = self.coefficients, self._growing
        self.gradient += (factor - 1.0) * (self._grown + np.where(growing, self._ridge * b, 0.0))
        self._grown *= factor
        b[growing] *= factor

    def refresh(self):
        """Compute the gradient anew from the coefficients."""
        values, self.coefficients[:] = self.coefficients.copy(), 0.0
        self.gradient[:], self._grown = -self._target, np.zeros(len(values))
        self.move(np.flatnonzero(values), values[values != 0])

    def run(self, tolerance, most):
        """Move pairs, as `Smo.run` does."""
        last = self.iterations + most
        while True:
            urgency = self._urgency()
            if self.violation <= tolerance:
                return OPTIMAL
            if self.iterations >= last:
                return LIMIT
            self._take_in(urgency)
            some = self._variables
            points = self._points(some)
            part = Smo(
                self._part[: len(some), : len(some)],
                self._diagonal[points],
                self._target[some],
                self._lower[some],
                self._upper[some],
                self._ridge[some],
                0,
                self._equality,
                self.coefficients[some],
                self.gradient[some],
            )
            # half of the tolerance, since the other variables add to the violation
            tol = 0.5 * tolerance
            if len(self._part) < len(urgency):
                tol = max(tol, PART_VIOLATION * self.violation)
            status = part.run(tol, last - self.iterations)
            self.iterations += part.iterations
            if status == INDEFINITE:
                self.pair = tuple(points[list(part.pair)])
                return status
            self.move(some, part.coefficients)
            if status == UNBOUNDED:
                return status
            if part.iterations == 0:
                return STALLED

    def _urgency(self):
        """Violation of each variable's conditions at the present level of the gradient; infinite
        for variables off their bounds. Sets `violation` as well.
        """
        b, gradient = self.coefficients, self.gradient
        rising, falling = b < self._upper, b > self._lower
        least = np.min(gradient, where=rising, initial=np.inf)
        most = np.max(gradient, where=falling, initial=-np.inf)
        self.violation = max(0.0, most - least if self._equality else max(most, -least))
        level = 0.5 * (least + most) if self._equality and self.violation > 0 else 0.0
        urgency = np.where(rising, level - gradient, -np.inf)
        urgency = np.maximum(urgency, np.where(falling, gradient - level, -np.inf))
        free = rising & falling
        number, most = np.count_nonzero(free), min(len(b), ACTIVE_SET_MAX_VARIABLES)
        while 2 * number > len(self._part) and len(self._part) < most:
            self._make_room(2 * len(self._part))
        if 2 * number <= len(self._part):
            urgency[free] = np.inf
        return urgency

    def _take_in(self, urgency):
        """Add the most urgent variables to the active set; all others leave if it is full."""
        capacity, part = len(self._part), self._part
        number = min(np.count_nonzero(urgency > 0), capacity)
        wanted, old = np.argpartition(-urgency, number - 1)[:number], self._variables
        absent = np.ones(len(urgency), dtype=bool)
        absent[old] = False
        new = np.sort(wanted[absent[wanted]])
        if len(old) + len(new) > capacity:
            # rebuilding takes less time than compacting the old rows
            old, new = old[:0], np.sort(wanted)
        self._variables = np.r_[old, new]
        points = self._points(self._variables)
        for start in range(len(old), len(points), STRIP_ROWS):
            end = min(start + STRIP_ROWS, len(points))
            rows = self._gram.between(points[start:end], points[:end])
            part[start:end, :end] = rows
            part[:start, start:end] = rows[:, :start].T
        every = np.arange(len(old), len(points))
        # products leave the diagonal with rounding errors
        part[every, every] = self._diagonal[points[every]]
