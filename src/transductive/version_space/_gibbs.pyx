"""Kernel Gibbs sampler: what happens once per step (The Kernel Gibbs Sampler, section 3).

The margins of all training points are kept up to date. The inner products of a block of
random directions with all points are one matrix product; a direction is made a tangent
only when its turn comes, by the margins of that moment. On the circle every point changes
side at one angle of the first half turn and back half a turn later, so m sorted angles
give the training errors on all 2m arcs.

The NumPy reference, with the steps numbered as in the paper, is ``gibbs_reference.py``.
"""

from libc.math cimport cos, sin, sqrt
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport qsort
from libc.string cimport memcpy, memset
from scipy.linalg.cython_blas cimport daxpy, ddot, dgemm, dgemv, dscal, dtrmm

cdef extern from "_gibbs_passes.h" nogil:
    void hit_angles(
        const double *s, const double *raw, const double *y, Py_ssize_t n, double scale,
        double shift, uint64_t *keys) noexcept
    void box_muller(double *first, double *second, Py_ssize_t n) noexcept
    double key_angle(uint64_t key) noexcept

cdef double PI = 3.14159265358979323846
cdef int MOST_BINS = 8192
# From this dimension on a random direction is so nearly orthogonal to the position that updated
# margins forget their rounding errors; in fewer dimensions the update would amplify them.
cdef Py_ssize_t MANY = 64


cdef int compare(const void *a, const void *b) noexcept nogil:
    cdef:
        uint64_t x = (<const uint64_t *> a)[0], y = (<const uint64_t *> b)[0]
    return (x > y) - (x < y)


cdef void sort_keys(uint64_t *keys, uint64_t *spare, int32_t *bins, Py_ssize_t n) noexcept nogil:
    """Sort: two counting passes over the leading bits of the occupied range, then insertion."""
    cdef:
        Py_ssize_t i, j, moves = 0
        int digit = 9, width = 0, shift
        uint64_t lowest = keys[0], highest = keys[0], key, mask
        int32_t *first
        int32_t *second
        int32_t at_first = 0, at_second = 0, size
    while (<Py_ssize_t> 1 << (2 * digit - 9)) < n and digit < 13:
        digit += 1
    while digit > 5 and (<Py_ssize_t> 1 << (2 * digit - 11)) >= n:
        digit -= 1
    for i in range(n):
        lowest = keys[i] if keys[i] < lowest else lowest
        highest = keys[i] if keys[i] > highest else highest
    key = highest - lowest
    while key:
        key >>= 1
        width += 1
    shift = width - 2 * digit if width > 2 * digit else 0
    mask = (<uint64_t> 1 << digit) - 1
    first = bins
    second = bins + (1 << digit)
    memset(bins, 0, 2 * (<size_t> 1 << digit) * sizeof(int32_t))
    for i in range(n):
        key = (keys[i] - lowest) >> shift
        first[key & mask] += 1
        second[key >> digit] += 1
    for i in range(1 << digit):
        size = first[i]
        first[i] = at_first
        at_first += size
        size = second[i]
        second[i] = at_second
        at_second += size
    for i in range(n):
        key = ((keys[i] - lowest) >> shift) & mask
        spare[first[key]] = keys[i]
        first[key] += 1
    for i in range(n):
        key = ((spare[i] - lowest) >> shift) >> digit
        keys[second[key]] = spare[i]
        second[key] += 1
    for i in range(1, n):
        key = keys[i]
        j = i
        while j > 0 and keys[j - 1] > key:
            keys[j] = keys[j - 1]
            j -= 1
        keys[j] = key
        moves += i - j
        if moves > 16 * n:
            # nearly all keys in one bin, and one far away
            qsort(keys, n, sizeof(uint64_t), compare)
            return


cdef void tie(uint64_t *keys, const Py_ssize_t *twins, const Py_ssize_t *originals,
              Py_ssize_t n) noexcept nogil:
    """Give points on one line through the origin the same angle to the last bit.

    Otherwise rounding would open an arc between a point and its contradiction, with an error
    less than there can be; many such pairs at once would outweigh the rest of the circle.
    """
    cdef:
        Py_ssize_t i
        uint64_t side = 1
    for i in range(n):
        keys[twins[i]] = (keys[originals[i]] & ~side) | (keys[twins[i]] & side)


