"""Pictures of the chapter that belong to no notebook.

Most show ten noisy values of a sine and three working points, the chapter's example. All estimates
are linear in the measured values, so that expectations over the noise are exact.
"""

import numpy as np
from sklearn.datasets import make_moons

from transductive import RidgeLOO, manifold_gram

from ...book.figure_style import COLOURS, METHODS, figure
from ...exact import loo_reference as reference

__all__ = ["PREFIX"]

#: `draw_x` draws the picture fig-tr-x.
PREFIX = "fig-tr-"

#: Noisy values of a sine, and three working points in the gap between them.
X = np.array([-3.0, -2.4, -1.9, -1.3, -0.8, 0.7, 1.2, 1.8, 2.3, 3.0])
Y = np.array([1.0, 0.5, -0.2, -0.9, -1.0, 0.9, 1.2, 0.6, -0.4, -1.2])
X_WORKING = np.array([-0.4, 0.0, 0.4])
#: Standard deviation of the noise, ridge and weight of the example.
NOISE, GAMMA, GAMMA_STAR = 0.2, 1.0, 0.1
STRENGTHS = (0.0, 1.0, 10.0, 100.0, 1000.0)
LINE = np.linspace(-3.2, 3.2, 161)
#: The pair that is left out; the working points of the pictures with one and with two unknowns.
LEFT, CANDIDATE, OUTER = 6, 0.4, np.array([-0.4, 0.4])

RIDGE = {"color": METHODS["ridge"]}
TRANSDUCTION = {"color": METHODS["transductive ridge"]}
PAIRS = {"color": COLOURS["black"], "marker": "o", "ms": 5, "ls": ""}
SINE = {"color": COLOURS["black"], "ls": ":", "lw": 1.2}
SQUARES = RIDGE | {"marker": "s", "mfc": "white", "ms": 7, "ls": ""}
DOTS = TRANSDUCTION | {"marker": "o", "ms": 7, "ls": ""}


def truth(x):
    """The sine without noise."""
    return np.sin(1.5 * x)


def gaussians(points, centres):
    """Equation (11) for a width of 1."""
    return np.exp(-((points[:, None] - centres) ** 2) / 2)


def curve(gamma, x=X, y=Y, at=LINE, centres=X):
    """Values of ridge regression, with the basis functions of all ten points by default."""
    return reference.inductive_values(gaussians(x, centres), gaussians(at, centres), y, gamma)


def value_maps(gamma, gammas_star, x=X, x_working=X_WORKING):
    """Y0, and Y* for each gamma*, as matrices by which the values at `x` are multiplied."""
    values, points = np.eye(len(x)), np.r_[x, x_working]
    ridge = reference.inductive_values(gaussians(x, X), gaussians(x_working, X), values, gamma)
    M = reference.loo_matrix(reference.complement(gaussians(points, points), gamma))
    return ridge, [reference.transduce(M, values, ridge, star) for star in gammas_star]


def expected_error(values, at=X_WORKING):
    """Mean squared error of ``values @ y`` at the points `at`, in expectation over the noise."""
    bias = values @ truth(X) - truth(at)
    return (bias @ bias + NOISE**2 * np.sum(values**2)) / len(at)


def expected_loo(gamma, gammas_star):
    """Leave-one-out error of the transduction, by definition, in expectation over the noise."""
    errors = np.zeros(len(gammas_star))
    for i, point in enumerate(X):
        others = np.delete(X, i)
        _, maps = value_maps(gamma, gammas_star, others, np.r_[X_WORKING, point])
        for j, values in enumerate(maps):
            bias = values[-1] @ truth(others) - truth(point)
            errors[j] += bias**2 + NOISE**2 * (1 + values[-1] @ values[-1])
    return errors / len(X)


def spiral(n=200, seed=0):
    """Points along a spiral, and their place along it, from -1/2 to 1/2."""
    rng = np.random.default_rng(seed)
    place = rng.uniform(0, 1, n)
    angle = 3.5 * np.pi * place
    points = (0.3 + place)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return points + 0.02 * rng.standard_normal(points.shape), place - 0.5


def moons(n=200, seed=0):
    """Points of two half-moons, and -1 on one of them, +1 on the other."""
    points, labels = make_moons(n, noise=0.1, random_state=seed)
    return points, 2.0 * labels - 1.0


