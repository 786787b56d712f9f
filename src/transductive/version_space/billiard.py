"""Billiard in version space: starts, refreshes, and bookkeeping around the compiled kernel."""

from __future__ import annotations

from math import sqrt

import numpy as np
from joblib import Parallel, delayed

from ..blas_threads import one_blas_thread
from ._billiard import fly, fly_single
from .feature_span import SAVED_PRODUCTS_MIN_POINTS, FeatureSpan
from .start import interior_point, max_margin_point, room
from .trajectory import Trajectory, concatenate, state_after

__all__ = ["BilliardEscapeError", "KernelBilliard", "sound_bounces"]

# Mean arc between refreshes, the estimators' default: the most effective samples per second.
SOUND_REFRESH = 4.0 * np.pi
# Events between two computations of the running sums from the coefficients.
SYNC_EVENTS = 20_000
# Rounding error of the sums between two such computations, a random walk, in units of roundings.
FLIGHT_ROUNDING = float(np.sqrt(SYNC_EVENTS))
# Use float32 walls, in less than half the time, from this rank on, if rounding permits. In few
# dimensions a direction may be so near to the position that an error of its length matters.
SINGLE_MIN_POINTS = SAVED_PRODUCTS_MIN_POINTS
# Squared lengths of walls between which float32 keeps all digits of products and margins.
SINGLE_SQUARES = 1e-20, 1e30
# Share of the first point's distance to the nearest wall that rounding may take away.
MAX_SHARE_OF_ROOM = 0.05
# Where points are dependent, bounces add up to large coefficients of a small vector. Replace them
# by the smallest ones if the margins of unit-length points have a larger rounding error.
MAX_ROUNDING = 1e-10
# Shorten the arcs of a burn-in after this many events: where version space is a millionth wide, an
# arc of pi takes a million bounces, though a few thousand suffice to forget the start.
BURN_IN_EVENTS = 300_000
# If the tangent part of a direction is a smaller share of it, that part is rounding error.
PARALLEL = 1e-7
# Velocities drawn at once, where products with the Gram matrix dominate the cost of a refresh.
DIRECTIONS_AHEAD = 16


class BilliardEscapeError(RuntimeError):
    """Rounding took the ball out of version space."""


def sound_bounces(n_walls):
    """Events per ball after which different starts agree, tested on data outside the papers."""
    return 30 * max(100, n_walls)


class _Ball:
    """One ball: its position, its velocity, and its own random stream."""

    def __init__(self, number, position, velocity, rng):
        self.number = number
        self.position = position
        self.velocity = velocity
        self.rng = rng
        self.arc_left = np.inf
        self.least_margin = 0.0
        # margins and speeds at the walls, if they need not be recomputed from the coefficients
        self.frame = None
        self.events_since_sync = 0
        self.directions = []


