"""Kernel billiard: the loops that run once per bounce (Bayesian Transduction, section 3.2).

All points are label-signed: row c of a Gram matrix is ``y_c <x_c, .>``. The
state is kept in the frame that rotates with the ball (see the header), so a
trajectory is no more than a list of reflections: an arc, the wall at its end,
and the impulse that the wall gives to the velocity. `replay` reads such a
list and moves any number of further points along it.

The NumPy reference with the same walls and arcs is ``billiard_reference.py``.
"""

from libc.math cimport atan2, cos, fmod, isfinite, sin, sqrt
from libc.stdint cimport int32_t
from libc.string cimport memcpy

cdef extern from "_billiard_passes.h" nogil:
    Py_ssize_t reflect_and_find(
        double *p, double *q, const double *row, Py_ssize_t n, double a, double b,
        double cosine, double sine, double *ratio, double *least) noexcept
    Py_ssize_t reflect_and_find_single(
        float *p, float *q, const float *row, Py_ssize_t n, double a, double b,
        double cosine, double sine, double *ratio, double *least) noexcept
    Py_ssize_t refract_and_find(
        double *p, double *q, const double *row, const double *side, Py_ssize_t n, double a,
        double b, double cosine, double sine, double *ratio, double *least) noexcept
    void pass_points(
        double *p, double *q, const double *before, double *after, double *positive,
        const double *rounding, const double *row, Py_ssize_t n, double arc, double cos0,
        double sin0, double cos1, double sin1, double a, double b) noexcept

cdef double TWO_PI = 6.283185307179586476925286766559


ctypedef fused real:
    float
    double


cdef tuple _fly(const real[:, ::1] gram, real[::1] p, real[::1] q, double phase, Py_ssize_t wall,
                double impulse, double arc_left, double tolerance, double[::1] arcs,
                Py_ssize_t[::1] walls, double[::1] impulses):
    cdef:
        Py_ssize_t n_walls = gram.shape[0]
        Py_ssize_t budget = arcs.shape[0]
        Py_ssize_t k = 0
        double ratio = 0.0, least = 0.0, worst = 0.0, arc, speed, cosine, sine
        bint escaped = False
    if not (gram.shape[1] == p.shape[0] == q.shape[0] == n_walls > 0):
        raise ValueError("gram must be square, and p and q as long as it is wide")
    if not (walls.shape[0] == impulses.shape[0] == budget):
        raise ValueError("arcs, walls and impulses must have the same length")
    if not 0 <= wall < n_walls:
        raise ValueError("wall is not the number of a wall")
    with nogil:
        cosine = cos(phase)
        sine = sin(phase)
        while k < budget:
            if real is float:
                wall = reflect_and_find_single(
                    &p[0], &q[0], &gram[wall, 0], n_walls, -impulse * sine, impulse * cosine,
                    cosine, sine, &ratio, &least)
            else:
                wall = reflect_and_find(
                    &p[0], &q[0], &gram[wall, 0], n_walls, -impulse * sine, impulse * cosine,
                    cosine, sine, &ratio, &least)
            impulse = 0.0
            worst = least if least < worst else worst
            if least < -tolerance or not isfinite(least):
                escaped = True
                break
            arc = atan2(1.0, ratio)
            if arc >= arc_left:
                phase = fmod(phase + arc_left, TWO_PI)
                arcs[k] = arc_left
                walls[k] = wall
                impulses[k] = 0.0
                arc_left = 0.0
                k += 1
                break
            arc_left -= arc
            phase = fmod(phase + arc, TWO_PI)
            cosine = cos(phase)
            sine = sin(phase)
            speed = q[wall] * cosine - p[wall] * sine
            # the wall is reached: its margin is zero, so its next root is half a turn away
            p[wall] = -speed * sine
            q[wall] = speed * cosine
            impulse = -2.0 * speed / gram[wall, wall]
            arcs[k] = arc
            walls[k] = wall
            impulses[k] = impulse
            k += 1
    return k, escaped, phase, wall, impulse, arc_left, worst


