"""MNIST: whether a larger universum helps."""

from __future__ import annotations

import numpy as np

from ...verdicts.claims import measure
from ...verdicts.rules import Column, Repeats, Value
from .mnist_data import UNIVERSUM_SIZES
from .mnist_universa_measures import SIZE_ITEM, errors


def _by_size(frames, universum):
    """Errors in per cent, a column for each size of a universum, and a row for each split."""
    frame = frames[SIZE_ITEM]
    return {
        n: errors(frame, n, size="n_universum")[universum].dropna().to_numpy()
        for n in UNIVERSUM_SIZES
    }


def _means(found):
    return ", ".join(f"{values.mean():.2f} % at {n}" for n, values in found.items())


@measure
def size_falls(frames, universum="Mean"):
    """Decreases of the error over sizes, to the larger error of the last two sizes."""
    found = _by_size(frames, universum)
    *first, before, last = found.values()
    before_them = np.column_stack(first)
    gaps = [*(before_them[:, :-1] - before_them[:, 1:]).T, first[-1] - before, first[-1] - last]
    gaps = np.column_stack(gaps)
    larger = max(before, last, key=np.mean)
    gain = (first[0] - larger) / len(first)
    return Repeats(gaps, shown=_means(found), gain=gain)


@measure
def size_flat(frames, universum="Mean"):
    """Error with the second largest universum minus that with the largest."""
    found = _by_size(frames, universum)
    *_, before, last = found.values()
    return Repeats(before - last, shown=_means(found))


@measure
def size_column(frames, printed_last, universum="Mean"):
    """Errors by size; the last two in the order that is nearer to `printed_last`."""
    found = _by_size(frames, universum)
    *_, before, last = UNIVERSUM_SIZES
    means = found[before].mean(), found[last].mean()
    straight, crossed = (
        sum(abs(m - p) for m, p in zip(order, printed_last, strict=True))
        for order in (means, means[::-1])
    )
    if crossed < straight:
        found[before], found[last] = found[last], found[before]
    return Column({str(n): Value(values) for n, values in found.items()})
