"""WinMac: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import identity_holds, outcome_of
from winmac_rows import frames

from transductive_compendium.papers.universum import winmac_measures as report
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED


def test_errors_by_protocol_and_condition():
    at = {"item": "winmac", "method": "unit length", "n_train": 10}
    assert report.text_error(frames(), **at).estimate == pytest.approx(10.0, abs=0.2)
    assert report.text_error(frames(), protocol="test", **at).estimate == pytest.approx(
        5.0, abs=0.2
    )
    assert report.text_error(frames(), drawn="balanced", **at).estimate == pytest.approx(
        20, abs=0.2
    )


def test_a_gain_below_the_given_one():
    at = {"item": "winmac", "better": "vectors", "worse": "svm", "sizes": [10]}
    at["protocols"] = ("test", "validation")
    assert outcome_of(report.text_gain_below(frames(), gain=12.0, **at)) == REPRODUCED
    assert outcome_of(report.text_gain_below(frames(), gain=2.0, **at)) == NOT_REPRODUCED


def test_the_gain_falls_in_balanced_splits():
    falls = report.winmac_gain_falls(frames(), "unit length", "svm", [10])
    assert outcome_of(falls) == REPRODUCED and np.mean(falls.gaps) == pytest.approx(10, abs=0.3)
    assert (
        outcome_of(report.winmac_gain_falls(frames(), "svm", "unit length", [10])) == NOT_REPRODUCED
    )


def test_only_splits_on_the_margin_count_for_the_identity():
    assert identity_holds(report.winmac_unmoved(frames(), "vectors"), 1e-3)
    unit = report.winmac_unmoved(frames(), "unit length")
    assert unit.error == pytest.approx(0.7)


def printed(gains):
    """The SVM errs on 20 %, with means on so many points less by size."""
    rng = np.random.default_rng(0)
    rows = [
        {"n_train": n, "draw": draw, "method": method}
        | {"error": (20 - gain * (method == "Mean") + 0.1 * rng.standard_normal()) / 100}
        for draw in range(100)
        for n, gain in gains.items()
        for method in ("svm", "Mean")
    ]
    return {report.PRINTED_ITEM: pd.DataFrame(rows)}


def test_means_must_gain_at_each_size():
    found = report.winmac_gains(printed({10: 5.0, 25: 1.0}), [10, 25])
    np.testing.assert_allclose(found.gaps.mean(axis=0), [5.0, 1.0], atol=0.1)
    assert found.gain.mean() == pytest.approx(3.0, abs=0.1)
    assert outcome_of(found, 1) == REPRODUCED and "15.0 (SVM 20.0) at 10" in found.shown
    assert outcome_of(report.winmac_gains(printed({10: 5.0, 25: -1.0}), [10, 25]), 1) == (
        NOT_REPRODUCED
    )


def test_gains_fall_from_size_to_size():
    falls = report.winmac_gains_fall(printed({10: 5.0, 25: 3.0, 50: 1.0}), [10, 25, 50])
    assert falls.gaps.shape == (100, 2) and outcome_of(falls, 1) == REPRODUCED
    rises = report.winmac_gains_fall(printed({10: 5.0, 25: 1.0, 50: 3.0}), [10, 25, 50])
    assert outcome_of(rises, 1) == NOT_REPRODUCED


def test_the_table_has_the_names_of_the_printed_one():
    cells = report.winmac_table(printed({10: 5.0}), [10]).cells
    assert set(cells) == {"10 svm", "10 Mean"}
    assert cells["10 Mean"].estimate == pytest.approx(15.0, abs=0.1)
