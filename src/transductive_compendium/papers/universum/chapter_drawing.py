"""Pictures of the chapter that belong to no notebook: its example, and what propositions say of it.

The example lies in the plane: two labelled points, two without labels, and a universum on the
vertical axis.
"""

import numpy as np
from scipy.optimize import linprog
from sklearn.datasets import load_digits

from transductive import MeanOfPairs, PixelwiseEmpirical, UniformNoise, UniversumSVC

from ...book.figure_style import COLOURS, METHODS, figure
from ...exact.contradictions import contradictions

__all__ = [
    "PREFIX",
    "by_hand",
    "classes_of_lines",
    "contradicted",
    "one_norm",
    "random_problem",
    "regularisers",
    "sides",
    "usvm",
]

#: `draw_x` draws the picture fig-un-x.
PREFIX = "fig-un-"

X, Y = np.array([[2.0, 1.0], [-2.0, -1.0]]), np.array([1, -1])
X_UNLABELLED = np.array([[-1.0, 3.0], [1.0, -3.0]])
X_UNIVERSUM = np.array([[0.0, -3.0], [0.0, -1.0], [0.0, 1.0], [0.0, 3.0]])
#: Labels of the two points without one, for each class of the example.
CLASSES = ((-1, -1), (-1, 1), (1, -1), (1, 1))
#: Costs of the universum that the chapter trains with, and the cost that brings it to 0.
COSTS, ENOUGH = (0.0, 0.005, 0.02, 0.1), 1 / 32
REACH = 4.0
_ANGLES = np.linspace(0, 2 * np.pi, 73)
CIRCLE = np.column_stack([np.cos(_ANGLES), np.sin(_ANGLES)])
GREY, LEGEND = {"color": COLOURS["grey"], "lw": 1}, {"fontsize": 9, "loc": "outside upper center"}


def usvm(C_universum, X=X, y=Y, X_universum=X_UNIVERSUM, loss="epsilon_insensitive", C=1.0):
    """Weights and intercept of the U-SVM with epsilon = 0."""
    costs = {"C": C, "C_universum": C_universum, "epsilon": 0.0}
    model = UniversumSVC(**costs, loss=loss, kernel="linear", tol=1e-8)
    model.fit(X, y, X_universum)
    return model.coef_, model.intercept_


def by_hand(C_universum):
    """Second weight of the example with the absolute and with the squared loss."""
    return np.maximum(0.0, 1.0 - C_universum / ENOUGH) / 5.0, 1.0 / (5.0 + 160.0 * C_universum)


def contradicted(labels):
    """Which universum points of the example the class with these labels contradicts."""
    return contradictions(np.r_[X, X_UNLABELLED], np.r_[Y, labels], X_UNIVERSUM, fit_intercept=True)


def _plane(axes, title="", reach=REACH):
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", title=title)
    axes.set(xlabel="$x_1$", ylabel="$x_2$")


def _line(axes, w, b, value=0.0, **look):
    """The points with f = value."""
    foot, along = (value - b) * w / (w @ w), np.array([-w[1], w[0]]) / np.linalg.norm(w)
    ends = np.array([foot - 9 * along, foot + 9 * along])
    axes.plot(*ends.T, **look)


def _signs(axes, X, y, size=12, **look):
    for sign, marker in ((1, "+"), (-1, "_")):
        axes.plot(*X[y == sign].T, marker, ms=size, mew=size / 4, color="black", **look)


def _universum(axes, points, filled, label="universum"):
    for full in (False, True):
        own = points[np.asarray(filled) == full]
        said = f"{label}, contradicted" if full else label
        fill = "full" if full else "none"
        look = {"fillstyle": fill, "color": COLOURS["blue"], "zorder": 4}
        axes.plot(*own.T, "o", label=said if len(own) else None, **look)


def random_problem(dimension, rng):
    """Four labelled points, eight without labels and ten of a universum, all normally distributed.

    Returns
    -------
    given : ndarray of shape (12, dimension)
        The labelled points first.
    y : ndarray of shape (4,)
        Labels by a random hyperplane, -1 and 1, both of them.
    universum : ndarray of shape (10, dimension)
    """
    while True:
        points = rng.standard_normal((22, dimension))
        w, b = rng.standard_normal(dimension), rng.normal()
        y = np.where(points[:4] @ w + b > 0, 1, -1)
        if len(np.unique(y)) == 2:
            return points[:12], y, points[12:]


