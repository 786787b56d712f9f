"""Drawings of each method's errors after rejection, and of its time."""

import numpy as np

from ...book.figure_style import COLOURS, MARKERS, METHODS
from ...verdicts.overlapping_splits import half_width
from .methods import N_LABELS_OF_METHODS
from .scores_measures import NAMES, overlap, scores

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


def draw_rejection(rows, axes, canvas):
    """Errors at all points, and at those that are kept, with 90 % intervals.

    Parameters
    ----------
    rows : DataFrame
        Rows of ``comparison/methods``.
    axes : ndarray of Axes
        As many as there are problems.
    canvas : Figure
    """
    looks = (
        ("error", "white", 0.14, "all points"),
        ("error_kept", None, -0.14, "the fifth of which it is least sure rejected"),
    )
    for panel, problem in zip(np.ravel(axes), dict.fromkeys(rows["problem"]), strict=False):
        panel.set_title(title(problem), fontsize=10)
        for score, fill, shift, label in looks:
            table = scores(rows[rows["problem"] == problem], score)
            for k, (method, family) in enumerate(FAMILIES.items()):
                own = table[method].to_numpy()
                ratio = overlap(problem, N_LABELS_OF_METHODS)
                panel.errorbar(
                    own.mean(),
                    -k + shift,
                    xerr=half_width(own, ratio) if len(own) > 1 else 0,
                    fmt="o",
                    ms=5,
                    lw=1,
                    capsize=2,
                    color=METHODS[family],
                    mfc=fill or METHODS[family],
                    label=label if k == 0 else None,
                )
        panel.set_xlim(left=0)
        panel.set_yticks(-np.arange(len(FAMILIES)), [NAMES[m] for m in FAMILIES], fontsize=8)
    for panel in np.atleast_2d(axes)[-1]:
        panel.set_xlabel("error (%), lower is better")
    handles = np.ravel(axes)[0].get_legend_handles_labels()
    canvas.legend(*handles, loc="outside upper center", ncols=2, fontsize=9)


def draw_seconds(rows, axes):
    """Median times of the methods in milliseconds, a mark for each problem.

    Parameters
    ----------
    rows : DataFrame
        Rows of ``comparison/methods``.
    axes : Axes
    """
    table = 1000.0 * scores(rows, "seconds").groupby("problem").median()
    table = table.loc[list(dict.fromkeys(rows["problem"]))]
    for marker, (problem, times) in zip(MARKERS, table.iterrows(), strict=False):
        for k, (method, family) in enumerate(FAMILIES.items()):
            axes.plot(times[method], -k, marker, ms=6, alpha=0.8, color=METHODS[family])
        axes.plot([], [], marker, ms=6, color=COLOURS["grey"], label=title(problem))
    axes.set_xscale("log")
    axes.set_xticks([2, 5, 10, 20, 50, 100, 200], [2, 5, 10, 20, 50, 100, 200])
    axes.minorticks_off()
    axes.set_yticks(-np.arange(len(FAMILIES)), [NAMES[m] for m in FAMILIES])
    axes.set_xlabel("processor time (milliseconds), lower is better")
    axes.legend(fontsize=9, loc="lower left", bbox_to_anchor=(1.0, 0.0))
