"""Figure 1: curves over log sigma (1a, 1c) and over the number of test points (1b, 1d)."""

from ...book.figure_style import COLOURS, METHODS, draw_published, figure
from ...verdicts.overlapping_splits import half_width
from .figure_1_measures import gains, mean_gain
from .figure_1_printed_measures import both
from .regression_setting import ALPHA_STAR, DATASET_OF_FIGURE, PUBLISHED

_LOOKS = {
    "norm": ("blue", "o", r"norm, $K + \gamma I$"),
    "written": ("orange", "s", r"written, $K^TK + \gamma I$"),
    "rescaled": ("green", "^", r"rescaled, $K^TK + \gamma\ell I$"),
}
_PRINTED = dict(marker="o", color=METHODS["transductive ridge"], label="transductive regression")
_RIDGE = dict(ls="--", marker="o", mfc="white", color=METHODS["ridge"], label="ridge regression")
_ERROR = "mean squared error, lower is better"


def _draw_named(axes, log_sigma):
    """The published log sigma, the only number of these curves that is printed."""
    axes.axvline(log_sigma, color=COLOURS["grey"], ls=":", lw=1, label="_published")
    bottom = axes.get_ylim()[0]
    draw_published(axes, log_sigma, bottom, label=r"published $\log\sigma$", clip_on=False)
    axes.set_ylim(bottom=bottom)


def draw_over_sigma(rows, item, xlim, error_limits, gain_limits):
    """Mean squared errors, and gains in per cent, over log sigma."""
    with figure(width=9.6, height=4.4, panels=2) as (_, (left, right)):
        for reading in ("norm", "written"):
            colour, marker, label = _LOOKS[reading]
            ridge = gains(rows, reading, column="").mean()
            curve = ridge - gains(rows, reading).mean()
            left.plot(
                ridge.index, ridge, marker=marker, ls="--", mfc="white", color=COLOURS[colour]
            )
            left.plot(curve.index, curve, marker=marker, color=COLOURS[colour], label=label)
        left.plot([], [], **_RIDGE)
        left.set(xlabel=r"$\log\sigma$", ylabel=_ERROR)
        left.set(xlim=xlim, ylim=error_limits)
        for shift, (reading, (colour, marker, label)) in zip(
            (-0.03, 0.0, 0.03), _LOOKS.items(), strict=True
        ):
            found = mean_gain(item, gains(rows, reading))
            ridge = gains(rows, reading, column="").mean()
            right.errorbar(
                found.index + shift,
                100 * found["mean"] / ridge,
                yerr=100 * found["half"] / ridge,
                marker=marker,
                capsize=2,
                color=COLOURS[colour],
                label=label,
            )
        right.axhline(0, color=COLOURS["grey"], lw=1)
        right.set(xlabel=r"$\log\sigma$", ylabel="gain (% of ridge regression's error)")
        right.set(xlim=xlim, ylim=gain_limits)
        for axes in (left, right):
            _draw_named(axes, PUBLISHED[DATASET_OF_FIGURE[item]][2])
        left.legend(fontsize=9)
        right.legend(fontsize=9, loc="lower right")


def draw_over_sizes(rows, item, shrinking, ticks, error_limits):
    """Mean squared errors, and gains in per cent, over the number of test points.

    Parameters
    ----------
    rows : DataFrame
    item : {"figure_1b", "figure_1d"}
    shrinking : str
        gamma* as a function of m, in TeX.
    ticks : list of int
        Numbers of test points to print.
    error_limits : tuple of float
        Limits of the axis of errors.
    """
    fixed = f"{ALPHA_STAR[DATASET_OF_FIGURE[item]]:g}"
    with figure(width=9.6, height=4.4, panels=2) as (_, (left, right)):
        ridge = gains(rows, column="").mean()
        left.plot(ridge.index, ridge, **_RIDGE)
        for column, colour, marker, label in (
            ("transductive", "blue", "o", rf"$\gamma^* = {shrinking}$"),
            ("transductive_fixed", "purple", "D", rf"$\gamma^* = {fixed}$ at every $m$"),
        ):
            curve = ridge - gains(rows, column=column).mean()
            left.plot(curve.index, curve, marker=marker, color=COLOURS[colour], label=label)
        left.set(xscale="log", xlabel="test points $m$", ylabel=_ERROR)
        left.set_ylim(error_limits)
        left.legend(fontsize=9, loc="lower left")
        for reading, column, colour, marker, alpha_star in (
            ("norm", "transductive", "blue", "o", shrinking),
            ("norm", "transductive_fixed", "purple", "D", fixed),
            ("written", "transductive", "orange", "s", shrinking),
            ("written", "transductive_fixed", "black", "v", fixed),
        ):
            found = mean_gain(item, gains(rows, reading, column=column))
            error = gains(rows, reading, column="").mean()
            shares, half = (100 * found[part] / error for part in ("mean", "half"))
            look = dict(marker=marker, color=COLOURS[colour], label=f"{reading}, ${alpha_star}$")
            right.plot(shares.index, shares, **look)
            right.fill_between(
                shares.index, shares - half, shares + half, color=COLOURS[colour], alpha=0.1
            )
        right.axhline(0, color=COLOURS["grey"], lw=1)
        right.set(
            xscale="log", xlabel="test points $m$", ylabel="gain (% of ridge regression's error)"
        )
        right.legend(fontsize=9, loc="upper left")
        for axes in (left, right):
            axes.set_xticks(ticks, [str(m) for m in ticks])
            axes.minorticks_off()


def draw_printed(rows, item):
    """Figure 1 as printed: mean squared errors, and gains with 90 % intervals of the mean."""
    ridge, transductive = both({f"transductive_regression/{item}_printed": rows}, item)
    if "place" in rows:
        axis = rows.drop_duplicates("place").set_index("place")["log_sigma"]
        places = list(axis.drop_duplicates().sort_values().index)
        x, label = axis[places].to_numpy(), r"$\log\sigma$"
        named = axis["named"]
    else:
        places = list(ridge.columns)
        x, label, named = places, "test points $m$", None
    gain = ridge - transductive
    with figure(width=9.6, height=4.2, panels=2) as (_, (left, right)):
        left.plot(x, ridge[places].mean(), **_RIDGE)
        left.plot(x, transductive[places].mean(), **_PRINTED)
        left.set(xlabel=label, ylabel=_ERROR)
        half = [half_width(gain[place]) for place in places]
        right.errorbar(x, gain[places].mean(), yerr=half, capsize=3, **_PRINTED)
        right.axhline(0, color=COLOURS["grey"], lw=1)
        right.set(xlabel=label, ylabel="gain over ridge regression")
        for axes in (left, right):
            if named is None:
                axes.set(xscale="log")
                axes.set_xticks(x, [str(m) for m in x])
                axes.minorticks_off()
            else:
                _draw_named(axes, named)
        left.legend(fontsize=9)