def classes_of_lines(seed=38):
    """Three classes of lines with the training labels: of fewest contradictions, SVM and U-SVM.

    Returns
    -------
    problem : tuple
        A `random_problem` of the plane.
    found : dict
        Name -> labels of the given points, which universum points are contradictions, some random
        lines ``(w1, w2, b)`` of the class, and the classifier's own line or None.
    """
    rng = np.random.default_rng(seed)
    given, y, universum = random_problem(2, rng)
    lines = rng.standard_normal((20_000, 3))
    signs = np.sign(lines @ np.c_[given, np.ones(12)].T).astype(int)
    right = (signs[:, :4] == y).all(axis=1)
    lines, signs = lines[right], signs[right]

    def described(labels, own=None):
        hit = contradictions(given, labels, universum, fit_intercept=True)
        return labels, hit, lines[(signs == labels).all(axis=1)][:25], own

    classes, sizes = np.unique(signs, axis=0, return_counts=True)
    by_size = [described(labels) for labels in classes[np.argsort(-sizes, kind="stable")]]
    found = {"fewest": min(by_size, key=lambda one: one[1].sum())}
    for name, C_universum in (("SVM", 0.0), ("U-SVM", 1000.0)):
        w, b = usvm(C_universum, given[:4], y, universum, C=np.inf)
        found[name] = described(np.sign(given @ w + b).astype(int), np.r_[w, b])
    return (given, y, universum), found


def draw_contradictions(save):
    """Lines of three classes, and the universum points on which lines of a class disagree."""
    (given, _, universum), found = classes_of_lines()
    with figure(10.6, 4.2, 3, save=save) as (_, panels):
        for axes, (name, (labels, hit, lines, own)) in zip(panels, found.items(), strict=True):
            for line in lines:
                _line(axes, line[:2], line[2], color=COLOURS["grey"], lw=0.6, alpha=0.5)
            if own is not None:
                _line(axes, own[:2], own[2], color=COLOURS["black"], lw=2)
            _signs(axes, given[:4], labels[:4])
            _signs(axes, given[4:], labels[4:], size=6)
            _universum(axes, universum, hit)
            of = "a class with fewest" if own is None else f"class of the {name}"
            _plane(axes, f"{of}: {hit.sum()} of {len(hit)}", reach=2.9)


def draw_cells(save):
    """The example, and its lines as points of a plane that the given points cut into cells."""
    with figure(10.0, 4.9, 2, save=save) as (canvas, (plane, dual)):
        _plane(plane, "points, and two lines")
        _signs(plane, X, Y)
        plane.plot(*X_UNLABELLED.T, "s", ms=7, color=COLOURS["grey"], label="without a label")
        _universum(plane, X_UNIVERSUM, np.zeros(4, bool))
        # corners of the cells, and the ends of the panel
        slope = np.array([-2.0, -1.5, -1 / 3, 0.25, 2.0, 2.2])
        for points, line, colour, label in (
            (X, "-", "black", "cut of a labelled point"),
            (X_UNLABELLED, "-", "grey", "of one without a label"),
            (X_UNIVERSUM, "--", "blue", "of a universum point"),
        ):
            for k, point in enumerate(points):
                look = {"lw": 1.3, "color": COLOURS[colour], "label": None if k else label}
                dual.plot(slope, point[0] - slope * point[1], line, **look)
        first, second = 1 + 3 * slope, -1 - 3 * slope
        border = 2 - slope
        for low, high, name in ((first, second, "SVM"), (second, first, "U-SVM")):
            low, high = np.maximum(low, -border), np.minimum(high, border)
            look = {"color": METHODS[name], "alpha": 0.3, "lw": 0}
            dual.fill_between(slope, low, high, where=high >= low, **look)
        for C_universum, name in ((0.0, "SVM"), (0.1, "U-SVM")):
            w, b = usvm(C_universum)
            _line(plane, w, b, color=METHODS[name], lw=2.5, label=name)
            dual.plot(-w[1] / w[0], -b / w[0], "o", ms=9, color=METHODS[name], zorder=5)
        for labels, place in zip(
            CLASSES, ((-0.25, 1.6), (1.3, 0.0), (-1.7, 0.0), (-0.25, -1.6)), strict=True
        ):
            count = int(contradicted(labels).sum())
            dual.text(*place, count, fontsize=15, weight="bold", ha="center", va="center")
        dual.set(xlim=(-2.0, 2.2), ylim=(-3.4, 3.4), title="the same lines as points")
        dual.set(xlabel="$a$, slope against the vertical", ylabel="$c$, crossing of $x_2 = 0$")
        dual.grid(False)
        canvas.legend(ncols=4, **LEGEND)


