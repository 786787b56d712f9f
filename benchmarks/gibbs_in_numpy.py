"""The kernel Gibbs sampler as one would write it in NumPy; what the kernel is measured against.

It works in orthonormal coordinates, where a random direction is a normal vector, and knows
nothing of blocks: each step multiplies the points by its direction. Otherwise it is written to
be fast. Margins are turned along instead of being computed by a second product, only the
first half turn is sorted, angles are computed by arctan, and no step has a Python loop.
"""

from math import cos, pi, sin, sqrt

import numpy as np

BLOCK = 256  # random numbers are drawn for so many steps at a time


def sample(points, beta, position, directions_rng, uniforms_rng, n_steps, thin=1):
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
