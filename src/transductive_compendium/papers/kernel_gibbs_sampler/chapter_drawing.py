"""Pictures of the chapter that belong to no notebook.

Most show the seven points of its example, whose posterior is known exactly. No sampler of
the library takes part: what moves is moved by NumPy, in few lines, or by the references.
"""

from functools import cache

import numpy as np
import pandas as pd
from scipy.stats import norm

from transductive.version_space.active_learning import binary_entropy
from transductive.version_space.label_noise import error_potential
from transductive.version_space.mixing import R_HAT

from ...book.figure_style import COLOURS, METHODS, figure
from ...exact.arrangement import Arrangement
from ...exact.refraction_reference import refracted_flight
from ...runner.records import results_folder

__all__ = ["PREFIX"]

#: `draw_x` draws the picture fig-kgs-x.
PREFIX = "fig-kgs-"

GIBBS, BILLIARD, SVM = METHODS["Gibbs"], METHODS["Bayesian transduction"], METHODS["SVM"]

# ---- the seven points ---------------------------------------------------------------------------

#: Seven points of the plane; the last one has a wrong label. Classifiers are lines with an offset.
PLANE = np.array(
    [[-2, -1], [-1, 0.5], [-0.5, -2], [0.8, 1], [1.5, -0.5], [2, 0.3], [-1.5, -0.4]], float
)
X = np.column_stack([PLANE, np.ones(len(PLANE))])
Y = np.array([-1, -1, -1, 1, 1, 1, 1])
SIGNED, M, WRONG = Y[:, None] * X, len(Y), 6
Q = 0.1
#: Start and direction of the circle that the chapter takes apart.
START, DIRECTION = np.array([0, 0, 1.0]), np.array([0.8, 0.6, 0])
NEW = np.array([[-1.5, -0.4, 1], [0.3, 0.1, 1], [2.1, 1.7, 1]])


@cache
def example():
    """All cells of the seven points."""
    return Arrangement(SIGNED)


def errors_of(W, points=SIGNED):
    """Training errors of classifiers, shape (..., r)."""
    return np.sum(W @ points.T <= 0, axis=-1)


def uniform(n, rng, r=3):
    """Uniform unit vectors, shape (n, r)."""
    W = rng.standard_normal((n, r))
    return W / np.linalg.norm(W, axis=1, keepdims=True)


def grey(errors, most):
    """Shades as text: the fewer errors, and so the more posterior, the darker."""
    return 0.35 + 0.62 * np.minimum(errors / most, 1.0)


def shade_sphere(panel, eye, size=301):
    """Draw the sphere as seen from `eye`, shaded by errors; axes of the view, shape (3, 3)."""
    eye = np.array(eye) / np.linalg.norm(eye)
    right = np.cross([0.0, 0.0, 1.0], eye)
    right /= np.linalg.norm(right)
    view = np.array([right, np.cross(eye, right), eye])
    a, b = np.meshgrid(np.linspace(-1, 1, size), np.linspace(-1, 1, size))
    with np.errstate(invalid="ignore"):
        seen = np.stack([a, b, np.sqrt(1 - a**2 - b**2)], axis=-1)  # NaN outside of the disc
    shades = np.where(np.isnan(seen[..., 2]), 1.0, grey(errors_of(seen @ view), M - 1))
    panel.imshow(shades, cmap="gray", vmin=0, vmax=1, origin="lower", extent=(-1, 1, -1, 1))
    panel.set(xlim=(-1.05, 1.05), ylim=(-1.05, 1.05), aspect="equal")
    panel.axis("off")
    return view


def mark_points(panel, sizes=55):
    """The seven points: black +1, white -1, a ring round the wrong label."""
    for label, face, name in ((1, "black", "label +1"), (-1, "white", "label -1")):
        panel.scatter(
            *PLANE[label == Y].T, s=sizes, c=face, edgecolors="black", label=name, zorder=4
        )
    panel.scatter(
        *PLANE[WRONG], s=4 * sizes, facecolors="none", edgecolors="black", label="wrong label"
    )