def draw_small_values(save):
    """Strip in which universum points are certain contradictions, and the bound on the others."""
    with figure(11.0, 4.3, 3, save=save) as (canvas, (narrow, wide, bound)):
        for axes, C_universum in ((narrow, 0.005), (wide, 0.02)):
            w, b = usvm(C_universum)
            delta = np.abs(np.r_[X, X_UNLABELLED] @ w + b).min()
            inside = np.abs(X_UNIVERSUM @ w + b) < delta
            labels = np.sign(X_UNLABELLED @ w + b).astype(int)
            x = np.linspace(-9, 9, 2)
            edges = [(value - b - w[1] * x) / w[0] for value in (-delta, delta)]
            axes.fill_betweenx(x, *edges, color=METHODS["U-SVM"], alpha=0.3, lw=0)
            _line(axes, w, b, color=METHODS["U-SVM"], label="$f = 0$")
            for value in (-delta, delta):
                _line(axes, w, b, value, color=METHODS["U-SVM"], ls="--", lw=1)
            _signs(axes, X, Y)
            _signs(axes, X_UNLABELLED, labels, size=7)
            _universum(axes, X_UNIVERSUM, contradicted(labels))
            _plane(axes, rf"$\delta = {delta:.3f}$: {inside.sum()} of 4 inside")
        step = np.array([[-2.2, 1], [-1, 1], [-1, 0], [1, 0], [1, 1], [2.2, 1]])
        bound.plot(*step.T, color=COLOURS["black"], label=r"1 where $|f| \geq \delta$")
        for epsilon, line in ((0.0, "-"), (0.5, "--")):
            f = np.array([-2.2, -epsilon, epsilon, 2.2])
            values = np.maximum(0.0, np.abs(f) - epsilon) / (1.0 - epsilon)
            look = {"color": METHODS["U-SVM"], "label": rf"bound, $\varepsilon = {epsilon:g}$"}
            bound.plot(f, values, line, **look)
        bound.set(xlabel="$f(x^*)$", ylim=(-0.1, 2.6), title=r"each point's share, $\delta = 1$")
        bound.legend(fontsize=9, loc="upper center")
        canvas.legend(*narrow.get_legend_handles_labels(), ncols=3, **LEGEND)


def draw_losses(save):
    """The two hinges of a universum point and their sum, and that sum for three widths."""
    f = np.linspace(-2.5, 2.5, 101)

    def hinge(a, t):
        return np.maximum(0.0, a - t)

    def loss(epsilon):
        return hinge(-epsilon, f) + hinge(-epsilon, -f)

    thick = {"color": COLOURS["blue"], "alpha": 0.5, "lw": 5, "zorder": 1}
    with figure(9.4, 3.6, 2, sharey=True, save=save) as (_, (left, right)):
        for values, line, colour, label in (
            (hinge(1.0, f), "-.", "black", "$H_1[f]$, labelled, $y = 1$"),
            (hinge(-0.5, f), "--", "orange", r"$H_{-\varepsilon}[f]$"),
            (hinge(-0.5, -f), ":", "green", r"$H_{-\varepsilon}[-f]$"),
        ):
            left.plot(f, values, line, color=COLOURS[colour], label=label)
        left.plot(f, loss(0.5), label=r"$U_\varepsilon[f]$, their sum", **thick)
        left.set(title=r"hinges, $\varepsilon = 0.5$", ylabel="loss")
        right.plot(f, f**2, "--", color=COLOURS["orange"], label="$f^2$")
        looks = ((0.0, "black", ":"), (0.5, "blue", "-"), (1.0, "green", "-."))
        for epsilon, colour, line in looks:
            name = rf"$U_{{{epsilon:g}}}[f]$" if epsilon else r"$U_0[f] = |f|$"
            right.plot(f, loss(epsilon), line, color=COLOURS[colour], label=name)
        right.set(title="losses of a universum point")
        for axes in (left, right):
            axes.set(xlabel="$f(x)$", xlim=(-2.5, 2.5), ylim=(-0.05, 2.6))
            axes.legend(fontsize=9, loc="upper center")


