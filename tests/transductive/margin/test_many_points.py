"""A transductive SVM of many points with a kernel, made of few by force: Gram matrix or blocks."""

import numpy as np
import pytest
from margin_samples import svc
from quadratic_problems import Problem, classifier
from scipy.sparse import csr_array

from transductive.kernels import gram_matrix
from transductive.margin import transductive_svc
from transductive.margin.label_switching import MIN_SLACK_SUM, JointManySVM

WHOLE, BLOCKS = 10**6, 10


def split(seed, l=20, m=150, d=4):
    """Two classes that overlap, with a boundary that is curved in every other problem."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((l + m, d))
    noise = 0.5 * rng.standard_normal(l + m)
    y = np.where(X[:, 0] + (seed % 2) * X[:, 1] * X[:, 2] + noise > 0, 1.0, -1.0)
    return X[:l], y[:l], X[l:]


@pytest.fixture(params=[WHOLE, BLOCKS], ids=["whole", "blocks"])
def any_size(request, monkeypatch):
    monkeypatch.setattr(transductive_svc, "SWITCH_MANY_MIN_POINTS", 0)
    monkeypatch.setattr("transductive.margin.gram.MAX_GRAM_POINTS", request.param)
    # the active sets have to take turns
    monkeypatch.setattr("transductive.margin.active_sets.ACTIVE_SET_MAX_VARIABLES", 60)


@pytest.mark.parametrize(
    "kernel, most, name, value",
    [
        ("rbf", 0.005, "gram.MAX_GRAM_POINTS", WHOLE),
        ("rbf", 0.005, "gram.MAX_GRAM_POINTS", BLOCKS),
        ("linear", 0.01, "linear_programme.NEWTON_MAX_FEATURES", 500),
        ("linear", 0.01, "linear_programme.NEWTON_MAX_FEATURES", 0),
    ],
)
def test_mean_objective_is_that_of_single_pairs_within_two_standard_errors(
    kernel, most, name, value, monkeypatch
):
    # under equal objectives 2 % of seeds would fail; these are fixed
    monkeypatch.setattr(f"transductive.margin.{name}", value)
    ratios = []
    for seed in range(20):
        model = svc(kernel=kernel, gamma=0.25, n_positive=(20, 33, 50)[seed % 3])
        one_pair = model.fit(*split(seed, m=100)).objective_
        with monkeypatch.context() as patch:
            patch.setattr(transductive_svc, "SWITCH_MANY_MIN_POINTS", 0)
            ratios.append(model.fit(*split(seed, m=100)).objective_ / one_pair)
    error = np.std(ratios, ddof=1) / np.sqrt(20)
    assert error < most and np.mean(ratios) <= 1.0 + 2.0 * error, (np.mean(ratios), error)


@pytest.mark.parametrize("kernel", ["rbf", "poly"])
@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_every_switch_lowers_the_objective_and_the_last_solution_is_exact(any_size, kernel, form):
    X, y, working = split(1)
    model = svc(C_star=0.5, n_positive=60, kernel=kernel, gamma=0.25, coef0=1.0)
    model.fit(form(X), y, form(working))
    history = model.history_
    after = np.flatnonzero(history["switch"])
    assert np.all(history["objective"][after] < history["objective"][after - 1])
    assert np.all(history["objective"][after] <= history["switched_objective"][after])
    assert history["pairs"].max() > 1 and model.n_switches_ == history["pairs"].sum()
    assert model.n_positive_ == 60 == (model.transduction_ == 1.0).sum()
    # at the labels found it is the support vector machine, but for both duality gaps
    joint, signs = np.vstack([X, working]), np.r_[y, model.transduction_]
    costs = np.r_[np.ones(len(y)), np.full(len(working), 0.5)]
    box = signs * costs
    K = gram_matrix(joint, kernel=kernel, gamma=0.25, coef0=1.0)
    problem = Problem(K, signs, np.minimum(box, 0), np.maximum(box, 0))
    best = problem.solve(tol=1e-3)
    # kernel values are in single precision
    assert problem.violation(model.dual_coef_) <= 1e-3 + 1e-4
    gaps = history["gap"][-1] + best.gap
    assert abs(model.objective_ + best.objective) <= gaps + 1e-4
    np.testing.assert_allclose(model.decision_function(form(working)), model.working_values_,
                               atol=1e-4)  # fmt: skip


@pytest.mark.parametrize("gram_points", [WHOLE, BLOCKS])
@pytest.mark.parametrize("tol", [1e-3, 1e-12])
@pytest.mark.parametrize("C", [1.0, 1e3, 1e6])
def test_no_violation_grows_with_the_costs(gram_points, tol, C, monkeypatch):
    # the gradient is carried through up to 37 doublings: what it says of itself is no proof
    monkeypatch.setattr(transductive_svc, "SWITCH_MANY_MIN_POINTS", 0)
    monkeypatch.setattr("transductive.margin.gram.MAX_GRAM_POINTS", gram_points)
    X, y, working = split(1)
    model = svc(C, C, n_positive=70, gamma=0.25, tol=tol).fit(X, y, working)
    problem = classifier(
        gram_matrix(np.vstack([X, working]), gamma=0.25), np.r_[y, model.transduction_], C
    )
    b = model.dual_coef_
    assert problem.is_feasible(b)
    digits = np.float32 if tol == 1e-3 and C <= 1e3 else np.float64
    rounding = 4 * np.finfo(digits).eps * np.abs(b).sum()
    assert problem.violation(b) <= tol + rounding
    values = problem.K @ b + model.intercept_
    np.testing.assert_allclose(model.working_values_, values[len(y) :], atol=rounding)


@pytest.mark.parametrize("number, cost", [(0, 1.0), (150, 1.0), (30, 1e-6), (30, 0.0)])
def test_first_costs_above_the_last_and_one_class(any_size, number, cost):
    X, y, working = split(2)
    model = svc(1.0, cost, n_positive=number, gamma=0.25).fit(X, y, working)
    assert model.n_positive_ == number and len(model.history_) == 1
    if cost == 0.0:
        alone = svc(gamma=0.25).fit(X, y)
        assert model.objective_ == pytest.approx(alone.objective_, rel=1e-4)


def test_pairs_have_the_largest_slacks_of_both_labels():
    rng = np.random.default_rng(7)
    for m in (1, 2, 30, 200):
        K = np.eye(m + 2)
        svm = JointManySVM(K, np.ones(m + 2), np.array([1.0, -1.0]), 1.0, True, 1e-3)
        svm.label(signs := rng.choice([-1.0, 1.0], m), 1.0, 1.0)
        for scale in (0.5, 1.0, 3.0):
            slacks = np.maximum(0.0, np.round(scale * rng.standard_normal(m + 2), 1))
            ranked = [
                sorted(np.flatnonzero(signs == s), key=lambda i: -slacks[i + 2]) for s in (1, -1)
            ]
            kept = [
                pair
                for pair in zip(*ranked, strict=False)
                if min(slacks[2:][list(pair)]) > 0 and sum(slacks[2:][list(pair)]) > MIN_SLACK_SUM
            ]
            assert list(zip(*svm.pairs_to_switch(slacks), strict=True)) == kept
