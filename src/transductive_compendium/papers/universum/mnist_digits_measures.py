"""MNIST: which universum helps, what predicts its gain, and what a false one does."""

import math

import numpy as np
import pandas as pd

from ...runner import RecordMissingError
from ...verdicts.claims import measure, printed
from ...verdicts.overlapping_splits import half_width
from ...verdicts.rules import Column, Repeats, Value
from .mnist_data import ALL_IMAGES, CLASSES, NO_UNIVERSUM
from .mnist_universa_measures import N_TEST, overlap

ITEM, WHICH = "universum/mnist_digits", "universum/which_universum"
CONTROLS = "universum/controls"


def outcomes(frame):
    """Numbers of test images that the SVM and U-SVMs misclassify with all training images.

    Returns
    -------
    DataFrame
        Index: universum; columns only_svm_wrong, only_universum_wrong, both_wrong.
    """
    columns = ["only_svm_wrong", "only_universum_wrong", "both_wrong"]
    return frame[frame["n_train"] == ALL_IMAGES].set_index("universum")[columns]


def sign_test(wins, losses):
    """Exact two-sided p-value of McNemar's test that equally many images get better and worse."""
    n, k = wins + losses, min(wins, losses)
    return min(1.0, 2.0 * sum(math.comb(n, i) for i in range(k + 1)) / 2.0**n)


def error_counts(frame):
    """Numbers of misclassified test images with all training images, by universum."""
    rows = frame[frame["n_train"] == ALL_IMAGES].set_index("universum")
    if rows.empty:
        raise RecordMissingError("all training images were not run under this option")
    return rows["both_wrong"] + rows["only_universum_wrong"]


def _counts_text(counts):
    return ", ".join(f"{'SVM' if k == NO_UNIVERSUM else k} {n}" for k, n in counts.items())


@measure(ITEM)
def counted_pairs(rows, pairs=(), equal=()):
    """Test errors with all training images: each of `pairs` has fewer errors first.

    The pairs in `equal` have equally many.
    """
    counts = error_counts(rows)
    gaps = [counts[more] - counts[fewer] for fewer, more in pairs]
    gaps += [0.5 - abs(counts[one] - counts[other]) for one, other in equal]
    return Repeats(np.array([gaps], dtype=float), shown=f"errors: {_counts_text(counts)}")


@measure(ITEM)
def counted_column(frame):
    """Numbers of errors, by universum, as paired counts.

    A U-SVM's number has the standard error of McNemar's test: the root of the number of images that
    exactly one of U-SVM and SVM misclassifies. The SVM's own number is the reference.
    """
    counts = error_counts(frame)
    # pairs without such an image show no difference, but do not show that there is none
    one_wrong = outcomes(frame).drop(columns="both_wrong").sum(axis=1).clip(lower=1)
    return Column(
        {
            name: Value(
                estimate=float(n),
                sd=0.0 if name == NO_UNIVERSUM else math.sqrt(N_TEST * one_wrong[name]),
                n=N_TEST,
            )
            for name, n in counts.items()
        }
    )


def correlations(frame, rho="pairs"):
    """Mean correlations of each other digit's images with those of 5 and of 8.

    Parameters
    ----------
    frame : DataFrame
    rho : {"pairs", "mean_image", "cosine"}
        How they are taken.

    Returns
    -------
    DataFrame
        Index: universum; columns rho_5, rho_8, and published_5, published_8.
    """
    columns = {f"rho_{k}_{rho}": f"rho_{k}" for k in CLASSES}
    found = frame.dropna(subset=[*columns]).groupby("universum")[[*columns]].first()
    found = found.rename(columns=columns)
    cells = printed("universum")["un-digits-rho"].published.cells
    for k in CLASSES:
        found[f"published_{k}"] = [cells[f"{name} rho_{k}"] for name in found.index]
    return found


@measure(ITEM)
def rho_column(rows, rho="pairs"):
    """Mean correlations, by digit and class."""
    found = correlations(rows, rho)
    return Column(
        {
            f"{name} rho_{k}": Value(estimate=float(found.loc[name, f"rho_{k}"]))
            for name in found.index
            for k in CLASSES
        }
    )


