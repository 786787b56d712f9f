"""WinMac: splits, bags of words, their means, and what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of, unit_rows
from scipy.sparse import csr_array

from transductive_compendium.datasets import TextDataset, word_counts
from transductive_compendium.papers.universum import winmac
from transductive_compendium.papers.universum import winmac_measures as report
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED

KEY = {"n_train": 25, "draw": 0}


@pytest.fixture
def data(generated):
    return {"winmac": generated}


@pytest.mark.parametrize("n_train", [10, 25])
def test_balanced_splits_have_as_many_of_either_class(n_train):
    y = np.where(np.arange(300) % 3, -1, 1)
    for seed in range(5):
        parts = winmac.balanced_split(y, n_train, 50, 60, np.random.default_rng(seed))
        assert y[parts[0]].sum() == -(n_train % 2) and len(parts[0]) == n_train
        rows = np.concatenate(parts)
        assert len(parts[1]) == 60 and len(set(rows)) == len(rows) == 300


def test_folds_deal_out_the_classes():
    y = np.where(np.arange(25) < 10, 1, -1)
    number = winmac.folds(y, np.random.default_rng(0))
    assert np.bincount(number[y > 0]).tolist() == [2] * 5
    assert np.bincount(number).tolist() == [5] * 5


def test_the_line_from_is_left_out():
    documents = [f"From: me@x{i}.site\nSubject: hard disk\n\ntext disk" for i in range(4)]
    groups = tuple((group,) for group in winmac.NEWSGROUPS["windows_misc"] * 2)
    table = TextDataset("winmac", tuple(documents), groups, None, "")
    X, y = winmac.documents(table, "windows_misc", "counts")
    kept, _ = word_counts(["subject hard disk text disk"] * 4)
    np.testing.assert_array_equal(X.toarray(), kept.toarray())
    assert y.tolist() == [-1, 1, -1, 1]


def test_means_are_of_the_training_subset(data, monkeypatch):
    seen = []

    class Maker(winmac.MeanOfPairs):
        def fit(self, X, y):
            seen.append(X.shape[0])
            return super().fit(X, y)

    monkeypatch.setattr(winmac, "MeanOfPairs", Maker)
    unit_rows(winmac.NAME, KEY, data)
    assert seen == [25]
    unit_rows(winmac.NAME, KEY, data, training_set="all")
    assert seen[1] > 25
    seen.clear()
    unit_rows(winmac.NAME, KEY, data, selection="cross_validation")
    assert seen[0] == 25 and all(n == 20 for n in seen[1:]) and len(seen) == 6


def test_costs_are_over_the_median_squared_length():
    """One document as long as a book must not make all costs too small."""
    X = np.ones((5, 3))
    X[0] *= 1e4
    y = np.array([1, 1, -1, -1, 1])
    fits, _ = winmac._fits("linear", csr_array(X), y, None, (0.05,), {"test": csr_array(X)})
    np.testing.assert_allclose([fit.C for fit in fits], np.array(winmac.COSTS) / 3.0)


def test_fits_cut_short_are_counted(data, monkeypatch):
    assert (unit_rows(winmac.NAME, KEY, data)["unconverged"] == 0).all()
    monkeypatch.setattr(winmac, "MAX_ITER", 1)
    universum = len(winmac.COSTS) * len(winmac.UNIVERSUM_COSTS)
    svm, mean = unit_rows(winmac.NAME, KEY, data)["unconverged"]
    assert 0 < svm <= len(winmac.COSTS) < mean <= universum


def test_options_change_what_they_name(data):
    default = unit_rows(winmac.NAME, KEY, data)
    assert list(default["method"]) == ["svm", "Mean"] and default["epsilon"].iloc[1] == 0.05
    lucky = unit_rows(winmac.NAME, KEY, data, selection="test")
    np.testing.assert_array_equal(lucky["error"], lucky["error_oracle"])
    assert (lucky["error"] <= default["error"]).all()
    assert unit_rows(winmac.NAME, KEY, data, epsilon="zero")["epsilon"].iloc[1] == 0.0


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


@pytest.mark.parametrize(
    ("measure", "gains", "outcome"),
    [
        (report.winmac_gains, {10: 5.0, 25: 1.0}, REPRODUCED),
        (report.winmac_gains, {10: 5.0, 25: -1.0}, NOT_REPRODUCED),
        (report.winmac_gains_fall, {10: 5.0, 25: 3.0, 50: 1.0}, REPRODUCED),
        (report.winmac_gains_fall, {10: 5.0, 25: 1.0, 50: 3.0}, NOT_REPRODUCED),
    ],
)
def test_means_must_gain_at_each_size_and_fall_from_size_to_size(measure, gains, outcome):
    found = measure(made_up(gains), list(gains))
    assert outcome_of(found, 1) == outcome
    expected = [*gains.values()]
    if measure is report.winmac_gains_fall:
        expected = -np.diff(expected)
    else:
        assert found.gain.mean() == pytest.approx(np.mean(expected), abs=0.1)
    np.testing.assert_allclose(found.gaps.mean(axis=0), expected, atol=0.1)


def test_the_table_has_the_names_of_the_printed_one():
    cells = report.winmac_table(made_up({10: 5.0}), [10]).cells
    assert set(cells) == {"10 svm", "10 Mean"}
    assert cells["10 Mean"].estimate == pytest.approx(15.0, abs=0.1)
