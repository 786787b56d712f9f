"""Pictures of the chapter that belong to no notebook.

Small problems, of which every line and every objective is computed here, and the recorded tables of
few labels.
"""

import warnings
from itertools import product
from math import ceil, log2

import numpy as np
from matplotlib.colors import BoundaryNorm
from sklearn.datasets import load_digits, make_moons

from transductive import TransductiveSVC, manifold_gram
from transductive.kernel_width import squared_loo_errors
from transductive.manifold_kernel import STRENGTHS

from ...book.figure_style import COLOURS, METHODS, figure
from ...exact import smo_reference as smo
from ...runner.records import load_recorded
from .two_clouds import N_LABELLED, two_clouds

__all__ = [
    "PREFIX",
    "best_of_slope",
    "few_labels",
    "label_price",
    "lines_on_the_way",
    "manifold_errors",
    "number_curve",
    "slack_line",
    "tip_values",
]

#: `draw_x` draws the picture fig-ts-x.
PREFIX = "fig-ts-"

SVM, TSVM = METHODS["SVM"], METHODS["TSVM"]
LIGHT = "#999999"

#: The eight points of the chapter's worked example: two with labels, six without.
TRAINING, SIGNS = np.array([[-2.0, 1.0], [2.0, -1.0]]), np.array([1.0, -1.0])
WORKING = np.array([[-0.5, 1], [0.5, 1.5], [2.5, 1], [-2, -1], [0, -1], [1.5, -1]], dtype=float)

#: Points on a line: one labelled point of each class, two clumps of test points between them.
ENDS = np.array([-3.0, 3.0])
CLUMPS = np.r_[np.linspace(-2.6, 0.8, 12), np.linspace(2.0, 2.9, 6)]
HILL_COSTS = (0.0, 0.05, 0.2, 0.5)

#: Test points of the picture of first costs, and how many of them are positive.
WEIGHED, WEIGHED_POSITIVE = 100, 10


def hill(f):
    """Hinge loss of a point under the cheaper of both labels."""
    return np.maximum(0.0, 1.0 - np.abs(f))


def best_of_slope(boundaries, C_star):
    """Least objective of ``f(x) = w (x - t)`` over w > 0, for each boundary t, with C = 1."""
    w = np.geomspace(0.02, 20.0, 500)[:, None]
    total = 0.5 * w**2 + sum(
        np.maximum(0.0, 1.0 - sign * w * (x - boundaries))
        for x, sign in zip(ENDS, (-1.0, 1.0), strict=True)
    )
    total = total + C_star * sum(hill(w * (x - boundaries)) for x in CLUMPS)
    return total.min(axis=0)


def draw_hill(save):
    """The loss of a point with and without a label, and the hills of many points on a line."""
    f, t = np.linspace(-2.5, 2.5, 101), np.linspace(-2.9, 2.9, 581)
    with figure(10.4, 3.9, 2, save=save, width_ratios=(1, 1.5)) as (_, (loss, line)):
        loss.plot(f, np.maximum(0, 1 - f), "--", color="black", label="label +1")
        loss.plot(f, np.maximum(0, 1 + f), ":", color="black", label="label −1")
        loss.plot(f, hill(f), color=TSVM, lw=3, label="no label")
        loss.set(xlabel="value $f$ of the point", ylabel="loss", ylim=(-0.1, 3.6))
        loss.legend(loc="upper center", fontsize=9)
        for C_star, look in zip(HILL_COSTS, ("--", ":", "-.", "-"), strict=True):
            colour, label = (TSVM, f"$C^*={C_star:g}$") if C_star else (SVM, "$C^*=0$: SVM")
            least = best_of_slope(t, C_star)
            line.plot(t, least, look, color=colour, label=label)
            line.plot(t[least.argmin()], least.min(), "o", color=colour, ms=7)
        line.plot(CLUMPS, np.full(len(CLUMPS), -0.12), ".", color=COLOURS["grey"], ms=8)
        for x, mark in zip(ENDS, ("_", "+"), strict=True):
            line.plot(x, -0.12, mark, color="black", ms=11, mew=2.5)
        line.set(xlabel="place of the boundary", ylabel="objective, lower is better")
        line.set(ylim=(-0.3, 3.4), xlim=(-3.3, 3.3))
        line.legend(loc="upper left", fontsize=9, ncols=2)