def line_of(w, x):
    """Height of the classifier's line over x."""
    return -(w[0] * x + w[2]) / w[1]


#: Three classifiers of the example: their lines, as normal vectors with an offset.
SHOWN = {"A": (0.95, 0.3, 0.0), "B": (0.5, 0.87, 0.55), "C": (-0.35, 1.0, 0.65)}


def draw_duality(save):
    """Points and three classifiers in the plane; the same on the sphere of classifiers."""
    with figure(9.6, 4.6, 2, save=save) as (_, (plane, sphere)):
        mark_points(plane)
        x = np.linspace(-3, 3, 2)
        view = shade_sphere(sphere, [0.45, 0.85, 0.4])
        for (name, w), style in zip(SHOWN.items(), ("-", "--", "-."), strict=True):
            w = np.array(w) / np.linalg.norm(w)
            plane.plot(x, line_of(w, x), style, color=GIBBS, label=f"{name}: errors {errors_of(w)}")
            a, b, _ = view @ w
            sphere.plot(a, b, "o", ms=11, color=GIBBS, mec="white")
            sphere.text(a + 0.06, b + 0.03, name, fontsize=12, weight="bold", color="black")
        for i in range(M):
            turn = np.linspace(0, 2 * np.pi, 400)
            normal = SIGNED[i] / np.linalg.norm(SIGNED[i])
            first = np.cross(normal, [0.3, 0.5, 0.8])
            first /= np.linalg.norm(first)
            wall = np.outer(np.cos(turn), first) + np.outer(np.sin(turn), np.cross(normal, first))
            a, b, front = (wall @ view.T).T
            look = (
                {"color": COLOURS["black"], "lw": 2.2}
                if i == WRONG
                else {"color": "0.3", "lw": 0.8}
            )
            sphere.plot(np.where(front > 0, a, np.nan), b, **look)
        plane.set(xlim=(-3, 3), ylim=(-2.6, 2.2), xlabel="$x_1$", ylabel="$x_2$", aspect="equal")
        plane.legend(loc="upper center", bbox_to_anchor=(0.5, 1.2), ncols=3, fontsize=9)
        sphere.set_title("the sphere of classifiers")


# ---- two kinds of noise --------------------------------------------------------------------------

SOFTNESS = 0.25
#: Label-signed points: angle in degrees and length. The last is mislabelled and far away.
NEAR_POINTS = np.deg2rad([-70.0, -52.0, -35.0, -20.0, -8.0, 9.0, 24.0, 40.0, 58.0, 75.0])
FAR_ANGLE, FAR_LENGTH = np.deg2rad(150.0), 6.0


def directions_under_noise():
    """Angles in degrees, and the posterior density a degree under label and feature noise."""
    angles = np.append(NEAR_POINTS, FAR_ANGLE)
    lengths = np.append(np.ones(len(NEAR_POINTS)), FAR_LENGTH)
    degrees = np.arange(-179.75, 180.0, 0.5)
    outputs = lengths * np.cos(np.deg2rad(degrees)[:, None] - angles)
    label = np.prod(np.where(outputs > 0, 1 - Q, Q), axis=1)
    feature = np.exp(norm.logcdf(outputs / np.sqrt(SOFTNESS)).sum(axis=1))
    return degrees, *(density / density.sum() / 0.5 for density in (label, feature))


