"""Table 1's experiments on SVM, LD and TLD, on small sizes."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import transductive_compendium.papers.transductive_regression.classification as classification
from transductive import TransductiveLinearDiscriminant
from transductive.kernels import rbf_gamma
from transductive_compendium.datasets import available, load
from transductive_compendium.papers.transductive_regression.splits import N_POSTAL_RUNS, partition
from transductive_compendium.runner import RecordMissingError, get, load_recorded

CHOICE, TABLE = "transductive_regression/table_1_choice", "transductive_regression/table_1"


@pytest.fixture(scope="module")
def cancer():
    return {"ida_heart": load("breast_cancer")}


@pytest.fixture
def small_grids(monkeypatch):
    for name, values in (
        ("WIDTHS", (0.5, 1.0)),
        ("COSTS", (1.0,)),
        ("GAMMAS", (0.1, 1.0)),
        ("GAMMAS_STAR", (0.1, 10.0)),
    ):
        monkeypatch.setattr(classification, name, values)


def _rows(run_unit, key, data):
    return pd.DataFrame(run_unit(key, {}, data, np.random.default_rng(0)))


def test_the_table_has_the_published_numbers_of_splits():
    keys = pd.DataFrame(get(TABLE).unit_keys({}, "paper"))
    counts = keys[keys.rule == "median"].groupby("dataset").split.nunique()
    postal = counts.index.str.startswith("usps")
    assert (counts[postal] == N_POSTAL_RUNS).all() and (counts[~postal] == 100).all()
    assert keys.groupby("dataset").rule.nunique().eq(2).all()
    smoke = pd.DataFrame(get(TABLE).unit_keys({}, "smoke"))
    assert list(smoke.dataset) == list(classification.SETS) and (smoke.split == 0).all()


@pytest.mark.parametrize("name", classification.SETS)
def test_numbers_of_training_points(name):
    if not available(name):
        pytest.skip(f"the {name} data are not at hand")
    assert len(partition(load(name), 0)[0]) == classification.SETS[name]


def test_a_value_of_zero_is_half_an_error():
    """What rounding makes of it, and so which of two signs, differs between machines."""
    labels = np.array([1.0, 1.0, -1.0, 1.0, -1.0])
    values = np.array([2.0, -1.0, -3.0, 1e-15, -1e-16])
    assert classification.wrong_signs(values, labels) == 2.0


@pytest.mark.parametrize("more", [0, 40])
def test_the_sweep_counts_what_the_estimator_gets_wrong(small_grids, cancer, more):
    """Points beyond the held-out ones change the transduction, but are not counted."""
    table = cancer["ida_heart"]
    X, y = (table.X - table.X.mean(0)) / table.X.std(0), table.y.astype(float)
    working, held = X[60 : 90 + more], y[60:90]
    found = dict(classification._discriminants(X[:60], y[:60], working, held, 4.0))
    for gamma in classification.GAMMAS:
        for gamma_star in (*classification.GAMMAS_STAR, np.inf):
            one = TransductiveLinearDiscriminant(gamma, gamma_star, gamma=rbf_gamma(4.0))
            labels = one.fit(X[:60], y[:60], working).transduction_[:30]
            method = "LD" if np.isinf(gamma_star) else "TLD"
            wrong = found[method, 4.0, np.nan, gamma, gamma_star]
            assert wrong == np.sum(labels != held)


def test_choice_rows(small_grids, cancer):
    alone, joint = (
        _rows(
            classification._run_choice,
            {"dataset": "ida_heart", "training_set": 0, "working": working},
            cancer,
        )
        for working in ("fold", "all")
    )
    # 2 widths; 1 cost; 2 gammas with LD and 2 gamma_star
    assert alone.groupby("method").size().to_dict() == {"SVM": 2, "LD": 4, "TLD": 8}
    assert set(joint.method) == {"TLD"} and len(joint) == 8
    assert alone.wrong.between(0, 341 // 2).all()
    # far more working points than training points: not the same transductions
    assert (joint.wrong.to_numpy() != alone[alone.method == "TLD"].wrong.to_numpy()).any()


def _candidates(wrong, method="LD"):
    """Rows of `table_1_choice` from a dict of (sigma, gamma) to the counts of each training set."""
    return pd.DataFrame(
        [
            {"method": method, "training_set": i, "sigma": s, "gamma": g, "wrong": float(count)}
            for (s, g), counts in wrong.items()
            for i, count in enumerate(counts)
        ]
    )


def test_the_median_is_taken_parameter_by_parameter():
    """Of the choices (1, 100), (1, 100), (2, 10), (4, 1), (4, 1): a pair that no set chose."""
    rows = _candidates(
        {
            (1.0, 100.0): (0, 0, 9, 9, 9),
            (2.0, 10.0): (9, 9, 0, 9, 9),
            (4.0, 1.0): (9, 9, 9, 0, 0),
            (2.0, 100.0): (1, 1, 1, 1, 1),
        }
    )
    np.testing.assert_allclose(classification.choose(rows, "LD", "median"), (2.0, 10.0))
    np.testing.assert_allclose(classification.choose(rows, "LD", "mean"), (2.0, 100.0))


def test_ties_are_settled_in_the_middle_of_the_logarithms():
    rows = _candidates({(1.0, 0.01): (3,) * 5, (4.0, 1.0): (3,) * 5, (2.0, 1.0): (4,) * 5})
    for rule in ("median", "mean"):
        np.testing.assert_allclose(classification.choose(rows, "LD", rule), (2.0, 0.1))


def test_the_frozen_parameters_are_those_that_the_recorded_choice_gives():
    try:
        recorded = load_recorded(CHOICE)[0]
    except RecordMissingError:
        pytest.skip("the choice is not recorded")
    recorded = recorded[recorded.working == "fold"]
    for name, rows in recorded.groupby("dataset"):
        for rule, chosen in classification.CHOSEN.items():
            for method in classification.FREE:
                found = classification.choose(rows, method, rule)
                np.testing.assert_allclose(chosen[name][method], found, rtol=5e-3)  # three digits


def test_pooled_runs_are_tested_on_other_runs():
    postal = SimpleNamespace(name="usps", y=np.zeros(9298), n_train=7291, partitions=None)
    train, test, _ = classification.division(postal, 3, pooled=True)
    literal_train, literal_test, _ = classification.division(postal, 3)
    np.testing.assert_array_equal(train, literal_train)
    assert len(test) == len(literal_test) == 2000
    assert len(np.unique(np.r_[train, test])) == 2317 and test.max() < 7291 <= literal_test.min()
    assert set(test) != set(classification.division(postal, 4, pooled=True)[1])


def test_table_rows(monkeypatch, cancer):
    """Without transduction (gamma_star infinite) and with one choice, all discriminants are one."""
    chosen = {"ida_heart": {"SVM": (5.0, 1.0), "LD": (5.0, 1.0), "TLD": (5.0, 1.0, np.inf)}}
    monkeypatch.setitem(classification.CHOSEN, "median", chosen)
    key = {"dataset": "ida_heart", "split": 0, "rule": "median"}
    row = _rows(classification._run_table, key, cancer).iloc[0]
    assert row.tld_error == row.start_error == row.ld_error
    assert 0 < row.ld_error < 15 and 0 < row.svm_error < 15
    assert (row.n_train, row.n_test) == (341, 228) and not row.published
    monkeypatch.setitem(chosen["ida_heart"], "TLD", (5.0, 1.0, 0.1))
    again = _rows(classification._run_table, key, cancer).iloc[0]
    assert again.tld_error != row.tld_error and again.start_error == row.start_error
