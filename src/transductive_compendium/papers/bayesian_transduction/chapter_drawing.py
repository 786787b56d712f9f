"""Pictures of the chapter that belong to no notebook.

All are of version spaces on the sphere in three dimensions, where volumes are known exactly and
a flight can be drawn. Flights are the NumPy reference's, or formulas of the chapter.
"""

import numpy as np

from transductive.version_space import FeatureSpan
from transductive.version_space.start import interior_point, max_margin_point

from ...book.figure_style import COLOURS, METHODS, figure
from ...datasets.generators import toy_perceptron
from ...exact.billiard_reference import reference_billiard
from ...exact.labellings import exact_loss, joint_posterior, labelwise_loss, risk
from ...exact.volumes import centroid, probability_positive

__all__ = ["PREFIX", "eighth_at", "states", "unfolded"]

#: `draw_x` draws the picture fig-bt-x.
PREFIX = "fig-bt-"

#: The chapter's example: label-signed training points, and two working points.
EIGHTH = np.eye(3)
WORKING = np.array([[-4.0, 4.0, 1.0], [4.0, -4.0, 2.0]])
#: Another version space, in which the ball does not run in a loop, and its working point.
TRIANGLE = np.array([[1.0, 0.0, 0.0], [-1.0, 4.0, 0.0], [0.0, -1.0, 1.0]])
TRIANGLE_POINT = np.array([1.0, 0.0, -1.0])
POSITIVE, NEGATIVE = COLOURS["blue"], COLOURS["orange"]
MINUS = "\N{MINUS SIGN}"
CIRCLE = np.linspace(0.0, 2.0 * np.pi, 181)
EXACT = {"color": "black", "ls": "--", "lw": 1.4}
PALE_BLUE = COLOURS["blue"], 0.25


def unit(a):
    """Vectors scaled to length one, along the last axis."""
    return a / np.linalg.norm(a, axis=-1, keepdims=True)


def signed(n_train, margin):
    """Label-signed points of the plane beside a line, as in figure 1."""
    problem = toy_perceptron(n_train, n_working=0, seed=5, margin=margin)
    return problem.X * problem.y[:, None]


#: The version space of figure 1, and a narrow one of more points.
FIGURE_1, NARROW = signed(6, 0.15), unit(signed(40, 0.1))


class Map:
    """A map of the sphere around a centre on which areas are true: (n, 3) to (2, n)."""

    def __init__(self, centre, up=(0.0, 0.0, 1.0)):
        self.centre = unit(np.asarray(centre, float))
        self.east = unit(np.cross(up, self.centre))
        self.north = np.cross(self.centre, self.east)

    def __call__(self, w):
        """Coordinates on the map of unit vectors."""
        scale = np.sqrt(2.0 / (1.0 + w @ self.centre))
        return scale * np.array([w @ self.east, w @ self.north])


def great_circle(normal, walls):
    """The part inside the walls of the great circle <w, normal> = 0, in order, shape (n, 3)."""
    centre = centroid(walls).direction
    first = unit(centre - (centre @ normal) / (normal @ normal) * normal)
    angle = np.linspace(-np.pi, np.pi, 2001)[:, None]
    circle = np.cos(angle) * first + np.sin(angle) * np.cross(unit(normal), first)
    inside = circle[(circle @ walls.T > -1e-9).all(axis=1)]
    # both ends exactly, and a few between them
    return (
        inside[np.linspace(0, max(len(inside) - 1, 0), 60).astype(int)] if len(inside) else inside
    )


def outline(walls, view):
    """Border on a map of the cell {w : walls w > 0}, in order, shape (2, n)."""
    edges = [great_circle(wall, walls) for wall in walls]
    border = view(np.vstack(edges))
    x, y = border - view(centroid(walls).direction[None])
    order = np.argsort(np.arctan2(y, x))
    return border[:, np.r_[order, order[0]]]


def path(flight, walls):
    """Positions on the arcs of a reference flight, a list of arrays (n, 3)."""
    w, v = flight.positions[:-1] @ walls, flight.velocities @ walls
    steps = np.linspace(0.0, 1.0, 40)
    return [
        np.cos(arc * steps)[:, None] * a + np.sin(arc * steps)[:, None] * b
        for a, b, arc in zip(w, v, flight.arcs, strict=True)
    ]


