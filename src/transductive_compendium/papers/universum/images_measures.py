"""MNIST: errors by universum, size and digit, what a universum gains, and correlations."""

from __future__ import annotations

import math
from math import ceil, floor

import numpy as np
import pandas as pd

from ...verdicts import overlapping_splits as draws
from ...verdicts.claims import load_claims, measure
from ...verdicts.rules import (
    LEVEL,
    EquivalenceEvidence,
    IdentityEvidence,
    OrderingEvidence,
    ShapeEvidence,
    ValueEvidence,
    half_width,
)
from . import ranks
from .images import ALL, CLASSES, DIGITS, N_VALIDATION, NONE, SIZES, UNIVERSUM_SIZES

__all__ = ["errors", "fewest_draws", "gains", "outcomes", "overlap", "published", "rho", "table"]

DOCUMENT = "universum"
SIZE_ITEM, DIGITS_ITEM = (f"{DOCUMENT}/mnist_{item}" for item in ("size", "digits"))
#: Images of 5 and 8 in the test part of MNIST.
N_TEST = 1866
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


def published(item):
    """Published errors in per cent of an item of the claims, by universum and size."""
    return {
        (c.arguments["universum"], c.arguments["n"]): c.published["value"] for c in _printed(item)
    }


def _printed(item):
    return [c for c in load_claims([DOCUMENT]) if c.item == item and c.measure == "image_error"]


def overlap(n_train):
    """What the draws of a size add to 1/n as they share images, to train or to validate on.

    The test images are the same for all draws; nothing is said about others.
    """
    return draws.overlap(n_train + N_VALIDATION, ALL) if n_train < ALL else 0.0


def _size(frame):
    """The column that varies: of training images, or of universum points."""
    return "n_train" if frame["n_train"].nunique() > 1 else "n_universum"


def errors(frame, n, column="error", size=None):
    """Errors in per cent by draw.

    Parameters
    ----------
    frame : DataFrame
        Rows of one of the three experiments.
    n : int
        Size of the training set; in the table of sizes, of the universum.
    column : str, default="error"
        Or ``"error_validation"``, ``"error_oracle"``.
    size : {"n_train", "n_universum"}, optional
        What `n` is of, where the frame does not tell.

    Returns
    -------
    DataFrame
        Index: draw; a column for each universum, "none" for the support vector machine.
    """
    size = size or _size(frame)
    keep = frame[size] == n
    if size == "n_universum":
        keep |= frame["universum"] == NONE
    return 100.0 * frame[keep].pivot(index="draw", columns="universum", values=column)


def _only(frames):
    (item, frame), *others = frames.items()
    assert not others
    return frame, "n_universum" if item == SIZE_ITEM else "n_train"


def _training(size, n):
    return n if size == "n_train" else max(SIZES)


# ---- errors -------------------------------------------------------------------------------------


@measure
def image_error(frames, universum, n):
    """Test error in per cent: over draws, or with all images over the test set.

    A share of k in n test images has the standard deviation of a share of k + 1 in n + 2: that of
    no wrong image, or of one, must not be 0 or too small.
    """
    frame, size = _only(frames)
    values = errors(frame, n, size=size)[universum]
    if n == ALL and size == "n_train":
        share = values.item() / 100.0
        wide = (share * N_TEST + 1.0) / (N_TEST + 2.0)
        sd = 100.0 * math.sqrt(wide * (1.0 - wide))
        return ValueEvidence(estimate=100.0 * share, sd=sd, n=N_TEST)
    return ValueEvidence(values=values)


@measure
def image_gain(frames, universum, sizes):
    """Error of the SVM less that with a universum, in points of a per cent, mean over sizes."""
    frame, size = _only(frames)
    tables = [errors(frame, n, size=size) for n in sizes]
    gain = sum(table[NONE] - table[universum] for table in tables) / len(sizes)
    # the larger training subsets of a draw hold the smaller ones
    return OrderingEvidence(
        differences=gain,
        test_train_ratio=max(overlap(_training(size, n)) for n in sizes),
    )


@measure
def image_loss(frames, universum, sizes):
    """The same the other way round: above 0 where the universum does harm."""
    found = image_gain(frames, universum, sizes)
    return OrderingEvidence(-np.asarray(found.differences), found.test_train_ratio)


@measure
def image_gain_everywhere(frames, universum, sizes):
    """Whether the mean over draws is below the SVM's at every size."""
    frame, size = _only(frames)
    found = {n: errors(frame, n, size=size).mean() for n in sizes}
    gain = {n: means[NONE] - means[universum] for n, means in found.items()}
    words = ", ".join(f"{value:+.2f} at {n}" for n, value in gain.items())
    return ShapeEvidence(min(gain.values()) > 0, f"gain in points of a per cent: {words}")


@measure
def image_no_gain(frames, universum, n):
    """Error of the SVM less that with a universum, in points of a per cent, by draw."""
    frame, size = _only(frames)
    table = errors(frame, n, size=size)
    return EquivalenceEvidence(table[NONE] - table[universum], overlap(_training(size, n)))


@measure
def image_compared(frames, better, worse, n):
    """Error with the one universum less that with the other, in points of a per cent, by draw."""
    frame, size = _only(frames)
    table = errors(frame, n, size=size)
    return OrderingEvidence(table[worse] - table[better], overlap(_training(size, n)))


@measure
def more_universum_helps(frames, universum):
    """Error with the smallest universum less that with the largest, by draw."""
    frame, size = _only(frames)
    few, many = (errors(frame, f(UNIVERSUM_SIZES), size=size)[universum] for f in (min, max))
    return OrderingEvidence(few - many, overlap(max(SIZES)))