def draw_path(save):
    """The example's hyperplane for rising costs of the universum."""
    with figure(10.0, 4.4, 2, save=save) as (_, (plane, path)):
        _plane(plane)
        _signs(plane, X, Y)
        plane.plot(*X_UNLABELLED.T, "s", ms=7, color=COLOURS["grey"])
        _universum(plane, X_UNIVERSUM, np.zeros(4, bool), label=None)
        for C_universum, line in zip(COSTS, (":", "-.", "--", "-"), strict=True):
            colour = METHODS["U-SVM" if C_universum else "SVM"]
            label = rf"$C_\mathfrak{{U}} = {C_universum:g}$"
            _line(plane, *usvm(C_universum), color=colour, ls=line, label=label)
        plane.legend(fontsize=9, loc="lower right", framealpha=0.9, frameon=True)
        fine = np.linspace(0.0, 0.1, 201)
        for loss, line, values in zip(
            ("epsilon_insensitive", "squared"), ("-", "--"), by_hand(fine), strict=True
        ):
            label = "$|f|$" if line == "-" else "$f^2$"
            path.plot(fine, values, line, color=METHODS["U-SVM"], label=f"{label}, by hand")
            trained = [usvm(C_universum, loss=loss)[0][1] for C_universum in fine[::20]]
            mark = {"color": COLOURS["black"], "label": f"{label}, trained"}
            path.plot(fine[::20], trained, "o" if line == "-" else "s", ms=5, mfc="none", **mark)
        path.axvline(ENOUGH, **GREY)
        path.text(ENOUGH + 0.001, 0.19, "1/32", color=COLOURS["grey"])
        path.set(xlabel=r"$C_\mathfrak{U}$", ylabel="second weight, $w_2$", ylim=(-0.005, 0.21))
        path.legend(fontsize=9)


def draw_copies(save):
    """Both copies' dual variables, and the force with which a point pulls at f."""
    cost, epsilon = 1.0, 0.3
    with figure(10.0, 4.4, 2, save=save) as (_, (square, force)):
        first, second = np.meshgrid(*[np.linspace(0, cost, 6)] * 2)
        levels = [-0.5, 0.0, 0.5]
        thin = {"colors": COLOURS["grey"], "linewidths": 1, "linestyles": "solid"}
        drawn = square.contour(first, second, first - second, levels, **thin)
        square.clabel(drawn, fmt=lambda value: rf"$\beta = {value:g}$", fontsize=9)
        start, end = np.array([0.95, 0.7]), np.array([0.25, 0.0])
        arrow = {"arrowstyle": "-|>", "lw": 2.5, "color": METHODS["U-SVM"]}
        square.annotate("", end, start, arrowprops=arrow)
        square.plot([0, 0, cost], [cost, 0, 0], color=METHODS["U-SVM"], lw=4, clip_on=False)
        square.set(xlim=(0, cost), ylim=(0, cost), aspect="equal", title="both copies")
        ticks = {"ticks": [0, cost], "labels": ["0", r"$C_\mathfrak{U}$"]}
        square.set_xticks(**ticks)
        square.set_yticks(**ticks)
        square.set(xlabel=r"$\alpha$ of the copy labelled $+1$")
        square.set(ylabel=r"$\alpha$ of the copy labelled $-1$")
        square.grid(False)
        pull = np.array([[-2, cost], [-epsilon, cost], [-epsilon, 0], [epsilon, 0]])
        pull = np.vstack([pull, [[epsilon, -cost], [2, -cost]]])
        force.plot(*pull.T, color=METHODS["U-SVM"], lw=2.5, label=r"universum, $U_\varepsilon$")
        f = np.array([-0.8, 0.8])
        force.plot(f, -2 * cost * f, "--", color=METHODS["U-SVM"], label="universum, $f^2$")
        labelled = np.array([[-2, cost], [1, cost], [1, 0], [2, 0]])
        force.plot(*labelled.T, ":", color=COLOURS["black"], label="labelled $+1$")
        force.axhline(0, **GREY)
        force.set(xlim=(-2, 2), ylim=(-1.6, 1.6), xlabel="$f$ at the point")
        force.set(ylabel=r"$\beta$: pull towards larger $f$", title="how hard a point pulls")
        names = ["-1", r"$-\varepsilon$", r"$\varepsilon$", "1"]
        force.set_xticks([-1, -epsilon, epsilon, 1], names)
        force.set_yticks([-cost, 0, cost], [r"$-C_\mathfrak{U}$", "0", r"$C_\mathfrak{U} = C$"])
        force.legend(fontsize=9, loc="lower left")


