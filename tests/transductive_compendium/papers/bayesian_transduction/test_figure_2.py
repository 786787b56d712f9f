"""Both methods on one split, as figures 2a and 2b compare them."""

from types import SimpleNamespace

import numpy as np
from paper_rooms import unit_rows

from transductive_compendium.datasets.recorded_splits import partition
from transductive_compendium.papers.bayesian_transduction.figure_2 import svm_outputs
from transductive_compendium.papers.bayesian_transduction.splits import split_of

FIGURE = "bayesian_transduction/figure_2b"


def test_one_split_gives_both_methods_the_same_points():
    X = np.random.default_rng(2).standard_normal((60, 3))
    table = SimpleNamespace(X=X, y=np.where(X[:, 0] > 0, 1, -1))
    rows = unit_rows(FIGURE, {"split": 0}, {"heart": table}, 2, sigma=1.0, n_bounces=2000)
    _, test = partition(60, 0)
    assert rows["point"].tolist() == test.tolist() and len(rows) == 24
    label, p_plus, f, bayes_point = rows[["label", "p_plus", "f", "bayes_point"]].to_numpy().T
    np.testing.assert_array_equal(label, table.y[test])
    assert ((p_plus >= 0) & (p_plus <= 1)).all()
    # separable with room: both label nearly everything as the teacher does
    assert np.mean((p_plus >= 0.5) == (label > 0)) > 0.8
    assert np.mean((f >= 0) == (label > 0)) > 0.8
    assert np.mean((bayes_point > 0) == (p_plus >= 0.5)) > 0.9
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
