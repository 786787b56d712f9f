"""MNIST: errors with each other digit as universum, and its correlation with 5 and 8."""

import math

import numpy as np

from ...runner import RecordMissingError
from ...verdicts.claims import measure, printed
from ...verdicts.rules import Column, Repeats, Value
from .mnist_data import ALL_IMAGES, CLASSES, NO_UNIVERSUM
from .mnist_universa_measures import N_TEST

ITEM = "universum/mnist_digits"


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
def counted_pairs(rows, pairs):
    """Errors of the second minus those of the first of each pair, with all training images."""
    counts = error_counts(rows)
    gaps = [counts[more] - counts[fewer] for fewer, more in pairs]
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