def draw_noise(save):
    """The price of an output under both kinds of noise; what one far wrong label does."""
    output = np.linspace(-3, 3, 601)
    with figure(9.6, 3.7, 2, save=save) as (_, (price, circle)):
        label = np.where(output > 0, -np.log(1 - Q), -np.log(Q))
        price.plot(output, label, color=GIBBS, label=f"label noise, $q$ = {Q}")
        feature = -norm.logcdf(output / np.sqrt(SOFTNESS))
        price.plot(
            output, feature, "--", color=SVM, label=rf"feature noise, $\lambda$ = {SOFTNESS}"
        )
        price.set(xlabel=r"output $y \langle w, x \rangle$", ylabel=r"cost $-\ln$ likelihood")
        price.set(ylim=(-0.3, 12))
        price.legend(fontsize=9)
        degrees, by_label, by_feature = directions_under_noise()
        circle.plot(degrees, 100 * by_label, color=GIBBS)
        circle.plot(degrees, 100 * by_feature, "--", color=SVM)
        circle.axvline(0, color="0.4", lw=1, ls=":", label="truth")
        circle.set(xlabel="direction of $w$ (degrees)", ylabel="posterior, % a degree")
        circle.set(xlim=(-90, 150), xticks=np.arange(-90, 151, 60))
        circle.legend(fontsize=9)


# ---- a great circle, and a chain -----------------------------------------------------------------


def arcs_of(W, V, printed=False):
    """Steps 3 to 6 for many circles: begin, end and errors of the 2m arcs, each shape (n, 2m).

    With `printed`, errors are those at half the difference of the angles.
    """
    s, t = W @ SIGNED.T, V @ SIGNED.T
    first = np.arctan(s / t)
    begin = np.sort(np.concatenate([first, first + np.pi], axis=1), axis=1)
    end = np.concatenate([begin[:, 1:], begin[:, :1] + 2 * np.pi], axis=1)
    middle = (np.roll(begin, -1, axis=1) - begin if printed else begin + end) / 2
    outputs = np.cos(middle)[..., None] * s[:, None] - np.sin(middle)[..., None] * t[:, None]
    return begin, end, np.sum(outputs <= 0, axis=-1)


def tangents(W, D):
    """Unit tangents at W in the directions D."""
    V = D - np.sum(D * W, axis=1, keepdims=True) * W
    return V / np.linalg.norm(V, axis=1, keepdims=True)


def move(W, V, angles):
    """Step 8."""
    return np.cos(angles)[:, None] * W - np.sin(angles)[:, None] * V


def step(W, q, rng, printed=False, normal=False):
    """Steps 2 to 8 for many chains at once.

    Parameters
    ----------
    W : ndarray of shape (n, 3)
    q : float
    rng : numpy.random.Generator
    printed : bool, default=False
        Count errors where step 6 as printed counts them.
    normal : bool, default=False
        Draw directions with normal coefficients on the points, in place of isotropic ones.
    """
    D = rng.standard_normal((len(W), M)) @ X if normal else rng.standard_normal(W.shape)
    V = tangents(W, D)
    begin, end, errors = arcs_of(W, V, printed)
    mass = np.cumsum((q / (1 - q)) ** errors * (end - begin), axis=1)
    target = rng.uniform(0, mass[:, -1])
    arc = np.argmax(mass > target[:, None], axis=1)
    row = np.arange(len(W))
    return move(W, V, rng.uniform(begin[row, arc], end[row, arc]))


def draw_circle(save):
    """One circle of the example: outputs, errors, density."""
    begin, end, errors = (a[0] for a in arcs_of(START[None], DIRECTION[None]))
    edges = np.rad2deg(np.append(begin, end[-1]))
    mass = (Q / (1 - Q)) ** errors
    density = mass / np.sum(mass * np.diff(edges))
    fine = np.linspace(edges[0], edges[-1], 500)
    turn = np.deg2rad(fine)
    outputs = np.outer(np.cos(turn), SIGNED @ START) - np.outer(np.sin(turn), SIGNED @ DIRECTION)
    made = figure(6.6, 6.2, rows=3, sharex=True, height_ratios=(1.3, 1, 1), save=save)
    with made as (_, (above, middle, below)):
        for i in range(M):
            look = {"color": COLOURS["black"], "lw": 2} if i == WRONG else {"color": "0.6", "lw": 1}
            above.plot(
                fine, outputs[:, i], **look, label="wrong label" if i == WRONG else "the others"
            )
        above.axhline(0, color="black", lw=0.8)
        above.plot(edges[:-1], np.zeros(2 * M), "o", color=COLOURS["orange"], ms=5, label="hit")
        above.set(ylabel=r"$y_i \langle w(\zeta), x_i \rangle$", ylim=(-3.2, 4.6))
        handles, labels = above.get_legend_handles_labels()
        found = dict(zip(labels, handles, strict=True))
        above.legend(found.values(), found, loc="upper center", ncols=3, fontsize=9)
        middle.stairs(errors, edges, baseline=None, color=GIBBS, lw=1.8)
        middle.set(ylabel="errors", yticks=(0, 2, 4, 6), ylim=(-0.3, 7))
        below.stairs(100 * density, edges, color=GIBBS, fill=True, alpha=0.35)
        below.stairs(100 * density, edges, color=GIBBS)
        below.set(ylabel="density, % a degree", xlabel=r"angle $\zeta$ (degrees)")
        below.set(xticks=np.arange(-60, 301, 60), xlim=(edges[0], edges[-1]))


