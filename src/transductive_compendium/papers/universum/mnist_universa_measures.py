"""MNIST: errors by universum and size, and what a universum gains on the SVM."""

from __future__ import annotations

import math

import pandas as pd

from ...verdicts import overlapping_splits
from ...verdicts.claims import load_claims, measure
from ...verdicts.rules import (
    EquivalenceEvidence,
    OrderingEvidence,
    ShapeEvidence,
    ValueEvidence,
    half_width,
)
from .mnist_design import ALL_IMAGES, N_VALIDATION, NO_UNIVERSUM, TRAINING_SIZES

PAPER = "universum"
SIZE_ITEM = f"{PAPER}/mnist_size"
#: Images of 5 and 8 in the test part of MNIST.
N_TEST = 1866


def published(item):
    """Published errors in per cent of an item of the claims, by universum and size."""
    return {
        (c.arguments["universum"], c.arguments["n"]): c.published["value"] for c in _printed(item)
    }


def _printed(item):
    return [c for c in load_claims([PAPER]) if c.item == item and c.measure == "image_error"]


def overlap(n_train):
    """What splits of a size add to 1/n as they share images, to train or to validate on.

    The test images are the same for all splits; nothing is said about others.
    """
    if n_train == ALL_IMAGES:
        return 0.0
    return overlapping_splits.overlap(n_train + N_VALIDATION, ALL_IMAGES)


def _size(frame):
    """The column that varies: of training images, or of universum points."""
    return "n_train" if frame["n_train"].nunique() > 1 else "n_universum"


def errors(frame, n, column="error", size=None):
    """Errors in per cent by split.

    Parameters
    ----------
    frame : DataFrame
        Rows of one of the three experiments.
    n : int
        Size of the training set; in the table of sizes, of the universum.
    column : str, default="error"
        Or ``"error_validation"``, ``"error_oracle"``.
    size : {"n_train", "n_universum"}, optional
        What `n` is of, where the frame does not say.

    Returns
    -------
    DataFrame
        Index: draw, the number of the split; a column for each universum, "none" for the SVM.
    """
    size = size or _size(frame)
    keep = frame[size] == n
    if size == "n_universum":
        keep |= frame["universum"] == NO_UNIVERSUM
    return 100.0 * frame[keep].pivot(index="draw", columns="universum", values=column)


def _only(frames):
    (item, frame), *others = frames.items()
    assert not others
    return frame, "n_universum" if item == SIZE_ITEM else "n_train"


def _training(size, n):
    return n if size == "n_train" else max(TRAINING_SIZES)


@measure
def image_error(frames, universum, n):
    """Test error in per cent: over splits, or with all images over the test set.

    A share of k in n test images has the standard deviation of a share of k + 1 in n + 2: that of
    no wrong image, or of one, must not be 0 or too small.
    """
    frame, size = _only(frames)
    values = errors(frame, n, size=size)[universum]
    if n == ALL_IMAGES and size == "n_train":
        share = values.item() / 100.0
        wide = (share * N_TEST + 1.0) / (N_TEST + 2.0)
        sd = 100.0 * math.sqrt(wide * (1.0 - wide))
        return ValueEvidence(estimate=100.0 * share, sd=sd, n=N_TEST)
    return ValueEvidence(values=values)


@measure
def image_gain(frames, universum, sizes):
    """Error of the SVM less that with a universum, in percentage points, mean over sizes."""
    frame, size = _only(frames)
    tables = [errors(frame, n, size=size) for n in sizes]
    gain = sum(table[NO_UNIVERSUM] - table[universum] for table in tables) / len(sizes)
    # the larger training subsets of a split hold the smaller ones
    return OrderingEvidence(
        differences=gain,
        test_train_ratio=max(overlap(_training(size, n)) for n in sizes),
    )


@measure
def image_gain_everywhere(frames, universum, sizes):
    """Whether the mean over splits is below the SVM's at every size."""
    frame, size = _only(frames)
    found = {n: errors(frame, n, size=size).mean() for n in sizes}
    gain = {n: means[NO_UNIVERSUM] - means[universum] for n, means in found.items()}
    words = ", ".join(f"{value:+.2f} at {n}" for n, value in gain.items())
    return ShapeEvidence(min(gain.values()) > 0, f"gain in percentage points: {words}")


@measure
def image_no_gain(frames, universum, n):
    """Error of the SVM less that with a universum, in percentage points, by split."""
    frame, size = _only(frames)
    table = errors(frame, n, size=size)
    return EquivalenceEvidence(table[NO_UNIVERSUM] - table[universum], overlap(_training(size, n)))


def table(frame, sizes, column="error", size=None):
    """Mean errors over splits in per cent, and their standard errors.

    Returns
    -------
    mean, se : DataFrame
        Index: universum; a column for each size. The standard errors are those of the mean over
        training images alone.
    """
    found = {n: errors(frame, n, column, size) for n in sizes}
    mean = pd.DataFrame({n: values.mean() for n, values in found.items()})
    se = {n: values.std(ddof=1) / math.sqrt(len(values)) for n, values in found.items()}
    return mean, pd.DataFrame(se)


def gains(frame, sizes, size=None):
    """What each universum gains on the SVM, in percentage points, with 90 % intervals.

    Returns
    -------
    DataFrame
        Index: universum, n; columns gain and half, half of the interval's width, widened for the
        training images that splits share.
    """
    rows, size = [], size or _size(frame)
    for n in sizes:
        values = errors(frame, n, size=size)
        for universum in values.columns.drop(NO_UNIVERSUM):
            gain = values[NO_UNIVERSUM] - values[universum]
            half = half_width(gain, overlap(_training(size, n)))
            rows.append((universum, n, gain.mean(), half))
    names = ["universum", "n", "gain", "half"]
    return pd.DataFrame(rows, columns=names).set_index(names[:2])


# ---- what printed digits say about the number of splits -----------------------------------------

# errors are printed to hundredths of a per cent
_HALF = 0.005
_ROUNDING = 1e-9


def fewest_splits(errors, n_test):
    """The least number of splits whose mean error rates can be what is printed.

    A mean over n splits is a multiple of ``100 / (n n_test)`` per cent; with few splits most
    numbers of two decimals lie too far from any.

    Parameters
    ----------
    errors : sequence of float
        Printed errors in per cent, rounded to two decimals, all means of as many splits.
    n_test : int
        Test points of each split.

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
    return math.ceil(least) <= math.floor(most)


@measure
def printed_by_fewest_draws(frames, item, n_test, draws, sizes=None):
    """Whether the printed errors of an item need `draws` splits, which its claims take for n.

    `sizes` are those of the training subset to look at; by default all.
    """
    claims = [c for c in _printed(item) if sizes is None or c.arguments["n"] in sizes]
    found = fewest_splits([c.published["value"] for c in claims], n_test)
    taken = {c.published["n"] for c in claims}
    return ShapeEvidence(
        found == draws and taken == {draws},
        f"{len(claims)} printed errors need at least {found} splits of {n_test} test images",
    )
