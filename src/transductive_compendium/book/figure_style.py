"""One look for all figures: legible on a light and on a dark page, and in grey."""

from __future__ import annotations

from contextlib import contextmanager

import matplotlib
import matplotlib.pyplot as plt

from .figure_data import drawn_data
from .readers_rows import fit

__all__ = ["COLOURS", "DRAWN", "MARKERS", "figure"]

#: Key of a figure's data in the metadata of a notebook's output.
DRAWN = "transductive_drawn"

# Okabe and Ito's palette: readers with colour blindness can distinguish it; markers differ, too.
COLOURS = {
    "blue": "#0072B2",
    "orange": "#D55E00",
    "green": "#009E73",
    "purple": "#AA4499",
    "grey": "#666666",
    "black": "#000000",
}
MARKERS = ("o", "s", "^", "D", "v", "P")

SETTINGS = {
    "figure.dpi": 110,
    "savefig.dpi": 110,
    # the ground is painted, so that dark pages do not show through
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "figure.constrained_layout.use": True,
    "font.size": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "axes.prop_cycle": plt.cycler(color=list(COLOURS.values())),
    "svg.hashsalt": "transductive",
}


@contextmanager
def figure(width=6.4, height=4.0, panels=1, rows=1, **kwargs):
    """Figure and axes in the house style, shown at the end of the block.

    A notebook keeps what was drawn with the picture, as CSV in the output's metadata under
    `DRAWN`: the book gives it to the reader below the figure.

    Parameters
    ----------
    width, height : float
        Size of the whole figure in inches.
    panels : int, default=1
        Axes side by side.
    rows : int, default=1
        Rows of them.
    **kwargs
        Passed to `matplotlib.pyplot.subplots`.

    Yields
    ------
    figure, axes
    """
    with plt.rc_context(SETTINGS):
        canvas, axes = plt.subplots(rows, panels, figsize=(width, height), **kwargs)
        yield canvas, axes
        fit(canvas)
        if "inline" not in matplotlib.get_backend():
            plt.show()
            return
        from IPython.display import display

        drawn = drawn_data(canvas).to_csv(index=False, float_format="%.8g")
        display(canvas, metadata={DRAWN: drawn})
        plt.close(canvas)
