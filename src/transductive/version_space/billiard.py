"""Playing billiard in version space: starts, refreshes, bookkeeping around the kernel."""

from __future__ import annotations

import numpy as np

from ._billiard import fly
from .feature_span import FeatureSpan
from .start import chord_walk, interior_point, max_margin_point
from .trajectory import Trajectory, concatenate

__all__ = ["BilliardEscapeError", "KernelBilliard", "hoeffding_bounces"]

# Events between two computations of the running sums from the coefficients.
SYNC_EVENTS = 20_000


class BilliardEscapeError(RuntimeError):
    """Rounding took the ball out of version space."""


def hoeffding_bounces(epsilon=0.05, eta=0.01):
    """Number of bounces by Hoeffding's inequality; document 1, equation (8).

    Parameters
    ----------
    epsilon : float, default=0.05
        Deviation of the mean of independent fractions from their expectation.
    eta : float, default=0.01
        Probability, one-sided, of a larger deviation.

    Returns
    -------
    n : int
        ``ln(1 / eta) / (2 epsilon^2)``, rounded up: 922 for the defaults.

    Notes
    -----
    A preset, not an error bound: segments of a trajectory are dependent, and
    p+ is a ratio of total times while (8) concerns a mean of fractions.
    """
    if not (epsilon > 0 and 0 < eta < 1):
        raise ValueError(
            f"epsilon must be positive and eta in (0, 1), got epsilon={epsilon!r}, eta={eta!r}"
        )
    return int(np.ceil(np.log(1.0 / eta) / (2.0 * epsilon**2)))


class _Ball:
    """One ball: where it is, which way it flies, its own random stream."""

    def __init__(self, number, position, velocity, rng):
        self.number = number
        self.position = position
        self.velocity = velocity
        self.rng = rng
        self.arc_left = np.inf


