"""Figure 1: curves over log sigma (1a, 1c) and over the number of test points (1b, 1d)."""

import pandas as pd

from ...book.figure_style import COLOURS, METHODS, draw_published, figure
from ...runner import load_recorded
from ...verdicts.overlapping_splits import half_width
from .figure_1_measures import PAPER, both

_TRANSDUCTIVE = dict(
    marker="o", color=METHODS["transductive ridge"], label="transductive regression"
)
#: Curves of boston with all inputs standardised: its binary input, CHAS, too.
STANDARDISED = "variance 1, CHAS too"
_OTHER_LOOKS = {
    STANDARDISED: dict(marker="^", mfc="white", ls="--", lw=1, color=_TRANSDUCTIVE["color"]),
    "Delve's code": dict(marker="s", ms=5, lw=1, color=COLOURS["grey"]),
}
_RIDGE = dict(ls="--", marker="o", mfc="white", color=METHODS["ridge"], label="ridge regression")


def _draw_named(axes, log_sigma):
    """The published log sigma, the only number of these curves that is printed."""
    axes.axvline(log_sigma, color=COLOURS["grey"], ls=":", lw=1, label="_published")
    bottom = axes.get_ylim()[0]
    draw_published(axes, log_sigma, bottom, label=r"published $\log\sigma$", clip_on=False)
    axes.set_ylim(bottom=bottom)


def other_codes(item):
    """Recorded rows of an item under other codes of the inputs, by the label of their curve."""
    rows = load_recorded(f"{PAPER}/{item}_options")[0]
    labels = {"standardised": STANDARDISED, "delve": "Delve's code"}
    found = {label: rows[rows["option"] == option] for option, label in labels.items()}
    return {label: rows for label, rows in found.items() if len(rows)}


def _curves(rows):
    """Errors of both methods by place or size, and the abscissae, in order."""
    ridge, transductive = both(rows)
    if "place" not in rows:
        return ridge, transductive, pd.Series(ridge.columns, ridge.columns)
    axis = rows.drop_duplicates("place").set_index("place")["log_sigma"]
    axis = axis.drop_duplicates().sort_values()
    return ridge[axis.index], transductive[axis.index], axis


def numbers_in_text(rows):
    """Mean errors and gains that the chapter quotes: ``ridge_named``, ``gain_256`` and so on."""
    ridge, transductive = both(rows)
    means = {"ridge": ridge, "transductive": transductive, "gain": ridge - transductive}
    return {f"{name}_{at}": mean for name, of in means.items() for at, mean in of.mean().items()}


def _draw_gain(axes, rows, **look):
    ridge, transductive, axis = _curves(rows)
    gain = ridge - transductive
    half = [half_width(gain[place]) for place in gain]
    axes.errorbar(axis, gain.mean(), yerr=half, capsize=3, **look)


def draw_errors_and_gain(rows, others=None):
    """Mean squared errors, and gains with 95 % intervals of the mean.

    Parameters
    ----------
    rows : DataFrame
        Rows of one of the four experiments.
    others : dict of str to DataFrame, optional
        Rows under other codes of the inputs, whose gains are drawn, too: `other_codes`.
    """
    ridge, transductive, axis = _curves(rows)
    over_sigma = "place" in rows
    with figure(width=9.6, height=4.2, panels=2) as (_, (left, right)):
        left.plot(axis, ridge.mean(), **_RIDGE)
        left.plot(axis, transductive.mean(), **_TRANSDUCTIVE)
        left.set(ylabel="mean squared error, lower is better")
        binary = ", CHAS -1 and 1" if STANDARDISED in (others or {}) else ""
        _draw_gain(right, rows, **_TRANSDUCTIVE | {"label": f"variance 1{binary}"})
        for label, other in (others or {}).items():
            _draw_gain(right, other, label=label, **_OTHER_LOOKS[label])
        if others:
            right.legend(fontsize=9, loc="upper center" if over_sigma else "upper left")
        right.axhline(0, color=COLOURS["grey"], lw=1)
        right.set(ylabel="gain over ridge regression")
        for axes in (left, right):
            axes.set_xlabel(r"$\log\sigma$" if over_sigma else "test points $m$")
            if over_sigma:
                _draw_named(axes, axis[axis.index.isin(["named", "q50"])].iloc[0])
            else:
                axes.set(xscale="log")
                axes.set_xticks(axis, [str(m) for m in axis])
                axes.minorticks_off()
        left.legend(fontsize=9, loc="upper center" if over_sigma else "best")