def draw_projection(save):
    """A universum on a line is projected out; one that spans the plane leaves nothing."""
    rng = np.random.default_rng(3)
    above = [[-3.2, -1.8], [-2.2, 0.2], [-0.4, 2.4]]
    labelled = np.array([[1.6, -1.2], [2.6, 0.4], [2.4, 2.0], *above])
    y = np.array([1, 1, 1, -1, -1, -1])
    along = np.array([0.6, 0.8])
    on_a_line = np.array([-0.6, 0.2]) + np.outer([-2.6, -1.2, 0.4, 1.4, 2.6], along)
    spanning = on_a_line + 0.8 * rng.standard_normal(on_a_line.shape)
    costs = np.geomspace(1e-3, 10, 33)
    with figure(10.2, 4.6, 2, save=save) as (_, (plane, size)):
        _plane(plane)
        centre = on_a_line.mean(axis=0)
        across = labelled - np.outer((labelled - centre) @ along, along)
        for point, foot in zip(labelled, across, strict=True):
            plane.plot(*np.array([point, foot]).T, ":", **GREY)
        _line(plane, *usvm(0.0, labelled, y, on_a_line), color=METHODS["SVM"], label="SVM")
        look = {"color": METHODS["U-SVM"], "label": "U-SVM at a large cost"}
        _line(plane, *usvm(10.0, labelled, y, on_a_line), **look)
        _signs(plane, labelled, y)
        _signs(plane, across, y, size=6)
        _universum(plane, on_a_line, np.zeros(5, bool))
        plane.legend(fontsize=9, loc="lower right", framealpha=0.9, frameon=True)
        for universum, line, label in (
            (on_a_line, "-", "universum on a line"),
            (spanning, "--", "universum that spans the plane"),
        ):
            norm = [np.linalg.norm(usvm(c, labelled, y, universum)[0]) for c in costs]
            size.plot(costs, norm, line, color=METHODS["U-SVM"], label=label)
        size.set(xscale="log", xlabel=r"$C_\mathfrak{U}$", ylabel="$|w|$", ylim=(0, None))
        size.legend(fontsize=9)


def draw_metric(save):
    """The squared loss squeezes the plane along the universum; there the U-SVM is an SVM."""
    C_universum = 0.1
    squeeze = 1 / np.sqrt(1 + 2 * C_universum * np.diag(X_UNIVERSUM.T @ X_UNIVERSUM))
    lines = {name: usvm(c, loss="squared") for c, name in ((0.0, "SVM"), (C_universum, "U-SVM"))}
    with figure(9.8, 4.8, 2, save=save) as (canvas, panels):
        titles = "as given", r"multiplied by $A^{-1/2}$"
        for axes, scale, title in zip(panels, (np.ones(2), squeeze), titles, strict=True):
            for name, (w, b) in lines.items():
                _line(axes, w / scale, b, color=METHODS[name], label=name)
            axes.plot(*(X * scale).T, "--", label="between the labelled points", **GREY)
            axes.plot(*(2 * CIRCLE * scale).T, ":", label="a circle", **GREY)
            _signs(axes, X * scale, Y)
            _universum(axes, X_UNIVERSUM * scale, np.zeros(4, bool))
            _plane(axes, title)
        canvas.legend(*panels[0].get_legend_handles_labels(), ncols=3, **LEGEND)


