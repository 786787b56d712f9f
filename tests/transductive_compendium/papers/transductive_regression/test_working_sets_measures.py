"""Claims on working sets: what their measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.datasets import available, load
from transductive_compendium.papers.transductive_regression import working_sets_measures as report
from transductive_compendium.papers.transductive_regression.working_sets import (
    SHIFTS,
    direction,
    shifted_split,
)
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED

NOISE = 0.02 * np.random.default_rng(0).standard_normal((6, 40))


#: Errors by size of the working set.
FALLING = {"rr": 1.0, "tr_fixed": {1: 0.7, 256: 0.5, 1024: 0.6}, "rr_retuned": 0.55}


def working_sets(**methods):
    """Rows whose errors are those of `FALLING`, or given; other rows must not count."""
    rows = []
    for method, (name, level) in enumerate({**FALLING, **methods}.items()):
        for split in range(40):
            for m in (1, 256, 1024)[: 3 if split < 12 else 2]:
                value = level[m] if isinstance(level, dict) else level
                value += NOISE[0, split] + NOISE[1 + method, split]
                for setting, place, shift, error in (
                    ("norm", "chosen", "none", value),
                    ("norm", "figure 1d", "none", 9.0 * (1 + method)),
                    ("written", "chosen", "none", 9.0 * (1 + method)),
                    ("norm", "chosen", "strong", 2.0 * value),
                ):
                    key = (shift, 256 if split >= 12 else 1024, split, setting, place, m)
                    rows.append((*key, name, error))
    columns = ["shift", "largest", "split", "setting", "place", "m", "method", "mse"]
    frame = pd.DataFrame(rows, columns=columns)
    wide = frame.pivot(index=columns[:-2], columns="method", values="mse").add_suffix("_mse")
    return wide.reset_index()


def test_errors_are_compared_split_by_split():
    def outcome(better, worse, **where):
        found = report.lower_error(working_sets(), better, worse, setting="norm", **where)
        return outcome_of(found)

    assert outcome("tr_fixed", "rr", m=256) == REPRODUCED
    assert outcome("rr", "tr_fixed", m=256) == NOT_REPRODUCED
    assert outcome("tr_fixed", "rr_retuned", m=1) == NOT_REPRODUCED
    assert outcome("tr_fixed", "rr", m=256, shift="strong") == REPRODUCED


def test_a_share_of_the_gain():
    def outcome(part, share, **methods):
        whole = ["tr_fixed", 256]
        return outcome_of(
            report.share_of_gain(working_sets(**methods), part, whole, share, setting="norm")
        )

    assert outcome(["tr_fixed", 1], 0.5) == REPRODUCED  # 0.3 of 0.5
    assert outcome(["tr_fixed", 1], 0.7) == NOT_REPRODUCED
    assert outcome(["rr_retuned", 256], 0.8) == REPRODUCED
    assert outcome(["rr_retuned", 256], 0.5, rr_retuned=0.9) == NOT_REPRODUCED


def test_overlap_of_splits():
    assert report.overlap(256) == pytest.approx(320 / 7872)
    assert report.overlap(1) == pytest.approx(128 / 8064)  # judged on 64 points
    assert report.overlap(1024) == pytest.approx(1088 / 7104)
    assert report.overlap(256, "strong") == pytest.approx(0.205 / 0.795)


@pytest.mark.skipif(not available("kin32fh"), reason="kin-32fh is not at hand")
@pytest.mark.parametrize("shift", list(report.SHARED))
def test_shifted_splits_share_as_many_rows_as_the_ratio_says(shift):
    table, rng = load("kin32fh"), np.random.default_rng(0)
    which, strength = SHIFTS[shift]
    z = direction(table.X, table.y, which)
    splits = [set(shifted_split(z, 64, 256, strength, rng).tolist()) for _ in range(24)]
    shares = [len(a & b) / 320 for i, a in enumerate(splits) for b in splits[:i]]
    assert np.mean(shares) == pytest.approx(report.SHARED[shift], abs=0.012)