def _plane(panel):
    """The eight points, the line of the SVM and that of the transductive SVM."""
    for x, mark in zip(TRAINING, ("+", "_"), strict=True):
        panel.plot(*x, mark, color="black", ms=14, mew=3)
    panel.plot(*WORKING.T, "o", color=COLOURS["grey"], ms=6, label="test")
    panel.axline((0, 0), slope=2.0, ls="--", color=SVM, label="SVM")
    panel.axhline(0.0, color=TSVM, label="TSVM")
    panel.set(xlim=(-3.2, 3.2), ylim=(-2.6, 3.2), xlabel="$x_1$", ylabel="$x_2$")


#: Where the third and the fifth test point go for the picture of slacks.
MOVED = {2: (2.5, -0.2), 4: (0.0, -0.4)}


def slack_line():
    """The soft margin with C = C* = 1 after two points have moved into the band.

    Returns
    -------
    X, signs : ndarrays of shape (8, 2) and (8,)
        The labels are those of the widest gap.
    w, b : ndarray of shape (2,), float
    """
    X = np.vstack([TRAINING, WORKING])
    for test, place in MOVED.items():
        X[len(TRAINING) + test] = place
    signs = np.r_[SIGNS, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0]
    found = smo.minimise(X @ X.T, signs, np.minimum(signs, 0), np.maximum(signs, 0), tol=1e-8)
    return X, signs, X.T @ found.coefficients, found.intercept


def draw_margin(save):
    """The band of a hard margin, and the slacks of a soft one."""
    X, signs, w, b = slack_line()
    across = np.linspace(-3.2, 3.2, 2)
    with figure(10.4, 3.9, 2, save=save, sharey=True) as (_, panels):
        planes = (np.vstack([TRAINING, WORKING]), np.array([0.0, 1.0]), 0.0), (X, w, b)
        for panel, (points, w, b), title in zip(
            panels, planes, ("hard margin", "soft margin"), strict=True
        ):
            low, middle, high = ((level - b - w[0] * across) / w[1] for level in (-1, 0, 1))
            panel.fill_between(across, low, high, color="#eeeeee", lw=0)
            panel.plot(across, middle, color=TSVM)
            for edge in (low, high):
                panel.plot(across, edge, ":", color=TSVM, lw=1.2)
            for sign, mark in ((1, "+"), (-1, "_")):
                panel.plot(
                    *points[2:][signs[2:] == sign].T, mark, color=COLOURS["grey"], ms=11, mew=2
                )
                panel.plot(*points[:2][signs[:2] == sign].T, mark, color="black", ms=15, mew=3.5)
            for x, slack, sign in zip(points, 1 - signs * (points @ w + b), signs, strict=True):
                if slack > 1e-6:
                    end = x + sign * slack * w / (w @ w)
                    panel.plot(*np.transpose([x, end]), color="black", lw=1.3)
                    panel.annotate(
                        rf"$\xi={slack:.1f}$", (x + end) / 2, (5, -4), textcoords="offset points"
                    )
            panel.set(title=title, xlabel="$x_1$", xlim=(-3.2, 3.2), ylim=(-2.2, 2.2))
        foot = np.array([-2.8, 0.0])
        panels[0].annotate("", foot + [0, 1], foot, arrowprops={"arrowstyle": "<->"})
        panels[0].text(-2.7, 0.4, "$1/|w|$")
        panels[0].set_ylabel("$x_2$")