def fly(const double[:, ::1] gram, double[::1] p, double[::1] q, double phase,
        Py_ssize_t wall, double impulse, double arc_left, double tolerance,
        double[::1] arcs, Py_ssize_t[::1] walls, double[::1] impulses):
    """Fly until the event arrays are full or `arc_left` is spent.

    Parameters
    ----------
    gram : (l, l) array
        Label-signed Gram matrix of the walls.
    p, q : (l,) arrays
        Margins and speeds in the rotating frame; changed in place.
    phase : float
        Arc flown since p and q were margins and speeds, modulo 2 pi.
    wall, impulse : int, float
        Reflection that is due before the next flight (impulse 0: none).
    arc_left : float
        Arc after which to stop between walls (infinity: never).
    tolerance : float
        A margin below minus this is an escape from version space.
    arcs, walls, impulses : (n,) arrays
        Events, written from the front. The last event of a spent arc has
        impulse 0.

    Returns
    -------
    events, escaped, phase, wall, impulse, arc_left, least
        Number of events written; whether a margin was seen below the
        tolerance; the state to go on with (arc_left is 0 when it was spent);
        the smallest margin seen if it is negative, else 0. From 512 walls on
        the search passes over blocks of them, but over no negative margin.
    """
    return _fly[double](gram, p, q, phase, wall, impulse, arc_left, tolerance, arcs, walls,
                        impulses)


def fly_single(const float[:, ::1] gram, float[::1] p, float[::1] q, double phase,
               Py_ssize_t wall, double impulse, double arc_left, double tolerance,
               double[::1] arcs, Py_ssize_t[::1] walls, double[::1] impulses):
    """`fly` with margins and speeds in single precision; arcs and impulses stay in double.

    From 512 walls on it may miss a negative margin that grows.
    """
    return _fly[float](gram, p, q, phase, wall, impulse, arc_left, tolerance, arcs, walls,
                       impulses)


