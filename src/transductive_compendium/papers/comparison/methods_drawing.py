"""Drawings of the methods' errors, and of gains over counterparts, a panel for each problem."""

import numpy as np

from ...book.figure_style import COLOURS, MARKERS, METHODS
from ...verdicts.overlapping_splits import half_width
from .methods import N_LABELS_OF_METHODS
from .scores_measures import NAMES, gains, overlap, scores

#: By the methods' names in the rows: that of the colour.
FAMILIES = {
    "svm": "SVM",
    "tsvm": "TSVM",
    "tsvm, true number": "TSVM",
    "usvm": "U-SVM",
    "platt": "SVM",
    "ridge": "ridge",
    "tld": "transductive ridge",
    "bpm": "Bayes point",
    "bt": "Bayesian transduction",
    "kgs": "Gibbs",
}


def title(problem):
    """The displayed name of a problem."""
    return problem.replace("mnist", "MNIST").replace("reuters", "Reuters")


def draw_errors(rows, looks, axes, canvas):
    """Two errors of each method, with 95 % intervals.

    Parameters
    ----------
    rows : DataFrame
        Rows of ``comparison/methods``.
    looks : dict of str to tuple of str
        By the column of the error: marker, colour of its inside (None for the method's), label.
    axes : ndarray of Axes
        As many as there are problems.
    canvas : Figure
    """
    for panel, problem in zip(np.ravel(axes), dict.fromkeys(rows["problem"]), strict=False):
        panel.set_title(title(problem), fontsize=10)
        for shift, (score, (marker, fill, _)) in zip((0.14, -0.14), looks.items(), strict=True):
            table = scores(rows[rows["problem"] == problem], score)
            for k, (method, family) in enumerate(FAMILIES.items()):
                own = table[method].to_numpy()
                ratio = overlap(problem, N_LABELS_OF_METHODS)
                panel.errorbar(
                    own.mean(),
                    -k + shift,
                    xerr=half_width(own, ratio) if len(own) > 1 else 0,
                    fmt=marker,
                    ms=5,
                    lw=1,
                    capsize=2,
                    color=METHODS[family],
                    mfc=fill or METHODS[family],
                )
        panel.set_xlim(left=0)
        panel.set_yticks(-np.arange(len(FAMILIES)), [NAMES[m] for m in FAMILIES], fontsize=8)
    for panel in np.atleast_2d(axes)[-1]:
        panel.set_xlabel("error (%), lower is better")
    for marker, fill, label in looks.values():  # black: the rows have the methods' colours
        look = {"color": "black", "mfc": fill or "black", "ms": 5, "lw": 1}
        np.ravel(axes)[0].plot([], [], marker=marker, label=label, **look)
    handles = np.ravel(axes)[0].get_legend_handles_labels()
    canvas.legend(*handles, loc="outside upper center", ncols=2, fontsize=9)


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