def draw_cells(save):
    """Eight points in the plane; and the plane of all lines, which each point cuts by a curve."""
    degrees = np.linspace(0.0, 360.0, 721)
    angle = np.deg2rad(degrees)
    normals = np.column_stack([np.cos(angle), np.sin(angle)])
    first, second = -normals @ TRAINING.T[:, 0], -normals @ TRAINING.T[:, 1]
    with figure(10.4, 4.4, 2, save=save, width_ratios=(1, 1.5)) as (_, (plane, lines)):
        _plane(plane)
        plane.legend(loc="upper left", fontsize=9, ncols=3, columnspacing=1)
        lines.fill_between(
            degrees,
            first,
            second,
            where=first < second,
            color="#dddddd",
            lw=0,
            label="both labels right",
        )
        for x in WORKING:
            lines.plot(degrees, -normals @ x, color=LIGHT, lw=1.2)
        for curve in (first, second):
            lines.plot(degrees, curve, color="black", lw=1.8)
        # a line's distance from a point is its vertical distance from the point's curve
        for method, look, colour, at, half in (
            ("SVM", "--", SVM, np.rad2deg(np.arctan2(2.0, -4.0)), np.sqrt(5.0)),
            ("TSVM", "-", TSVM, 90.0, 1.0),
        ):
            lines.plot([at, at], [-half, half], look, color=colour, lw=3, label=method)
            lines.plot(at, 0.0, "o", color=colour, ms=8)
        lines.set(xlim=(0, 300), ylim=(-3.4, 4.3), xticks=np.arange(0, 301, 60))
        lines.set(xlabel="direction of the normal $w$ (degrees)", ylabel="offset $b$, for $|w|=1$")
        lines.legend(loc="upper center", fontsize=9, ncols=3, columnspacing=1)


#: The random problem of the first picture, and costs up to which Loop 1 doubles.
TOY, TOY_GAP, TOY_C = 3, 1.0, 10.0
DOUBLINGS = np.arange(0, 21)


def lines_on_the_way():
    """The first picture's problem: the line and the wrong test points as the test costs double.

    Returns
    -------
    X, y : ndarrays of shape (44, 2) and (44,)
        The labelled points come first.
    costs : ndarray of shape (n,)
        Of test slacks; 0 is the SVM.
    planes : ndarray of shape (n, 3)
        w and b.
    wrong, switches : ndarrays of shape (n,)
        Dots on the wrong side of the line; exchanges so far.
    """
    X, y = two_clouds(TOY_GAP, np.random.default_rng(TOY))
    l = 2 * N_LABELLED
    costs = np.r_[0.0, 1e-5 * 2.0**DOUBLINGS]
    planes, wrong, switches = [], [], []
    for C_star in costs:
        # Loop 1 up to smaller costs is the beginning of Loop 1
        model = TransductiveSVC(TOY_C, C_star, n_positive="sample", kernel="linear")
        model.fit(X[:l], y[:l], X[l:])
        planes.append([*model.coef_, model.intercept_])
        wrong.append(np.sum(np.sign(model.working_values_) != y[l:]))
        switches.append(model.n_switches_)
    return X, y, costs, np.array(planes), np.array(wrong), np.array(switches)


def draw_path(save):
    """How the line turns into the gap as the test points' costs double."""
    X, y, costs, planes, wrong, switches = lines_on_the_way()
    l = 2 * N_LABELLED
    with figure(10.4, 4.4, 2, save=save) as (_, (plane, course)):
        plane.plot(*X[l:].T, "o", color=COLOURS["grey"], ms=5)
        for sign, mark in ((1, "+"), (-1, "_")):
            plane.plot(*X[:l][y[:l] == sign].T, mark, color="black", ms=13, mew=3)
        still = np.flatnonzero(wrong == wrong[0])[-1]
        for i in (0, *range(still, len(costs))):
            *w, b = planes[i]
            along = np.array([-w[1], w[0]]) / np.hypot(*w)
            ends = -b * np.array(w) / np.dot(w, w) + np.outer([-9, 9], along)
            look, label = {"color": TSVM, "alpha": 0.3, "lw": 1.2}, None
            if i == 0:
                look, label = {"color": SVM, "ls": "--", "zorder": 4}, "SVM"
            elif i == len(costs) - 1:
                look, label = {"color": TSVM, "lw": 2.6}, f"TSVM, $C^*={costs[i]:.2g}$"
            plane.plot(*ends.T, label=label, **look)
        plane.set(xlim=(-2.5, 2.5), ylim=(-2.5, 3.1), xlabel="$x_1$", ylabel="$x_2$")
        plane.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, fontsize=9)
        course.plot(costs[1:], wrong[1:], "-o", color=TSVM, ms=5, label="wrong dots of 40")
        course.plot(costs[1:], switches[1:], ":s", color="black", ms=4, label="exchanges so far")
        course.axhline(wrong[0], color=SVM, ls="--", label="wrong dots, SVM")
        course.set(
            xscale="log", xlabel="cost $C^*$ of a test slack", ylabel="dots, lower is better"
        )
        course.set_ylim(bottom=-0.4)
        course.legend(loc="center right", fontsize=9)


