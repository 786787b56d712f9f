"""WinMac: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.papers.universum import winmac_measures as report
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED


def frames(gains):
    """The SVM errs on 20 %, with means on so many points less by size."""
    rng = np.random.default_rng(0)
    rows = [
        {"n_train": n, "draw": draw, "method": method}
        | {"error": (20 - gain * (method == "Mean") + 0.1 * rng.standard_normal()) / 100}
        for draw in range(100)
        for n, gain in gains.items()
        for method in ("svm", "Mean")
    ]
    return {report.ITEM: pd.DataFrame(rows)}


def test_means_must_gain_at_each_size():
    found = report.winmac_gains(frames({10: 5.0, 25: 1.0}), [10, 25])
    np.testing.assert_allclose(found.gaps.mean(axis=0), [5.0, 1.0], atol=0.1)
    assert found.gain.mean() == pytest.approx(3.0, abs=0.1)
    assert outcome_of(found, 1) == REPRODUCED and "15.0 (SVM 20.0) at 10" in found.shown
    assert outcome_of(report.winmac_gains(frames({10: 5.0, 25: -1.0}), [10, 25]), 1) == (
        NOT_REPRODUCED
    )


def test_gains_fall_from_size_to_size():
    falls = report.winmac_gains_fall(frames({10: 5.0, 25: 3.0, 50: 1.0}), [10, 25, 50])
    assert falls.gaps.shape == (100, 2) and outcome_of(falls, 1) == REPRODUCED
    rises = report.winmac_gains_fall(frames({10: 5.0, 25: 1.0, 50: 3.0}), [10, 25, 50])
    assert outcome_of(rises, 1) == NOT_REPRODUCED


def test_the_table_has_the_names_of_the_printed_one():
    cells = report.winmac_table(frames({10: 5.0}), [10]).cells
    assert set(cells) == {"10 svm", "10 Mean"}
    assert cells["10 Mean"].estimate == pytest.approx(15.0, abs=0.1)