def refract(const double[:, ::1] gram, const double[::1] labels, const Py_ssize_t[::1] gains,
            const double[::1] potential, Py_ssize_t errors, double[::1] margins,
            double[:, ::1] speeds, const double[::1] arcs, Py_ssize_t allowance,
            double[:, ::1] coefficients, int32_t[::1] errors_after, double[::1] expected,
            double[::1] clear, double[::1] wrong):
    """Flights through walls that cost energy: exact Hamiltonian dynamics under label noise.

    The prior of position and velocity is N(0, I), so between walls the ball flies
    ``w cos(phi) + v sin(phi)``. Behind a wall the potential differs by the cost of the errors
    made or mended there. A ball whose kinetic energy normal to the wall exceeds the difference
    crosses, slower or faster; otherwise it is reflected.

    Parameters
    ----------
    gram : (m, m) array
        Gram matrix of the points, without labels.
    labels : (m,) array
        Majority label of each point, -1 and +1.
    gains : (m,) array
        Errors more on the wrong side of the point's wall than on the right one, not negative.
    potential : (n,) array
        Minus the log likelihood of each number of errors.
    errors : int
        Errors at the first position.
    margins : (m,) array
        Inner products of the points with the position; changed in place.
    speeds : (f, m) array
        Inner products with the velocity at the start of each flight; used as work space.
    arcs : (f,) array
        Length of each flight in radians.
    allowance : int
        Events after which an unfinished flight is given up.
    coefficients : (f, m) array
        Receives what the impulses of each flight add to its last position, on the points.
    errors_after, expected, clear : (f,) arrays
        Receive the errors at the end of each flight, their mean over it, and the share of the
        flight without errors.
    wrong : (m,) array
        Receives the arc flown on the wrong side of each point's wall, added to what it holds.

    Returns
    -------
    flights, events, least
        Number of flights completed; events met by these and by one that was given up; smallest
        margin met on the ball's own side of a wall: 0 or a rounding error below.
    """
    import numpy as np

    cdef:
        Py_ssize_t m = gram.shape[0], n_flights = arcs.shape[0], f, i, wall, after
        Py_ssize_t events = 0
        double[:, ::1] work = np.empty((5, m))
        double *p = &work[0, 0]
        double *side = &work[1, 0]
        double *start = &work[2, 0]
        double *turned = &work[3, 0]
        double *spell = &work[4, 0]
        double *q
        double arc, left, phase, cosine, sine, speed, square, energy, cost, a, b, kick
        double ratio = 0.0, least = 0.0, worst = 0.0, weighted, free
        bint given_up = False
    if not (gram.shape[1] == labels.shape[0] == gains.shape[0] == margins.shape[0]
            == wrong.shape[0] == speeds.shape[1] == coefficients.shape[1] == m > 0):
        raise ValueError("gram, labels, gains, margins, speeds and coefficients must agree")
    if not (speeds.shape[0] == coefficients.shape[0] == errors_after.shape[0]
            == expected.shape[0] == clear.shape[0] == n_flights):
        raise ValueError("speeds, arcs and what is written must be equally long")
    after = 0
    for i in range(m):
        after += gains[i]
    if errors < 0 or errors + after > 2 * (potential.shape[0] - 1):
        raise ValueError("potential is too short for these errors")
    with nogil:
        for i in range(m):
            side[i] = 1.0 if margins[i] > 0.0 else -1.0
            start[i] = side[i] * margins[i]
        for f in range(n_flights):
            q = &speeds[f, 0]
            for i in range(m):
                p[i] = start[i]
                q[i] *= side[i]
                turned[i] = spell[i] = 0.0
                coefficients[f, i] = 0.0
            left = arcs[f]
            phase = a = b = weighted = free = 0.0
            cosine = 1.0
            sine = 0.0
            wall = 0
            while True:
                wall = refract_and_find(p, q, &gram[wall, 0], side, m, a, b, cosine, sine,
                                        &ratio, &least)
                worst = least if least < worst else worst
                arc = atan2(1.0, ratio)
                # a ratio that is no number ends the flight, too
                if not arc < left:
                    arc = left
                weighted += arc * errors
                free += arc if errors == 0 else 0.0
                phase = fmod(phase + arc, TWO_PI)
                cosine = cos(phase)
                sine = sin(phase)
                if arc == left:
                    break
                if events == allowance:
                    given_up = True
                    break
                events += 1
                left -= arc
                speed = q[wall] * cosine - p[wall] * sine
                square = gram[wall, wall]
                energy = speed * speed / square
                after = errors + gains[wall] if side[wall] == labels[wall] else (
                    errors - gains[wall])
                cost = 2.0 * (potential[after] - potential[errors])
                p[wall] = -speed * sine
                q[wall] = speed * cosine
                if energy > cost:
                    # the speed towards the wall is negative, and so is it behind it
                    kick = (-sqrt((energy - cost) * square) - speed) / square * side[wall]
                    errors = after
                    # arcs between coming to the wrong side and going from it
                    spell[wall] += arcs[f] - left if side[wall] != labels[wall] else (
                        left - arcs[f])
                    side[wall] = -side[wall]
                    p[wall] = -p[wall]
                    q[wall] = -q[wall]
                else:
                    kick = -2.0 * speed / square * side[wall]
                a = -kick * sine
                b = kick * cosine
                coefficients[f, wall] += a
                turned[wall] += b
            if given_up:
                break
            for i in range(m):
                start[i] = p[i] * cosine + q[i] * sine
                coefficients[f, i] = coefficients[f, i] * cosine + turned[i] * sine
                wrong[i] += spell[i] + (arcs[f] if side[i] != labels[i] else 0.0)
            errors_after[f] = <int32_t> errors
            expected[f] = weighted / arcs[f]
            clear[f] = free / arcs[f]
        n_flights = f if given_up else n_flights
        for i in range(m):
            margins[i] = side[i] * start[i]
    return n_flights, events, worst


def phases(const double[::1] arcs, double[::1] after):
    """Arc flown after each event of one flight, modulo 2 pi: the same sums as in `fly`."""
    cdef Py_ssize_t k
    cdef double phase = 0.0
    if arcs.shape[0] != after.shape[0]:
        raise ValueError("arcs and after must have the same length")
    for k in range(arcs.shape[0]):
        phase = fmod(phase + arcs[k], TWO_PI)
        after[k] = phase