def fly(walls, n, rule="geodesic", seed=0):
    """The reference's flight from the middle of a version space in a random direction."""
    rng, span = np.random.default_rng(seed), FeatureSpan(walls @ walls.T)
    w = interior_point(span, len(walls))
    return reference_billiard(span, w, span.random_tangent(w, rng), n, rule, rng)


def states(walls, n, rng):
    """States by the uniform law on a version space: positions and velocities, (n, 3) each."""
    w = np.empty((0, 3))
    while len(w) < n:
        new = unit(rng.standard_normal((4 * n, 3)))
        w = np.vstack([w, new[(new @ walls.T > 0).all(axis=1)]])
    w = w[:n]
    v = rng.standard_normal((n, 3))
    return w, unit(v - (v * w).sum(axis=1, keepdims=True) * w)


def eighth_at(w, v, arc):
    """Position in the eighth of the sphere after an arc: there a reflection only turns a sign."""
    return np.abs(np.cos(arc) * w + np.sin(arc) * v)


def bare(panel, **look):
    """A panel that is a map: equal scales, no axes."""
    panel.set(aspect="equal", **look)
    panel.set_axis_off()


def name(labelling):
    """Signs of a labelling in brackets."""
    return "(" + ", ".join("+" if b > 0 else MINUS for b in labelling) + ")"


def draw_losses(save):
    """The labellings of two working points as cells, and their risks under both losses."""
    view, posterior = Map((1, 1, 1)), joint_posterior(EIGHTH, WORKING)
    with figure(9.6, 4.0, 2, save=save) as (_, (cells, bars)):
        for labels, p in zip(posterior.labellings, posterior.probabilities, strict=True):
            if p == 0:
                continue
            walls = np.vstack([EIGHTH, labels[:, None] * WORKING])
            cells.fill(*outline(walls, view), color=str(1.25 - 1.2 * p), lw=0)
            place = view(centroid(walls).direction)
            cells.text(*place, f"{name(labels)}\n{p:.3f}", ha="center", va="center")
        cells.plot(*outline(EIGHTH, view), color="black")
        for point, style in zip(WORKING, ("--", ":"), strict=True):
            cells.plot(*view(great_circle(point, EIGHTH)), style, color="black")
        bare(cells, title="version space")
        places = np.arange(len(posterior.labellings))
        for loss, label, colour, shift in (
            (exact_loss, "exact labelling (4)", "black", 0.19),
            (labelwise_loss, "share of labels (5)", "grey", -0.19),
        ):
            risks = risk(posterior, loss)
            best = risks.argmin()
            bars.barh(places + shift, risks, 0.34, color=COLOURS[colour], label=label)
            bars.text(risks[best] + 0.02, best + shift, "least", va="center", fontsize=9)
        bars.set_yticks(places, [name(b) for b in posterior.labellings])
        bars.set(xlabel="risk (3), lower is better", ylabel="answer", xlim=(0, 1.02))
        bars.legend(loc="upper center", bbox_to_anchor=(0.5, 1.14), ncols=2, fontsize=9)


def draw_largest_ball(save):
    """The SVM in the version space of figure 1, for points of one length and of several."""
    view = Map(centroid(FIGURE_1).direction)
    with figure(9.6, 3.9, 2, save=save) as (_, panels):
        for panel, walls, title in (
            (panels[0], unit(FIGURE_1), "all points of length 1"),
            (panels[1], FIGURE_1, "lengths as in figure 1"),
        ):
            svm = unit(max_margin_point(FeatureSpan(walls @ walls.T), len(walls)) @ walls)
            panel.plot(*outline(walls, view), color="black", label="version space")
            radius = np.arcsin((unit(walls) @ svm).min())
            panel.plot(*view(cap(svm, radius)), color=METHODS["SVM"], lw=1.4)
            panel.plot(*view(svm), "s", color=METHODS["SVM"], label="SVM and its ball")
            centre = centroid(walls).direction
            panel.plot(*view(centre), "o", color=METHODS["Bayes point"], label="Bayes point")
            bare(panel, title=f"{title}: radius {np.rad2deg(radius):.2f}°")
        panels[0].legend(loc="upper center", bbox_to_anchor=(0.5, -0.02), ncols=3, fontsize=9)


def cap(centre, radius):
    """Border of a ball on the sphere, shape (n, 3)."""
    view = Map(centre)
    around = np.outer(np.cos(CIRCLE), view.east) + np.outer(np.sin(CIRCLE), view.north)
    return np.cos(radius) * view.centre + np.sin(radius) * around