N_CHAINS, N_STEPS = 4000, 16


def distances(seed=0, **kind):
    """Total variation between the chain's law and the posterior, over cells, after each step.

    All chains start opposite to the Bayes point. `kind` is passed to `step`.
    """
    cells, rng = example(), np.random.default_rng(seed)
    W = np.tile(-cells.bayes_point(Q), (N_CHAINS, 1))
    found = []
    for _ in range(N_STEPS + 1):
        visited = np.bincount(cells.cell_of(W), minlength=len(cells.areas)) / N_CHAINS
        found.append(np.abs(visited - cells.posterior(Q)).sum() / 2)
        W = step(W, Q, rng, **kind)
    return np.array(found)


def independent_distance():
    """Expected distance of as many independent samples."""
    exact = example().posterior(Q)
    return np.sqrt(2 * exact * (1 - exact) / (np.pi * N_CHAINS)).sum() / 2


def bound():
    """Of the proposition: (1 - epsilon)^j after each step."""
    # in three dimensions the integral of sin over a half turn is 2, so omega is 1 / 2
    return (1 - (Q / (1 - Q)) ** M / (np.pi / 2)) ** np.arange(N_STEPS + 1)


def draw_forgets(save):
    """How fast chains forget their start, if they sample the posterior at all."""
    kinds = {
        "the sampler": ("o-", GIBBS, {}),
        "normal coefficients": ("^:", "black", {"normal": True}),
        "step 6 as printed": ("s--", "black", {"printed": True}),
    }
    with figure(6.6, 3.9, save=save) as (_, panel):
        steps = np.arange(N_STEPS + 1)
        panel.semilogy(steps, bound(), color="0.4", lw=1.2, label="bound")
        for name, (style, colour, kind) in kinds.items():
            panel.semilogy(steps, distances(**kind), style, color=colour, ms=5, lw=1.2, label=name)
        panel.axhline(independent_distance(), color="0.4", ls=":", label="independent samples")
        panel.set(xlabel="steps", ylabel="distance, lower is better", ylim=(0.006, 1.5))
        panel.legend(fontsize=9, ncols=2, loc="upper right", bbox_to_anchor=(1, 0.8))


N_LEANING, N_LEANING_STEPS = 20_000, 12


def long_axes():
    """Unit eigenvectors of X'X, the longest axis of the points first, as columns."""
    return np.linalg.eigh(X.T @ X)[1][:, ::-1]


def leaning(normal_coefficients, seed=0):
    """Directions d and last classifiers of chains at q = 1/2, where every angle is as likely."""
    rng = np.random.default_rng(seed)
    W = uniform(N_LEANING, rng)
    for _ in range(N_LEANING_STEPS):
        if normal_coefficients:
            D = rng.standard_normal((N_LEANING, M)) @ X
        else:
            D = rng.standard_normal((N_LEANING, 3))
        W = move(W, tangents(W, D), rng.uniform(0, 2 * np.pi, N_LEANING))
    return D / np.linalg.norm(D, axis=1, keepdims=True), W


