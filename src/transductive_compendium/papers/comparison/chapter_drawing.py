"""Pictures of the chapter that belong to no notebook."""

import numpy as np
from sklearn.datasets import load_digits

from transductive import TransductiveSVC

from ...book.figure_style import COLOURS, METHODS, figure
from .classifiers import METHODS as CLASSIFIERS
from .problems import Sample
from .scores_measures import NAMES

__all__ = ["PREFIX", "bands", "numbers"]

#: `draw_x` draws the picture fig-cmp-x.
PREFIX = "fig-cmp-"

#: Methods of the picture in the plane, and their colours.
IN_THE_PLANE = {
    "svm": "SVM",
    "tsvm, true number": "TSVM",
    "tsvm": "TSVM",
    "tld": "transductive ridge",
    "bt": "Bayesian transduction",
    "usvm": "U-SVM",
}


def bands():
    """Two long clusters: eight labelled points, five of them positive, and 200 others."""
    rng = np.random.default_rng(0)
    truth = np.repeat([1.0, -1.0], 100)
    working = np.column_stack([rng.uniform(-3, 3, 200), truth + 0.3 * rng.standard_normal(200)])
    above = [[-2.6, 1.4], [-2.0, 1.2], [-1.2, 1.1], [-0.4, 0.8], [0.8, 0.5]]
    below = [[0.2, -0.8], [1.4, -1.1], [2.4, -1.4]]
    y = np.repeat([1.0, -1.0], [len(above), len(below)])
    return Sample(np.array(above + below), y, working, truth, "linear")


def example():
    """The chapter's example: pixels, classes, ten labelled rows, and the others."""
    X, y = load_digits(return_X_y=True)
    X, y = X[(y == 3) | (y == 8)] / 16, y[(y == 3) | (y == 8)]
    order = np.random.default_rng(0).permutation(len(y))
    return X, y, order[:10], order[10:]


def _labels(n_positive=None):
    """Labels of the example's working points by the SVM, or by the TSVM given a number."""
    X, y, few, working = example()
    same = {"C": 10, "kernel": "rbf", "gamma": 0.05}
    if n_positive is None:
        return TransductiveSVC(**same).fit(X[few], y[few]).predict(X[working])
    tsvm = TransductiveSVC(n_positive=n_positive, C_star=10, manifold=0, **same)
    return tsvm.fit(X[few], y[few], X[working]).transduction_


def numbers(step=20):
    """Errors of the TSVM in the example by the number of eights that it is given.

    Returns
    -------
    given : ndarray
    errors : ndarray
        Number of wrong labels, of 347.
    true, svm_errors : int
        Number of eights, and wrong labels of the SVM.
    """
    _, y, _, working = example()
    true = int((y[working] == 8).sum())
    given = np.arange(true - 4 * step, true + 4 * step + 1, step)
    errors = np.array([np.sum(_labels(n) != y[working]) for n in given])
    return given, errors, true, int(np.sum(_labels() != y[working]))


def draw_bands(save):
    """Labels that six methods give to the same points."""
    sample = bands()
    with figure(10.2, 4.6, 3, rows=2, save=save, sharex=True, sharey=True) as (_, axes):
        for panel, (name, family) in zip(axes.flat, IN_THE_PLANE.items(), strict=True):
            positive = CLASSIFIERS[name](sample, np.random.default_rng(0)).positive
            wrong = positive != (sample.truth > 0)
            for sign, marker in ((True, "o"), (False, "s")):
                fill = {"mfc": METHODS[family] if sign else "white", "mec": METHODS[family]}
                panel.plot(*sample.X_working[positive == sign].T, marker, ms=4, **fill)
            panel.plot(*sample.X_working[wrong].T, "x", ms=7, color=COLOURS["black"], mew=1.2)
            for sign, marker in ((1, "+"), (-1, "_")):
                panel.plot(*sample.X[sample.y == sign].T, marker, ms=13, mew=3.5, color="black")
            panel.set_title(f"{NAMES[name]}: {100 * wrong.mean():.1f} %", fontsize=10)
            panel.set(xticks=[], yticks=[])
            panel.grid(False)


def draw_numbers(save):
    """Errors by the number of positives that the TSVM is given."""
    given, errors, true, svm = numbers()
    share = 100 / 347
    with figure(6.0, 4.2, save=save) as (_, axes):
        axes.plot(given, share * errors, "o-", color=METHODS["TSVM"], label="TSVM")
        look = {"color": COLOURS["grey"], "label": "least possible"}
        axes.plot(given, share * np.abs(given - true), "--", **look)
        axes.axhline(share * svm, color=METHODS["SVM"], label="SVM")
        axes.axvline(243, color=COLOURS["grey"], lw=1, ls=":", label="share of the labels")
        axes.set(xlabel=f"eights that it is given ({true} are true)", ylim=(-0.5, 32))
        axes.set(ylabel="error (%), lower is better")
        axes.legend(fontsize=9, loc="upper center")
