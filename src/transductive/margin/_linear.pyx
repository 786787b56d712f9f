"""Dual coordinate descent on the hyperplane itself, for sparse points.

    min_b  1/2 |X'b|^2 + level sum b + weight/2 (sum b)^2 - target'b,   lower <= b <= upper

in signed duals, one coordinate after another (Hsieh, Chang, Keerthi, Sundararajan and Lin 2008). A
step takes time in proportion to the numbers in one row of X, since ``w = X'b`` is kept up to date.

The NumPy reference is ``linear_reference.py``; ``linear_programme.py`` is the interface to it.
"""


def sweep(const double[::1] data, const int[::1] columns, const Py_ssize_t[::1] starts,
          const double[::1] squared, const double[::1] target, const double[::1] lower,
          const double[::1] upper, double[::1] coefficients, double[::1] w,
          Py_ssize_t[::1] active, double shift, double weight, double least, double most):
    """One pass over the active points, in their order; those that stay are moved to the front.

    Parameters
    ----------
    data, columns, starts
        X in compressed rows.
    squared : ndarray of shape (n,)
        Squared lengths of the rows.
    target, lower, upper, coefficients : ndarrays of shape (n,)
    w : ndarray of shape (d,)
        ``X'b``; changed with the coefficients.
    active : ndarray of intp
        Points to visit.
    shift : float
        ``level + weight * sum b`` at the start.
    weight : float
        Of the squared sum; 0.0 keeps the shift.
    least, most : float
        Points at a bound whose slope drives them against it beyond these are left out.

    Returns
    -------
    shift : float
        At the end.
    least, most : float
        Of the slopes that a coefficient could follow.
    left : int
        Active points that stay.
    """
    cdef:
        Py_ssize_t position, i, left = 0
        Py_ssize_t k
        double slope, b, moved, step, curvature, low = 0.0, high = 0.0
    with nogil:
        for position in range(active.shape[0]):
            i = active[position]
            slope = shift - target[i]
            for k in range(starts[i], starts[i + 1]):
                slope += data[k] * w[columns[k]]
            b = coefficients[i]
            if b <= lower[i] and (b >= upper[i] or slope > most):
                continue
            if b >= upper[i] and slope < least:
                continue
            if not (b <= lower[i] and slope >= 0.0) and not (b >= upper[i] and slope <= 0.0):
                low, high = min(low, slope), max(high, slope)
                curvature = squared[i] + weight
                if curvature > 0.0:
                    moved = min(max(b - slope / curvature, lower[i]), upper[i])
                else:
                    moved = lower[i] if slope > 0.0 else upper[i] if slope < 0.0 else b
                step = moved - b
                if step != 0.0:
                    coefficients[i] = moved
                    shift += weight * step
                    for k in range(starts[i], starts[i + 1]):
                        w[columns[k]] += step * data[k]
            active[position], active[left] = active[left], i
            left += 1
    return shift, low, high, left
