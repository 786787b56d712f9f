"""Overlap of splits: ratios, and shifted splits that share more rows."""

import numpy as np
import pytest

from transductive_compendium.datasets import available, load
from transductive_compendium.papers.transductive_regression.split_overlap_measures import (
    SHARED,
    overlap,
)
from transductive_compendium.papers.transductive_regression.working_sets import (
    SHIFTS,
    direction,
    shifted_split,
)


def test_overlap_of_splits():
    assert overlap("boston") == pytest.approx(25 / 481)
    assert overlap("diabetes") == pytest.approx(142 / 300)
    # a part of a large table: its share f gives f / (1 - f), whatever is judged
    assert overlap("usps") == pytest.approx(800 / 8498)
    assert overlap("kin32fh") == overlap("kin32fh", 256)
    assert overlap("kin32fh", 1) == pytest.approx(128 / 8064)
    assert overlap("kin32fh", 1024) == pytest.approx(1088 / 7104)
    assert overlap("sine, outside") == 0.0
    assert overlap("kin32fh", 256, "none") == overlap("kin32fh")
    assert overlap("kin32fh", 256, "strong") == pytest.approx(0.205 / 0.795)


@pytest.mark.skipif(not available("kin32fh"), reason="kin-32fh is not at hand")
@pytest.mark.parametrize("shift", list(SHARED))
def test_shifted_splits_share_as_many_rows_as_the_ratio_says(shift):
    table, rng = load("kin32fh"), np.random.default_rng(0)
    which, strength = SHIFTS[shift]
    z = direction(table.X, table.y, which)
    splits = [set(shifted_split(z, 64, 256, strength, rng).tolist()) for _ in range(24)]
    shares = [len(a & b) / 320 for i, a in enumerate(splits) for b in splits[:i]]
    assert np.mean(shares) == pytest.approx(SHARED[shift], abs=0.012)
