"""A billiard trajectory as a list of reflections; flight times and centre of mass from it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ._billiard import kick, phases, replay

__all__ = ["FlightTimes", "Trajectory", "concatenate", "state_after"]


@dataclass(frozen=True)
class FlightTimes:
    """Arc flown on the positive side of each point, in batches.

    Attributes
    ----------
    positive : ndarray of shape (b, m)
        Arc, in radians, spent where the point is labelled +1.
    total : ndarray of shape (b,)
        Arc of each batch.
    chain : ndarray of shape (b,)
        Start that each batch belongs to.
    """

    positive: np.ndarray
    total: np.ndarray
    chain: np.ndarray

    @property
    def probability(self):
        """``p+ = V+ / (V+ + V-)`` of each point, shape (m,); Graepel et al. (2000), section 3.2.

        Exactly 0 or 1 if the trajectory never left one side.
        """
        positive = self.positive.sum(axis=0)
        negative = np.maximum(self.total[:, None] - self.positive, 0.0).sum(axis=0)
        return positive / (positive + negative)

    def standard_error(self, by="batch"):
        """Standard error of `probability` as a ratio of batch sums, shape (m,).

        Parameters
        ----------
        by : {"batch", "chain"}
            Treat batches, or whole starts, as independent. Starts are
            independent; batches of one start are only if each is much longer
            than the mixing time.

        Raises
        ------
        ValueError
            With fewer than two groups.
        """
        if by not in ("batch", "chain"):
            raise ValueError(f"by must be 'batch' or 'chain', got {by!r}")
        positive, total = self.positive, self.total
        if by == "chain":
            names = np.unique(self.chain)
            positive = np.array([positive[self.chain == c].sum(axis=0) for c in names])
            total = np.array([total[self.chain == c].sum() for c in names])
        groups = len(total)
        if groups < 2:
            raise ValueError(f"an error by {by} needs at least two of them, there is {groups}")
        residual = positive - self.probability * total[:, None]
        variance = groups / (groups - 1) * np.sum(residual**2, axis=0)
        return np.sqrt(variance) / total.sum()


@dataclass(frozen=True)
class Trajectory:
    """Flights of a ball in version space.

    A flight starts at a known position and velocity and is a list of events
    (arc, wall, impulse). A new flight begins at a start, at a refresh of the
    velocity, and where the running sums were recomputed.

    Attributes
    ----------
    positions, velocities : ndarray of shape (f, n)
        Coefficients of position and velocity at the start of each flight, on
        the label-signed points of the span.
    flights : ndarray of shape (f + 1,)
        First event of each flight, and the number of events.
    chains : ndarray of shape (f,)
        Start that each flight belongs to.
    arcs, walls, impulses : ndarray of shape (e,)
        Arc length in radians; wall at its end; impulse in units of the wall
        (0 where the flight ended between walls).
    """

    positions: np.ndarray
    velocities: np.ndarray
    flights: np.ndarray
    chains: np.ndarray
    arcs: np.ndarray
    walls: np.ndarray
    impulses: np.ndarray

    @property
    def n_bounces(self):
        """Number of reflections."""
        return int(np.count_nonzero(self.impulses))

    @property
    def length(self):
        """Arc flown, in radians."""
        return float(self.arcs.sum())

    def flight_times(self, cross, n_batches=1):
        """Evaluate points along the trajectory: the flight times of section 3.2, step 3.

        The points may be the working sample or later points. The cost is one
        pass over them per event and one product per flight; only the events
        need to be stored.

        Parameters
        ----------
        cross : array of shape (n, m)
            Inner products of the span's label-signed points with the m points.
        n_batches : int, default=1
            Batches of equally many events into which each run of a start is
            divided.

        Returns
        -------
        FlightTimes
        """
        cross = np.ascontiguousarray(cross, dtype=np.float64)
        if cross.ndim != 2 or cross.shape[0] != self.positions.shape[1]:
            raise ValueError(
                f"cross must have shape ({self.positions.shape[1]}, m), got {cross.shape}"
            )
        if n_batches < 1:
            raise ValueError(f"n_batches must be at least 1, got {n_batches}")
        runs = np.flatnonzero(np.diff(self.chains, prepend=-1))
        first = np.r_[self.flights[runs], self.flights[-1]]
        edges, chain = [0], []
        for number, begin, end in zip(self.chains[runs], first[:-1], first[1:], strict=True):
            edges.extend(np.linspace(begin, end, n_batches + 1).round().astype(np.intp)[1:])
            chain.extend([number] * n_batches)
        edges = np.asarray(edges, dtype=np.intp)
        positive = np.zeros((len(chain), cross.shape[1]))
        replay(
            cross,
            np.ascontiguousarray(self.positions @ cross),
            np.ascontiguousarray(self.velocities @ cross),
            self.flights,
            self.arcs,
            self.walls,
            self.impulses,
            edges,
            self._rounding(cross),
            positive,
        )
        # summed in the order of the kernel: equal to the last bit for a point never left
        total = [np.cumsum(np.r_[0.0, self.arcs[a:b]])[-1] for a, b in pairwise(edges)]
        return FlightTimes(positive, np.array(total), np.asarray(chain))

    def _rounding(self, cross):
        """Rounding error of an inner product along the trajectory, with room, shape (m,)."""
        size = np.abs(cross)
        first = np.abs(self.positions).max(axis=0) @ size
        kick = np.abs(self.impulses).max() * size.max(axis=0)
        longest = np.diff(self.flights).max()
        return 8.0 * np.finfo(float).eps * (first + np.sqrt(longest) * kick)

    def _phases(self, flight):
        """Events of a flight; arc flown since its start before and after each, modulo 2 pi."""
        events = slice(self.flights[flight], self.flights[flight + 1])
        arcs = np.ascontiguousarray(self.arcs[events])
        after = np.empty(len(arcs))
        phases(arcs, after)
        return events, np.r_[0.0, after[:-1]], after

    def state_at_end(self, flight=-1):
        """Coefficients of position and velocity after the last event of a flight."""
        flight = range(len(self.chains))[flight]
        events = slice(self.flights[flight], self.flights[flight + 1])
        return state_after(
            self.positions[flight], self.velocities[flight],
            self.arcs[events], self.walls[events], self.impulses[events],
        )  # fmt: skip

    def centre_of_mass(self):
        """Mean position of the ball: coefficients, not of unit length.

        An arc of length theta from w in direction v adds
        ``sin(theta) w + (1 - cos(theta)) v``. In the rotating frame a
        coefficient changes only when its wall is hit, so the sum costs one
        term per event.

        Returns
        -------
        a : ndarray of shape (n,)
            Estimate of the mean of w over version space.
        """
        total = np.zeros(self.positions.shape[1])
        for flight in range(len(self.chains)):
            events, before, after = self._phases(flight)
            arcs = self.arcs[events]
            weight = np.cumsum((np.sin(arcs) - 1j * (1.0 - np.cos(arcs))) * np.exp(-1j * before))
            if not len(weight):
                continue
            total += (weight[-1] * (self.positions[flight] + 1j * self.velocities[flight])).real
            kicks = 1j * self.impulses[events] * np.exp(1j * after) * (weight[-1] - weight)
            np.add.at(total, self.walls[events], kicks.real)
        return total / self.length


def state_after(position, velocity, arcs, walls, impulses):
    """Coefficients of position and velocity after the events of one flight.

    Parameters
    ----------
    position, velocity : array of shape (n,)
        Coefficients at the start of the flight.
    arcs, walls, impulses : array of shape (e,)
        As in `Trajectory`.
    """
    frame = position + 1j * velocity
    phase = kick(arcs, walls, impulses, frame)
    end = np.exp(-1j * phase) * frame
    return end.real, end.imag


def concatenate(parts):
    """Join trajectories of the same span; each part counts as further flights.

    Parameters
    ----------
    parts : sequence of Trajectory
    """
    parts = list(parts)
    sizes = np.cumsum([0, *(len(part.arcs) for part in parts)])
    flights = [part.flights[:-1] + size for part, size in zip(parts, sizes[:-1], strict=True)]
    return Trajectory(
        np.concatenate([part.positions for part in parts]),
        np.concatenate([part.velocities for part in parts]),
        np.concatenate([*flights, sizes[-1:]]).astype(np.intp),
        np.concatenate([part.chains for part in parts]),
        np.concatenate([part.arcs for part in parts]),
        np.concatenate([part.walls for part in parts]),
        np.concatenate([part.impulses for part in parts]),
    )
