"""MNIST: errors by universum and size, and gains of a universum over the SVM."""

import math

import numpy as np
import pandas as pd

from ...verdicts.claims import measure, of_rows, printed
from ...verdicts.overlapping_splits import gain_table
from ...verdicts.rules import Column, Repeats, Value
from .mnist_data import ALL_IMAGES, NO_UNIVERSUM, TRAINING_SIZES, UNIVERSUM_SIZES

PAPER = "universum"
SIZE_ITEM = f"{PAPER}/mnist_size"
#: Images of 5 and 8 in the test part of MNIST.
N_TEST = 1866


def published(protocol):
    """Published errors in per cent of a protocol's columns, by universum and size.

    With all training images they are numbers of errors.
    """
    columns = [c for c in printed(PAPER).values() if getattr(c, "protocol", "") == protocol]
    if protocol == "mnist_size":
        return {("Mean", int(n)): x for c in columns for n, x in c.published.cells.items()}
    return {
        (name, claim.arguments.get("n", ALL_IMAGES)): x
        for claim in columns
        for name, x in claim.published.cells.items()
    }


def _size(frame):
    """Column of the size that varies: that of the training set or of the universum."""
    return "n_train" if frame["n_train"].nunique() > 1 else "n_universum"


@of_rows
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
        Meaning of `n`, if the frame does not determine it.

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
    (frame,) = frames.values()
    return frame


#: Displayed names of the SVM and the universa; a digit is its own name.
_NAMES = {
    NO_UNIVERSUM: "SVM",
    "Noise": "noise",
    "Rest": "other digits",
    "Gen": "generated",
    "Mean": "means",
}


@measure()
def image_pairs(frames, pairs, sizes=TRAINING_SIZES):
    """Error of the second minus that of the first of each pair of universa, at each size."""
    frame, gaps = _only(frames), []
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    # the SVM last, as in the published numbers of the findings
    names.sort(key=lambda name: name == NO_UNIVERSUM)
    means = {name: [] for name in names}
    for n in sizes:
        found = errors(frame, n, size="n_train")
        gaps += [found[worse] - found[better] for better, worse in pairs]
        for name in names:
            means[name].append(f"{found[name].mean():.2f}")
    separator = "; " if len(sizes) > 1 else ", "
    words = separator.join(
        f"{', '.join(texts)} ({_NAMES.get(name, name)})" for name, texts in means.items()
    )
    shown = f"at {', '.join(map(str, sizes))}: {words} %"
    return Repeats(np.column_stack(gaps), shown=shown, gain=np.mean(gaps, axis=0))


@measure()
def image_differences(frames, universum, sizes=TRAINING_SIZES, column="error"):
    """Error with a universum minus that of the SVM, at each size, in percentage points."""
    frame, gaps, words = _only(frames), [], []
    for n in sizes:
        svm = errors(frame, n, size="n_train")[NO_UNIVERSUM]
        own = errors(frame, n, column, size="n_train")[universum]
        gaps.append(own - svm)
        words.append(f"{gaps[-1].mean():+.3f} at {n}")
    return Repeats(np.column_stack(gaps), shown="percentage points: " + ", ".join(words))


@measure()
def image_column(frames, n):
    """Test errors in per cent with `n` training images, by universum."""
    found = errors(_only(frames), n, size="n_train")
    return Column({name: Value(found[name]) for name in found})


def _by_size(rows, universum):
    """Errors in per cent, a column for each size of a universum, and a row for each split."""
    return {
        n: errors(rows, n, size="n_universum")[universum].dropna().to_numpy()
        for n in UNIVERSUM_SIZES
    }


def _size_words(found):
    return ", ".join(f"{values.mean():.2f} % at {n}" for n, values in found.items())


@measure(SIZE_ITEM)
def size_falls(rows, universum="Mean"):
    """Decreases of the error over sizes, to the larger error of the last two sizes."""
    found = _by_size(rows, universum)
    *first, before, last = found.values()
    before_them = np.column_stack(first)
    gaps = [*(before_them[:, :-1] - before_them[:, 1:]).T, first[-1] - before, first[-1] - last]
    gaps = np.column_stack(gaps)
    larger = max(before, last, key=np.mean)
    gain = (first[0] - larger) / len(first)
    return Repeats(gaps, shown=_size_words(found), gain=gain)


@measure(SIZE_ITEM)
def size_flat(rows, universum="Mean"):
    """Error with the second largest universum minus that with the largest."""
    found = _by_size(rows, universum)
    *_, before, last = found.values()
    return Repeats(before - last, shown=_size_words(found))


@measure(SIZE_ITEM)
def size_column(rows, printed_last, universum="Mean"):
    """Errors by size; the last two in the order that is nearer to `printed_last`."""
    found = _by_size(rows, universum)
    *_, before, last = UNIVERSUM_SIZES
    means = found[before].mean(), found[last].mean()
    straight, crossed = (
        sum(abs(m - p) for m, p in zip(order, printed_last, strict=True))
        for order in (means, means[::-1])
    )
    if crossed < straight:
        found[before], found[last] = found[last], found[before]
    return Column({str(n): Value(values) for n, values in found.items()})


def table(frame, sizes, column="error", size=None):
    """Mean errors over splits in per cent, and their standard errors.

    Returns
    -------
    mean, se : DataFrame
        Index: universum; a column for each size. The standard errors are for random training images
        and fixed test images.
    """
    found = {n: errors(frame, n, column, size) for n in sizes}
    mean = pd.DataFrame({n: values.mean() for n, values in found.items()})
    se = {n: values.std(ddof=1) / math.sqrt(len(values)) for n, values in found.items()}
    return mean, pd.DataFrame(se)


def gains(frame, sizes, size=None):
    """Gain of each universum over the SVM, in percentage points, with 95 % intervals.

    Returns
    -------
    DataFrame
        Index: universum, n; columns gain and half (half the interval's width, over splits, as in
        the verdicts).
    """
    size = size or _size(frame)
    gains = {
        (universum, n): (found[NO_UNIVERSUM] - found[universum], 0.0)
        for n in sizes
        for found in [errors(frame, n, size=size)]
        for universum in found.columns.drop(NO_UNIVERSUM)
    }
    return gain_table(gains, ["universum", "n"])