def draw_isotropic(save):
    """Directions of two laws, and where chains that use them end, at q = 1/2."""
    axes = long_axes()
    edges = np.linspace(-1, 1, 21)
    names = {False: ("isotropic", GIBBS), True: ("normal coefficients", COLOURS["black"])}
    made = figure(10.2, 3.6, 3, width_ratios=(1, 1, 1.5), save=save)
    with made as (_, (*discs, density)):
        for (kind, (name, colour)), disc in zip(names.items(), discs, strict=True):
            D, W = leaning(kind)
            disc.plot(*(D[:1200] @ axes[:, [0, 2]]).T, ".", ms=2.5, color=colour)
            disc.set(xlim=(-1.05, 1.05), ylim=(-1.05, 1.05), xticks=(-1, 0, 1), yticks=(-1, 0, 1))
            disc.set(xlabel="long axis", ylabel="short axis", aspect="equal")
            disc.set_title(f"$d$: {name}", fontsize=10)
            share, _ = np.histogram(W @ axes[:, 0], edges)
            look = {"ls": "--" if kind else "-", "color": colour, "label": name}
            density.stairs(100 * share / N_LEANING, edges, baseline=None, lw=1.8, **look)
        density.axhline(100 / (len(edges) - 1), color="0.4", ls=":", label="uniform law")
        density.set(xlabel="$w$ along the long axis", ylabel="% of chains", ylim=(0, 9))
        density.set_title("classifiers at $q$ = 1/2", fontsize=10)
        density.legend(fontsize=9, loc="lower center")


# ---- the uses of the samples --------------------------------------------------------------------


N_PRIOR = 100_000


def weighted_prior(q=Q, n=N_PRIOR, seed=0):
    """Draws of the prior, and their posterior weights."""
    W = uniform(n, np.random.default_rng(seed))
    weights = (q / (1 - q)) ** errors_of(W)
    return W, weights / weights.sum()


def votes(W, weights, x):
    """Outputs at x, p+, mean and median under the posterior."""
    outputs = W @ x
    order = np.argsort(outputs)
    median = outputs[order][np.searchsorted(np.cumsum(weights[order]), 0.5)]
    return outputs, weights @ (outputs > 0), weights @ outputs, median


def draw_vote(save):
    """Outputs of the posterior's classifiers at three new points: vote and Bayes point."""
    W, weights = weighted_prior()
    with figure(10.2, 3.4, 3, save=save) as (_, panels):
        for panel, x in zip(panels, NEW, strict=True):
            outputs, positive, mean, median = votes(W, weights, x)
            edges = np.linspace(-np.linalg.norm(x), np.linalg.norm(x), 41)
            share, _ = np.histogram(outputs, edges, weights=100 * weights)
            panel.stairs(share, edges, fill=True, color="0.8")
            right = np.where(edges[:-1] >= -1e-9, share, 0)
            panel.stairs(right, edges, fill=True, color=GIBBS, alpha=0.5, label="vote for +1")
            panel.axvline(0, color="black", lw=1)
            top = 1.06 * share.max()
            panel.plot(mean, top, "v", ms=8, color=GIBBS, label="mean")
            panel.plot(median, top, "v", ms=8, color="black", mfc="white", label="median")
            panel.set_title(f"$x$ = ({x[0]}, {x[1]}): $p^+$ = {positive:.2f}", fontsize=10)
            panel.set(xlabel=r"output $\langle W, x \rangle$", ylim=(0, 1.15 * top))
        panels[0].set_ylabel("% of the posterior")
        panels[0].legend(fontsize=9, loc="upper right")


