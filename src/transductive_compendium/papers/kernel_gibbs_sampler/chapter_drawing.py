"""Pictures of the chapter that belong to no notebook.

A flight through walls that cost energy, in the plane, and the law of many flights. No sampler of
the library takes part: every flight is the NumPy reference's.
"""

import numpy as np

from transductive._exact.arrangement import Arrangement
from transductive.version_space._refraction_reference import refracted_flight
from transductive.version_space.label_noise import error_potential

from ...book.figure_style import COLOURS, figure

__all__ = ["PICTURES", "draw_flight", "flown", "law", "many_flights"]

Q = 0.2
#: Label-signed points, by their angle in degrees: the last one has a wrong label.
ANGLES = (15.0, 50.0, 75.0, 100.0, 205.0)
#: Position and velocity at the start of the flight that is drawn, and its arc.
START, VELOCITY, ARC = (0.7, 1.6), (0.6, -2.4), 3 * np.pi / 4
#: Before a wall and behind it, in radians.
NEAR = 1e-6
SHORTEST_ARC, LONGEST_ARC = np.pi / 4, 3 * np.pi / 4
N_FLIGHTS, N_DRAWN, BIN_DEGREES = 6000, 150, 5


def signed_points():
    """Unit vectors, shape (m, 2)."""
    angles = np.deg2rad(ANGLES)
    return np.column_stack([np.cos(angles), np.sin(angles)])


class Flyer:
    """Flights in the plane by the reference, which takes coefficients on the points."""

    def __init__(self):
        self.points = signed_points()
        self.gram = self.points @ self.points.T
        self.potential = error_potential(Q, len(self.points))
        self.inverse = np.linalg.pinv(self.points)

    def fly(self, w, v, arc):
        """Position at the end, shape (2,), and the reference's report."""
        coefficients = np.asarray(w) @ self.inverse, np.asarray(v) @ self.inverse
        flight = refracted_flight(self.gram, self.potential, *coefficients, arc)
        return flight.position @ self.points, flight


def flown():
    """The flight that is drawn.

    Returns
    -------
    arcs : ndarray of shape (n,)
        Flown so far, in radians.
    positions : ndarray of shape (n, 2)
    motion, potential : ndarrays of shape (n,)
        Energy ``(|w|^2 + |v|^2) / 2``, and that of the training errors.
    walls : ndarray of shape (k,)
        Arcs at which walls are met.
    crossed : ndarray of bool of shape (k,)
    """
    flyer = Flyer()
    _, whole = flyer.fly(START, VELOCITY, ARC)
    walls = np.cumsum(whole.arcs)
    near_walls = walls[:, None] + [-NEAR, 0.0, NEAR]
    arcs = np.sort(np.r_[np.linspace(0.0, ARC, N_DRAWN), near_walls.ravel()])
    found = [flyer.fly(START, VELOCITY, arc) for arc in arcs]
    potential = np.array([flyer.potential[flight.errors[-1]] for _, flight in found])
    motion = np.array([flight.energies[-1] for _, flight in found]) - potential
    crossed = np.diff(whole.errors) != 0
    return arcs, np.array([w for w, _ in found]), motion, potential, walls, crossed


def many_flights(n=N_FLIGHTS, seed=0):
    """Angles of the positions after each of `n` flights, in degrees from 0 to 360, shape (n,)."""
    rng, flyer = np.random.default_rng(seed), Flyer()
    w, angles = rng.standard_normal(2), np.empty(n)
    for i in range(n):
        # the length does not depend on the direction
        w *= np.sqrt(rng.chisquare(2)) / np.linalg.norm(w)
        w, _ = flyer.fly(w, rng.standard_normal(2), rng.uniform(SHORTEST_ARC, LONGEST_ARC))
        angles[i] = np.rad2deg(np.arctan2(w[1], w[0])) % 360.0
    return angles


def law(angles):
    """Exact posterior density at angles in degrees, a degree; and training errors."""
    cells = Arrangement(signed_points())
    angles = np.deg2rad(angles)
    cell = cells.cell_of(np.column_stack([np.cos(angles), np.sin(angles)]))
    return (cells.posterior(Q) / cells.areas)[cell] / 360.0, cells.errors[cell]


def draw_flight(save):
    """A flight, its energies, and where many flights end.

    Parameters
    ----------
    save : Path
        Without a suffix: receives the picture, its stacked form, and the drawn numbers.
    """
    arcs, positions, motion, potential, walls, crossed = flown()
    made = figure(10.4, 3.7, 3, save=save, width_ratios=(1, 1.1, 1.2))
    with made as (_, (plane, energy, density)):
        _draw_plane(plane, arcs, positions, walls, crossed)
        degrees = np.rad2deg(arcs)
        energy.plot(degrees, motion + potential, color=COLOURS["black"], label="total")
        energy.plot(degrees, motion, color=COLOURS["green"], label="motion")
        energy.plot(degrees, potential, "--", color=COLOURS["orange"], label="errors")
        energy.set(xlabel="arc flown (degrees)", ylabel="energy", ylim=(0, 7.5))
        energy.legend(loc="upper center", ncols=3, fontsize=9)
        edges = np.arange(0, 360 + BIN_DEGREES, BIN_DEGREES)
        counts, _ = np.histogram(many_flights(), edges)
        height = counts / counts.sum() / BIN_DEGREES
        density.bar(
            edges[:-1],
            100 * height,
            BIN_DEGREES,
            align="edge",
            color="#cccccc",
            label=f"{N_FLIGHTS} flights",
        )
        fine = np.arange(0.5, 360.0)
        density.plot(fine, 100 * law(fine)[0], color=COLOURS["green"], label="posterior (2)")
        density.set(xlabel="direction (degrees)", ylabel="% a degree", xticks=np.arange(0, 361, 90))
        density.legend(loc="upper right", fontsize=9)


def _draw_plane(panel, arcs, positions, walls, crossed):
    reach = 1.12 * np.abs(positions).max()
    edges = np.sort(np.r_[np.array(ANGLES) + 90.0, np.array(ANGLES) + 270.0] % 360.0)
    for begin, end in zip(edges, np.r_[edges[1:], edges[0] + 360.0], strict=True):
        middle = (begin + end) / 2
        errors = int(law([middle])[1][0])
        ray = np.deg2rad([begin, middle, end])
        corners = 3 * reach * np.column_stack([np.cos(ray), np.sin(ray)])
        # two triangles, since a cell may be wider than a right angle
        shade = f"{0.55 + 0.44 * errors / len(ANGLES):.2f}"
        panel.fill(*np.vstack([[0, 0], corners]).T, color=shade, lw=0)
        panel.text(
            *0.9 * reach * np.array([np.cos(ray[1]), np.sin(ray[1])]),
            errors,
            ha="center",
            va="center",
            fontsize=9,
        )
    panel.plot(*positions.T, color=COLOURS["green"], label="flight")
    panel.plot(*positions[0], "o", color=COLOURS["green"], ms=6)
    at = positions[np.searchsorted(arcs, walls)]
    panel.plot(*at[crossed].T, "s", color="black", ms=5, label="crossed")
    panel.plot(*at[~crossed].T, "D", color="black", mfc="white", ms=5, label="reflected")
    panel.set(xlim=(-reach, reach), ylim=(-reach, reach), xticks=[], yticks=[], aspect="equal")
    panel.set_xlabel("classifiers; cells with their errors")
    panel.grid(False)
    panel.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, fontsize=9)


#: Name of the figure -> what draws it to a path without a suffix.
PICTURES = {"fig-kgs-flight": draw_flight}
