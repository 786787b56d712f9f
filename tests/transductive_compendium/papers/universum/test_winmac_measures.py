"""Texts: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.papers.universum import winmac_measures as report
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED, NotTestable


def made_up(gains):
    """The SVM errs on 20 %, with means on so many points less by size."""
    rng = np.random.default_rng(0)
    rows = [
        {"n_train": n, "draw": draw, "method": method}
        | {"error": (20 - gain * (method == "Mean") + 0.1 * rng.standard_normal()) / 100}
        for draw in range(100)
        for n, gain in gains.items()
        for method in ("svm", "Mean")
    ]
    return pd.DataFrame(rows)


def test_means_must_gain_at_each_size():
    found = report.winmac_gains(made_up({10: 5.0, 25: 1.0}), [10, 25])
    np.testing.assert_allclose(found.gaps.mean(axis=0), [5.0, 1.0], atol=0.1)
    assert found.gain.mean() == pytest.approx(3.0, abs=0.1)
    assert outcome_of(found, 1) == REPRODUCED and "15.0 (SVM 20.0) at 10" in found.shown
    assert outcome_of(report.winmac_gains(made_up({10: 5.0, 25: -1.0}), [10, 25]), 1) == (
        NOT_REPRODUCED
    )


def test_gains_fall_from_size_to_size():
    falls = report.winmac_gains_fall(made_up({10: 5.0, 25: 3.0, 50: 1.0}), [10, 25, 50])
    assert falls.gaps.shape == (100, 2) and outcome_of(falls, 1) == REPRODUCED
    rises = report.winmac_gains_fall(made_up({10: 5.0, 25: 1.0, 50: 3.0}), [10, 25, 50])
    assert outcome_of(rises, 1) == NOT_REPRODUCED


def test_the_table_has_the_names_of_the_printed_one():
    cells = report.winmac_table(made_up({10: 5.0}), [10]).cells
    assert set(cells) == {"10 svm", "10 Mean"}
    assert cells["10 Mean"].estimate == pytest.approx(15.0, abs=0.1)


NOISE = 0.002 * np.random.default_rng(0).standard_normal((3, 25))
ERROR = {"svm": 0.2, "MoC": 0.2, "M14": 0.1}


def stories():
    """Errors of `ERROR`."""
    rows = [
        {"n_train": n, "draw": draw, "method": method, "n_pool": 2632}
        | {"error": error + NOISE[i, draw]}
        for n in (50, 1000)
        for draw in range(25)
        for i, (method, error) in enumerate(ERROR.items())
    ]
    return pd.DataFrame(rows)


def test_overlap_of_splits():
    """Documents to train and to validate on count."""
    table = pd.DataFrame({"n_pool": [2632]})
    assert report.overlap(table, 1000) == pytest.approx(1500 / 1132)
    small = pd.DataFrame({"n_pool": [300]})
    assert report.overlap(small, 10) == pytest.approx(70 / 230)


def test_the_full_corpus_is_not_testable():
    rows = [
        {"method": method, "n_train": 50, "draw": draw, "error": error + 0.02 * draw}
        for method, error in (("svm", 0.25), ("M14", 0.15))
        for draw in (0, 1)
    ]
    found = report.rcv1_full(pd.DataFrame(rows), ["M14"], [50])
    assert isinstance(found, NotTestable) and "svm 26.0 %; M14 16.0 %" in found.substitute


def test_printed_errors_are_those_of_the_claims():
    assert report.published("un-rcv1-table")["M14", 50] == 15.7
    assert report.published("un-winmac-table")["svm", 100] == 11.7


def test_gains_have_intervals():
    gains = report.gains(stories(), ["M14"])
    assert (gains["gain"].round() == 10).all() and gains["half"].between(0.01, 1).all()
