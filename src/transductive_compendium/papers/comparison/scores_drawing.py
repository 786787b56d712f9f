"""Drawing of the methods' gains over their counterparts, a panel for each problem."""

import numpy as np

from ...book.figure_style import COLOURS, MARKERS, METHODS
from .methods_drawing import title
from .scores_measures import gains

#: Method, counterpart, score, colour and whether the marks are filled.
PAIRS = {
    "TSVM on SVM, sample's number": ("tsvm", "svm", "error", METHODS["TSVM"], False),
    "TSVM on SVM, both given the true number": (
        "tsvm, true number",
        "svm",
        "error_told",
        METHODS["TSVM"],
        True,
    ),
    "TLD on LD": ("tld", "ridge", "error", METHODS["transductive ridge"], True),
    "U-SVM on SVM": ("usvm", "svm", "error", METHODS["U-SVM"], True),
}


def draw_gains(rows, by, places, xlabel, axes, canvas):
    """Gains with 95 % intervals over the values of a column.

    Parameters
    ----------
    rows : DataFrame
        Rows of one of the experiments.
    by : str
        Column that is varied.
    places : list
        Its values as labels of the axis.
    xlabel : str
    axes : ndarray of Axes
        As many as there are problems.
    canvas : Figure
    """
    for panel, (problem, part) in zip(
        np.ravel(axes), rows.groupby("problem", sort=False), strict=False
    ):
        for k, (label, (better, worse, score, colour, filled)) in enumerate(PAIRS.items()):
            own = gains(part, better, worse, by, score).loc[problem]
            panel.errorbar(
                np.arange(len(own)) + 0.1 * (k - 1.5),
                own["gain"],
                yerr=own["half"],
                fmt=MARKERS[k] + "-",
                ms=5,
                lw=1.2,
                capsize=2,
                color=colour,
                mfc=colour if filled else "white",
                label=label,
            )
        panel.axhline(0, color=COLOURS["black"], lw=1)
        panel.set_title(title(problem), fontsize=10)
        panel.set_xticks(range(len(places)), [str(place) for place in places])
    for row in np.atleast_2d(axes):
        row[0].set_ylabel("gain (percentage points)")
    for panel in np.atleast_2d(axes)[-1]:
        panel.set_xlabel(xlabel)
    handles = np.ravel(axes)[0].get_legend_handles_labels()
    canvas.legend(*handles, loc="outside upper center", ncols=4, fontsize=9)
