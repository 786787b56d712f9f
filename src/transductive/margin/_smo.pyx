"""Sequential minimal optimisation of a quadratic programme with boxes and one equality.

    min_b  1/2 b'Kb + 1/2 sum_i ridge_i b_i^2 - target'b,   sum_i b_i = total,   lower <= b <= upper

in signed duals ``b_i = y_i a_i``, so that a label is the side of 0 on which its box lies. Each
iteration moves the pair that Fan, Chen and Lin's second-order rule picks, and passes three times
over one row of the Gram matrix each: the partner's search, and one update of the gradient with
both rows, which finds the next first index as it goes.

The NumPy reference is ``smo_reference.py``; ``quadratic_programme.py`` is the interface to it.
"""

import numpy as np

from libc.math cimport INFINITY, fabs, isinf

cdef extern from "_smo_passes.h" nogil:
    double FLAT
    struct extremes:
        double least, most
        Py_ssize_t block
    Py_ssize_t lowest(
        const double *g, const float *up, Py_ssize_t n, Py_ssize_t doubled,
        const extremes *extreme) noexcept
    void step_float(
        double *g, const float *up, const float *low, const float *first, const float *second,
        double a, double b, Py_ssize_t n, Py_ssize_t doubled, extremes *extreme) noexcept
    void step_double(
        double *g, const float *up, const float *low, const double *first, const double *second,
        double a, double b, Py_ssize_t n, Py_ssize_t doubled, extremes *extreme) noexcept
    Py_ssize_t partner_float(
        const double *g, const float *low, const float *curvature, const float *row,
        Py_ssize_t first, Py_ssize_t n, Py_ssize_t doubled) noexcept
    Py_ssize_t partner_double(
        const double *g, const float *low, const double *curvature, const double *row,
        Py_ssize_t first, Py_ssize_t n, Py_ssize_t doubled) noexcept
    void step_alone_float(
        double *g, const float *up, const float *low, const float *curvature, const float *row,
        double a, Py_ssize_t n, Py_ssize_t doubled, extremes *extreme) noexcept
    void step_alone_double(
        double *g, const float *up, const float *low, const double *curvature, const double *row,
        double a, Py_ssize_t n, Py_ssize_t doubled, extremes *extreme) noexcept
    Py_ssize_t steepest_float(
        const double *g, const float *up, const float *low, const float *curvature, Py_ssize_t n,
        Py_ssize_t doubled, const extremes *extreme) noexcept
    Py_ssize_t steepest_double(
        const double *g, const float *up, const float *low, const double *curvature, Py_ssize_t n,
        Py_ssize_t doubled, const extremes *extreme) noexcept

OPTIMAL, LIMIT, STALLED, UNBOUNDED, INDEFINITE = range(5)
cdef int _OPTIMAL = OPTIMAL, _LIMIT = LIMIT, _STALLED = STALLED
cdef int _UNBOUNDED = UNBOUNDED, _INDEFINITE = INDEFINITE
# K_ii + K_jj - 2 K_ij below minus this share of K_ii + K_jj is no rounding error.
cdef double NEGATIVE = 1e-5