cdef double choose_angle(
        const uint64_t *keys, Py_ssize_t n, Py_ssize_t errors, double u, const double *likelihood,
        int32_t *chosen, double *expected, double *clear) noexcept nogil:
    """Draw from the piecewise constant density on the circle (step 7).

    The prior is uniform on the sphere: the mass of an arc is its length times its likelihood, here
    (twice: the sum, the draw) and in the reference. The exact arrangement uses it, too.

    `errors` are made just after angle 0; ``likelihood[k]`` belongs to k errors more than the
    fewest on the circle, so nothing underflows that counts.
    """
    cdef:
        Py_ssize_t k, e = errors, low = errors, high = errors, base
        double total = 0.0, weighted = 0.0, none = 0.0, here, mirrored, start = 0.0, stop, length
        double target, angle = 0.0
    low, high = n, 0
    for k in range(n + 1):
        stop = key_angle(keys[k]) if k < n else PI
        # arcs without length, between tied angles, are nowhere
        if stop > start:
            low = e if e < low else low
            high = e if e > high else high
        start = stop
        if k < n:
            e += 2 * <Py_ssize_t> (keys[k] & 1) - 1
    base = low if low < n - high else n - high
    start = 0.0
    e = errors
    for k in range(n + 1):
        stop = key_angle(keys[k]) if k < n else PI
        length = stop - start
        here = mirrored = 0.0
        if length > 0.0:
            here = length * likelihood[e - base]
            mirrored = length * likelihood[n - e - base]
        total += here + mirrored
        weighted += here * e + mirrored * (n - e)
        if e == 0:
            none += here
        if e == n:
            none += mirrored
        start = stop
        if k < n:
            e += 2 * <Py_ssize_t> (keys[k] & 1) - 1
    expected[0] = weighted / total
    clear[0] = none / total
    # [listing: the draw]
    target = u * total
    start = 0.0
    e = errors
    for k in range(n + 1):
        stop = key_angle(keys[k]) if k < n else PI
        length = stop - start
        if length > 0.0:
            here = length * likelihood[e - base]
            mirrored = length * likelihood[n - e - base]
            # should rounding leave something of the target at the end, the last arc has it
            if here > 0.0:
                angle = start + length * (target / here if target < here else 1.0)
                chosen[0] = <int32_t> e
            if target < here:
                return angle
            target -= here
            if mirrored > 0.0:
                angle = PI + start + length * (target / mirrored if target < mirrored else 1.0)
                chosen[0] = <int32_t> (n - e)
            if target < mirrored:
                return angle
            target -= mirrored
        start = stop
        if k < n:
            e += 2 * <Py_ssize_t> (keys[k] & 1) - 1
    # [end of listing]
    return angle


