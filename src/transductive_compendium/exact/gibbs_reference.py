"""The kernel Gibbs sampler in plain NumPy: steps 1 to 9 of the paper, with the Gram matrix.

One printed formula is wrong; `as_printed` implements it, for the errata.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["Step", "as_printed", "gibbs_step", "hit_angles", "training_errors"]


@dataclass(frozen=True)
class Step:
    """One step: 2m hit angles, ascending; the errors on the arcs that follow them; the draw."""

    angles: np.ndarray
    errors: np.ndarray
    angle: float
    position: np.ndarray


def hit_angles(margins, speeds):
    """Angles in [0, 2 pi) of the 2m points at which ``s cos + t sin`` vanishes (steps 3 and 4).

    The position at angle zeta is ``cos(zeta) w + sin(zeta) v``; the paper turns the
    other way. Its angles lie in (-pi / 2, 3 pi / 2), also a full turn.
    """
    # in the circle's plane, the hit point is (-t, s) / |(-t, s)| or its opposite
    first = np.arctan2(margins, -speeds) % (2.0 * np.pi)
    return np.concatenate([first, (first + np.pi) % (2.0 * np.pi)])


def training_errors(margins, speeds, angles):
    """Training errors at the given angles, counted directly: ``y <w, x> <= 0`` is an error."""
    outputs = np.outer(np.cos(angles), margins) + np.outer(np.sin(angles), speeds)
    return np.sum(outputs <= 0.0, axis=1)


def as_printed(angles):
    """Step 6 as printed: it takes half the difference of the angles as the middle of an arc."""
    return 0.5 * (np.roll(angles, -1) - angles)


def gibbs_step(span, w, q, rng, direction=None, u=None, middle=None):
    """One step of the sampler; The Kernel Gibbs Sampler, section 3.

    Parameters
    ----------
    span : FeatureSpan
        Label-signed training points.
    w : array of shape (m,)
        Coefficients of a unit vector.
    q : float
        Assumed label noise, in [0, 0.5].
    rng : numpy.random.Generator or None
        Draws `direction` and `u` where they are not given.
    direction : array of shape (m,), optional
        Coefficients of a unit tangent at `w`.
    u : float, optional
        Uniform in [0, 1): the part of the circle's posterior mass before the draw.
    middle : callable, optional
        Function of the angles that gives where step 6 counts the errors; by default the middles of
        the arcs. Pass `as_printed` to see the effect of the printed formula.

    Returns
    -------
    Step
    """
    # [listing: one step]
    v = span.random_tangent(w, rng) if direction is None else direction  # step 2
    s, t = span.gram @ w, span.gram @ v  # step 3: all that the hit points depend on
    angles = np.sort(hit_angles(s, t))  # steps 4 and 5
    after = np.r_[angles[1:], angles[0] + 2.0 * np.pi]
    middles = 0.5 * (angles + after)  # step 6: half the sum; half a turn more at the wrap
    errors = training_errors(s, t, middles if middle is None else middle(angles))
    # step 7: likelihood (3) times arc length, in logarithms that q = 0 does not break
    with np.errstate(divide="ignore", invalid="ignore"):
        fewest = errors - errors.min()
        likelihood = np.where(fewest == 0, 1.0, np.exp(fewest * (np.log(q) - np.log1p(-q))))
    mass = np.cumsum(likelihood * (after - angles))
    target = (rng.random() if u is None else u) * mass[-1]
    arc = int(np.searchsorted(mass, target, side="right"))
    angle = after[arc] - (mass[arc] - target) / likelihood[arc]
    moved = np.cos(angle) * w + np.sin(angle) * v  # step 8
    # [end of listing]
    return Step(angles, errors, float(angle % (2.0 * np.pi)), moved / span.norm(moved))
