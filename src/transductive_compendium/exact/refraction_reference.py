"""The refracting billiard in plain NumPy: one flight through walls that cost energy.

Margins and speeds are recomputed from the coefficients at every wall. The tests compare the
compiled kernel with this module.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["RefractedFlight", "refracted_flight"]


@dataclass(frozen=True)
class RefractedFlight:
    """Where a flight ended, and what it met.

    Attributes
    ----------
    position : ndarray of shape (m,)
        Coefficients at the end.
    walls : ndarray of shape (n,)
    arcs : ndarray of shape (n,)
        Flown to each wall since the last, in radians.
    errors : ndarray of shape (n + 1,)
        Training errors before the first wall and behind each.
    energies : ndarray of shape (n + 1,)
        Kinetic energy and potential at the start and behind each wall: a constant.
    """

    position: np.ndarray
    walls: np.ndarray
    arcs: np.ndarray
    errors: np.ndarray
    energies: np.ndarray


def refracted_flight(gram, potential, w, v, arc):
    """Fly ``w cos + v sin`` for an arc, through walls or off them.

    Parameters
    ----------
    gram : array of shape (m, m)
        Of label-signed points, all different and no two opposite.
    potential : array of shape (m + 1,)
        Minus the log likelihood of each number of training errors.
    w, v : arrays of shape (m,)
        Coefficients of position and velocity, draws of N(0, I) in feature space.
    arc : float
        In radians.

    Returns
    -------
    RefractedFlight
    """
    right = gram @ w > 0
    left, last, walls, arcs, errors, energies = arc, None, [], [], [], []
    # [listing: one flight]
    while True:
        s, t = gram @ w, gram @ v
        k = np.sum(~right)
        errors.append(k)
        energies.append((w @ s + v @ t) / 2 + potential[k])
        # cotangent of the arc to each wall, on whichever side of it the ball is
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = -t / s
        if last is not None:
            ratio[last] = -np.inf
        wall = int(np.argmax(ratio))
        theta = np.arctan2(1.0, ratio[wall])
        if theta >= left:
            break
        w, v = w * np.cos(theta) + v * np.sin(theta), v * np.cos(theta) - w * np.sin(theta)
        speed, square = gram[wall] @ v, gram[wall, wall]
        behind = k + 1 if right[wall] else k - 1
        energy = speed**2 / square - 2.0 * (potential[behind] - potential[k])
        if energy > 0:
            right[wall] = not right[wall]
            after = np.sign(speed) * np.sqrt(energy * square)
        else:
            after = -speed
        v[wall] += (after - speed) / square
        walls.append(wall)
        arcs.append(theta)
        left, last = left - theta, wall
    # [end of listing]
    return RefractedFlight(
        w * np.cos(left) + v * np.sin(left),
        np.array(walls, dtype=int),
        np.array(arcs),
        np.array(errors),
        np.array(energies),
    )