def draw_entropy(save):
    """The entropy as printed and corrected, what a noisy label tells, and a map of it."""
    p = np.linspace(1e-6, 1 - 1e-6, 401)
    W, weights = weighted_prior(n=12_000)
    x, y = np.meshgrid(np.linspace(-3, 3, 60), np.linspace(-2.6, 2.2, 48))
    grid = np.stack([x, y, np.ones_like(x)], axis=-1)
    positive = np.clip((grid @ W.T > 0) @ weights, 0, 1)
    with figure(9.6, 4.0, 2, width_ratios=(1, 1.2), save=save) as (canvas, (curve, plane)):
        curve.plot(p, binary_entropy(p), color=GIBBS, label="$S$")
        curve.plot(p, -binary_entropy(p), "--", color="black", label="$S$ as printed")
        for q, style in ((0.1, "-."), (0.2, ":")):
            told = binary_entropy(q + (1 - 2 * q) * p) - binary_entropy(q)
            curve.plot(p, told, style, color=COLOURS["grey"], label=f"$I$, $q$ = {q}")
        curve.set(xlabel="$p^+$", ylabel="bits", ylim=(-1.1, 1.1))
        curve.legend(fontsize=9, loc="center", bbox_to_anchor=(0.5, 0.36))
        look = {"origin": "lower", "extent": (-3, 3, -2.6, 2.2), "cmap": "cividis"}
        shown = plane.imshow(binary_entropy(positive), vmin=0, vmax=1, **look)
        mark_points(plane, 45)
        x = np.array([-3.0, 3.0])
        border = line_of(example().bayes_point(Q), x)
        plane.plot(x, border, color="white", label="border of the Bayes point")
        plane.set(xlim=(-3, 3), ylim=(-2.6, 2.2), xlabel="$x_1$", ylabel="$x_2$")
        plane.grid(False)
        canvas.colorbar(shown, ax=plane, label="$S$ (bits)")


# ---- evidence ------------------------------------------------------------------------------------


def expected_errors(noises):
    """Exact E[k] at each assumed noise."""
    cells = example()
    return np.array([cells.posterior(q) @ cells.errors for q in noises])


def draw_evidence(save):
    """The path of the mean errors, the log evidence, and where it is largest."""
    beta = np.linspace(0, 5, 200)
    end = np.log((1 - Q) / Q)
    noises = np.linspace(0.01, 0.5, 200)
    mean, along = expected_errors(noises), expected_errors(1 / (1 + np.exp(beta)))
    evidence = [example().log_evidence(q) for q in noises]
    best = noises[np.argmax(evidence)]
    made = figure(10.4, 3.6, 3, save=save)
    with made as (_, (path, level, balance)):
        path.plot(beta, along, color=GIBBS, label=r"$E_\beta[k]$")
        inside = beta <= end
        path.fill_between(beta[inside], along[inside], color=GIBBS, alpha=0.25, label=r"$-\ln Z$")
        path.set(xlabel=r"price of an error $\beta$", ylabel="mean errors", ylim=(0, 3.8))
        path.legend(fontsize=9)
        level.plot(noises, evidence, color=GIBBS)
        level.axvline(best, color="0.4", lw=1, ls=":")
        level.set(xlabel="assumed noise $q$", ylabel="log evidence, higher is better")
        balance.plot(noises, mean, color=GIBBS, label="$E[k]$")
        balance.plot(noises, M * noises, "--", color="black", label="$m q$")
        balance.axvline(best, color="0.4", lw=1, ls=":")
        balance.set(xlabel="assumed noise $q$", ylabel="training errors", ylim=(0, 3.8))
        balance.legend(fontsize=9)


def mixing_record():
    """Seconds and R-hat by set, sampler and m, from the record of the benchmark."""
    rows = pd.read_csv(results_folder() / "benchmarks" / "mixing_limit.csv")
    rows = rows[rows["group"] == "r_hat"]
    parts = rows["quantity"].str.split(": ", expand=True)
    rows = rows.assign(set=rows["case"].str.split(",").str[0], sampler=parts[0], what=parts[1])
    table = rows.pivot_table("value", ["set", "sampler", "m"], "what", sort=False)
    return table.rename(columns={"all chains": "seconds", "R-hat": "r_hat"}).reset_index()


