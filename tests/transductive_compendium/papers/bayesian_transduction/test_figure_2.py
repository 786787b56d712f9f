"""Both methods on one split, as figures 2a and 2b compare them."""

from types import SimpleNamespace

import numpy as np
import pytest
from paper_rooms import unit_rows

from transductive_compendium.datasets import available, load
from transductive_compendium.datasets.recorded_splits import partition
from transductive_compendium.papers.bayesian_transduction import splits
from transductive_compendium.papers.bayesian_transduction.figure_2 import svm_outputs
from transductive_compendium.papers.bayesian_transduction.splits import converged_p_plus, split_of
from transductive_compendium.runner import load_recorded

THYROID, FIGURE = "bayesian_transduction/figure_2a", "bayesian_transduction/figure_2b"


def test_one_split_gives_both_methods_the_same_points():
    X = np.random.default_rng(2).standard_normal((60, 3))
    table = SimpleNamespace(X=X, y=np.where(X[:, 0] > 0, 1, -1))
    rows = unit_rows(FIGURE, {"split": 0}, {"heart": table}, 2, sigma=1.0, n_bounces=2000)
    _, test = partition(60, 0)
    assert rows["point"].tolist() == test.tolist() and len(rows) == 24
    label, p_plus, f = rows[["label", "p_plus", "f"]].to_numpy().T
    np.testing.assert_array_equal(label, table.y[test])
    assert ((p_plus >= 0) & (p_plus <= 1)).all()
    # separable with room: both label nearly everything as the teacher does
    assert np.mean((p_plus >= 0.5) == (label > 0)) > 0.8
    assert np.mean((f >= 0) == (label > 0)) > 0.8
    # a training point on the test side would be unanimous; the test points are not all
    assert ((p_plus > 0) & (p_plus < 1)).any()


def test_soft_margin_without_a_threshold_meets_its_conditions():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((80, 2))
    y = np.where(X[:, 0] + 0.3 * rng.standard_normal(80) > 0, 1, -1)
    split = split_of(SimpleNamespace(X=X, y=y), 0, sigma=0.5)
    # narrow kernel: no coefficient reaches 1000, and the two are one
    soft, hard = (svm_outputs(split, margin) for margin in ("soft_1000", "hard"))
    np.testing.assert_allclose(soft, hard, atol=1e-5)


def orthant():
    """A version space whose p+ are known: the positive orthant of three dimensions."""
    working = np.array([[1.0, -1.0, 0.0], [-4.0, 4.0, 1.0], [4.0, -4.0, 2.0]]).T
    return SimpleNamespace(gram=np.eye(3), cross=working / np.linalg.norm(working, axis=0))


def test_converged_p_plus_is_the_volume():
    p_plus = converged_p_plus(orthant(), np.random.default_rng(0))
    # five standard errors of 0.01
    np.testing.assert_allclose(p_plus, [0.5, 0.6017, 0.681], atol=0.05)


def test_a_budget_that_ends_before_convergence_is_an_error(monkeypatch):
    monkeypatch.setattr(splits, "CONVERGED", 1e-9)
    monkeypatch.setattr(splits, "BUDGET", 5_000)
    with pytest.raises(RuntimeError, match="standard errors are not below 1e-09"):
        converged_p_plus(orthant(), np.random.default_rng(0))


@pytest.mark.parametrize("name, size", [("thyroid", (215, 5)), ("heart", (270, 13))])
def test_no_patient_has_a_gap_or_a_double_and_no_confidence_is_zero(name, size):
    rows = load_recorded({"thyroid": THYROID, "heart": FIGURE}[name])[0]
    assert (rows["p_plus"] != 0.5).all() and (rows["f"] != 0.0).all()
    if not available(name):
        pytest.skip(f"needs {name}")
    table = load(name)
    X, one_hot = table.X, splits.encoded(table, True)
    assert X.shape == size and np.isfinite(X).all() and len(np.unique(X, axis=0)) == len(X)
    assert one_hot.shape[1] == {"thyroid": 5, "heart": 20}[name]
    fit = split_of(table, 0, 3.0, statistics="training").gram
    assert not np.allclose(fit, split_of(table, 0, 3.0).gram)