class KernelBilliard:
    """Billiard in the version space of a kernel perceptron; document 1, section 3.2.

    Parameters
    ----------
    gram : array of shape (n, n)
        Label-folded Gram matrix of the points that span the weight vectors,
        ``y_i y_j k(x_i, x_j)`` with y = 1 for points without a label. A ridge
        belongs on its diagonal before it is passed.
    n_walls : int, optional
        The first `n_walls` points bound version space; all when omitted.
    refresh : float or None, default=None
        Mean arc, in radians, between replacements of the velocity by an
        isotropic one; the arcs are exponentially distributed, so the uniform
        law stays stationary. None: the deterministic billiard.
    start : {"unit_margins", "max_margin"}, default="unit_margins"
        First point of the first ball: all margins equal (or, for dependent
        walls, the largest smallest margin in a box), or the support vector
        machine, the document's suggestion.
    velocity : {"isotropic", "coefficients"}, default="isotropic"
        Law of each ball's first velocity: even over all directions, or with
        normal coefficients, which favours the large eigenvalues of the Gram
        matrix. It matters to short runs only; refreshes are always isotropic.
    n_starts : int, default=1
        Balls. All but the first set out from the end of a chord walk of
        `walk` steps from the first point.
    walk : int, default=20
        Steps of those chord walks.
    random_state : int, SeedSequence or None
        Each ball draws from its own stream, spawned from this.

    Attributes
    ----------
    span : FeatureSpan
    least_margin : float
        Smallest margin met so far: 0 or a rounding error below.

    Raises
    ------
    EmptyVersionSpaceError, IllConditionedError, NotPositiveSemidefiniteError
        See `start.interior_point` and `FeatureSpan`.
    """

    def __init__(
        self,
        gram,
        n_walls=None,
        *,
        refresh=None,
        start="unit_margins",
        velocity="isotropic",
        n_starts=1,
        walk=20,
        random_state=None,
    ):
        self.span = FeatureSpan(gram)
        self.n_walls = self.span.n_points if n_walls is None else int(n_walls)
        if not 1 <= self.n_walls <= self.span.n_points:
            raise ValueError(f"n_walls must be between 1 and {self.span.n_points}, got {n_walls}")
        if refresh is not None and not refresh > 0:
            raise ValueError(f"refresh must be a positive arc or None, got {refresh!r}")
        if n_starts < 1:
            raise ValueError(f"n_starts must be at least 1, got {n_starts}")
        if velocity not in ("isotropic", "coefficients"):
            raise ValueError(f"velocity must be 'isotropic' or 'coefficients', got {velocity!r}")
        self.refresh = refresh
        self.least_margin = 0.0
        self._walls = np.ascontiguousarray(self.span.gram[: self.n_walls, : self.n_walls])
        if start == "unit_margins":
            first = interior_point(self.span, self.n_walls)
        elif start == "max_margin":
            first = max_margin_point(self.span, self.n_walls)
            first = first / self.span.norm(first)
        else:
            raise ValueError(f"start must be 'unit_margins' or 'max_margin', got {start!r}")
        # rounding error of a margin, with room for the drift between two syncs
        self._tolerance = 1e-9 * float(np.sqrt(np.diag(self._walls)).max())
        root = (
            random_state
            if isinstance(random_state, np.random.SeedSequence)
            else np.random.SeedSequence(random_state)
        )
        self._balls = []
        for number, seed in enumerate(root.spawn(n_starts)):
            rng = np.random.default_rng(seed)
            here = first if number == 0 else chord_walk(self.span, self.n_walls, first, walk, rng)
            draw = (
                self.span.random_tangent
                if velocity == "isotropic"
                else self.span.tangent_of_normal_coefficients
            )
            ball = _Ball(number, here, draw(here, rng), rng)
            self._draw_refresh(ball)
            self._balls.append(ball)

    def _draw_refresh(self, ball):
        if self.refresh is not None:
            ball.arc_left = ball.rng.exponential(self.refresh)

    def run(self, n_events):
        """Let every ball fly on for `n_events` events (bounces and refreshes).

        Returns
        -------
        Trajectory
            The new part only; see `concatenate` for joining parts of one ball.

        Raises
        ------
        BilliardEscapeError
            If a margin fell below rounding error: the Gram matrix is too
            ill-conditioned for double precision.
        """
        if n_events < 1:
            raise ValueError(f"n_events must be at least 1, got {n_events}")
        return concatenate([self._run_ball(ball, int(n_events)) for ball in self._balls])

    def _run_ball(self, ball, n_events):
        arcs = np.empty(n_events)
        walls = np.empty(n_events, dtype=np.intp)
        impulses = np.empty(n_events)
        positions, velocities, flights = [], [], [0]
        while flights[-1] < n_events:
            done = flights[-1]
            block = slice(done, min(n_events, done + SYNC_EVENTS))
            margins, speeds = self._orthonormalise(ball)
            events, escaped, _, _, _, arc_left, least = fly(
                self._walls,
                margins,
                speeds,
                0.0,
                0,
                0.0,
                ball.arc_left,
                self._tolerance,
                arcs[block],
                walls[block],
                impulses[block],
            )
            self.least_margin = min(self.least_margin, least)
            if escaped:
                raise BilliardEscapeError(
                    f"a margin of {least:.2g} after {done + events} bounces: the ball left version "
                    f"space by rounding (condition number {self.span.condition:.2g}); add a ridge "
                    "to the diagonal or use a narrower kernel"
                )
            positions.append(ball.position)
            velocities.append(ball.velocity)
            flights.append(done + events)
            flight = Trajectory(
                ball.position[None],
                ball.velocity[None],
                np.array([0, events]),
                np.array([0]),
                arcs[block][:events],
                walls[block][:events],
                impulses[block][:events],
            )
            ball.position, ball.velocity = flight.state_at_end()
            ball.arc_left = arc_left
            if arc_left == 0.0:
                ball.velocity = self.span.random_tangent(ball.position, ball.rng)
                self._draw_refresh(ball)
        return Trajectory(
            np.array(positions),
            np.array(velocities),
            np.array(flights, dtype=np.intp),
            np.full(len(positions), ball.number),
            arcs,
            walls,
            impulses,
        )

    def _orthonormalise(self, ball):
        """Undo the rounding of the last flight; returns margins and speeds at the walls."""
        margins, speeds = self.span.gram @ ball.position, self.span.gram @ ball.velocity
        length = np.sqrt(ball.position @ margins)
        position, margins = ball.position / length, margins / length
        along = ball.velocity @ margins
        velocity, speeds = ball.velocity - along * position, speeds - along * margins
        length = np.sqrt(velocity @ speeds)
        ball.position, ball.velocity = position, velocity / length
        return margins[: self.n_walls].copy(), speeds[: self.n_walls] / length