def draw_one_dimension(save):
    """Curve of ridge regression, and values before and after transduction, at two ridges."""
    with figure(9.6, 4.4, 2, sharey=True, save=save) as (_, panels):
        for panel, gamma in zip(panels, (1.0, 0.1), strict=True):
            panel.plot(LINE, truth(LINE), **SINE, label="without noise")
            panel.plot(LINE, curve(gamma), "--", **RIDGE, label="ridge regression")
            panel.plot(X, Y, **PAIRS, label="training pairs")
            ridge, (transduction,) = value_maps(gamma, [GAMMA_STAR])
            for name, values, look in (
                ("$Y^0$, its values", ridge @ Y, SQUARES),
                ("$Y^*$, transduction", transduction @ Y, DOTS),
            ):
                error = np.mean((values - truth(X_WORKING)) ** 2)
                panel.plot(
                    X_WORKING, values, **look, label=f"{name}: mean squared error {error:.3f}"
                )
            panel.set(title=rf"$\gamma = {gamma:g}$", xlabel="$x$")
            panel.legend(fontsize=9, loc="upper left")
        panels[0].set(ylabel="$y$", ylim=(-1.5, 2.9))


def draw_two_ways(save):
    """Two steps, a function and its values; one step, the values."""
    with figure(9.6, 3.2, 2, sharey=True, save=save) as (_, (two, one)):
        for panel in (two, one):
            panel.plot(X, Y, **PAIRS, label="training pairs")
            panel.set(xlabel="$x$", ylim=(-1.6, 2.1))
        two.plot(LINE, curve(GAMMA), "--", **RIDGE, label="step 1: a function")
        values = value_maps(GAMMA, [])[0] @ Y
        two.plot(X_WORKING, values, **SQUARES, label="step 2: its values")
        two.set(title="two steps", ylabel="$y$")
        one.vlines(X_WORKING, -1.4, 1.4, lw=3, alpha=0.45, **TRANSDUCTION)
        one.plot(
            X_WORKING,
            value_maps(GAMMA, [GAMMA_STAR])[1][0] @ Y,
            "o",
            ms=7,
            **TRANSDUCTION,
            label="the unknown values, variables",
        )
        one.set(title="one step")
        for panel in (two, one):
            panel.legend(fontsize=9, loc="upper left", ncols=2)


def draw_ridge(save):
    """Curves of ridge regression at four ridges, and the share of each direction that they fit."""
    values, looks = (10.0, 1.0, 0.1, 0.001), (":", "--", "-", "-.")
    squares = np.linalg.svd(gaussians(X, X), compute_uv=False) ** 2
    with figure(9.6, 3.8, 2, save=save) as (_, (curves, shares)):
        curves.plot(X, Y, **PAIRS, label="training pairs")
        for gamma, look in zip(values, looks, strict=True):
            name = rf"$\gamma = {gamma:g}$"
            curves.plot(LINE, curve(gamma), look, **RIDGE, label=name)
            kept = squares / (squares + gamma)
            shares.plot(range(1, 11), kept, look, marker="o", ms=4, **RIDGE, label=name)
        curves.set(xlabel="$x$", ylabel="$y$", ylim=(-1.5, 2.4))
        curves.legend(fontsize=9, ncols=2, loc="upper left")
        shares.set(xlabel="direction $j$", ylabel="share fitted", ylim=(0, 1.03))
        shares.legend(fontsize=9, loc="upper right")


def left_out_fits():
    """Pairs and curve: of all, without one, and with its prediction in the place of its value."""
    rest = np.arange(len(X)) != LEFT
    changed = Y.copy()
    changed[LEFT] = curve(GAMMA, X[rest], Y[rest], X[[LEFT]])[0]
    samples = (X, Y), (X[rest], Y[rest]), (X, changed)
    return [(*sample, curve(GAMMA, *sample)) for sample in samples]


