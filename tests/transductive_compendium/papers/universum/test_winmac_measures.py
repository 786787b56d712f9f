"""WinMac: what the measures make of rows."""

import numpy as np
import pytest
from paper_rooms import outcome_of
from winmac_rows import frames

from transductive_compendium.papers.universum import winmac_measures as report
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED, decide_identity


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
    assert outcome_of(falls) == REPRODUCED and np.mean(falls.differences) == pytest.approx(
        10, abs=0.3
    )
    assert (
        outcome_of(report.winmac_gain_falls(frames(), "svm", "unit length", [10])) == NOT_REPRODUCED
    )


def test_only_splits_on_the_margin_count_for_the_identity():
    assert decide_identity(report.winmac_unmoved(frames(), "vectors"), 1e-3).outcome == REPRODUCED
    unit = report.winmac_unmoved(frames(), "unit length")
    assert unit.error == pytest.approx(0.7)
