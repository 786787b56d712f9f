"""MNIST, size of the universum: what the measures make of rows."""

import numpy as np
import pytest
from mnist_rows import sizes
from paper_rooms import outcome_of

from transductive_compendium.papers.universum import mnist_size_measures as report
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED

ITEM = "universum/mnist_size"


def turned(smaller, larger):
    """Errors of two sizes exchanged, of the means."""
    frames = sizes()
    frame = frames[ITEM]
    means = frame["universum"] == "Mean"
    rows = [frame.index[means & (frame["n_universum"] == n)] for n in (smaller, larger)]
    values = [frame.loc[r, "error"].to_numpy() for r in rows]
    for r, value in zip(rows, values[::-1], strict=True):
        frame.loc[r, "error"] = value
    return frames


def test_more_points_help_where_they_do():
    # 0.00001 points less for each point
    found = report.size_falls(sizes())
    np.testing.assert_allclose(found.gaps[0], [0.005, 0.02, 0.02, 0.07])
    assert outcome_of(found, 6) == REPRODUCED
    # of the larger of the last two, draw by draw: what all sizes share is no part of it
    assert found.gain.mean() == pytest.approx((0.025 + 0.02) / 3)
    assert found.gain.std() < 1e-9
    assert outcome_of(report.size_falls(turned(500, 1000)), 6) == NOT_REPRODUCED
    # the last two need not fall from one to the other, but both from the third
    assert outcome_of(report.size_falls(turned(5000, 10000)), 6) == REPRODUCED
    assert outcome_of(report.size_falls(turned(3000, 10000)), 6) == NOT_REPRODUCED
    assert outcome_of(report.size_falls(sizes(), "Rest"), 6) == NOT_REPRODUCED


def test_flat_within_the_margin_only():
    found = report.size_flat(sizes())
    assert found.estimate == pytest.approx(0.05)
    assert outcome_of(found, 6, margin=0.06) == REPRODUCED
    assert outcome_of(found, 6, margin=0.03) == NOT_REPRODUCED


def test_the_last_two_are_in_the_better_order():
    straight, crossed = (report.size_column(sizes(), p).cells for p in ([0.6, 0.5], [0.5, 0.6]))
    assert straight["5000"].estimate == pytest.approx(crossed["10000"].estimate)
    assert straight["5000"].estimate > straight["10000"].estimate
    assert straight["500"].estimate == crossed["500"].estimate and len(straight) == 5