cdef Py_ssize_t count_errors(const double *s, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i, errors = 0
    for i in range(n):
        errors += s[i] <= 0.0
    return errors


cdef void normalise(double *w, Py_ssize_t r) noexcept nogil:
    cdef:
        int n = <int> r, one = 1
        double scale = 1.0 / sqrt(ddot(&n, w, &one, w, &one))
    dscal(&n, &scale, w, &one)


def normals(double[::1] uniforms):
    """Turn an even number of uniforms in [0, 1) into standard normals, in place."""
    cdef Py_ssize_t half = uniforms.shape[0] // 2
    if uniforms.shape[0] != 2 * half:
        raise ValueError("normals come in pairs: the number of uniforms must be even")
    if half:
        with nogil:
            box_muller(&uniforms[0], &uniforms[half], half)


def circle(const double[::1] margins, const double[::1] speeds):
    """Hit angles and training errors on a great circle (steps 3 to 6).

    Parameters
    ----------
    margins, speeds : (m,) arrays
        Inner products of the label-signed points with position and direction.

    Returns
    -------
    angles : (m,) array
        Of the first half turn, ascending; the others are half a turn later.
    errors : (m + 1,) array
        Training errors on the arcs before, between and after these angles; on the opposite
        arc, m minus this.
    """
    import numpy as np

    cdef:
        Py_ssize_t n = margins.shape[0], k, e
        uint64_t[::1] keys = np.empty(n, dtype=np.uint64)
        uint64_t[::1] spare = np.empty(n, dtype=np.uint64)
        int32_t[::1] bins = np.empty(2 * MOST_BINS, dtype=np.int32)
        double[::1] ones = np.ones(n)
        double[::1] angles = np.empty(n)
        Py_ssize_t[::1] errors = np.empty(n + 1, dtype=np.intp)
    if n == 0 or speeds.shape[0] != n:
        raise ValueError("margins and speeds must be equally long, and not empty")
    hit_angles(&margins[0], &speeds[0], &ones[0], n, 1.0, 0.0, &keys[0])
    sort_keys(&keys[0], &spare[0], &bins[0], n)
    e = count_errors(&margins[0], n)
    errors[0] = e
    for k in range(n):
        angles[k] = key_angle(keys[k])
        e += 2 * <Py_ssize_t> (keys[k] & 1) - 1
        errors[k + 1] = e
    return np.asarray(angles), np.asarray(errors)


def advance(const double[::1, :] points, bint triangular, const double[::1] signs,
            double[:, ::1] directions, const double[::1] uniforms,
            const double[::1] likelihood, double[::1] w, double[:, ::1] products,
            const Py_ssize_t[::1] twins, const Py_ssize_t[::1] originals,
            double[::1] margins, uint64_t[::1] keys, uint64_t[::1] spare, int32_t[::1] bins,
            int32_t[::1] errors, double[::1] expected, double[::1] clear,
            double[:, ::1] positions, Py_ssize_t waited, Py_ssize_t thin):
    """Take one step for each row of `directions` but the last.

    Parameters
    ----------
    points : (m, r) Fortran array
        In orthonormal coordinates of their span, without labels.
    triangular : bool
        Whether `points` is square and lower triangular.
    signs : (m,) array
        Labels, -1 and +1.
    directions : (b + 1, r) array
        Independent standard normal rows; the last row is work space.
    uniforms : (b,) array
        One uniform number a step.
    likelihood : (m + 1,) array
        ``exp(-beta k)`` for k = 0 to m.
    w : (r,) array
        Position, a unit vector; changed in place.
    products, margins, keys, spare, bins
        Work space: (b + 1, m), (m,), (m,), (m,), (16384,).
    twins, originals : (t,) arrays
        Points that lie on the line of another one, and which one that is.
    errors, expected, clear : (b,) arrays
        Receive, for each step, the training errors at the new position, their expectation
        over the whole circle and the probability of none there.
    positions : (n, r) array
        Receives every `thin`-th position, `waited` steps having passed since the last one.

    Returns
    -------
    n : int
        Number of positions written.
    """
    cdef:
        Py_ssize_t m = points.shape[0], r = points.shape[1], b = uniforms.shape[0], k, i
        Py_ssize_t written = 0, wrong, n_twins = twins.shape[0]
        int n_points = <int> m, n_coordinates = <int> r, rows = <int> (b + 1), one = 1
        double unit = 1.0, zero = 0.0, along, square, scale, angle, own, other
        char *left = "L"
        char *lower = "L"
        char *plain = "N"
        double *raw
        double *direction
    if not (directions.shape[0] == products.shape[0] == b + 1 and directions.shape[1] == r
            and products.shape[1] == m and w.shape[0] == r and positions.shape[1] == r
            and signs.shape[0] == margins.shape[0] == keys.shape[0] == spare.shape[0] == m
            and likelihood.shape[0] == m + 1 and bins.shape[0] == 2 * MOST_BINS
            and errors.shape[0] == expected.shape[0] == clear.shape[0] == b > 0
            and positions.shape[0] * thin >= waited + b - thin + 1 and thin > 0 and m > 0):
        raise ValueError("the arrays do not fit each other")
    if originals.shape[0] != n_twins:
        raise ValueError("twins and originals must be equally long")
    for i in range(n_twins):
        if not (0 <= twins[i] < m and 0 <= originals[i] < m):
            raise ValueError("twins and originals must be numbers of points")
    if triangular and m != r:
        raise ValueError("triangular points must be square")
    with nogil:
        normalise(&w[0], r)
        # the margins are computed anew as one more row of the product: rounding cannot add up
        memcpy(&directions[b, 0], &w[0], r * sizeof(double))
        if triangular:
            memcpy(&products[0, 0], &directions[0, 0], (b + 1) * m * sizeof(double))
            dtrmm(left, lower, plain, plain, &n_points, &rows, &unit,
                  <double *> &points[0, 0], &n_points, &products[0, 0], &n_points)
        else:
            dgemm(plain, plain, &n_points, &rows, &n_coordinates, &unit,
                  <double *> &points[0, 0], &n_points, &directions[0, 0], &n_coordinates,
                  &zero, &products[0, 0], &n_points)
        for i in range(m):
            margins[i] = signs[i] * products[b, i]
        for k in range(b):
            raw = &products[k, 0]
            direction = &directions[k, 0]
            along = ddot(&n_coordinates, direction, &one, &w[0], &one)
            square = ddot(&n_coordinates, direction, &one, direction, &one)
            if square - along * along <= 1e-12 * square:
                # there is no tangent: the draw is between w and -w, by their posterior odds
                along = 0.0
            # the tangent is scale (direction - along w): of unit length, isotropic
            scale = 1.0 / sqrt(square - along * along)
            hit_angles(&margins[0], raw, &signs[0], m, scale, -along * scale, &keys[0])
            if n_twins:
                tie(&keys[0], &twins[0], &originals[0], n_twins)
            sort_keys(&keys[0], &spare[0], &bins[0], m)
            wrong = count_errors(&margins[0], m)
            angle = choose_angle(&keys[0], m, wrong, uniforms[k], &likelihood[0], &errors[k],
                                 &expected[k], &clear[k])
            other = sin(angle) * scale
            own = cos(angle) - along * other
            dscal(&n_coordinates, &own, &w[0], &one)
            daxpy(&n_coordinates, &other, direction, &one, &w[0], &one)
            normalise(&w[0], r)
            if r >= MANY:
                for i in range(m):
                    margins[i] = own * margins[i] + other * (signs[i] * raw[i])
            else:
                dgemv(plain, &n_points, &n_coordinates, &unit, <double *> &points[0, 0],
                      &n_points, &w[0], &one, &zero, &margins[0], &one)
                for i in range(m):
                    margins[i] *= signs[i]
            waited += 1
            if waited == thin:
                memcpy(&positions[written, 0], &w[0], r * sizeof(double))
                written += 1
                waited = 0
    return written