def draw_left_out(save):
    """The argument behind the closed form: the prediction in the place of the value."""
    fits, at, orange = left_out_fits(), X[LEFT], {"color": COLOURS["orange"]}
    titles = "all pairs", "one pair left out", "its prediction as its value"
    with figure(9.6, 3.4, 3, sharey=True, save=save) as (_, panels):
        for panel, (x, y, drawn), title in zip(panels, fits, titles, strict=True):
            panel.plot(LINE, drawn, lw=4 if panel is panels[2] else 2, **RIDGE)
            panel.plot(x[x != at], y[x != at], **PAIRS)
            panel.set(title=title, xlabel="$x$", ylim=(-1.4, 1.5))
        for panel, mark, (x, y, _) in zip(panels, "ox", fits, strict=False):
            value = curve(GAMMA, x, y, X[[LEFT]])[0]
            panel.plot([at, at], [value, Y[LEFT]], lw=1.6, **orange)
            panel.plot(at, Y[LEFT], mark, ms=7, mew=1.8, **orange)
            middle = at + 0.2, (value + Y[LEFT]) / 2
            panel.text(*middle, f"{Y[LEFT] - value:.2f}", va="center", **orange)
        panels[2].plot(at, fits[2][1][LEFT], "o", ms=7, mew=1.8, mfc="white", **orange)
        panels[2].plot(LINE, fits[1][2], "--", lw=1.8, color="white")
        panels[0].set_ylabel("$y$")


def joint_errors(values):
    """Leave-one-out error (22) of the ten pairs and one working point, for each of its values."""
    points = np.r_[X, CANDIDATE]
    K = gaussians(points, points)
    return [reference.loo_error(K, np.r_[Y, value], GAMMA) for value in values]


def draw_parabola(save):
    """Candidates for the value at one working point, and the leave-one-out error of each."""
    points, fine = np.r_[X, CANDIDATE], np.linspace(-1.0, 2.4, 69)
    errors = np.array(joint_errors(fine))
    least = fine[errors.argmin()]
    look = TRANSDUCTION | {"ls": "", "ms": 8}
    with figure(9.6, 3.6, 2, save=save) as (_, (fits, cost)):
        fits.plot(X, Y, **PAIRS, label="training pairs")
        for value, mark, line in ((-0.6, "v", ":"), (least, "o", "-"), (1.9, "^", "--")):
            drawn = curve(GAMMA, points, np.r_[Y, value], centres=points)
            fits.plot(LINE, drawn, line, lw=1.4, **RIDGE)
            fits.plot(CANDIDATE, value, mark, **look, label=f"${value:.1f}$")
            cost.plot(value, joint_errors([value])[0], mark, **look, zorder=3)
        fits.set(xlabel="$x$", ylabel="$y$", ylim=(-1.5, 2.7))
        fits.legend(fontsize=9, ncols=2, loc="upper left")
        cost.plot(fine, errors, color=COLOURS["black"])
        cost.set(xlabel="value at $x = 0.4$", ylabel="leave-one-out error (22)")
        cost.set_ylim(bottom=0)


def draw_matrix(save):
    """C and M of the example's thirteen points, in blocks."""
    points = np.r_[X, X_WORKING]
    C = reference.complement(gaussians(points, points), GAMMA)
    with figure(9.6, 4.4, 2, save=save) as (canvas, panels):
        for panel, matrix, name in zip(panels, (C, reference.loo_matrix(C)), "CM", strict=True):
            drawn = panel.imshow(matrix, cmap="RdBu_r", vmin=-1.4, vmax=1.4)
            panel.axhline(len(X) - 0.5, color="black", lw=1.2)
            panel.axvline(len(X) - 0.5, color="black", lw=1.2)
            panel.set(title=f"${name}$", xticks=[4.5, 11], yticks=[4.5, 11])
            panel.set_xticklabels(["training", "working"])
            panel.set_yticklabels(["training", "working"], rotation=90, va="center")
            panel.tick_params(length=0)
            panel.grid(False)
        canvas.colorbar(drawn, ax=panels, shrink=0.85, pad=0.01)
        places = {"M_0": (7.5, 1.5), "M_1": (11, 1), r"M_1^\top": (8, 11), "M_2": (11.9, 10.1)}
        for name, place in places.items():
            panels[1].text(*place, f"${name}$", ha="center", va="center", fontsize=13)