def draw_flight(save, n_drawn=9, n=60):
    """A flight by bounces, each side of the working point in its colour, and the estimate."""
    view = Map(centroid(TRIANGLE).direction)
    flight = fly(TRIANGLE, n, seed=8)
    positive, arcs = flight.flight_times((TRIANGLE @ TRIANGLE_POINT)[:, None])
    share = positive[:, 0].cumsum() / arcs.cumsum()
    exact = probability_positive(TRIANGLE, TRIANGLE_POINT).value
    with figure(9.6, 4.0, 2, save=save) as (_, (sphere, estimate)):
        sphere.plot(*outline(TRIANGLE, view), color="black")
        sphere.plot(*view(great_circle(TRIANGLE_POINT, TRIANGLE)), **EXACT)
        for arc in path(flight, TRIANGLE)[:n_drawn]:
            side = arc @ TRIANGLE_POINT > 0
            for part, colour in ((~side, NEGATIVE), (side, POSITIVE)):
                # up to the first point beyond the line
                part = part | np.roll(part, 1) | np.roll(part, -1)
                sphere.plot(*np.where(part, view(arc), np.nan), color=colour, lw=1.4)
        stops = flight.positions[: n_drawn + 1] @ TRIANGLE
        sphere.plot(*view(stops[:1]), "o", color="black", ms=6)
        for k, place in enumerate(view(stops[1:]).T, 1):
            sphere.annotate(str(k), place, xytext=(4, 3), textcoords="offset points", fontsize=9)
        bare(sphere, title=f"{n_drawn} bounces")
        estimate.plot(np.arange(1, n + 1), share, color=POSITIVE, label=r"$V^+ / (V^+ + V^-)$")
        estimate.axhline(exact, label=rf"exact: $p^+ = {exact:.3f}$", **EXACT)
        estimate.set(xlabel="bounces", ylabel="share of the arc flown", ylim=(0, None), xlim=(0, n))
        estimate.legend(fontsize=9)


def unfolded(flight, walls):
    """Copies of version space along a printed flight, until it finds no wall ahead.

    Returns
    -------
    mirrors : list of ndarrays of shape (3, 3)
        What takes each arc's version space to its copy.
    arc : ndarray
        Flown after each bounce, in radians.
    """
    n = flight.escapes[0] if len(flight.escapes) else len(flight.walls)
    mirrors = [np.eye(3)]
    for wall in flight.walls[:n]:
        normal = unit(walls[wall])
        mirrors.append(mirrors[-1] @ (np.eye(3) - 2.0 * np.outer(normal, normal)))
    return mirrors, flight.arcs[:n].cumsum()


def draw_ray(save, n_balls=12, n=30, drawn=0):
    """A printed path unfolded into one straight line, and how far such paths get."""
    flights = [fly(NARROW, n, "flat", seed) for seed in range(n_balls)]
    mirrors, _ = unfolded(flights[drawn], NARROW)
    start, speed = flights[drawn].positions[0] @ NARROW, flights[drawn].velocities[0] @ NARROW
    view = Map(start, np.cross(start, speed))
    with figure(9.6, 4.3, 2, save=save) as (_, (ray, arcs)):
        edges = [great_circle(wall, NARROW) for wall in NARROW]
        for k, mirror in enumerate(mirrors):
            for edge in filter(len, edges):
                ray.plot(
                    *view(edge @ mirror.T),
                    color=COLOURS["grey"] if k else "black",
                    lw=0.8 if k else 1.6,
                )
        quarter = np.sqrt(2.0)
        ray.plot(quarter * np.cos(CIRCLE), quarter * np.sin(CIRCLE), **EXACT)
        ray.plot([0, quarter], [0, 0], color=POSITIVE)
        ray.plot(0, 0, "o", color=POSITIVE)
        bare(ray, title=r"unfolded: $w_0 + \tau v_0$")
        for seed, flight in enumerate(flights):
            _, flown = unfolded(flight, NARROW)
            look = {"color": POSITIVE, "lw": 1.0, "marker": ".", "ms": 5}
            flown = np.rad2deg(np.r_[0.0, flown])
            arcs.plot(flown, label="as printed" if seed == 0 else "_", **look)
        circles = fly(NARROW, n, seed=drawn)
        flown = np.rad2deg(np.r_[0.0, circles.arcs.cumsum()])
        arcs.plot(flown, color=COLOURS["grey"], label="on great circles")
        arcs.axhline(90.0, label="a quarter turn", **EXACT)
        arcs.set(xlabel="bounces", ylabel="arc flown (degrees)", xlim=(0, 12), ylim=(0, 180))
        arcs.legend(fontsize=9)