def draw_mixing(save):
    """Seconds until four chains agree, over the number of points."""
    record = mixing_record()
    looks = {"hit and run": ("s--", GIBBS), "billiard": ("o-", BILLIARD)}
    sets = list(dict.fromkeys(record["set"]))
    made = figure(10.2, 3.9, len(sets), sharey=True, sharex=True, save=save)
    with made as (canvas, panels):
        for panel, name in zip(panels, sets, strict=True):
            for sampler, (style, colour) in looks.items():
                own = record[(record["set"] == name) & (record["sampler"] == sampler)]
                good = own["r_hat"] <= R_HAT
                label = {"hit and run": "steps on circles"}.get(sampler, sampler)
                panel.loglog(own["m"], own["seconds"], style[1:], color=colour, lw=1.4)
                panel.plot(
                    *own.loc[good, ["m", "seconds"]].T.to_numpy(),
                    style[0],
                    color=colour,
                    label=label,
                )
                panel.plot(
                    *own.loc[~good, ["m", "seconds"]].T.to_numpy(),
                    style[0],
                    color=colour,
                    mfc="white",
                )
            panel.axhline(600, color="0.4", ls=":", lw=1, label="ten minutes")
            panel.set(title=name, xlabel="training points $m$", xticks=(100, 1000), ylim=(0.3, 1e3))
        panels[0].set_ylabel("seconds, lower is better")
        canvas.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)


# ---- a flight ------------------------------------------------------------------------------------

FLIGHT_Q = 0.2
#: Label-signed points, by their angle in degrees: the last one has a wrong label.
ANGLES = (15.0, 50.0, 75.0, 100.0, 205.0)
#: Position and velocity at the start of the flight that is drawn, and its arc.
FLIGHT_START, VELOCITY, ARC = (0.7, 1.6), (0.6, -2.4), 3 * np.pi / 4
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
        self.potential = error_potential(FLIGHT_Q, len(self.points))
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
    _, whole = flyer.fly(FLIGHT_START, VELOCITY, ARC)
    walls = np.cumsum(whole.arcs)
    near_walls = walls[:, None] + [-NEAR, 0.0, NEAR]
    arcs = np.sort(np.r_[np.linspace(0.0, ARC, N_DRAWN), near_walls.ravel()])
    found = [flyer.fly(FLIGHT_START, VELOCITY, arc) for arc in arcs]
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
    return (cells.posterior(FLIGHT_Q) / cells.areas)[cell] / 360.0, cells.errors[cell]


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
    panel.plot(*at[~crossed].T, "o", color="black", mfc="white", ms=7, label="reflected")
    panel.set(xlim=(-reach, reach), ylim=(-reach, reach), xticks=[], yticks=[], aspect="equal")
    panel.set_xlabel("classifiers; cells with their errors")
    panel.grid(False)
    panel.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, fontsize=9)


# ---- much noise ----------------------------------------------------------------------------------

LIMIT_NOISES = np.linspace(0.02, 0.499, 40)
N_SAMPLES, N_SAMPLE_POINTS = 6, 15


def angles_to_class_mean(points):
    """Degrees from the Bayes point to the class mean, at each of `LIMIT_NOISES`."""
    cells = Arrangement(points)
    mean = cells.points.sum(axis=0)
    cosines = [cells.bayes_point(q) @ mean / np.linalg.norm(mean) for q in LIMIT_NOISES]
    return np.rad2deg(np.arccos(np.minimum(cosines, 1.0)))


def draw_limit(save):
    """The Bayes point's way to the class mean: the example, and samples with random labels."""
    rng = np.random.default_rng(0)
    with figure(6.4, 3.4, save=save) as (_, panel):
        for i in range(N_SAMPLES):
            angles = angles_to_class_mean(uniform(N_SAMPLE_POINTS, rng))
            label = f"{N_SAMPLE_POINTS} points, random labels" if i == 0 else None
            panel.plot(LIMIT_NOISES, angles, color="0.6", lw=1, label=label)
        angles = angles_to_class_mean(SIGNED)
        panel.plot(LIMIT_NOISES, angles, color=GIBBS, lw=2.2, label="the seven points")
        panel.set(xlabel="assumed noise $q$", ylabel="degrees from the class mean", ylim=(0, None))
        panel.legend(fontsize=9)
