"""WinMac as printed: bags of words, their means, and what the parameters change."""

import numpy as np
import pytest
from paper_rooms import unit_rows
from scipy.sparse import csr_array

from transductive_compendium.datasets import load
from transductive_compendium.papers.universum import winmac_printed as winmac

KEY = {"n_train": 25, "draw": 0}


@pytest.fixture(scope="module")
def data():
    return {"winmac": load("generated_text")}


def test_documents_are_bags_of_words(data):
    table = data["winmac"]
    X, y = winmac.documents(table, "windows_misc", "counts")
    assert set(y) == {-1, 1} and X.shape[0] == len(y)
    assert (X.data == np.round(X.data)).all() and X.data.max() > 1
    unit, _ = winmac.documents(table, "windows_misc", "unit_counts")
    lengths = np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())
    np.testing.assert_allclose(unit.toarray() * lengths[:, None], X.toarray(), atol=1e-12)


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
    for name, choice in (("text_kernel", "rbf"), ("words", "tf_idf"), ("subset", "balanced")):
        assert not default.equals(unit_rows(winmac.NAME, KEY, data, **{name: choice}))


def test_without_a_group_its_documents_are_gone(data, monkeypatch):
    seen = []
    run = winmac._run
    monkeypatch.setattr(
        winmac, "_run", lambda X, y, *rest: (seen.append(len(y)), run(X, y, *rest))[1]
    )
    rows = unit_rows(f"{winmac.NAME}_groups", KEY | {"left_out": 3}, data)
    n = len(winmac.documents(data["winmac"], "windows_misc", "counts")[1])
    assert seen == [pytest.approx(0.95 * n, abs=1)]
    assert list(rows["method"]) == ["svm", "Mean"]