def label_price(f, C_plus=1.0, C_minus=1.0):
    """D(f): how much more the label +1 costs than -1, at a point of value f."""
    return C_plus * np.maximum(0.0, 1.0 - f) - C_minus * np.maximum(0.0, 1.0 + f)


def draw_switch(save):
    """The price of a label, and which pairs the slides' condition exchanges."""
    f = np.linspace(-2.2, 2.2, 221)
    m, l = -0.8, 0.6
    with figure(10.4, 4.2, 2, save=save) as (_, (price, pairs)):
        price.plot(f, label_price(f), color=TSVM, label="$C^*_+=C^*_-=1$")
        price.plot(f, label_price(f, 1.0, 0.4), "--", color=TSVM, label="$C^*_+=1$, $C^*_-=0.4$")
        for value, name, mark in ((m, "m", "+"), (l, "l", "_")):
            price.plot([value, value], [-3.2, label_price(value)], ":", color="black", lw=1)
            price.plot(value, label_price(value), "o", color="black", ms=6)
            price.annotate(
                f"${name}$", (value, label_price(value)), (7, 5), textcoords="offset points"
            )
            price.plot(value, -3.1, mark, color="black", ms=11, mew=2.5)
        price.set(
            xlabel="value $f$ of the point", ylabel="price of + over −: $D(f)$", ylim=(-3.4, 3.4)
        )
        price.legend(loc="upper right", fontsize=9)
        low, high = -2.2, 2.2
        pairs.fill(
            [low, high, low],
            [low, high, high],
            color="#e4e4e4",
            lw=0,
            label="exchange lowers the objective",
        )
        pairs.fill(
            [-1, 1, 1, low, low],
            [-1, 1, high, high, -1],
            color=TSVM,
            alpha=0.45,
            lw=0,
            label="and the slides exchange",
        )
        pairs.plot([low, high], [low, high], color="black", lw=1)
        pairs.plot(m, l, "o", color="black", ms=6)
        pairs.text(1.3, -0.9, "in order", ha="center")
        pairs.set(xlim=(low, high), ylim=(low, 3.3), yticks=range(-2, 3))
        pairs.set(
            xlabel="value $f_m$ of the positive point", ylabel="value $f_l$ of the negative point"
        )
        pairs.legend(loc="upper left", fontsize=9)


#: Moons: points, noise, labels, kernel coefficient, samples over which errors are averaged.
N_MOONS, MOON_NOISE, N_MOON_LABELS, MOON_GAMMA, N_MOON_SAMPLES = 200, 0.08, 6, 2.0, 8
#: The point whose kernel values are drawn is the one of the upper moon that is nearest to this.
TIP = (1.0, 0.15)
#: Levels of kernel values, in steps that also show small ones.
LEVELS = np.array([-1, -0.5, -0.2, -0.1, -0.05, 0.05, 0.1, 0.2, 0.5, 1])