def regularisers(cost=2.0):
    """The poster's three universa in the plane, and the weights that each leads to.

    Returns
    -------
    dict
        Title -> the universum; S and l of the penalty ``w'Sw / 2 + l |w|_1``; the weights of the
        least penalty with ``<w, x> = 1`` for x = (1, 1/2).
    """
    cloud = np.random.default_rng(0).standard_normal((40, 2)) @ np.array([[0.5, 0.3], [0.0, 0.5]])
    cloud -= cloud.mean(axis=0)
    metric = np.eye(2) + 2 * (cost / 10) * cloud.T @ cloud
    x = np.array([1.0, 0.5])
    turned = np.linalg.solve(metric, x)
    return {
        "$L_2$": (np.eye(2), (1 + 2 * cost) * np.eye(2), 0.0, x / (x @ x)),
        "anisotropic $L_2$": (cloud, metric, 0.0, turned / (x @ turned)),
        "$L_1$": (np.eye(2), np.eye(2), cost, np.array([1.0, 0.0])),
    }


def draw_regularisers(save):
    """Three universa, the level sets of what they add, and the least weights at a margin."""
    x = np.array([1.0, 0.5])
    with figure(10.8, 4.1, 3, save=save) as (canvas, panels):
        for axes, (title, (universum, S, l, best)) in zip(
            panels, regularisers().items(), strict=True
        ):
            square, one_norm = np.sum(CIRCLE @ S * CIRCLE, axis=1) / 2, l * np.abs(CIRCLE).sum(1)
            least = best @ S @ best / 2 + l * np.abs(best).sum()
            for share in (0.25, 0.6, 1.0):
                # square * radius^2 + one_norm * radius = share * least
                root = np.sqrt(one_norm**2 + 4 * square * share * least)
                radius = (root - one_norm) / (2 * square)
                label = "level sets" if share == 1.0 else None
                axes.plot(*(radius * CIRCLE.T), color=METHODS["U-SVM"], label=label)
            _line(axes, x, -1.0, color=COLOURS["black"], label=r"margin, $\langle w, x\rangle = 1$")
            axes.plot(*universum.T, "o", ms=5, color=COLOURS["blue"], mfc="none", label="universum")
            svm = x / (x @ x)
            axes.plot(*svm, "s", ms=9, color=METHODS["SVM"], mfc="none", mew=2, label="SVM")
            axes.plot(*best, "o", ms=7, color=METHODS["U-SVM"], label="U-SVM", zorder=5)
            axes.set(xlim=(-1.2, 1.4), ylim=(-1.3, 1.3), aspect="equal", title=title)
            axes.set(xlabel="$w_1$", ylabel="$w_2$")
        canvas.legend(*panels[0].get_legend_handles_labels(), ncols=5, **LEGEND)


def one_norm(seed=0, kappa=0.25):
    """Weights of the U-SVM with the unit vectors and the loss |f|, C being kappa C_universum.

    Of eight features two matter; one label in ten is wrong.

    Returns
    -------
    costs : ndarray of shape (6,)
        Values of C_universum.
    weights : ndarray of shape (6, 8)
    limit : ndarray of shape (8,)
        Weights of the 1-norm SVM, by a linear programme.
    excess, bound : ndarrays of shape (6,)
        Excess of the 1-norm objective over its minimum, and the proposition's bound on it, both
        over the minimum.
    """
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((40, 8))
    y = np.where(X[:, 0] - X[:, 1] > 0, 1.0, -1.0) * np.where(rng.uniform(size=40) < 0.1, -1.0, 1.0)
    own = y[:, None] * X
    programme = linprog(
        np.r_[np.ones(16), np.full(40, kappa)],
        A_ub=np.hstack([-own, own, -np.eye(40)]),
        b_ub=-np.ones(40),
        method="highs-ds",
    )
    limit = programme.x[:8] - programme.x[8:16]
    costs, weights = 10.0 ** np.arange(-2, 4), []
    for C_universum in costs:
        model = UniversumSVC(
            kappa * C_universum,
            C_universum,
            epsilon=0.0,
            kernel="linear",
            fit_intercept=False,
            tol=1e-9,
        )
        weights.append(model.fit(X, y, np.eye(8)).coef_)
    weights = np.array(weights)
    hinges = np.maximum(0.0, 1.0 - weights @ own.T)
    reached = np.abs(weights).sum(axis=1) + kappa * hinges.sum(axis=1)
    bound = limit @ limit / (2.0 * costs) / programme.fun
    return costs, weights, limit, reached / programme.fun - 1.0, bound