def kick(const double[::1] arcs, const Py_ssize_t[::1] walls, const double[::1] impulses,
         double complex[::1] frame):
    """Add the impulses of one flight to coefficients in the rotating frame.

    Parameters
    ----------
    arcs, walls, impulses : (n,) arrays
        Events, as `fly` writes them.
    frame : (l,) array
        Position plus i times velocity at the start of the flight; changed in place.

    Returns
    -------
    phase : float
        Arc flown, modulo 2 pi.
    """
    cdef Py_ssize_t k, wall
    cdef double phase = 0.0
    if not (arcs.shape[0] == walls.shape[0] == impulses.shape[0]):
        raise ValueError("arcs, walls and impulses must have the same length")
    for k in range(arcs.shape[0]):
        phase = fmod(phase + arcs[k], TWO_PI)
        wall = walls[k]
        if not 0 <= wall < frame.shape[0]:
            raise ValueError("walls has a number that is none of a wall")
        frame[wall].real -= impulses[k] * sin(phase)
        frame[wall].imag += impulses[k] * cos(phase)
    return phase


def replay(const double[:, ::1] cross, double[:, ::1] starts, double[:, ::1] speeds,
           const Py_ssize_t[::1] flights, const double[::1] arcs,
           const Py_ssize_t[::1] walls, const double[::1] impulses,
           const Py_ssize_t[::1] batches, const double[::1] rounding,
           double[:, ::1] positive):
    """Arc that each point's inner product spends on the positive side, batch by batch.

    Parameters
    ----------
    cross : (l, m) array
        Inner products of the label-signed walls with the points.
    starts, speeds : (f, m) arrays
        Inner products of the points with position and velocity at the start of
        each flight; used as work space and changed.
    flights : (f + 1,) array
        Event number at which each flight starts, and the number of events.
    arcs, walls, impulses : (n,) arrays
        Events, as `fly` writes them.
    batches : (b + 1,) array
        Event number at which each batch starts, and the number of events.
    rounding : (m,) array
        Rounding error of a point's inner product: smaller ones have no sign.
    positive : (b, m) array
        Receives the sums (added to what it holds).
    """
    cdef:
        Py_ssize_t f, k, batch = 0, m = cross.shape[1]
        Py_ssize_t n_flights = flights.shape[0] - 1, n_batches = batches.shape[0] - 1
        double phase, cos0, sin0, cos1, sin1
        double[::1] first, second
        double *before
        double *after
    if not (starts.shape[1] == speeds.shape[1] == positive.shape[1] == m):
        raise ValueError("cross, starts, speeds and positive must agree on the number of points")
    if not (starts.shape[0] == speeds.shape[0] == n_flights and positive.shape[0] == n_batches
            and rounding.shape[0] == m):
        raise ValueError("flights, batches or rounding have the wrong length")
    if m == 0 or n_batches == 0 or n_flights == 0:
        return
    first = starts[0].copy()
    second = starts[0].copy()
    before = &first[0]
    after = &second[0]
    with nogil:
        for f in range(n_flights):
            memcpy(before, &starts[f, 0], m * sizeof(double))
            phase = 0.0
            cos0 = 1.0
            sin0 = 0.0
            for k in range(flights[f], flights[f + 1]):
                while batch + 1 < n_batches and k >= batches[batch + 1]:
                    batch += 1
                phase = fmod(phase + arcs[k], TWO_PI)
                cos1 = cos(phase)
                sin1 = sin(phase)
                pass_points(
                    &starts[f, 0], &speeds[f, 0], before, after, &positive[batch, 0],
                    &rounding[0], &cross[walls[k], 0], m, arcs[k], cos0, sin0, cos1, sin1,
                    -impulses[k] * sin1, impulses[k] * cos1)
                before, after = after, before
                cos0 = cos1
                sin0 = sin1