@measure(ITEM)
def most_alike(rows, universum, ties, rho="pairs"):
    """Lead of a digit in correlation with 5 and with 8 over all others, except those in `ties`."""
    found = correlations(rows, rho)
    others = found.drop(universum)
    columns = [f"rho_{k}" for k in CLASSES]
    gaps = [found.loc[universum, c] - others[c].max() + ties[c] for c in columns]
    words = "; ".join(
        f"{c} {found.loc[universum, c]:.3f}, next {others[c].max():.3f} of {others[c].idxmax()}"
        for c in columns
    )
    return Repeats(np.array([gaps]), shown=words)


# ---- what predicts the gain of a universum ------------------------------------------------------

#: From rows of the experiment, a number that is larger where more gain is expected. All but the
#: last need no U-SVM.
PREDICTORS = {
    "correlation": lambda rows: (rows["rho_5"] + rows["rho_8"]) / 2.0,
    "smaller correlation": lambda rows: rows[["rho_5", "rho_8"]].min(axis=1),
    "equal correlations": lambda rows: -(rows["rho_5"] - rows["rho_8"]).abs(),
    "10 axes projected out": lambda rows: -rows["cv_error_10"],
    "100 axes projected out": lambda rows: -rows["cv_error_100"],
    "all axes projected out": lambda rows: -rows["cv_error_all"],
    "spread of f": lambda rows: rows["f_sd"],
    "spread over offset of f": lambda rows: rows["f_sd"] / rows["f_mean"].abs(),
    "axes between classes": lambda rows: rows["between"],
    "axes within, not between": lambda rows: rows["within"] - rows["between"],
    "validation gain": lambda rows: rows["error_validation_svm"] - rows["error_validation"],
}


def chosen_gains(rows, at="unseen"):
    """Gain of the chosen U-SVM over the SVM, in percentage points, in the order of the rows.

    Parameters
    ----------
    rows : DataFrame
        Rows of the experiment.
    at : {"unseen", "test", "unused"}
        At the test images, at unused training images, or at both ("unseen").
    """
    column = {"unseen": "error_unseen", "test": "error", "unused": "error_unused"}[at]
    return 100.0 * (rows[f"{column}_svm"] - rows[column])


def rank_correlations(rows, left, right):
    """Spearman's rank correlation over universa, by split; 0 for a constant."""
    table = pd.DataFrame({"draw": rows["draw"], "left": left, "right": right})
    ranks = table.groupby("draw").rank().assign(draw=rows["draw"])
    return ranks.groupby("draw")[["left", "right"]].apply(
        lambda part: part["left"].corr(part["right"]) if (part.std() > 0).all() else 0.0
    )


def reliability(rows, n_train):
    """Rank correlation, by split, of the gains at the test images and at the unused ones."""
    rows = rows[rows["n_train"] == n_train]
    return rank_correlations(rows, chosen_gains(rows, "test"), chosen_gains(rows, "unused"))


def summary(rows, n_train):
    """Rank correlations with the gain: mean over splits, its 95 % interval, and that of means.

    The interval is over random splits of the images; it does not extend to other universa.

    Returns
    -------
    DataFrame
        Index: predictor; columns mean, half (half the interval's width, NaN for one split) and
        of_means, the rank correlation of predictor and gain when both are means over splits.
    """
    part, found = rows[rows["n_train"] == n_train], {}
    gain = chosen_gains(part)
    for name, predictor in PREDICTORS.items():
        values = rank_correlations(part, predictor(part), gain)
        half = half_width(values, overlap(n_train))
        means = pd.DataFrame({"x": predictor(part), "gain": gain}).groupby(part["universum"])
        means = means.mean().rank()
        found[name] = (values.mean(), half, means["x"].corr(means["gain"]))
    return pd.DataFrame.from_dict(found, orient="index", columns=["mean", "half", "of_means"])


@measure(WHICH)
def leak_flatters(rows, universum, n_train):
    """Cross-validation error with a universum of each part minus that with one of all points."""
    rows = rows[(rows["universum"] == universum) & (rows["n_train"] == n_train)]
    return Repeats(100.0 * (rows["cv_error_all"] - rows["cv_error_leaking"]))


# ---- false universa -----------------------------------------------------------------------------


def control_errors(rows):
    """Errors in per cent: index draw, columns universum and method."""
    return 100.0 * rows.pivot(index="draw", columns=["universum", "method"], values="error_unseen")


@measure(CONTROLS)
def control_loss(rows, universum, method):
    """Error with a universum minus that of the SVM: above 0 if the universum is harmful."""
    table = control_errors(rows)[universum]
    return Repeats(table[method] - table["SVM"])