def draw_bowl(save):
    """Leave-one-out error of two working values, and the path down from ridge regression."""
    stars = np.r_[0.0, np.geomspace(1e-3, 1e3, 61)]
    ridge, (held, *way) = value_maps(GAMMA, [1.0, *stars], x_working=OUTER)
    start, held, way = ridge @ Y, held @ Y, np.array([values @ Y for values in way])
    points = np.r_[X, OUTER]
    M = reference.loo_matrix(reference.complement(gaussians(points, points), GAMMA))
    first, second = np.meshgrid(np.linspace(-0.95, -0.1, 81), np.linspace(0.3, 1.15, 81))
    values = np.stack([*(np.full(first.shape, value) for value in Y), first, second], axis=-1)
    error = np.einsum("abi,ij,abj->ab", values, M, values) / len(points)
    reached = reference.loo_error_joint(M, np.r_[Y, held])
    length, radius = np.linalg.norm(way - start, axis=1), np.linalg.norm(held - start)
    turn = np.linspace(0, 2 * np.pi, 121)
    ring = start[:, None] + radius * np.array([np.cos(turn), np.sin(turn)])
    with figure(9.6, 4.4, 2, save=save) as (_, (bowl, lengths)):
        bowl.contour(first, second, error, 12, colors="#bbbbbb", linewidths=0.8)
        bowl.contour(first, second, error, [reached], colors="black", linewidths=1.2)
        bowl.plot(*ring, "--", lw=1.4, **RIDGE, label="distance R from Y0")
        bowl.plot(*way.T, lw=2, **TRANSDUCTION, label="Y* over gamma*")
        bowl.plot(*truth(OUTER), "*", ms=11, color=COLOURS["black"], label="without noise")
        for place, mark, name, shift in (
            (start, SQUARES, "$Y^0$", (8, -4)),
            (held, DOTS, r"$\gamma^* = 1$", (10, 8)),
            (way[0], TRANSDUCTION | {"marker": "v", "ms": 8}, r"$\gamma^* = 0$", (-10, 9)),
            (truth(OUTER), {"marker": ""}, "without noise", (-88, -42)),
        ):
            bowl.plot(*place, **mark)
            box = {"facecolor": "white", "edgecolor": "none", "pad": 1, "alpha": 0.85}
            look = {"xytext": shift, "textcoords": "offset points", "fontsize": 10, "bbox": box}
            bowl.annotate(name, place, **look)
        bowl.set(xlabel="value at $-0.4$", ylabel="value at $0.4$", aspect="equal")
        bowl.set(xlim=(-0.85, -0.1), ylim=(0.3, 0.95))
        bowl.grid(False)
        lengths.axhline(length[0], ls=":", lw=1.2, color=COLOURS["black"], label="$R_0$")
        lengths.plot(stars[1:], length[1:], **TRANSDUCTION, label=r"$|Y^*(\gamma^*) - Y^0|$")
        lengths.hlines(radius, stars[1], 1.0, ls="--", lw=1.4, **RIDGE, label="$R$")
        lengths.plot(1.0, radius, **DOTS)
        lengths.set(xscale="log", xlabel=r"$\gamma^*$", ylabel="distance from $Y^0$")
        lengths.set_ylim(bottom=0)
        lengths.legend(fontsize=9)


def draw_rule(save):
    """Transduction with one working point, which moves along the axis."""
    alone = [value_maps(GAMMA, [GAMMA_STAR], x_working=x)[1][0] @ Y for x in LINE[:, None]]
    with figure(7.2, 3.4, save=save) as (_, panel):
        panel.plot(X, Y, **PAIRS, label="training pairs")
        panel.plot(LINE, truth(LINE), **SINE, label="without noise")
        panel.plot(LINE, curve(GAMMA), "--", **RIDGE, label="ridge regression")
        panel.plot(LINE, np.ravel(alone), **TRANSDUCTION, label="transduction, $m = 1$")
        panel.set(xlabel="$x$", ylabel="$y$", ylim=(-1.5, 2.0))
        panel.legend(fontsize=9, ncols=2, loc="upper left")


def _name_errors(panel, values):
    """A logarithmic axis of errors with plain numbers."""
    panel.set_yscale("log")
    panel.set_yticks(values, [f"{value:g}" for value in values])
    panel.minorticks_off()


