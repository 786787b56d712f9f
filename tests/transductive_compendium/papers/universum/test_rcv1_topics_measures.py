"""Text: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.papers.universum import rcv1_topics_measures as report
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED, NotTestable

NOISE = 0.002 * np.random.default_rng(0).standard_normal((3, 25))
ERROR = {"svm": 0.2, "MoC": 0.2, "M14": 0.1}


def frames():
    """Errors of `ERROR`; by chance on the test set 0.05 less."""
    rows = [
        {"n_train": n, "draw": draw, "method": method, "n_pool": 2632}
        | {"error": error + NOISE[i, draw], "error_oracle": error - 0.05 + NOISE[i, draw]}
        for n in (50, 1000)
        for draw in range(25)
        for i, (method, error) in enumerate(ERROR.items())
    ]
    return {"universum/rcv1": pd.DataFrame(rows)}


def test_overlap_of_splits():
    """Documents to train and to validate on count, and sizes are drawn independently."""
    stories = pd.DataFrame({"n_pool": [2632]})
    assert report.overlap(stories, 1000) == pytest.approx(1500 / 1132)
    small = pd.DataFrame({"n_pool": [300]})
    assert report.overlap(small, 10) == pytest.approx(70 / 230)
    frame = frames()["universum/rcv1"]
    _, shared = report.gain_and_overlap(frame, [50, 1000], "M14", "svm")
    assert shared == pytest.approx(4 / (2082 / 550 + 1132 / 1500))


def test_gains_are_compared_split_by_split():
    gain = report.text_gain(frames(), "M14", "svm", [50])
    assert len(gain.gaps) == 25 and np.mean(gain.gaps) == pytest.approx(10, abs=0.2)
    assert outcome_of(gain) == REPRODUCED
    turned = report.text_gain(frames(), "svm", "M14", [50])
    assert outcome_of(turned) == NOT_REPRODUCED


def test_no_gain_is_an_equivalence():
    same = report.text_no_gain(frames(), "MoC", "svm", [50, 1000])
    assert outcome_of(same, margin=0.5) == REPRODUCED
    other = report.text_no_gain(frames(), "M14", "svm", [50, 1000])
    assert outcome_of(other, margin=0.5) == NOT_REPRODUCED


def test_the_full_corpus_is_not_testable():
    rows = [
        {"method": method, "n_train": 50, "draw": draw, "error": error + 0.02 * draw}
        for method, error in (("svm", 0.25), ("M14", 0.15))
        for draw in (0, 1)
    ]
    found = report.rcv1_full({"universum/rcv1": pd.DataFrame(rows)}, ["M14"], [50])
    assert isinstance(found, NotTestable) and "svm 26.0 %; M14 16.0 %" in found.substitute


def test_printed_errors_are_those_of_the_claims():
    assert report.published("un-rcv1-table")["M14", 50] == 15.7
    assert report.published("un-winmac-table")["svm", 100] == 11.7


def test_tables_have_means_and_intervals():
    frame = frames()["universum/rcv1"]
    table = report.table(frame, {"SVM": ("svm", "validation"), "lucky": ("svm", "test")})
    assert table.shape == (2, 2) and table.at["lucky", 50].startswith("15.")
    gains = report.gain_table(frame, ["M14"])
    assert (gains["gain"].round() == 10).all() and gains["half"].between(0.01, 1).all()
    single = report.table(frame[frame["draw"] == 0], {"SVM": ("svm", "validation")})
    assert "±" not in single.at["SVM", 50]
