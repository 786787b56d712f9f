"""Figure 1: curves over log sigma (1a, 1c) and over the number of test points (1b, 1d)."""

from ...book.figure_style import COLOURS, METHODS, draw_published, figure
from ...verdicts.overlapping_splits import half_width
from .figure_1_measures import both

_TRANSDUCTIVE = dict(
    marker="o", color=METHODS["transductive ridge"], label="transductive regression"
)
_RIDGE = dict(ls="--", marker="o", mfc="white", color=METHODS["ridge"], label="ridge regression")


def _draw_named(axes, log_sigma):
    """The published log sigma, the only number of these curves that is printed."""
    axes.axvline(log_sigma, color=COLOURS["grey"], ls=":", lw=1, label="_published")
    bottom = axes.get_ylim()[0]
    draw_published(axes, log_sigma, bottom, label=r"published $\log\sigma$", clip_on=False)
    axes.set_ylim(bottom=bottom)


def draw_errors_and_gain(rows, item):
    """Mean squared errors, and gains with 90 % intervals of the mean.

    Parameters
    ----------
    rows : DataFrame
        Rows of the item's experiment.
    item : {"figure_1a", "figure_1b", "figure_1c", "figure_1d"}
    """
    ridge, transductive = both({f"transductive_regression/{item}": rows}, item)
    over_sigma = "place" in rows
    if over_sigma:
        axis = rows.drop_duplicates("place").set_index("place")["log_sigma"]
        places = list(axis.drop_duplicates().sort_values().index)
        x, label = axis[places].to_numpy(), r"$\log\sigma$"
    else:
        places = list(ridge.columns)
        x, label = places, "test points $m$"
    gain = ridge - transductive
    with figure(width=9.6, height=4.2, panels=2) as (_, (left, right)):
        left.plot(x, ridge[places].mean(), **_RIDGE)
        left.plot(x, transductive[places].mean(), **_TRANSDUCTIVE)
        left.set(xlabel=label, ylabel="mean squared error, lower is better")
        half = [half_width(gain[place]) for place in places]
        right.errorbar(x, gain[places].mean(), yerr=half, capsize=3, **_TRANSDUCTIVE)
        right.axhline(0, color=COLOURS["grey"], lw=1)
        right.set(xlabel=label, ylabel="gain over ridge regression")
        for axes in (left, right):
            if over_sigma:
                _draw_named(axes, axis["named"])
            else:
                axes.set(xscale="log")
                axes.set_xticks(x, [str(m) for m in x])
                axes.minorticks_off()
        left.legend(fontsize=9)