cdef class Smo:
    """The state of one programme: coefficients, gradient, boxes. Arguments are not checked.

    Parameters
    ----------
    gram : ndarray of shape (n, n), float32 or float64
        Each row in one piece.
    diagonal : ndarray of shape (n,), float32 or float64
        Of the Gram matrix, in its type.
    target, lower, upper, ridge : ndarrays of shape (n + doubled,), float64
    doubled : int
        The last so many points have a second variable each, appended in their order.
    equality : bool
        Whether the sum of the coefficients is kept; else each moves alone.
    coefficients : ndarray of shape (n + doubled,), float64
        Start, in the boxes; becomes the state.
    gradient : ndarray of shape (n + doubled,), float64, optional
        At the start, if it is known; `target` is then not read. Becomes the state.

    Attributes
    ----------
    coefficients, gradient : ndarrays of shape (n + doubled,)
        b, and ``(Kb)_i + ridge_i b_i - target_i``.
    violation : float
        Largest violation of the KKT conditions after the last `run`.
    iterations : int
    pair : tuple of two ints
        Points of the last pair.
    """
    cdef:
        object gram
        const char *rows
        Py_ssize_t stride
        bint single, equality
        double[::1] b, g, target, lower, upper, ridge
        double flat, rounding
        float[::1] up, low
        const float[::1] diagonal_float
        const double[::1] diagonal_double
        float[::1] curvature_float
        double[::1] curvature_double
        readonly object coefficients, gradient
        readonly Py_ssize_t n, size, doubled, iterations
        readonly double violation
        readonly tuple pair

    def __init__(self, gram, diagonal, target, lower, upper, ridge, Py_ssize_t doubled,
                 bint equality, coefficients, gradient=None):
        cdef const float[:, :] floats
        cdef const double[:, :] doubles
        self.gram = gram
        self.single = diagonal.dtype == np.float32
        self.n, self.size, self.doubled = len(diagonal), len(target), doubled
        self.equality = equality
        self.coefficients, self.b = coefficients, coefficients
        self.target, self.lower, self.upper, self.ridge = target, lower, upper, ridge
        self.gradient = np.empty(self.size) if gradient is None else gradient
        self.g = self.gradient
        self.up, self.low = np.empty(self.size, np.float32), np.empty(self.size, np.float32)
        largest = float(np.max(np.abs(diagonal), initial=0.0))
        self.flat = FLAT if largest >= 0.5 else FLAT * largest
        self.rounding = 1e-12 * largest
        both = np.r_[diagonal, diagonal[self.n - doubled:]] + ridge
        if not equality:
            both = np.maximum(both, FLAT)
        if self.single:
            self.diagonal_float, self.curvature_float = diagonal, both.astype(np.float32)
        else:
            self.diagonal_double, self.curvature_double = diagonal, both
        if self.n:
            self.stride = gram.strides[0]
            if self.single:
                floats = gram
                self.rows = <const char *> &floats[0, 0]
            else:
                doubles = gram
                self.rows = <const char *> &doubles[0, 0]
        if gradient is None:
            self.refresh()
        else:
            self.mark()

    cdef inline Py_ssize_t _point(self, Py_ssize_t variable) noexcept nogil:
        return variable if variable < self.n else variable - self.doubled

    cdef inline double _diagonal(self, Py_ssize_t point) noexcept nogil:
        return self.diagonal_float[point] if self.single else self.diagonal_double[point]

    cdef inline double _entry(self, const char *row, Py_ssize_t point) noexcept nogil:
        return (<const float *> row)[point] if self.single else (<const double *> row)[point]

    cdef inline const char *_row(self, Py_ssize_t point) noexcept nogil:
        return self.rows + point * self.stride

    cdef inline void _mark(self, Py_ssize_t i) noexcept nogil:
        self.up[i] = 0 if self.b[i] < self.upper[i] else INFINITY
        self.low[i] = 0 if self.b[i] > self.lower[i] else INFINITY

    def mark(self):
        """Take up boxes, and coefficients moved by `move`, that have changed from outside."""
        cdef Py_ssize_t i
        for i in range(self.size):
            self._mark(i)

    def move(self, const Py_ssize_t[::1] variables, const double[::1] values):
        """Set a few coefficients, and the gradient with them, two rows in a pass."""
        cdef Py_ssize_t k, i
        cdef double change, other = 0
        cdef extremes ignored
        cdef const char *row
        cdef const char *waiting = NULL
        with nogil:
            for k in range(variables.shape[0]):
                i = variables[k]
                change = values[k] - self.b[i]
                self.b[i] = values[k]
                self._mark(i)
                if change == 0:
                    continue
                self.g[i] += self.ridge[i] * change
                row = self._row(self._point(i))
                if waiting == NULL:
                    waiting, other = row, change
                else:
                    self._step(waiting, row, other, change, &ignored)
                    waiting = NULL
            if waiting != NULL:
                self._step(waiting, waiting, other, 0, &ignored)

    def refresh(self):
        """Compute the gradient anew from the coefficients, without the rounding of updates."""
        cdef Py_ssize_t i
        cdef extremes ignored
        cdef const char *row
        self.mark()
        with nogil:
            for i in range(self.size):
                self.g[i] = self.ridge[i] * self.b[i] - self.target[i]
            for i in range(self.size):
                if self.b[i] != 0:
                    row = self._row(self._point(i))
                    self._step(row, row, self.b[i], 0, &ignored)

    cdef void _step(self, const char *first, const char *second, double a, double b,
                    extremes *extreme) noexcept nogil:
        if self.single:
            step_float(&self.g[0], &self.up[0], &self.low[0], <const float *> first,
                       <const float *> second, a, b, self.n, self.doubled, extreme)
        else:
            step_double(&self.g[0], &self.up[0], &self.low[0], <const double *> first,
                        <const double *> second, a, b, self.n, self.doubled, extreme)

    cdef Py_ssize_t _partner(self, Py_ssize_t first, const char *row) noexcept nogil:
        if self.single:
            return partner_float(&self.g[0], &self.low[0], &self.curvature_float[0],
                                 <const float *> row, first, self.n, self.doubled)
        return partner_double(&self.g[0], &self.low[0], &self.curvature_double[0],
                              <const double *> row, first, self.n, self.doubled)

    cdef void _step_alone(self, const char *row, double a, extremes *extreme) noexcept nogil:
        if self.single:
            step_alone_float(&self.g[0], &self.up[0], &self.low[0], &self.curvature_float[0],
                             <const float *> row, a, self.n, self.doubled, extreme)
        else:
            step_alone_double(&self.g[0], &self.up[0], &self.low[0], &self.curvature_double[0],
                              <const double *> row, a, self.n, self.doubled, extreme)

    cdef Py_ssize_t _steepest(self, const extremes *extreme) noexcept nogil:
        if self.single:
            return steepest_float(&self.g[0], &self.up[0], &self.low[0], &self.curvature_float[0],
                                  self.n, self.doubled, extreme)
        return steepest_double(&self.g[0], &self.up[0], &self.low[0], &self.curvature_double[0],
                               self.n, self.doubled, extreme)

    def run(self, double tolerance, Py_ssize_t most):
        """Iterate until no KKT condition is violated by more than `tolerance`.

        Parameters
        ----------
        tolerance : float
            In units of the targets.
        most : int
            Iterations, at most.

        Returns
        -------
        status : {OPTIMAL, LIMIT, STALLED, UNBOUNDED, INDEFINITE}
        """
        cdef int status
        if not self.n:
            self.violation = 0.0
            return OPTIMAL
        with nogil:
            status = self._pairs(tolerance, most) if self.equality else self._alone(tolerance, most)
        return status

    cdef int _pairs(self, double tolerance, Py_ssize_t most) except -1 nogil:
        cdef:
            Py_ssize_t i, j, first, second
            double curvature, change, room, a, b, old_i, old_j
            extremes extreme
            const char *row_i = self._row(0)
            const char *row_j
        self._step(row_i, row_i, 0, 0, &extreme)
        while True:
            self.violation = extreme.most - extreme.least if extreme.most > extreme.least else 0.0
            if self.violation <= tolerance:
                return _OPTIMAL
            if most <= 0:
                return _LIMIT
            # [listing: working set]
            i = lowest(&self.g[0], &self.up[0], self.n, self.doubled, &extreme)
            first = self._point(i)
            row_i = self._row(first)
            j = self._partner(i, row_i)
            # [end of listing]
            if j < 0:  # a violation too small for the type of the rows
                return _STALLED
            second = self._point(j)
            row_j = self._row(second)
            curvature = self._diagonal(first) + self._diagonal(second)
            room = 2 * self._entry(row_i, second)
            if curvature - room < -self.rounding - NEGATIVE * (
                    fabs(self._diagonal(first)) + fabs(self._diagonal(second))):
                with gil:
                    self.pair = first, second
                return _INDEFINITE
            # [listing: step]
            curvature = curvature - room + self.ridge[i] + self.ridge[j]
            change = (self.g[j] - self.g[i]) / (curvature if curvature > self.flat else self.flat)
            room = min(self.upper[i] - self.b[i], self.b[j] - self.lower[j])
            if isinf(room) and curvature <= self.flat:
                return _UNBOUNDED
            old_i, old_j = self.b[i], self.b[j]
            if change >= room:
                # to the bound itself, not to a rounding error beside it
                change = room
                self.b[i] = self.upper[i] if self.upper[i] - old_i == room else old_i + room
                self.b[j] = self.lower[j] if old_j - self.lower[j] == room else old_j - room
            else:
                self.b[i] = min(old_i + change, self.upper[i])
                self.b[j] = max(old_j - change, self.lower[j])
            # [end of listing]
            a, b = self.b[i] - old_i, self.b[j] - old_j
            if a == 0 and b == 0:
                return _STALLED
            self.g[i] += self.ridge[i] * a
            self.g[j] += self.ridge[j] * b
            self._mark(i)
            self._mark(j)
            self._step(row_i, row_j, a, b, &extreme)
            self.iterations += 1
            most -= 1

    cdef int _alone(self, double tolerance, Py_ssize_t most) except -1 nogil:
        cdef:
            Py_ssize_t i
            double curvature, old
            extremes extreme
            const char *row = self._row(0)
        self._step_alone(row, 0, &extreme)
        while True:
            self.violation = extreme.least
            if self.violation <= tolerance:
                return _OPTIMAL
            if most <= 0:
                return _LIMIT
            i = self._steepest(&extreme)
            curvature = self._diagonal(self._point(i))
            if curvature < -self.rounding:
                with gil:
                    self.pair = self._point(i), self._point(i)
                return _INDEFINITE
            curvature += self.ridge[i]
            old = self.b[i]
            self.b[i] = min(max(old - self.g[i] / max(curvature, FLAT), self.lower[i]),
                            self.upper[i])
            if isinf(self.b[i]):
                return _UNBOUNDED
            if self.b[i] == old:
                return _STALLED
            row = self._row(self._point(i))
            self.g[i] += self.ridge[i] * (self.b[i] - old)
            self._mark(i)
            self._step_alone(row, self.b[i] - old, &extreme)
            self.iterations += 1
            most -= 1