def draw_shrinkage(save):
    """Shares that two forms leave unfitted, and errors at the working points over the ridge."""
    s, gammas = np.geomspace(1e-2, 1e2, 81), np.geomspace(1e-3, 10.0, 61)
    with figure(9.6, 3.8, 2, save=save) as (_, (shares, errors)):
        shares.plot(s, 1 / (1 + s), "--", **RIDGE, label="ridge regression")
        shares.plot(s, 1 / (1 + s) ** 2, **TRANSDUCTION, label=r"leave-one-out, $\gamma^* = 0$")
        shares.set(xscale="log", xlabel="eigenvalue $s$", ylabel="share left unfitted")
        shares.legend(fontsize=9)
        found = []
        for gamma in gammas:
            ridge, maps = value_maps(gamma, [GAMMA_STAR])
            found.append([expected_error(ridge), expected_error(maps[0])])
        ridge, transduction = np.array(found).T
        errors.plot(gammas, ridge, "--", **RIDGE, label="ridge regression, $Y^0$")
        errors.plot(gammas, transduction, **TRANSDUCTION, label="transduction, $Y^*$")
        errors.set(xscale="log", xlabel=r"$\gamma$", ylabel="expected error, lower is better")
        _name_errors(errors, (0.02, 0.03, 0.05, 0.1))
        errors.legend(fontsize=9)


def draw_gamma_star(save):
    """Leave-one-out error of the transduction beside its error, over gamma*, at two ridges."""
    stars, black = np.geomspace(1e-3, 1e2, 41), {"color": COLOURS["black"]}
    with figure(9.6, 3.8, 2, sharey=True, save=save) as (_, panels):
        for panel, gamma in zip(panels, (1.0, 0.1), strict=True):
            loo = expected_loo(gamma, stars) - NOISE**2
            ridge, maps = value_maps(gamma, stars)
            error = np.array([expected_error(values) for values in maps])
            panel.plot(stars, error, **TRANSDUCTION, label="error at the working points")
            panel.plot(stars, loo, "--", **black, label="leave-one-out error, less the noise")
            panel.axhline(expected_error(ridge), **RIDGE, ls=":", label="error of ridge regression")
            for drawn, look in ((error, TRANSDUCTION), (loo, black)):
                panel.plot(stars[drawn.argmin()], drawn.min(), "v", ms=8, **look)
            panel.set(xscale="log", xlabel=r"$\gamma^*$", title=rf"$\gamma = {gamma:g}$")
            _name_errors(panel, (0.02, 0.05, 0.1, 0.2))
        panels[0].set_ylabel("squared error, lower is better")
        panels[1].legend(fontsize=9)


def deformed(points, values, n_train=10):
    """For each strength: leave-one-out error on the pairs, error at, and values of, the others."""
    X_train, X_working, y = points[:n_train], points[n_train:], values[:n_train]
    for strength in STRENGTHS:
        K = manifold_gram(X_train, X_working, y=y, strength=strength, gamma=2.0)
        ridge = RidgeLOO(kernel="precomputed", penalty="norm").fit(K[:n_train, :n_train], y)
        found = ridge.predict(K[n_train:, :n_train])
        yield ridge.loo_error_, np.mean((found - values[n_train:]) ** 2), found


def draw_manifold(save):
    """Values by a plain and a deformed kernel; errors where the deformation helps and harms."""
    points, values = moons()
    loo, error, found = zip(*deformed(points, values), strict=True)
    best, n = int(np.argmin(loo)), len(points) - len(found[0])
    spiral_loo, spiral_error, _ = zip(*deformed(*spiral()), strict=True)
    with figure(10.4, 3.7, 3, save=save) as (canvas, (plain, bent, choice)):
        look = {"cmap": "viridis", "vmin": -1.1, "vmax": 1.1}
        for panel, k, title in ((plain, 0, "RBF kernel"), (bent, best, "deformed kernel")):
            drawn = panel.scatter(*points[n:].T, c=found[k], s=14, **look)
            panel.scatter(*points[:n].T, c=values[:n], s=60, edgecolors="black", **look)
            panel.set(title=f"{title}: error {error[k]:.2f}", xticks=[], yticks=[], aspect="equal")
            panel.set_xlabel("ringed: training pairs")
            panel.grid(False)
        canvas.colorbar(drawn, ax=bent, shrink=0.7)
        places = range(len(STRENGTHS))
        for measured, line, colour, name in (
            (error, "-", "sky", "half-moons"),
            (loo, "--", "sky", "their leave-one-out"),
            (spiral_error, "-", "black", "spiral"),
            (spiral_loo, "--", "black", "its leave-one-out"),
        ):
            share = np.array(measured) / measured[0]
            choice.plot(places, share, line, marker="o", ms=5, color=COLOURS[colour], label=name)
        choice.set(xlabel="strength $r$", ylabel="error, share of that at 0")
        choice.set_xticks(places, [f"{strength:g}" for strength in STRENGTHS])
        choice.legend(fontsize=9)