class KernelBilliard:
    """Billiard in the version space of a kernel perceptron; Graepel et al. (2000), section 3.2.

    Parameters
    ----------
    gram : array of shape (n, n)
        Label-signed Gram matrix of the points that span the weight vectors,
        ``y_i y_j k(x_i, x_j)`` with y = 1 for points without a label. A ridge
        belongs on its diagonal before it is passed.
    n_walls : int, optional
        The first `n_walls` points bound version space; all when omitted.
    refresh : float or None, default=None
        Mean arc, in radians, between replacements of the velocity by an
        isotropic one; the arcs are exponentially distributed, so the uniform
        law stays stationary. None: the deterministic billiard.
    start : {"unit_margins", "max_margin"}, default="unit_margins"
        First point of the first ball: all margins equal (for dependent walls,
        the point of a box whose smallest margin is largest), or the support vector
        machine, the paper's suggestion.
    velocity : {"isotropic", "coefficients"}, default="isotropic"
        Law of each ball's first velocity: uniform over all directions, or with
        normal coefficients, which favours the large eigenvalues of the Gram
        matrix. It matters only for short runs; refreshes are always isotropic.
    n_chains : int, default=1
        Number of balls. A single ball starts from `start`. Several balls are
        independent: each first flies with refreshed velocities until its
        `burn_in`-th refresh, and its run begins there.
    burn_in : int, default=50
        Refreshes, of mean arc pi, before the run of each of several balls.
        They occur at random arcs, not at walls, so that the uniform law is
        stationary for the first position of the run. If version space is so
        thin that 300,000 events do not suffice, the arcs become shorter and
        the burn-in ends within about as many events again.
    n_jobs : int, default=None
        Threads over which the balls are distributed; the result does not depend on it.
    random_state : int, SeedSequence or None
        Each ball draws from its own stream, spawned from this.

    Attributes
    ----------
    span : FeatureSpan
    least_margin : float
        Smallest margin seen so far: 0 or a rounding error below. From 512 walls on the search for
        the next wall passes over blocks of them. In double precision it misses no negative margin;
        in single precision it misses those that grow.

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
        n_chains=1,
        burn_in=50,
        n_jobs=None,
        random_state=None,
    ):
        self.span = FeatureSpan(gram)
        self.n_walls = self.span.n_points if n_walls is None else int(n_walls)
        if not 1 <= self.n_walls <= self.span.n_points:
            raise ValueError(f"n_walls must be between 1 and {self.span.n_points}, got {n_walls}")
        if refresh is not None and not refresh > 0:
            raise ValueError(f"refresh must be a positive arc or None, got {refresh!r}")
        if n_chains < 1:
            raise ValueError(f"n_chains must be at least 1, got {n_chains}")
        if velocity not in ("isotropic", "coefficients"):
            raise ValueError(f"velocity must be 'isotropic' or 'coefficients', got {velocity!r}")
        self.refresh = refresh
        self.n_jobs = n_jobs
        self._walls = np.ascontiguousarray(self.span.gram[: self.n_walls, : self.n_walls])
        if start == "unit_margins":
            first = interior_point(self.span, self.n_walls)
        elif start == "max_margin":
            first = max_margin_point(self.span, self.n_walls)
            first = first / self.span.norm(first)
        else:
            raise ValueError(f"start must be 'unit_margins' or 'max_margin', got {start!r}")
        # How far below zero a margin may be before the kernel reports an escape; until then it puts
        # the ball back on the wall. A small share of the room changes no volume.
        most = MAX_SHARE_OF_ROOM * room(self.span, self.n_walls, first)
        squares = np.diag(self._walls)
        single = (
            self.span.is_regular
            and self.span.n_points >= SINGLE_MIN_POINTS
            and SINGLE_SQUARES[0] <= squares.min() <= squares.max() <= SINGLE_SQUARES[1]
            and self._rounding(np.float32) <= most
        )
        longest = float(np.sqrt(squares.max()))
        if single:
            self._walls = self._walls.astype(np.float32)
        self._tolerance = min(max(1e-9, self._rounding(self._walls.dtype)), most) * longest
        root = (
            random_state
            if isinstance(random_state, np.random.SeedSequence)
            else np.random.SeedSequence(random_state)
        )
        draw = (
            self.span.random_tangent
            if velocity == "isotropic"
            else self.span.tangent_of_normal_coefficients
        )
        self._balls = self._for_each(
            lambda ball: self._first_ball(*ball, first, draw, n_chains > 1, burn_in),
            enumerate(root.spawn(n_chains)),
        )

    @property
    def least_margin(self):
        """Smallest margin seen of any ball; see the class for those that are not."""
        return min(ball.least_margin for ball in self._balls)

    @property
    def positions(self):
        """Coefficients of the balls' positions, unit vectors: shape (n_chains, n)."""
        return np.array([ball.position for ball in self._balls])

    def place(self, position, velocity, ball=0):
        """Continue a ball from another point, in another direction.

        Parameters
        ----------
        position : array of shape (n,)
            Coefficients of a vector of any length in version space.
        velocity : array of shape (n,)
            Coefficients of a direction; its part along `position` does not count.
        ball : int, default=0
            Number of the ball.

        Raises
        ------
        ValueError
            If a shape is wrong, `position` is outside version space or `velocity` is parallel to
            it.
        """
        n = self.span.n_points
        position, velocity = np.array(position, dtype=float), np.array(velocity, dtype=float)
        if position.shape != (n,) or velocity.shape != (n,):
            raise ValueError(
                f"position and velocity are coefficients of {n} points, shape ({n},); got "
                f"{position.shape} and {velocity.shape}"
            )
        length = self.span.norm(position)
        if not length > 0:
            raise ValueError("position has length 0: give a point of version space")
        position /= length
        margins = self.span.gram @ position
        least = margins[: self.n_walls].min()
        if not least >= -self._tolerance:
            raise ValueError(
                f"position is outside version space, with a margin of {least:.3g}: all margins "
                "must be positive"
            )
        tangent = self.span.norm(velocity - (velocity @ margins) * position)
        if not tangent > PARALLEL * self.span.norm(velocity):
            raise ValueError("velocity is zero or parallel to position: give another direction")
        moved = self._balls[ball]
        moved.position, moved.velocity, moved.frame = position, velocity, None

    def _rounding(self, dtype):
        """Angle by which rounding moves a wall in one flight, estimated as a random walk."""
        return float(np.finfo(dtype).eps) * FLIGHT_ROUNDING * np.sqrt(self.span.condition)

    def _for_each(self, work, balls):
        """Results of `work` for each ball, in threads: a flight releases Python's lock."""
        balls = list(balls)
        if len(balls) == 1:
            return [work(balls[0])]
        with one_blas_thread():
            return Parallel(n_jobs=self.n_jobs, require="sharedmem")(
                delayed(work)(ball) for ball in balls
            )

    def _first_ball(self, number, seed, first, draw, drawn_start, burn_in):
        rng = np.random.default_rng(seed)
        ball = _Ball(number, first, draw(first, rng), rng)
        if drawn_start and burn_in > 0:
            self._burn_in(ball, burn_in)
            ball.velocity, ball.frame = draw(ball.position, rng), None
        ball.arc_left = self._draw_arc(ball, self.refresh)
        return ball

    @staticmethod
    def _draw_arc(ball, refresh):
        """Arc until the next refresh of a velocity."""
        return np.inf if refresh is None else ball.rng.exponential(refresh)

    def _burn_in(self, ball, refreshes):
        events = np.empty(SYNC_EVENTS), np.empty(SYNC_EVENTS, dtype=np.intp), np.empty(SYNC_EVENTS)
        mean, flown, length = np.pi, 0, 0.0
        ball.arc_left = self._draw_arc(ball, mean)
        while refreshes > 0:
            _, n_events, refreshed = self._fly(ball, *events, refresh=mean)
            refreshes -= refreshed
            flown += n_events
            length += float(events[0][:n_events].sum())
            if flown >= BURN_IN_EVENTS and mean == np.pi and refreshes > 0:
                # the rest takes about as many events; exponential arcs have no memory, so that the
                # clock may be reset at any time
                mean = length / refreshes
                ball.arc_left = self._draw_arc(ball, mean)

    def run(self, n_events):
        """Continue every ball for `n_events` events (bounces and refreshes).

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
        n_events = int(n_events)
        return concatenate(self._for_each(lambda ball: self._run_ball(ball, n_events), self._balls))

    def _run_ball(self, ball, n_events):
        arcs = np.empty(n_events)
        walls = np.empty(n_events, dtype=np.intp)
        impulses = np.empty(n_events)
        positions, velocities, flights = [], [], [0]
        while flights[-1] < n_events:
            done = flights[-1]
            block = slice(done, min(n_events, done + SYNC_EVENTS))
            (position, velocity), n_flown, _ = self._fly(
                ball, arcs[block], walls[block], impulses[block], self.refresh
            )
            positions.append(position)
            velocities.append(velocity)
            flights.append(done + n_flown)
        return Trajectory(
            np.array(positions),
            np.array(velocities),
            np.array(flights, dtype=np.intp),
            np.full(len(positions), ball.number),
            arcs,
            walls,
            impulses,
        )

    def _fly(self, ball, arcs, walls, impulses, refresh):
        """One flight, to the next refresh or until the event arrays are full.

        Returns position and velocity at its start, its events, and whether it ended in a refresh.
        The ball is left where the flight ended.
        """
        margins, speeds = self._orthonormalise(ball) if ball.frame is None else ball.frame
        play = fly if self._walls.dtype == np.float64 else fly_single
        events, escaped, phase, _, _, arc_left, least = play(
            self._walls,
            margins,
            speeds,
            0.0,
            0,
            0.0,
            ball.arc_left,
            self._tolerance,
            arcs,
            walls,
            impulses,
        )
        ball.least_margin = min(ball.least_margin, least)
        if escaped:
            raise BilliardEscapeError(
                f"a margin of {least:.2g} after {events} bounces: the ball left version space by "
                f"rounding (condition number {self.span.condition:.2g}); add a ridge to the "
                "diagonal or use a narrower kernel"
            )
        begin = ball.position, ball.velocity
        ball.position, ball.velocity = state_after(
            *begin, arcs[:events], walls[:events], impulses[:events]
        )
        ball.arc_left = arc_left
        ball.frame = None
        ball.events_since_sync += events
        refreshed = arc_left == 0.0
        if refreshed:
            if self.span.n_points < SAVED_PRODUCTS_MIN_POINTS:
                ball.velocity = self.span.random_tangent(ball.position, ball.rng)
            else:
                self._turn(ball, np.cos(phase) * margins + np.sin(phase) * speeds)
            ball.arc_left = self._draw_arc(ball, refresh)
        return begin, events, refreshed

    def _turn(self, ball, margins):
        """Refresh a velocity without a product: products of several directions are made at once.

        `margins` are those of the ball at the walls; the frame of its next flight follows from
        them, except when the sums are due to be computed from the coefficients.
        """
        if not ball.directions:
            z = ball.rng.standard_normal((DIRECTIONS_AHEAD, self.span.rank))
            squares = np.einsum("ij,ij->i", z, z)
            drawn = squares, self.span.coefficients(z), self.span.products(z)
            ball.directions = list(zip(*drawn, strict=True))
        square, coefficients, products = ball.directions.pop()
        along = products @ ball.position
        length = np.sqrt(square - along**2)
        ball.velocity = (coefficients - along * ball.position) / length
        if ball.events_since_sync < SYNC_EVENTS:
            ball.frame = self._frame(margins, (products[: self.n_walls] - along * margins) / length)

    def _frame(self, margins, speeds):
        return margins.astype(self._walls.dtype), speeds.astype(self._walls.dtype)

    def _orthonormalise(self, ball):
        """Undo the rounding of the last flight; returns margins and speeds at the walls."""
        if max(map(self.span.rounding, (ball.position, ball.velocity))) > MAX_ROUNDING:
            ball.position = self.span.smallest_coefficients(ball.position)
            ball.velocity = self.span.smallest_coefficients(ball.velocity)
        position, velocity, gram = ball.position, ball.velocity, self.span.gram
        # methods and Python's square roots are faster here than operators and NumPy's
        margins, speeds = gram.dot(position), gram.dot(velocity)
        length = sqrt(position.dot(margins))
        position, margins = position / length, margins / length
        along = velocity.dot(margins)
        velocity, speeds = velocity - along * position, speeds - along * margins
        length = sqrt(velocity.dot(speeds))
        ball.position, ball.velocity = position, velocity / length
        ball.events_since_sync = 0
        return self._frame(margins[: self.n_walls], speeds[: self.n_walls] / length)
