"""The number of positive working points, chosen by the objective."""

import warnings

import numpy as np
import pytest
from scipy.stats import binomtest

from transductive import TransductiveSVC
from transductive.margin import transductive_svc
from transductive.margin.positive_number import EQUAL_LABELS, VALLEY, share_interval


def clouds(counts, distance, seed=0):
    """Classes 0, 1, ... around corners: so many labels of each, and so many working points."""
    rng, (few, many) = np.random.default_rng(seed), counts
    y = np.r_[np.repeat(np.arange(len(few)), few), np.repeat(np.arange(len(many)), many)]
    X = rng.standard_normal((len(y), 4)) + distance * np.eye(4)[y]
    return X[: sum(few)], y[: sum(few)], X[sum(few) :], y[sum(few) :]


def test_interval_is_wilsons():
    for k, n in ((0, 4), (2, 4), (3, 10), (50, 60)):
        theirs = binomtest(k, n).proportion_ci(method="wilson")
        np.testing.assert_allclose(share_interval(k / n, n), theirs, atol=1e-6)


@pytest.mark.parametrize("kernel", ["rbf", "linear"])
@pytest.mark.parametrize("many", [False, True])
def test_a_gap_shows_the_number(kernel, many, monkeypatch):
    if many:
        monkeypatch.setattr(transductive_svc, "SWITCH_MANY_MIN_POINTS", 10)
    X, y, working, truth = clouds(([5, 5], [66, 34]), 6.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = TransductiveSVC(kernel=kernel, tol=1e-6).fit(X, y, working)
    assert model.n_positive_ == 34 and (model.transduction_ == truth).all()
    numbers, values = model.objective_curve_["n_positive"], model.objective_curve_["objective"]
    low, high = np.floor(100 * np.array(share_interval(0.5, 10)) + 0.5)
    assert (numbers[0], numbers[-1]) == (low, high) and 50 in numbers
    at = np.flatnonzero(numbers == 34)[0]
    assert model.objective_ == pytest.approx(values[at])
    assert values[at] <= VALLEY * min(values[:at].max(), values[at:].max())
    assert model.history_["objective"][-1] == pytest.approx(model.objective_)
    # the whole choice costs less than two more fits (of this few points, if pairs switch singly)
    alone = TransductiveSVC(kernel=kernel, tol=1e-6, n_positive="sample").fit(X, y, working)
    assert alone.objective_curve_ is None and (many or model.n_iter_ < 3 * alone.n_iter_)
    given = TransductiveSVC(kernel=kernel, tol=1e-6, n_positive=34).fit(X, y, working)
    assert model.objective_ == pytest.approx(given.objective_, rel=1e-4)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_without_a_gap_the_svm_decides_and_one_warning_says_so(n_classes):
    X, y, working, _ = clouds(([4] * n_classes, [30] * n_classes), 0.3)
    with pytest.warns(UserWarning, match="no gap shows how many") as caught:
        model = TransductiveSVC(manifold=0.0).fit(X, y, working)
    assert len(caught) == 1 and caught[0].filename == __file__
    part, y = model.estimators_[-1], (y == n_classes - 1).astype(int)
    alone = TransductiveSVC(gamma=part.gamma_).fit(X, y)
    ends = part.objective_curve_["n_positive"][[0, -1]]
    by_svm, size = np.clip(alone.predict(working).sum(), *ends), 4 * n_classes
    assert part.n_positive_ == round(30 + (by_svm - 30) * size / (size + EQUAL_LABELS))
    # few points, no cost of their slacks, or a hard margin: nothing is chosen
    for m, C_star in ((9, 1.0), (60, 0.0)):
        assert TransductiveSVC(C_star=C_star).fit(X, y, working[:m]).objective_curve_ is None