def draw_uniform_start(save, n_balls=400, n_drawn=40, seed=0):
    """A loop in the eighth of the sphere, and time shares of balls with uniform starts."""
    rng, view = np.random.default_rng(seed), Map((1, 1, 1))
    w, v = states(EIGHTH, n_balls, rng)
    arc = np.arange(0.0, 4.0 * np.pi, 0.02) + 0.01
    at = eighth_at(w[:, None], v[:, None], arc[:, None])
    shares = (at @ WORKING[0] > 0).cumsum(axis=1) / np.arange(1, len(arc) + 1)
    exact = probability_positive(EIGHTH, WORKING[0]).value
    with figure(9.6, 4.0, 2, save=save) as (_, (loop, times)):
        loop.plot(*outline(EIGHTH, view), color="black")
        loop.plot(*view(great_circle(WORKING[0], EIGHTH)), **EXACT)
        for ball, colour in ((3, "blue"), (5, "sky")):
            loop.plot(*view(at[ball]), color=COLOURS[colour])
        bare(loop, title="two balls, for ever")
        degrees = np.rad2deg(arc)
        times.plot(degrees[::4], shares[:n_drawn, ::4].T, color=COLOURS["grey"], lw=0.5, alpha=0.7)
        times.plot(degrees, shares.mean(axis=0), color=POSITIVE, label=f"mean of {n_balls} balls")
        times.axhline(exact, label=rf"exact: $p^+ = {exact:.4f}$", **EXACT)
        times.set(xlabel="arc flown (degrees)", ylabel="share of the arc in $V^+$", ylim=(0, 1.22))
        times.set_xticks(np.arange(0, 721, 180))
        times.set_yticks(np.linspace(0, 1, 6))
        times.legend(loc="upper right", ncols=2, fontsize=9)


def refreshed(mean_arc, n_balls, arcs, rng):
    """Positions of balls in the eighth of the sphere, from near a corner: (len(arcs), n, 3)."""
    step = arcs[1] - arcs[0]
    w = np.tile(unit(np.array([0.05, 1.0, 0.05])), (n_balls, 1))
    v = tangents(w, rng)
    found = []
    for _ in arcs:
        found.append(np.abs(w))
        w, v = np.cos(step) * w + np.sin(step) * v, np.cos(step) * v - np.sin(step) * w
        new = rng.random(n_balls) < -np.expm1(-step / mean_arc)
        v = np.where(new[:, None], tangents(w, rng), v)
    return np.array(found)


def tangents(w, rng):
    """A random velocity at each position."""
    v = rng.standard_normal(w.shape)
    return unit(v - (v * w).sum(axis=1, keepdims=True) * w)


def draw_forgetting(save, n_balls=4000, seed=0):
    """A refreshed path, and how often balls from one corner are in V+ after an arc."""
    rng, view = np.random.default_rng(seed), Map((1, 1, 1))
    arcs = np.arange(0.0, 4.0 * np.pi, 0.05)
    exact = probability_positive(EIGHTH, WORKING[0]).value
    with figure(9.6, 4.0, 2, save=save) as (_, (sphere, share)):
        sphere.plot(*outline(EIGHTH, view), color="black")
        sphere.plot(*view(great_circle(WORKING[0], EIGHTH)), **EXACT)
        one = refreshed(np.pi / 2, 1, np.arange(0.0, 12 * np.pi, 0.02), rng)[:, 0]
        sphere.plot(*view(one), color=POSITIVE, lw=1.0)
        sphere.plot(*view(one[:1]), "o", color="black")
        bare(sphere, title="one ball, refreshed")
        for mean_arc, colour, ls, label in (
            (np.inf, "grey", "-", "never refreshed"),
            (np.pi, "sky", "-", r"mean arc $a = 180°$"),
            (np.pi / 2, "blue", "-", r"mean arc $a = 90°$"),
        ):
            inside = refreshed(mean_arc, n_balls, arcs, rng) @ WORKING[0] > 0
            look = {"color": COLOURS[colour], "ls": ls, "label": label}
            share.plot(np.rad2deg(arcs), inside.mean(axis=1), **look)
        share.axhline(exact, label=rf"exact: $p^+ = {exact:.4f}$", **EXACT)
        share.set(xlabel="arc flown (degrees)", ylabel="share of the balls in $V^+$")
        share.set_ylim(0, 1.35)
        share.set_xticks(np.arange(0, 721, 180))
        share.set_yticks(np.linspace(0, 1, 6))
        share.legend(loc="upper right", ncols=2, fontsize=9)


