"""MNIST: which digit helps most as a universum, and whether correlations predict it."""

from __future__ import annotations

import numpy as np

from ...verdicts.claims import measure
from ...verdicts.rules import LEVEL, IdentityEvidence, OrderingEvidence, ShapeEvidence
from .mnist_design import ALL_IMAGES, CLASSES, DIGITS, NO_UNIVERSUM
from .mnist_universa_measures import errors, image_gain, overlap
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


@measure
def image_loss(frames, universum, sizes):
    """Error with a universum less that of the SVM: above 0 where the universum does harm."""
    found = image_gain(frames, universum, sizes)
    return OrderingEvidence(-np.asarray(found.differences), found.test_train_ratio)


@measure
def image_compared(frames, better, worse, n):
    """Error with the one universum less that with the other, in percentage points, by split."""
    table = errors(frames[ITEM], n, size="n_train")
    return OrderingEvidence(table[worse] - table[better], overlap(n))


def outcomes(frame):
    """Test images that the SVM and U-SVMs get wrong with all training images.

    Returns
    -------
    DataFrame
        Index: universum; columns only_svm_wrong, only_universum_wrong, both_wrong.
    """
    columns = ["only_svm_wrong", "only_universum_wrong", "both_wrong"]
    return frame[frame["n_train"] == ALL_IMAGES].set_index("universum")[columns]


@measure
def digit_against_svm(frames, universum, better=True):
    """Test images that only one of SVM and U-SVM gets wrong, with all training images (McNemar)."""
    counts = outcomes(frames[ITEM]).loc[universum]
    tally = int(counts["only_svm_wrong"]), int(counts["only_universum_wrong"])
    wins, losses = tally if better else tally[::-1]
    return OrderingEvidence(wins=wins, losses=losses)


@measure
def digit_helps_most(frames, universum, n):
    """Whether a digit has the smallest mean error of all, alone."""
    mean = errors(frames[ITEM], n).mean().drop(NO_UNIVERSUM).sort_values()
    first, second = mean.index[mean.index != universum][0], mean[mean.index != universum].iloc[0]
    words = f"{mean[universum]:.2f} %; the best other digit, {first}, has {second:.2f} %"
    return ShapeEvidence(bool(mean[universum] < second), words)


@measure
def digits_gain(frames, n):
    """Error of the SVM less the mean of those with each digit, by split."""
    table = errors(frames[ITEM], n)
    with_digits = table.drop(columns=NO_UNIVERSUM).mean(axis=1)
    return OrderingEvidence(table[NO_UNIVERSUM] - with_digits, overlap(n))


def rho(frame):
    """Mean correlations of each other digit's images with those of 5 and of 8.

    Returns
    -------
    DataFrame
        Index: universum; columns rho_5, rho_8, and published_5, published_8.
    """
    columns = [f"rho_{k}" for k in CLASSES]
    found = frame.dropna(subset=columns).groupby("universum")[columns].first()
    for place, k in enumerate(CLASSES):
        found[f"published_{k}"] = [PUBLISHED_RHO[name][place] for name in found.index]
    return found


@measure
def rho_as_published(frames):
    """Largest deviation of a mean correlation from the published one."""
    found = rho(frames[ITEM])
    gaps = [(found[f"rho_{k}"] - found[f"published_{k}"]).abs().max() for k in CLASSES]
    return IdentityEvidence(float(max(gaps)))


@measure
def most_alike(frames, universum):
    """Whether a digit has the largest sum of both correlations."""
    found = rho(frames[ITEM])
    total = (found["rho_5"] + found["rho_8"]).sort_values(ascending=False)
    words = ", ".join(f"{name}: {value / 2:.3f}" for name, value in total.head(3).items())
    return ShapeEvidence(total.index[0] == universum, f"largest means of both: {words}")


@measure
def alike_helps_more(frames, n):
    """Spearman's correlation, over digits, of gain and mean correlation: above chance or not."""
    frame, names = frames[ITEM], list(map(str, DIGITS))
    gain, found = -errors(frame, n)[names].to_numpy(), rho(frame).loc[names]
    alike = np.tile(found["rho_5"] + found["rho_8"], (len(gain), 1))
    p = permutation_p(gain, alike)
    words = f"mean over splits {mean_correlation(gain, alike):.2f}"
    return ShapeEvidence(p < LEVEL, f"{words}; permutations of the digits: p = {p:.2g}")