def draw_one_norm(save):
    """Weights that become those of the 1-norm SVM, and how far its objective is from the least."""
    with figure(9.6, 3.8, 2, save=save) as (_, (left, right)):
        costs, weights, limit, *_ = one_norm()
        for k, path in enumerate(weights.T):
            colour = COLOURS["amber" if k < 2 else "grey"]
            label = {0: "features that matter", 2: "the others"}.get(k)
            left.plot(costs, path, "-o", ms=4, color=colour, label=label)
            named = {"label": "1-norm SVM"} if k == 7 else {}
            left.axhline(limit[k], color=COLOURS["black"], ls=":", lw=1, **named)
        left.set(ylabel="weight", title="one sample")
        left.set_ylim(top=left.get_ylim()[1] + 0.6)
        for seed in range(5):
            costs, *_, excess, bound = one_norm(seed)
            first = {"label": "U-SVM"} if seed == 0 else {}
            right.plot(costs, excess.clip(1e-12), "o", ms=4, color=COLOURS["amber"], **first)
            first = {"label": "bound"} if seed == 0 else {}
            right.plot(costs, bound, lw=1, color=COLOURS["grey"], **first)
        right.set(yscale="log", ylabel="relative excess", title="1-norm objective, five samples")
        for axes in (left, right):
            axes.set(xscale="log", xlabel=r"$C_\mathfrak{U}$")
            axes.legend(fontsize=9, loc="upper left" if axes is left else None)


def sides():
    """The same labelled points with no universum, one between the classes, and one of a class.

    Returns
    -------
    labelled, y, later : ndarrays
        What all three are trained on, and 10,000 points for the error.
    found : dict
        Name -> universum or None, weights, intercept, error in per cent.
    """
    rng = np.random.default_rng(0)
    spread, centre = np.array([0.8, 2.0]), np.array([1.5, 0.0])

    def sample(n, at):
        return at + spread * rng.standard_normal((n, 2))

    labelled = np.array([[1.3, 1.2], [2.3, 0.6], [-1.3, -1.0], [-2.1, -0.4]])
    y, truth = np.array([1, 1, -1, -1]), np.repeat([1, -1], 5000)
    later = np.vstack([sample(5000, centre), sample(5000, -centre)])
    universa = {"SVM": None, "between": sample(40, 0), "of the class +": sample(40, centre)}
    found = {}
    for name, universum in universa.items():
        w, b = usvm(0.0 if universum is None else 1.0, labelled, y, universum)
        found[name] = universum, w, b, 100 * np.mean(np.sign(later @ w + b) != truth)
    return labelled, y, later, found


def draw_sides(save):
    """Labelled points, universum and line of each, with its error."""
    labelled, y, later, found = sides()
    with figure(11.0, 4.1, 3, save=save) as (_, panels):
        for axes, (name, (universum, w, b, error)) in zip(panels, found.items(), strict=True):
            axes.plot(*later[::50].T, ".", ms=3, color=COLOURS["grey"], alpha=0.5)
            if universum is not None:
                _universum(axes, universum, np.zeros(len(universum), bool))
            _signs(axes, labelled, y)
            _line(axes, w, b, color=METHODS["SVM" if universum is None else "U-SVM"])
            _plane(axes, f"{name}: {error:.1f} %", reach=4.5)


def draw_samples(save):
    """Small digits of two classes, and four universa: noise, other digits, generated, means."""
    pixels, digit = load_digits(return_X_y=True)
    own, of_eight = np.isin(digit, (5, 8)), {"n_points": 8, "random_state": 0}
    rows = {"5": pixels[digit == 5], "8": pixels[digit == 8]}
    rows |= {"noise": 16 * UniformNoise(**of_eight).fit_transform(pixels[own] / 16, digit[own])}
    rows |= {"other digits": pixels[~own]}
    for name, maker in (("generated", PixelwiseEmpirical), ("means", MeanOfPairs)):
        rows[name] = maker(**of_eight).fit_transform(pixels[own], digit[own])
    with figure(7.6, 6.0, 8, rows=len(rows), save=save) as (_, grid):
        for line, (name, images) in zip(grid, rows.items(), strict=True):
            for axes, image in zip(line, images[:8], strict=True):
                axes.imshow(image.reshape(8, 8), cmap="gray_r", vmin=0, vmax=16)
                axes.grid(False)
                axes.set(xticks=[], yticks=[])
                axes.spines[:].set_visible(False)
            line[0].set_ylabel(name, rotation=0, ha="right", va="center")
