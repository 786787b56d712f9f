"""Pictures of the chapter that belong to no notebook."""

import numpy as np
from sklearn.datasets import load_digits

from transductive import TransductiveSVC

from ...book.figure_style import COLOURS, METHODS, figure
from ...runner import load_recorded
from .classifiers import METHODS as CLASSIFIERS
from .methods_drawing import title
from .problems import LABELS, Sample
from .scores_measures import NAMES, scores

__all__ = ["PREFIX", "bands", "numbers", "off"]

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


def draw_digits(save):
    """The labelled digits of the example, and digits that SVM and TSVM label wrongly."""
    X, y, few, working = example()
    true = int((y[working] == 8).sum())
    rows = {"labelled": X[few[np.argsort(y[few])]]}
    for name, found in (("SVM", _labels()), ("TSVM", _labels(true))):
        wrong = X[working][found != y[working]]
        rows[f"{name}, {len(wrong)} errors"] = wrong[:10]
    with figure(8.4, 2.9, 10, rows=3, save=save) as (_, grid):
        for line, (name, images) in zip(grid, rows.items(), strict=True):
            for axes in line:
                axes.axis("off")
            for axes, image in zip(line, images, strict=False):
                axes.imshow(image.reshape(8, 8), cmap="gray_r", vmin=0, vmax=1)
            line[0].text(-1.5, 3.5, name, ha="right", va="center")


def draw_matrix(save):
    """Mean errors of all methods on all problems."""
    means = scores(load_recorded("comparison/methods")[0]).groupby("problem", sort=False).mean()
    means = means[list(NAMES)]
    behind = (means.sub(means.min(axis=1), axis=0)).to_numpy().T
    with figure(7.4, 4.6, save=save) as (canvas, axes):
        drawn = axes.imshow(behind, cmap="Greys", vmin=0, vmax=15, aspect="auto")
        for (row, column), value in np.ndenumerate(means.to_numpy().T):
            colour = "white" if behind[row, column] > 8 else "black"
            axes.text(column, row, f"{value:.1f}", ha="center", va="center", color=colour)
        names = [title(problem).replace(" ", "\n", 1) for problem in means.index]
        axes.set_xticks(range(len(means)), names)
        axes.set_yticks(range(len(NAMES)), list(NAMES.values()))
        axes.tick_params(axis="x", labelsize=9)
        axes.grid(False)
        canvas.colorbar(drawn, label="percentage points behind the best", ax=axes)


def draw_pairs(save):
    """Errors of two methods on the same splits."""
    rows = load_recorded("comparison/labels")[0]
    rows = rows[(rows["problem"] == "mnist 5 / 8") & (rows["labels"] == 20)]
    errors = scores(rows, "error_told")
    with figure(4.6, 4.2, save=save) as (_, axes):
        axes.plot(errors["svm"], errors["tsvm, true number"], "o", ms=4, color=METHODS["TSVM"])
        axes.axline((0, 0), slope=1, color=COLOURS["black"], lw=1)
        axes.set(xlim=(0, 26), ylim=(0, 26), aspect="equal")
        axes.set(xlabel="error of the SVM (%)", ylabel="error of the TSVM (%)")