def draw_confidence(save, n=4000, rejected=0.2, seed=0):
    """Which points of the plane each confidence rejects, and how differently they order them."""
    problem = toy_perceptron(8, n_working=0, seed=5, margin=0.15)
    walls = unit(problem.X) * problem.y[:, None]
    w, _ = states(walls, n, np.random.default_rng(seed))
    svm = max_margin_point(FeatureSpan(walls @ walls.T), len(walls)) @ walls
    grid = np.linspace(-1.2, 1.2, 81)
    x, y = np.meshgrid(grid, grid)
    points = unit(np.stack([x, y, np.ones_like(x)], axis=-1))
    vote = np.abs(2.0 * (points.reshape(-1, 3) @ w.T > 0).mean(axis=1) - 1.0).reshape(x.shape)
    output = np.abs(points @ svm)
    with figure(9.6, 4.2, 2, save=save) as (_, (plane, order)):
        for confidence, method in ((vote, "Bayesian transduction"), (output, "SVM")):
            level = np.quantile(confidence, rejected)
            plane.contour(x, y, confidence, [level], colors=[METHODS[method]], linewidths=2)
            plane.plot([], [], color=METHODS[method], label=method)
        for sign, fill in ((1, "black"), (-1, "white")):
            here = problem.X[problem.y == sign]
            label = f"label {sign:+d}".replace("-", MINUS)
            plane.plot(*here[:, :2].T, "o", color="black", mfc=fill, ms=7, label=label)
        plane.set(xlabel="$x_1$", ylabel="$x_2$", aspect="equal")
        plane.legend(loc="upper center", bbox_to_anchor=(0.5, 1.2), ncols=2, fontsize=9)
        order.plot(output[::4, ::4].ravel(), vote[::4, ::4].ravel(), ".", color=COLOURS["grey"])
        order.set(xlabel=r"SVM: $|f(x)|$", ylabel=r"Bayesian transduction: $\hat c$ (7)")


def draw_segments(save, n=4000, seed=0):
    """Shares of segments against their lengths, and what their mean tends to."""
    flight = fly(TRIANGLE, n, "cosine at wall", seed)
    positive, arcs = flight.flight_times((TRIANGLE @ TRIANGLE_POINT)[:, None])
    positive, count = positive[:, 0], np.arange(1, n + 1)
    share, seen = positive / arcs, np.unique(np.geomspace(10, n, 400).astype(int)) - 1
    exact = probability_positive(TRIANGLE, TRIANGLE_POINT).value
    with figure(9.6, 4.0, 2, save=save) as (_, (segments, means)):
        segments.plot(np.rad2deg(arcs[:1000]), share[:1000], ".", ms=3, color=COLOURS["grey"])
        segments.set(xlabel="length of the segment (degrees)", ylabel="share $p_i^+$ in $V^+$")
        means.plot(
            count[seen],
            (share.cumsum() / count)[seen],
            color="black",
            ls="-.",
            label="mean of the shares, (8)",
        )
        ratio = positive.cumsum() / arcs.cumsum()
        means.plot(count[seen], ratio[seen], color=POSITIVE, label="ratio of the times, step 3")
        means.axhline(exact, label=rf"exact: $p^+ = {exact:.3f}$", **EXACT)
        means.axhspan(exact - 0.05, exact + 0.05, color=COLOURS["grey"], alpha=0.15, lw=0)
        means.set(xlabel="bounces", ylabel="estimate of $p^+$", xscale="log")
        means.set(xlim=(10, n), ylim=(0, 0.6))
        means.legend(fontsize=9)


def draw_nobody(save):
    """Three working points, each of which is positive on the larger part."""
    view = Map((1, 1, 1))
    with figure(9.6, 2.9, 3, save=save) as (_, panels):
        for panel, corner in zip(panels, EIGHTH, strict=True):
            point = 1.0 - 3.0 * corner
            panel.fill(*outline(np.vstack([EIGHTH, point]), view), color=PALE_BLUE, lw=0)
            panel.plot(*view(great_circle(point, EIGHTH)), **EXACT)
            panel.plot(*outline(EIGHTH, view), color="black")
            bare(panel, title="({:.0f}, {:.0f}, {:.0f})".format(*point).replace("-", MINUS))