def _moons(seed):
    points, label = make_moons(N_MOONS, noise=MOON_NOISE, random_state=seed)
    y = np.where(label, 1.0, -1.0)
    order = np.random.default_rng(seed).permutation(N_MOONS)
    few = np.sort(
        np.r_[order[y[order] > 0][: N_MOON_LABELS // 2], order[y[order] < 0][: N_MOON_LABELS // 2]]
    )
    rest = np.setdiff1d(np.arange(N_MOONS), few)
    return points[few], y[few], points[rest], y[rest]


def manifold_errors():
    """Error by strength: leave-one-out on the labels, and of two SVMs on the working points.

    Returns
    -------
    left_out : ndarray of shape (samples, strengths)
        Mean squared leave-one-out error at the best ridge.
    wrong : ndarray of shape (samples, strengths)
        Wrong labels of working points by `TransductiveSVC`, in per cent.
    """
    left_out = np.empty((N_MOON_SAMPLES, len(STRENGTHS)))
    wrong = np.empty_like(left_out)
    for i in range(N_MOON_SAMPLES):
        X, y, X_working, truth = _moons(i)
        l = len(y)
        for j, strength in enumerate(STRENGTHS):
            K = manifold_gram(X, X_working, strength=strength, gamma=MOON_GAMMA)
            left_out[i, j] = squared_loo_errors(K[:l, :l].copy(), y[None]).mean()
            model = TransductiveSVC(n_positive="sample", kernel="precomputed")
            model.fit(K[:l], y, K[l:])
            wrong[i, j] = 100 * np.mean(model.transduction_ != truth)
    return left_out, wrong


def tip_values(strength, grid=None):
    """Kernel values with the tip of the upper moon.

    Parameters
    ----------
    strength : float
    grid : ndarray of shape (n, 2), optional
        Further points.

    Returns
    -------
    points, y : ndarrays of shape (200, 2) and (200,)
        The upper moon has the label -1.
    tip : int
    values : ndarray of shape (200 + n,)
    """
    X, y, X_working, truth = _moons(0)
    points, y = np.vstack([X, X_working]), np.r_[y, truth]
    tip = int(np.argmin(np.where(y < 0, np.linalg.norm(points - TIP, axis=1), np.inf)))
    K = manifold_gram(X, X_working, grid, strength=strength, gamma=MOON_GAMMA)
    return points, y, tip, K[:, tip]


def draw_manifold(save):
    """A kernel's values before and after, and the errors at each strength."""
    x1, x2 = np.meshgrid(np.linspace(-1.5, 2.5, 81), np.linspace(-1.0, 1.5, 51))
    grid = np.column_stack([x1.ravel(), x2.ravel()])
    left_out, wrong = manifold_errors()
    norm = BoundaryNorm(LEVELS, 256)
    with figure(12.0, 3.7, 3, save=save, width_ratios=(1.15, 1.15, 1)) as (_, panels):
        for panel, strength, title in zip(
            panels, (0.0, 1000.0), ("RBF kernel", "deformed, $r$ = 1000"), strict=False
        ):
            points, y, tip, values = tip_values(strength, grid)
            shown = values[len(points) :].reshape(x1.shape)
            panel.contourf(x1, x2, shown, LEVELS, cmap="PuOr", norm=norm)
            for side, mark in ((-1, "o"), (1, "s")):
                panel.plot(*points[y == side].T, mark, color=COLOURS["black"], ms=2.5)
            panel.plot(*points[tip], "*", color="black", mfc="white", ms=15)
            panel.set(title=title, xlabel="$x_1$", xticks=[], yticks=[])
            panel.grid(False)
        panels[0].set_ylabel("$x_2$")
        places = np.arange(len(STRENGTHS))
        panels[2].plot(places, wrong.mean(axis=0), "-o", color=TSVM, label="TSVM, wrong labels (%)")
        panels[2].plot(
            places,
            100 * left_out.mean(axis=0),
            "--s",
            color="black",
            label="left-out labels, squared error × 100",
        )
        panels[2].set_xticks(places, [f"{strength:g}" for strength in STRENGTHS])
        panels[2].set(xlabel="strength $r$", ylabel="lower is better", ylim=(0, None))
        panels[2].legend(fontsize=9)


#: The random samples of the picture of numbers, of ten labelled 3s and 8s each.
NUMBER_SEEDS = (0, 5)


def number_curve(seed):
    """The default's choice of the number of positives among 3s and 8s, and the errors nobody sees.

    Returns
    -------
    numbers, objectives : ndarrays of shape (n,)
        The curve that `TransductiveSVC` keeps.
    errors : ndarray of shape (n,)
        Wrong labels of the transductive SVM given the number, in per cent.
    chosen, by_share, true : int
        The number by default, by the labels' share, and of the classes.
    """
    X, digits = load_digits(return_X_y=True)
    kept = np.isin(digits, (3, 8))
    X, y = X[kept] / 16, (digits[kept] == 8).astype(int)
    few, rest = np.split(np.random.default_rng(seed).permutation(len(y)), [10])
    with warnings.catch_warnings(action="ignore", category=UserWarning):
        model = TransductiveSVC().fit(X[few], y[few], X[rest])
    curve, errors = model.objective_curve_, []
    for number in curve["n_positive"].tolist():
        given = TransductiveSVC(n_positive=number).fit(X[few], y[few], X[rest])
        errors.append(100 * np.mean(given.transduction_ != y[rest]))
    by_share = int(np.floor(len(rest) * y[few].mean() + 0.5))
    numbers = model.n_positive_, by_share, int(y[rest].sum())
    return curve["n_positive"], curve["objective"], np.array(errors), *numbers


def draw_numbers(save):
    """Objective over the number of positives, above the errors, for two samples."""
    with figure(10.4, 5.8, 2, 2, save=save, sharex="col") as (_, panels):
        for column, seed in zip(panels.T, NUMBER_SEEDS, strict=True):
            numbers, objectives, errors, chosen, by_share, true = number_curve(seed)
            for panel, values, label in zip(
                column, (objectives, errors), ("objective", "wrong labels (%)"), strict=True
            ):
                panel.plot(numbers, values, "-o", color=TSVM, ms=4)
                panel.axvline(true, color=COLOURS["grey"], lw=4, alpha=0.4, label="true")
                panel.axvline(by_share, color="black", ls=":", label="share of the labels")
                panel.axvline(chosen, color="black", ls="--", label="chosen")
                panel.set(ylabel=f"{label}, lower is better", ylim=(0, None))
            column[1].set_xlabel("number of test points labelled 8")
        panels[0, 0].legend(fontsize=9)


#: Methods in the picture of few labels: name in the record, name in the legend, look.
PEERS = (
    ("TransductiveSVC", "TSVM", TSVM, "o"),
    ("its SVM, C_star = 0", "SVM", SVM, "s"),
    ("BayesianTransduction", "Bayesian transduction", METHODS["Bayesian transduction"], "^"),
    ("LabelSpreading", "label spreading", METHODS["label spreading"], "X"),
)


def few_labels():
    """Recorded errors in %: problem, labels, method -> mean and standard error."""
    rows, _ = load_recorded("benchmarks/few_labels")
    found = {}
    for quantity, place in (("error", 0), ("standard error", 1)):
        for row in rows[rows["quantity"] == quantity].itertuples():
            problem, rest = (
                row.case.split(" labels, ")[0].rsplit(", ", 1),
                row.case.split(" labels, ")[1],
            )
            found.setdefault((problem[0], int(problem[1]), rest), [0.0, 0.0])[place] = row.value
    return found


def draw_few_labels(save):
    """Errors with ten and with a hundred labels, beside the peers."""
    errors = few_labels()
    problems = list(dict.fromkeys(problem for problem, *_ in errors))
    rows = np.arange(len(problems))[::-1]
    with figure(10.4, 6.0, 2, save=save, sharey=True) as (canvas, panels):
        for panel, labels in zip(panels, (10, 100), strict=True):
            for k, (method, name, colour, mark) in enumerate(PEERS):
                there = [i for i, p in enumerate(problems) if (p, labels, method) in errors]
                mean, error = np.transpose([errors[problems[i], labels, method] for i in there])
                heights = rows[there] + 0.27 - 0.18 * k
                panel.errorbar(
                    mean, heights, xerr=error, fmt=mark, color=colour, ms=6, lw=1.2, label=name
                )
            panel.set(title=f"{labels} labels", xlabel="error (%), lower is better", xlim=(0, None))
            panel.set_yticks(rows, problems)
            panel.tick_params(axis="y", length=0)
        canvas.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=4)


def objective(signs):
    """Least objective of an SVM with C = C* = 1 on the labelled points; 0 stands for no label."""
    signs = np.r_[SIGNS, signs]
    X, signs = np.vstack([TRAINING, WORKING])[signs != 0], signs[signs != 0]
    found = smo.minimise(X @ X.T, signs, np.minimum(signs, 0), np.maximum(signs, 0), tol=1e-6)
    return -found.objective


def labellings():
    """Every labelling of the six test points, and the objective of its SVM with C = C* = 1.

    Returns
    -------
    signs : ndarray of shape (64, 6)
    objectives : ndarray of shape (64,)
    """
    signs = np.array(list(product((1.0, -1.0), repeat=len(WORKING))))
    return signs, np.array([objective(row) for row in signs])


def searched():
    """Branch and bound over the labels of the six test points, in the library's order.

    Returns
    -------
    nodes : list of (int, float, bool, int)
        Labels given so far, objective, whether no continuation can win, index of the parent.
    best : float
    """
    svm = smo.minimise(TRAINING @ TRAINING.T, SIGNS, np.minimum(SIGNS, 0), np.maximum(SIGNS, 0))
    values = WORKING @ (TRAINING.T @ svm.coefficients) + svm.intercept
    order = np.argsort(-np.abs(values), kind="stable")
    best, nodes = objective(np.sign(values)), [(0, objective(np.zeros(6)), False, -1)]

    def descend(signs, depth, parent):
        nonlocal best
        branches = []
        for sign in (1.0, -1.0):
            child = signs.copy()
            child[order[depth]] = sign
            branches.append((objective(child), -sign, child))
        for bound, _, child in sorted(branches, key=lambda branch: branch[:2]):
            nodes.append((depth + 1, bound, bound >= best, parent))
            if bound < best and depth + 1 < len(order):
                descend(child, depth + 1, len(nodes) - 1)
            best = min(best, bound) if depth + 1 == len(order) else best

    descend(np.zeros(6), 0, 0)
    return nodes, best


def draw_search(save):
    """Objectives of all labellings of six points, and what branch and bound looks at."""
    signs, objectives = labellings()
    order = np.argsort(objectives, kind="stable")
    svm = np.sign(WORKING @ [-0.4, 0.2])  # the normal is along the segment of the two points
    nodes, best = searched()
    with figure(10.4, 4.0, 2, save=save) as (_, (ranked, tree)):
        ranked.plot(np.arange(1, 65), objectives[order], ".", color=COLOURS["grey"], ms=6)
        for at, mark, colour, label in (
            (1, "o", TSVM, "widest gap"),
            (
                1 + int(np.flatnonzero((signs[order] == svm).all(axis=1))[0]),
                "s",
                SVM,
                "labels by the SVM",
            ),
        ):
            ranked.plot(at, objectives[order][at - 1], mark, color=colour, ms=9, label=label)
        ranked.set(
            xlabel="labelling, best first", ylabel="objective, lower is better", ylim=(0, None)
        )
        ranked.legend(loc="upper left")
        depth, bound, cut, parent = map(np.array, zip(*nodes, strict=True))
        for i in range(1, len(nodes)):
            up = parent[i]
            tree.plot([depth[up], depth[i]], [bound[up], bound[i]], color=LIGHT, lw=0.9)
        tree.plot(depth[~cut], bound[~cut], "o", color=TSVM, ms=6, label="followed")
        tree.plot(depth[cut], bound[cut], "x", color="black", ms=7, mew=1.6, label="cannot win")
        tree.axhline(best, color=TSVM, ls=":", label="the best")
        tree.set(xlabel="test points with a label", ylabel="least objective so far", ylim=(0, None))
        tree.legend(loc="upper left")


def first_weights(printed, C_star=1.0):
    """Costs of all test points of a label together, in each round of Loop 1.

    Parameters
    ----------
    printed : bool
        Whether C*+ begins as the slides print it, or with their fraction inverted.

    Returns
    -------
    positive, negative : ndarrays of shape (rounds,)
        The last entry is that at C*.
    """
    n_negative = WEIGHED - WEIGHED_POSITIVE
    ratio = WEIGHED_POSITIVE / n_negative if printed else n_negative / WEIGHED_POSITIVE
    first = 1e-5 * np.array([ratio, 1.0])
    rounds = ceil(log2(C_star / first.min()))
    costs = np.minimum(np.outer(2.0 ** np.arange(rounds + 1), first), C_star)
    return WEIGHED_POSITIVE * costs[:, 0], n_negative * costs[:, 1]


def draw_costs(save):
    """What positive and negative test points weigh as a class, round by round."""
    with figure(10.4, 3.6, 2, save=save, sharey=True) as (_, panels):
        for panel, printed, title in zip(
            panels, (True, False), ("as printed", "the fraction inverted"), strict=True
        ):
            positive, negative = first_weights(printed)
            panel.plot(
                negative, "-o", color="black", ms=4, label=f"{WEIGHED - WEIGHED_POSITIVE} negative"
            )
            panel.plot(positive, "-s", color=TSVM, ms=4, label=f"{WEIGHED_POSITIVE} positive")
            panel.set(yscale="log", title=title, xlabel="round of Loop 1", xticks=range(0, 21, 5))
        panels[0].set(ylabel="cost of all together")
        panels[0].legend(loc="upper left")
