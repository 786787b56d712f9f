"""The kernel Gibbs sampler in vectorised NumPy, twice; what the kernel is measured against.

Both work in orthonormal coordinates, where a random direction is a normal vector, and know
nothing of blocks: each step multiplies the points by its direction, once. `plain` takes the steps
of the document as they stand, on all 2m angles. `tuned` knows what the kernel knows but for the
blocks and the triangle: only the first half turn is sorted, and nothing is allocated in a step.
"""

from math import cos, pi, sin, sqrt

import numpy as np

BLOCK = 256  # random numbers are drawn for so many steps at a time


def tuned(points, beta, position, directions_rng, uniforms_rng, n_steps, thin=1):
    """Steps 1 to 9 of the document.

    Parameters
    ----------
    points : array of shape (m, r)
        Label-folded, in orthonormal coordinates of their span, in C order.
    beta : float
        An error more costs a factor ``exp(-beta)``.
    position : array of shape (r,)
        Where to begin, a unit vector.
    directions_rng, uniforms_rng : numpy.random.Generator
        Sources of directions and of the draws on the circle.
    n_steps, thin : int

    Returns
    -------
    positions : ndarray of shape (n_steps // thin, r)
        After every `thin`-th step.
    errors : ndarray of shape (n_steps,)
    """
    m, r = points.shape
    likelihood = np.exp(-beta * np.arange(m + 1.0))
    positions, errors = np.empty((n_steps // thin, r)), np.empty(n_steps, dtype=np.intp)
    w, turn, spare = position.copy(), np.empty(r), np.empty(m)
    products, ratios, right = np.empty(m), np.empty(m), np.empty(m, dtype=bool)
    bounds, lengths = np.empty(m + 2), np.empty(m + 1)
    bounds[0], bounds[-1] = 0.0, pi
    after = np.empty(m + 1, dtype=np.intp)
    # each arc of the first half turn and the one opposite, where the other points are wrong
    both, masses = np.empty((m + 1, 2), dtype=np.intp), np.empty((m + 1, 2))
    flat = masses.ravel()
    for k in range(n_steps):
        row = k % BLOCK
        if row == 0:
            directions = directions_rng.standard_normal((min(BLOCK, n_steps - k), r))
            uniforms = uniforms_rng.random(len(directions)).tolist()
            w /= sqrt(w @ w)
            margins = points @ w
        direction = directions[row]
        np.dot(points, direction, out=products)
        along, square = float(direction @ w), float(direction @ direction)
        scale = 1.0 / sqrt(square - along * along)

        # a point changes side at arccot(-t / s), t = scale (product - along s)
        np.divide(products, margins, out=ratios)
        order = ratios.argsort()
        angles = bounds[1:-1]
        np.subtract(ratios.take(order), along, out=angles)
        angles *= scale
        np.arctan(angles, out=angles)
        angles += 0.5 * pi
        np.subtract(bounds[1:], bounds[:-1], out=lengths)

        # training errors on the arcs
        np.greater(margins, 0.0, out=right)
        after[0] = m - np.count_nonzero(right)
        np.multiply(right.take(order), 2, out=after[1:])
        after[1:] -= 1
        np.cumsum(after, out=after)
        fewest = min(int(after.min()), m - int(after.max()))
        np.subtract(after, fewest, out=both[:, 0])
        np.subtract(m - fewest, after, out=both[:, 1])

        # the draw
        likelihood.take(both, out=masses, mode="clip")
        masses *= lengths[:, None]
        mass = flat.cumsum()
        target = uniforms[row] * mass.item(-1)
        chosen = min(int(mass.searchsorted(target, side="right")), 2 * m + 1)
        arc, opposite = divmod(chosen, 2)
        part = 1.0 - (mass.item(chosen) - target) / flat.item(chosen)
        angle = bounds.item(arc) + part * lengths.item(arc) + pi * opposite
        errors[k] = both.item(arc, opposite) + fewest

        other = sin(angle) * scale
        own = cos(angle) - along * other
        w *= own
        w += np.multiply(direction, other, out=turn)
        margins *= own
        margins += np.multiply(products, other, out=spare)
        if (k + 1) % thin == 0:
            positions[k // thin] = w
    return positions, errors


def plain(points, beta, position, directions_rng, uniforms_rng, n_steps, thin=1):
    """The same by the document's steps, each a line or two; see `tuned`."""
    m, r = points.shape
    positions, errors = np.empty((n_steps // thin, r)), np.empty(n_steps, dtype=np.intp)
    w = position / np.linalg.norm(position)
    s = points @ w
    for k in range(n_steps):
        if k % BLOCK == 0:
            directions = directions_rng.standard_normal((min(BLOCK, n_steps - k), r))
            uniforms = uniforms_rng.random(len(directions))
        d = directions[k % BLOCK]
        along = d @ w
        scale = 1.0 / sqrt(d @ d - along * along)
        v, t = scale * (d - along * w), scale * (points @ d - along * s)  # steps 2 and 3
        first = np.arctan2(s, -t) % (2.0 * pi)
        angles = np.concatenate([first, (first + pi) % (2.0 * pi)])  # step 4
        order = angles.argsort()  # step 5
        start = angles[order]
        length = np.diff(start, append=start[0] + 2.0 * pi)
        # step 6: behind its first angle a point is wrong, half a turn later right again
        arc_errors = np.repeat([1, -1], m)[order].cumsum() + np.count_nonzero(first > pi)
        mass = (np.exp(-beta * (arc_errors - arc_errors.min())) * length).cumsum()  # step 7
        target = uniforms[k % BLOCK] * mass[-1]
        arc = mass.searchsorted(target, side="right")
        before = mass[arc - 1] if arc else 0.0
        angle = start[arc] + length[arc] * (target - before) / (mass[arc] - before)
        errors[k] = arc_errors[arc]
        w = cos(angle) * w + sin(angle) * v  # step 8
        s = cos(angle) * s + sin(angle) * t
        if (k + 1) % thin == 0:
            positions[k // thin] = w
    return positions, errors
