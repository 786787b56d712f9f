"""MNIST: which digit helps most as a universum, and whether correlations predict it."""

from __future__ import annotations

import math

import numpy as np

from ...runner import RecordMissingError
from ...verdicts.claims import measure
from ...verdicts.rules import LEVEL, Column, Repeats, Value
from .mnist_data import ALL_IMAGES, CLASSES, DIGITS, NO_UNIVERSUM
from .mnist_universa_measures import N_TEST, errors
from .rank_correlation import mean_correlation, permutation_p

ITEM = "universum/mnist_digits"
#: Correlations of the poster's table of digits, with 5 and with 8.
PUBLISHED_RHO = {
    "0": (0.32, 0.29),
    "1": (0.24, 0.36),
    "2": (0.24, 0.34),
    "3": (0.33, 0.37),
    "4": (0.27, 0.32),
    "6": (0.26, 0.32),
    "7": (0.25, 0.30),
    "9": (0.30, 0.37),
}


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


@measure
def counted_pairs(frames, pairs=(), equal=()):
    """Test errors with all training images: each of `pairs` has fewer errors first.

    The pairs in `equal` have equally many.
    """
    counts = error_counts(frames[ITEM])
    gaps = [counts[more] - counts[fewer] for fewer, more in pairs]
    gaps += [0.5 - abs(counts[one] - counts[other]) for one, other in equal]
    return Repeats(np.array([gaps], dtype=float), shown=f"errors: {_counts_text(counts)}")


@measure
def counted_column(frames):
    """Numbers of errors, by universum, as paired counts.

    A U-SVM's number has the standard error of McNemar's test: the root of the number of images that
    exactly one of U-SVM and SVM misclassifies. The SVM's own number is the reference.
    """
    frame = frames[ITEM]
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
    for place, k in enumerate(CLASSES):
        found[f"published_{k}"] = [PUBLISHED_RHO[name][place] for name in found.index]
    return found


@measure
def rho_column(frames, rho="pairs"):
    """Mean correlations, by digit and class."""
    found = correlations(frames[ITEM], rho)
    return Column(
        {
            f"{name} rho_{k}": Value(estimate=float(found.loc[name, f"rho_{k}"]))
            for name in found.index
            for k in CLASSES
        }
    )


@measure
def most_alike(frames, universum, ties, rho="pairs"):
    """Lead of a digit in correlation with 5 and with 8 over all others, except those in `ties`."""
    found = correlations(frames[ITEM], rho)
    others = found.drop(universum)
    columns = [f"rho_{k}" for k in CLASSES]
    gaps = [found.loc[universum, c] - others[c].max() + ties[c] for c in columns]
    words = "; ".join(
        f"{c} {found.loc[universum, c]:.3f}, next {others[c].max():.3f} of {others[c].idxmax()}"
        for c in columns
    )
    return Repeats(np.array([gaps]), shown=words)


@measure
def alike_helps_more(frames, n, rho="pairs"):
    """Level minus the p-value of Spearman's correlation, over digits, of gain and correlation."""
    frame, names = frames[ITEM], list(map(str, DIGITS))
    gain, found = -errors(frame, n)[names].to_numpy(), correlations(frame, rho).loc[names]
    alike = np.tile(found["rho_5"] + found["rho_8"], (len(gain), 1))
    p = permutation_p(gain, alike)
    words = f"mean over splits {mean_correlation(gain, alike):.2f}"
    return Repeats([LEVEL - p], shown=f"{words}; permutations of the digits: p = {p:.2g}")