# ---- digits -------------------------------------------------------------------------------------


def outcomes(frame):
    """Test images that machines get wrong with all training images.

    Returns
    -------
    DataFrame
        Index: universum; columns only_svm_wrong, only_universum_wrong, both_wrong.
    """
    columns = ["only_svm_wrong", "only_universum_wrong", "both_wrong"]
    return frame[frame["n_train"] == ALL].set_index("universum")[columns]


@measure
def digit_against_svm(frames, universum, better=True):
    """Test images that only one of SVM and U-SVM gets wrong, with all training images (McNemar)."""
    counts = outcomes(frames[DIGITS_ITEM]).loc[universum]
    tally = int(counts["only_svm_wrong"]), int(counts["only_universum_wrong"])
    wins, losses = tally if better else tally[::-1]
    return OrderingEvidence(wins=wins, losses=losses)


@measure
def digit_helps_most(frames, universum, n):
    """Whether a digit has the smallest mean error of all, alone."""
    mean = errors(frames[DIGITS_ITEM], n).mean().drop(NONE).sort_values()
    first, second = mean.index[mean.index != universum][0], mean[mean.index != universum].iloc[0]
    words = f"{mean[universum]:.2f} %; the best other digit, {first}, has {second:.2f} %"
    return ShapeEvidence(bool(mean[universum] < second), words)


@measure
def digits_gain(frames, n):
    """Error of the SVM less the mean of those with each digit, by draw."""
    table = errors(frames[DIGITS_ITEM], n)
    return OrderingEvidence(table[NONE] - table.drop(columns=NONE).mean(axis=1), overlap(n))


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
    found = rho(frames[DIGITS_ITEM])
    gaps = [(found[f"rho_{k}"] - found[f"published_{k}"]).abs().max() for k in CLASSES]
    return IdentityEvidence(float(max(gaps)))


@measure
def most_alike(frames, universum):
    """Whether a digit has the largest sum of both correlations."""
    found = rho(frames[DIGITS_ITEM])
    total = (found["rho_5"] + found["rho_8"]).sort_values(ascending=False)
    words = ", ".join(f"{name}: {value / 2:.3f}" for name, value in total.head(3).items())
    return ShapeEvidence(total.index[0] == universum, f"largest means of both: {words}")


@measure
def alike_helps_more(frames, n):
    """Spearman's correlation, over digits, of gain and mean correlation: above chance or not."""
    frame, names = frames[DIGITS_ITEM], list(map(str, DIGITS))
    gain, found = -errors(frame, n)[names].to_numpy(), rho(frame).loc[names]
    alike = np.tile(found["rho_5"] + found["rho_8"], (len(gain), 1))
    p = ranks.permutation_p(gain, alike)
    words = f"mean over draws {ranks.mean_correlation(gain, alike):.2f}"
    return ShapeEvidence(p < LEVEL, f"{words}; permutations of the digits: p = {p:.2g}")


# ---- tables -------------------------------------------------------------------------------------


def table(frame, sizes, column="error", size=None):
    """Mean errors over draws in per cent, and their standard errors.

    Returns
    -------
    mean, se : DataFrame
        Index: universum; a column for each size. The standard errors are those of the mean over
        draws of training images alone.
    """
    found = {n: errors(frame, n, column, size) for n in sizes}
    mean = pd.DataFrame({n: values.mean() for n, values in found.items()})
    se = {n: values.std(ddof=1) / math.sqrt(len(values)) for n, values in found.items()}
    return mean, pd.DataFrame(se)


def gains(frame, sizes, size=None):
    """What each universum gains on the SVM, in points of a per cent, with 90 % intervals.

    Returns
    -------
    DataFrame
        Index: universum, n; columns gain and half, half of the interval's width, widened for the
        training images that draws share.
    """
    rows, size = [], size or _size(frame)
    for n in sizes:
        values = errors(frame, n, size=size)
        for universum in values.columns.drop(NONE):
            gain = values[NONE] - values[universum]
            half = half_width(gain, overlap(_training(size, n)))
            rows.append((universum, n, gain.mean(), half))
    names = ["universum", "n", "gain", "half"]
    return pd.DataFrame(rows, columns=names).set_index(names[:2])


# ---- what printed digits say about draws ---------------------------------------------------------

# Errors are printed to hundredths of a per cent.
_HALF = 0.005
_ROUNDING = 1e-9


def fewest_draws(errors, n_test):
    """The least number of draws whose mean error rates can be what is printed.

    A mean over n draws is a multiple of ``100 / (n n_test)`` per cent; with few draws most numbers
    of two decimals lie too far from any.

    Parameters
    ----------
    errors : sequence of float
        Printed errors in per cent, rounded to two decimals, all means of as many draws.
    n_test : int
        Test points of each draw.

    Returns
    -------
    int
    """
    n = 1
    while not all(_is_mean(error, n * n_test) for error in errors):
        n += 1
    return n


def _is_mean(error, n_tested):
    least, most = ((error + s * (_HALF + _ROUNDING)) / 100 * n_tested for s in (-1, 1))
    return ceil(least) <= floor(most)


@measure
def printed_by_fewest_draws(frames, item, n_test, draws, sizes=None):
    """Whether the printed errors of an item need `draws` draws, which its claims take for n.

    `sizes` are those of the training subset to look at; by default all.
    """
    claims = [c for c in _printed(item) if sizes is None or c.arguments["n"] in sizes]
    found = fewest_draws([c.published["value"] for c in claims], n_test)
    taken = {c.published["n"] for c in claims}
    return ShapeEvidence(
        found == draws and taken == {draws},
        f"{len(claims)} printed errors need at least {found} draws of {n_test} test images",
    )
