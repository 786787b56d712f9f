"""Scores split by split: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.papers.comparison import scores_measures as measures
from transductive_compendium.verdicts import load_statements
from transductive_compendium.verdicts.rules import (
    NOT_REPRODUCED,
    REPRODUCED,
    UNDECIDED,
)

NOISE = 0.002 * np.random.default_rng(0).standard_normal((3, 100))


def labels_frame():
    """The gain of the first method on the second is 10 points over the number of labels / 10."""
    return pd.DataFrame(
        {"problem": problem, "draw": draw, "labels": labels, "method": method}
        | {"error": 0.2 - gain * worth / labels + NOISE[i, draw], "error_told": 0.1}
        for problem, worth in (("mnist 5 / 8", 1.0), ("banana", -1.0))
        for draw in range(100)
        for labels in (10, 80)
        for i, (method, gain) in enumerate({"tsvm": 1.0, "svm": 0.0}.items())
    )


FRAMES = {"comparison/labels": labels_frame()}
PAIR = ("tsvm", "svm")


def test_overlap_of_splits():
    assert measures.overlap("thyroid", 40) == pytest.approx((40 + 53) / (215 - 93))
    f = 20 / 9603 + 400 / 3299
    assert measures.overlap("reuters acq", 20) == pytest.approx(f / (1 - f))
    # of ten positives in a hundred, those nine in ten are drawn from the negatives
    f = 20 / 13138 + 180 / 6825
    assert measures.overlap("mnist 5 / 8", 20, 200, 0.9) == pytest.approx(f / (1 - f))
    assert measures.overlap("heart", 10) < measures.overlap("heart", 80)


def test_lower_error_split_by_split():
    found = measures.cmp_difference(FRAMES, "mnist 5 / 8", *PAIR, labels=10)
    assert found.n == 100 and found.estimate == pytest.approx(10, abs=0.2)
    assert outcome_of(found) == REPRODUCED
    assert outcome_of(measures.cmp_difference(FRAMES, "banana", *PAIR, labels=10)) == NOT_REPRODUCED
    same = measures.cmp_difference(FRAMES, "banana", *PAIR, labels=10, score="error_told")
    assert np.ptp(same.gaps) == 0 and outcome_of(same) == NOT_REPRODUCED


def test_equivalence_is_in_percentage_points():
    found = measures.cmp_difference(FRAMES, "mnist 5 / 8", "svm", "tsvm", labels=80)
    assert found.estimate == pytest.approx(-1.25, abs=0.1)
    assert outcome_of(found, margin=1.5) == REPRODUCED
    assert outcome_of(found, margin=1.0) == NOT_REPRODUCED
    assert outcome_of(found, margin=abs(found.estimate[0])) == UNDECIDED


def test_gain_by_labels():
    at = {"varied": "labels", "more": 10, "less": 80}
    found = measures.cmp_gain_changes(FRAMES, "mnist 5 / 8", *PAIR, **at)
    assert found.estimate == pytest.approx(8.75, abs=0.2)
    assert outcome_of(measures.cmp_gain_changes(FRAMES, "banana", *PAIR, **at)) == NOT_REPRODUCED


def test_gain_by_working_points_leaves_shifted_sets_out():
    frame = pd.DataFrame(
        {"problem": "banana", "draw": d, "working": w, "share": share, "method": m, "error": e}
        for d in range(3)
        for w, share, gain in ((50, "drawn", 0.0), (200, "drawn", 0.1), (200, "0.9", -0.4))
        for m, e in (("svm", 0.5 + NOISE[0, d]), ("tsvm", 0.5 - gain))
    )
    frames = {"comparison/working_points": frame}
    found = measures.cmp_gain_changes(frames, "banana", *PAIR, varied="working", more=200, less=50)
    np.testing.assert_allclose(found.gaps, 10.0)
    shifted = measures.cmp_difference(frames, "banana", *PAIR, share="0.9")
    assert shifted.estimate == pytest.approx(-40, abs=1)


def test_gains_have_intervals():
    table = measures.gains(labels_frame(), "tsvm", "svm", "labels")
    row = table.loc[("mnist 5 / 8", 10)]
    assert row["gain"] == pytest.approx(10, abs=0.2) and 0 < row["half"] < 1
    assert row["worse"] == pytest.approx(20, abs=0.2)
    assert len(table) == 4


def test_no_paper_claims_any_of_it():
    found = load_statements(["comparison"])["comparison"]
    assert found.checks and not found.claims and not found.findings
