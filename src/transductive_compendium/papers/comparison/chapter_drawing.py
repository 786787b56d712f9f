"""Pictures of the chapter that belong to no notebook."""

import numpy as np
from sklearn.datasets import load_digits

from transductive import TransductiveSVC

from ...book.figure_style import COLOURS, METHODS, figure
from ...runner import load_recorded
from .classifiers import METHODS as CLASSIFIERS
from .problems import LABELS, Sample
from .scores_measures import NAMES, scores

__all__ = ["PICTURES", "bands", "numbers", "off"]

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


def numbers(step=20):
    """The chapter's example: errors of the TSVM by the number of eights that it is given.

    Returns
    -------
    given : ndarray
    errors : ndarray
        Number of wrong labels, of 347.
    true, svm_errors : int
        Number of eights, and wrong labels of the SVM.
    """
    X, y = load_digits(return_X_y=True)
    X, y = X[(y == 3) | (y == 8)] / 16, y[(y == 3) | (y == 8)]
    order = np.random.default_rng(0).permutation(len(y))
    few, working = order[:10], order[10:]
    true = int((y[working] == 8).sum())
    given = np.arange(true - 4 * step, true + 4 * step + 1, step)
    same = {"C": 10, "kernel": "rbf", "gamma": 0.05}
    svm = TransductiveSVC(**same).fit(X[few], y[few]).predict(X[working])
    errors = []
    for n in given:
        tsvm = TransductiveSVC(n_positive=n, C_star=10, manifold=0, **same)
        found = tsvm.fit(X[few], y[few], X[working]).transduction_
        errors.append(np.sum(found != y[working]))
    return given, np.array(errors), true, int(np.sum(svm != y[working]))


def off(n_labels):
    """By how many percentage points the share of positives is off on average, if it is a half."""
    return 100 * np.sqrt(2 / np.pi / (4 * np.asarray(n_labels)))


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
    """Errors by the number of positives that the TSVM is given, and by the number of labels."""
    given, errors, true, svm = numbers()
    with figure(10.2, 4.2, 2, save=save) as (_, (example, labels)):
        share = 100 / 347
        example.plot(given, share * errors, "o-", color=METHODS["TSVM"], label="TSVM")
        look = {"color": COLOURS["grey"], "label": "least possible"}
        example.plot(given, share * np.abs(given - true), "--", **look)
        example.axhline(share * svm, color=METHODS["SVM"], label="SVM")
        example.axvline(243, color=COLOURS["grey"], lw=1, ls=":", label="share of the labels")
        example.set(xlabel=f"eights that it is given ({true} are true)", ylim=(-0.5, 32))
        example.set(ylabel="error (%), lower is better", title="one split, 3 against 8")
        example.legend(fontsize=9, loc="upper center")
        rows = load_recorded("comparison/labels")[0]
        rows = rows[rows["problem"] == "mnist 5 / 8"]
        means = scores(rows).groupby("labels").mean()
        for name, family, look in (
            ("svm", "SVM", {"marker": "s"}),
            ("tsvm", "TSVM", {"marker": "o", "mfc": "white"}),
            ("tsvm, true number", "TSVM", {"marker": "o"}),
        ):
            label = "TSVM, sample's number" if name == "tsvm" else NAMES[name]
            look |= {"color": METHODS[family], "label": label}
            labels.plot(LABELS, means.loc[list(LABELS), name], **look)
        look = {"color": COLOURS["grey"], "label": "share of labels is off by"}
        labels.plot(LABELS, off(LABELS), "--", **look)
        labels.set(xscale="log", xlabel="labels", title="MNIST, 5 against 8", ylim=(0, None))
        labels.set_xticks(LABELS, LABELS)
        labels.minorticks_off()
        labels.legend(fontsize=9)


#: Name of the figure -> what draws it to a path without a suffix.
PICTURES = {"fig-cmp-bands": draw_bands, "fig-cmp-numbers": draw_numbers}
