"""One view of transduction: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.papers.comparison import measures as report
from transductive_compendium.papers.comparison.problems import PROBLEMS, n_working
from transductive_compendium.verdicts.claims import CHECK, load_claims
from transductive_compendium.verdicts.rules import (
    INCONCLUSIVE,
    NOT_REPRODUCED,
    REPRODUCED,
    decide_equivalence,
    decide_ordering,
    ordering_p,
)

NOISE = 0.002 * np.random.default_rng(0).standard_normal((3, 50))


def labels_frame():
    """The gain of the first method on the second is 10 points over the number of labels / 10."""
    return pd.DataFrame(
        {"problem": problem, "draw": draw, "labels": labels, "method": method}
        | {"error": 0.2 - gain * worth / labels + NOISE[i, draw], "error_told": 0.1}
        for problem, worth in (("mnist 5 / 8", 1.0), ("banana", -1.0))
        for draw in range(50)
        for labels in (10, 80)
        for i, (method, gain) in enumerate({"tsvm": 1.0, "svm": 0.0}.items())
    )


FRAMES = {"comparison/labels": labels_frame()}
PAIR = {"better": "tsvm", "worse": "svm"}


def ordered(evidence):
    return decide_ordering(evidence, ordering_p(evidence)).outcome


def test_overlap_of_draws():
    assert report.overlap("thyroid", 40) == pytest.approx((40 + 53) / (215 - 93))
    f = 20 / 9603 + 400 / 3299
    assert report.overlap("reuters acq", 20) == pytest.approx(f / (1 - f))
    # of ten positives in a hundred, those nine in ten are drawn from the negatives
    f = 20 / 13138 + 180 / 6825
    assert report.overlap("mnist 5 / 8", 20, 200, 0.9) == pytest.approx(f / (1 - f))
    assert report.overlap("heart", 10) < report.overlap("heart", 80)
    assert set(report._CLASSES) == set(PROBLEMS)
    assert n_working(sum(report._CLASSES["banana"])) == 400


def test_lower_error_draw_by_draw():
    found = report.cmp_lower(FRAMES, "mnist 5 / 8", labels=10, **PAIR)
    assert len(found.differences) == 50 and np.mean(found.differences) == pytest.approx(10, abs=0.2)
    assert ordered(found) == REPRODUCED
    assert found.test_train_ratio == report.overlap("mnist 5 / 8", 10)
    assert ordered(report.cmp_lower(FRAMES, "banana", labels=10, **PAIR)) == NOT_REPRODUCED
    told = report.cmp_lower(FRAMES, "banana", labels=10, score="error_told", **PAIR)
    assert np.ptp(told.differences) == 0


def test_equivalence_is_in_points():
    found = report.cmp_same(FRAMES, "mnist 5 / 8", "svm", "tsvm", labels=80)
    assert np.mean(found.differences) == pytest.approx(-1.25, abs=0.1)
    assert decide_equivalence(found, 1.5).outcome == REPRODUCED
    assert decide_equivalence(found, 1.0).outcome == NOT_REPRODUCED
    assert decide_equivalence(found, 1.25).outcome == INCONCLUSIVE


def test_gain_by_labels():
    at = {"varied": "labels", "more": 10, "less": 80}
    found = report.cmp_gain_changes(FRAMES, "mnist 5 / 8", **PAIR, **at)
    assert np.mean(found.differences) == pytest.approx(8.75, abs=0.2)
    assert found.test_train_ratio == report.overlap("mnist 5 / 8", 80)
    assert ordered(report.cmp_gain_changes(FRAMES, "banana", **PAIR, **at)) == NOT_REPRODUCED


def test_gain_by_working_points_leaves_shifted_sets_out():
    frame = pd.DataFrame(
        {"problem": "banana", "draw": d, "working": w, "share": share, "method": m, "error": e}
        for d in range(3)
        for w, share, gain in ((50, "drawn", 0.0), (200, "drawn", 0.1), (200, "0.9", -0.4))
        for m, e in (("svm", 0.5 + NOISE[0, d]), ("tsvm", 0.5 - gain))
    )
    frames = {"comparison/working_points": frame}
    found = report.cmp_gain_changes(frames, "banana", **PAIR, varied="working", more=200, less=50)
    np.testing.assert_allclose(found.differences, 10.0)
    shifted = report.cmp_lower(frames, "banana", **PAIR, share="0.9")
    assert np.mean(shifted.differences) == pytest.approx(-40, abs=1)
    assert shifted.test_train_ratio == report.overlap("banana", 20, 200, 0.9)


def methods_frame(claimed, right=0.75):
    ends = (60, 70, 80, 90, 100)
    bins = {f"{what}_{e}": 0.0 for e in ends for what in ("points", "right")}
    rows = [
        {"problem": "banana", "draw": d, "method": "bt", "claimed": claimed + NOISE[0, d]}
        | {"error": 1.0 - right}
        | bins
        | {"points_100": 100.0, "right_100": 100 * right}
        for d in range(50)
    ]
    other = {"problem": "banana", "draw": 0, "method": "svm", "claimed": np.nan, "error": 0.5}
    return pd.DataFrame([*rows, other])


def test_overconfidence():
    for claimed, outcome in ((0.85, REPRODUCED), (0.65, NOT_REPRODUCED)):
        frames = {"comparison/methods": methods_frame(claimed)}
        found = report.cmp_overconfident(frames, "banana", "bt")
        assert np.mean(found.differences) == pytest.approx(100 * (claimed - 0.75), abs=0.1)
        assert ordered(found) == outcome


def test_reliability_pools_the_draws():
    table = report.reliability(methods_frame(0.9), ["banana"])
    assert table.at[("bt", 100), "points"] == 5000
    assert table.at[("bt", 100), "right"] == pytest.approx(0.75)
    assert np.isnan(table.at[("bt", 60), "right"])
    assert set(table.index.get_level_values("method")) == {"bt"}


def test_gains_have_intervals():
    table = report.gains(labels_frame(), "tsvm", "svm", "labels")
    row = table.loc[("mnist 5 / 8", 10)]
    assert row["gain"] == pytest.approx(10, abs=0.2) and 0 < row["half"] < 1
    assert row["worse"] == pytest.approx(20, abs=0.2)
    assert len(table) == 4


def test_no_document_claims_any_of_it():
    assert {claim.role for claim in load_claims(["comparison"])} == {CHECK}
