"""TransductiveSVC: the slides' algorithm replayed, its objective from outside, and its uses."""

import doctest
import warnings
from itertools import product
from math import ceil, log2

import numpy as np
import pytest
from scipy import sparse
from sklearn import config_context
from sklearn.calibration import CalibratedClassifierCV
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from transductive import TransductiveSVC
from transductive.kernels import NotPositiveSemidefiniteError, gram_matrix
from transductive.margin import NotSeparableError, transductive_svc
from transductive.margin.exhaustive_labelling import BoundedSVM
from transductive.margin.label_switching import JointSVM, switch_labels


def svc(C=1.0, C_star=1.0, *, manifold=0.0, **parameters):
    """The problem of the slides, with the kernel as it is."""
    return TransductiveSVC(C, C_star, manifold=manifold, **parameters)


EXACT = {"gamma": 0.5, "tol": 1e-7}


def clouds(seed, n_train=6, n_working=30, d=2, distance=1.0):
    """Two overlapping classes, 0 and 1: training points, their labels, working points."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_train + n_working) % 2
    X = rng.standard_normal((len(y), d)) + distance * (2 * y[:, None] - 1)
    return X[:n_train], y[:n_train], X[n_train:]


@pytest.fixture
def sample():
    return clouds(0)


# weights and copies give solutions that agree to `tol`; the check asks for seven digits
TO_TOL = dict.fromkeys(
    [f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")],
    "tol is 1e-3",
)


@parametrize_with_checks(
    [
        TransductiveSVC(),
        TransductiveSVC(tol=1e-12),
        TransductiveSVC(kernel="linear", exhaustive=True, tol=1e-12),
    ],
    expected_failed_checks=lambda estimator: {} if estimator.tol < 1e-8 else TO_TOL,
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


# ---- the objective, from outside ----------------------------------------------------------------


def svm(K, signs, costs):
    """The support vector svm with a cost for each point: primal objective, values at all."""
    used = costs > 0
    if len(set(signs[used])) < 2:
        return 0.0, np.full(len(signs), signs[used][0])
    other = SVC(C=1.0, kernel="precomputed", tol=1e-7)
    other.fit(K[np.ix_(used, used)], signs[used], sample_weight=costs[used])
    values = other.decision_function(K[:, used])
    support, b = other.support_, other.dual_coef_[0]
    squared = b @ K[np.ix_(used, used)][np.ix_(support, support)] @ b
    return 0.5 * squared + costs @ np.maximum(0.0, 1.0 - signs * values), values


def joint_costs(working_signs, n_train, C, C_minus, C_plus):
    return np.r_[np.full(n_train, C), np.where(working_signs > 0, C_plus, C_minus)]


@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly"])
@pytest.mark.parametrize("costs", [(1.0, 1.0), (10.0, 0.1), (0.1, 5.0)])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_objective_and_solution_at_the_end(sample, kernel, costs, fit_intercept):
    X, y, working = sample
    found = svc(*costs, kernel=kernel, fit_intercept=fit_intercept, **EXACT)
    found.fit(X, y, working)
    K = gram_matrix(np.vstack([X, working]), kernel=kernel, gamma=0.5)
    working_signs = 2.0 * found.transduction_ - 1.0
    signs = np.r_[2.0 * y - 1.0, working_signs]
    per_point = joint_costs(working_signs, len(y), costs[0], costs[1], costs[1])
    values = found.decision_function(np.vstack([X, working]))
    slacks = np.maximum(0.0, 1.0 - signs * values)
    objective = 0.5 * found.dual_coef_ @ K @ found.dual_coef_ + per_point @ slacks
    assert found.objective_ == pytest.approx(objective, rel=1e-6)
    np.testing.assert_allclose(found.working_values_, values[len(y) :], atol=1e-7)
    # it is the support vector svm for these labels
    if fit_intercept:
        least, others = svm(K, signs, per_point)
        assert found.objective_ == pytest.approx(least, rel=1e-6)
        np.testing.assert_allclose(values, others, atol=1e-4)
    else:
        assert found.intercept_ == 0.0
        if kernel == "linear":
            other = LinearSVC(
                loss="hinge", C=1.0, fit_intercept=False, tol=1e-10, max_iter=10**6, random_state=0
            ).fit(np.vstack([X, working]), signs, sample_weight=per_point)
            np.testing.assert_allclose(found.coef_, other.coef_[0], atol=1e-4)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_without_working_points_or_their_cost_it_is_the_svm_on_the_sample(kernel):
    X, y, working = clouds(1, n_train=40)
    other = SVC(C=2.0, kernel=kernel, gamma=0.5, tol=1e-8).fit(X, y)
    values = other.decision_function(working)
    alone = svc(2.0, kernel=kernel, **EXACT).fit(X, y)
    unpaid = svc(2.0, 0.0, kernel=kernel, n_positive=7, **EXACT).fit(X, y, working)
    for found in (alone, unpaid):
        np.testing.assert_allclose(found.decision_function(working), values, atol=1e-5)
        np.testing.assert_array_equal(found.predict(X), other.predict(X))
        assert found.n_switches_ == 0
    assert alone.transduction_ is alone.working_values_ is alone.n_positive_ is None
    assert len(alone.history_) == 0 and not alone.switch_possible_
    # the seven highest values, whatever their signs
    assert set(np.flatnonzero(unpaid.transduction_)) == set(np.argsort(values)[-7:])
    assert not unpaid.dual_coef_[40:].any()


# ---- the algorithm, step by step ----------------------------------------------------------------


REPLAYED = [(27, "rbf", 1.0, 1.0), (4, "linear", 0.2, 2.0), (10, "poly", 10.0, 0.3)]


@pytest.mark.claim("ts-greedy-ends", "holds")
@pytest.mark.claim("ts-greedy-num-plus", "holds")
@pytest.mark.parametrize("first_costs", ["slides", "balanced"])
@pytest.mark.parametrize("seed, kernel, C, C_star", REPLAYED)
def test_history_is_algorithm_tsvm_step_by_step(seed, kernel, C, C_star, first_costs):
    """Every entry of the history against scikit-learn's SVC and the slides' conditions.

    Loop 1 ends after ceil(log2(C* / c)) rounds, where c is the smaller first cost; Loop 2 repeats
    no labelling, and each one has num_+ positives.
    """
    X, y, working = clouds(seed, n_working=40, d=4, distance=0.4)
    l, k, number = len(y), len(working), 13
    settings = {"n_positive": number, "kernel": kernel, "first_costs": first_costs, **EXACT}
    found = svc(C, C_star, **settings).fit(X, y, working)
    history = found.history_
    assert found.n_switches_ == history["switch"].sum() > 1
    K = gram_matrix(np.vstack([X, working]), kernel=kernel, gamma=0.5)
    train = 2.0 * y - 1.0
    _, values = svm(K, np.r_[train, np.ones(k)], joint_costs(np.ones(k), l, C, 0.0, 0.0))
    signs = np.full(k, -1.0)
    signs[np.argsort(-values[l:])[:number]] = 1.0
    ratio = number / (k - number)
    C_minus, C_plus = 1e-5, 1e-5 * (ratio if first_costs == "slides" else 1 / ratio)
    rounds = ceil(log2(C_star / min(C_minus, C_plus)))
    short = slacks = None
    seen = set()

    def may_switch(slacks):
        positive, negative = slacks[signs > 0].max(), slacks[signs < 0].max()
        return min(positive, negative) > 0 and positive + negative > 2

    for step, entry in enumerate(history):
        if entry["switch"]:
            i, j = entry["positive"], entry["negative"]
            assert signs[i] == 1.0 and signs[j] == -1.0
            # a point on its margin has a slack of 0 but for rounding
            assert min(short[i], short[j]) > -1e-4 and slacks[i] + slacks[j] > 2 - 1e-4
            # of all such pairs, those with the largest slacks
            assert slacks[i] == pytest.approx(slacks[signs > 0].max(), abs=1e-4)
            assert slacks[j] == pytest.approx(slacks[signs < 0].max(), abs=1e-4)
            signs[[i, j]] = signs[[j, i]]
        elif step:
            # Loop 2 has ended: nothing is left to switch
            assert not may_switch(slacks - 1e-4)
            C_minus, C_plus = min(2 * C_minus, C_star), min(2 * C_plus, C_star)
            seen = set()
        assert tuple(signs) not in seen and (signs > 0).sum() == number
        seen.add(tuple(signs))
        assert (entry["C_minus"], entry["C_plus"]) == pytest.approx((C_minus, C_plus), rel=1e-12)
        costs = joint_costs(signs, l, C, C_minus, C_plus)
        least, values = svm(K, np.r_[train, signs], costs)
        assert entry["objective"] == pytest.approx(least, rel=2e-5)
        short = 1.0 - signs * values[l:]
        slacks = np.maximum(0.0, short)
    assert (C_minus, C_plus) == (C_star, C_star)
    assert rounds == (~history["switch"]).sum() - 1
    np.testing.assert_array_equal(found.transduction_, (signs > 0).astype(int))
    assert found.n_positive_ == number == (signs > 0).sum()


@pytest.mark.claim("ts-greedy-falls", "holds")
@pytest.mark.parametrize("tol", [1e-2, 1e-3, 1e-6])
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_objective_never_rises_within_loop_2(tol, C):
    switches = 0
    for seed in range(6):
        X, y, working = clouds(seed, n_working=100, d=10, distance=0.2)
        settings = {"kernel": "poly", "n_positive": 33, "first_costs": "slides", "tol": tol}
        found = svc(C, 2.0, **settings)
        history = found.fit(X, y, working).history_
        after = np.flatnonzero(history["switch"])
        before = history["objective"][after - 1]
        assert np.all(history["objective"][after] < before)
        # it falls with the switch, the hyperplane as it was, and again when that moves
        assert np.all(history["switched_objective"][after] < before)
        assert np.all(history["objective"][after] <= history["switched_objective"][after])
        assert np.all(history["C_minus"][after] == history["C_minus"][after - 1])
        assert np.all(history["C_plus"][after] == history["C_plus"][after - 1])
        switches += len(after)
    assert switches > 30


def test_switch_possible_is_said_where_it_is():
    said = []
    for seed in range(40):
        X, y, working = clouds(seed, distance=0.3, n_working=16)
        found = svc(1.0, 0.9, **EXACT).fit(X, y, working)
        signs = 2.0 * found.transduction_ - 1.0
        slacks = np.maximum(0.0, 1.0 - signs * found.working_values_)
        positive, negative = slacks[signs > 0].max(), slacks[signs < 0].max()
        possible = min(positive, negative) > 0 and positive + negative > 2
        assert found.switch_possible_ == possible
        said.append(found.switch_possible_)
    assert any(said) and not all(said)


@pytest.mark.claim("ts-greedy-num-plus", "holds")
@pytest.mark.parametrize("number", [0, 1, 29, 30])
def test_any_number_of_positives(sample, number):
    X, y, working = sample
    found = svc(n_positive=number, **EXACT).fit(X, y, working)
    assert (found.transduction_ == 1).sum() == number == found.n_positive_
    if number in (0, 30):
        assert found.n_switches_ == 0 and len(found.history_) == 1
        K = gram_matrix(np.vstack([X, working]), gamma=0.5)
        signs = np.r_[2.0 * y - 1.0, np.full(30, 1.0 if number else -1.0)]
        assert found.objective_ == pytest.approx(svm(K, signs, np.ones(36))[0], rel=1e-6)


def test_number_of_positives_by_default(sample):
    X, y, working = sample
    for labels, m, number in (([0, 1, 0, 0, 1, 0], 30, 10), ([0, 1, 1, 1, 1, 0], 10, 7)):
        assert svc().fit(X, labels, working[:m]).n_positive_ == number
    # one point, and classes of the same size: rounded up
    with pytest.warns(UserWarning, match="rounds to 1"):
        assert svc().fit(X, y, working[:1]).n_positive_ == 1


def test_a_share_that_leaves_one_class_is_said():
    X, _, working = clouds(0, n_train=20, n_working=9)
    rare = np.arange(20) == 0
    with pytest.warns(UserWarning, match=r"0.05 of 9 .* class True .* rounds to 0"):
        assert not svc().fit(X, rare, working).transduction_.any()
    with pytest.warns(UserWarning, match="rounds to 9"):
        svc().fit(X, ~rare, working)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert svc(n_positive=0).fit(X, rare, working).n_positive_ == 0
        assert svc().fit(X, rare, np.vstack([working, working])).n_positive_ == 1
        svc().fit(X, rare)


def test_costs_beyond_c_star_at_the_start(sample):
    X, y, working = sample
    found = svc(1.0, 1e-6, n_positive=10, **EXACT).fit(X, y, working)
    alone = svc(1.0, **EXACT).fit(X, y).decision_function(working)
    assert set(np.flatnonzero(found.transduction_)) == set(np.argsort(alone)[-10:])
    assert found.n_switches_ == 0 and len(found.history_) == 1


# ---- the best labelling -------------------------------------------------------------------------


def brute_force(K, y, C, C_star, number=None):
    """The least objective of all labellings, that labelling, and the distance to the second."""
    k = len(K) - len(y)
    results = []
    for labels in product((0, 1), repeat=k):
        if number is None or sum(labels) == number:
            signs = np.r_[2.0 * y - 1.0, 2.0 * np.array(labels) - 1.0]
            costs = joint_costs(signs[len(y) :], len(y), C, C_star, C_star)
            results.append((svm(K, signs, costs)[0], labels))
    results.sort()
    return *results[0], results[1][0] - results[0][0]


@pytest.mark.claim("ts-try-all", "holds")
@pytest.mark.parametrize("number", ["any", 1, 3, None])
@pytest.mark.parametrize(
    "seed, kernel, C_star", [(0, "rbf", 1.0), (4, "linear", 0.2), (2, "rbf", 5.0)]
)
def test_exhaustive_is_the_best_of_all(seed, kernel, C_star, number):
    X, y, working = clouds(seed, n_working=6, distance=0.3)
    found = svc(1.0, C_star, n_positive=number, kernel=kernel, exhaustive=True, **EXACT).fit(
        X, y, working
    )
    K = gram_matrix(np.vstack([X, working]), kernel=kernel, gamma=0.5)
    count = {"any": None, None: 3}.get(number, number)
    least, labels, ahead = brute_force(K, y, 1.0, C_star, count)
    assert found.objective_ == pytest.approx(least, rel=1e-6)
    assert ahead > 1e-4
    np.testing.assert_array_equal(found.transduction_, labels)
    assert len(found.history_) == found.n_switches_ == 0
    # and fewer SVMs than labellings and their parts
    assert found.n_machines_ < 2**7


def test_without_a_count_one_class_may_take_all():
    # the reason for num_+: no hyperplane at all, and a slack of 2 for the other training points
    X, y, working = clouds(1, n_working=6, distance=0.3)
    settings = {"kernel": "linear", "exhaustive": True, "tol": 1e-7}
    found = svc(1.0, 0.5, n_positive="any", **settings).fit(X, y, working)
    assert found.n_positive_ in (0, 6)
    assert found.objective_ == pytest.approx(2.0 * 3, rel=1e-6)
    counted = svc(1.0, 0.5, **settings).fit(X, y, working)
    assert counted.n_positive_ == 3 and counted.objective_ > 6.0


@pytest.mark.claim("ts-try-all", "holds")
def test_greedy_is_never_better_and_not_always_as_good():
    misses = []
    for seed in range(20):
        X, y, working = clouds(seed, n_train=4, n_working=8, distance=0.3)
        greedy = svc(**EXACT).fit(X, y, working)
        best = svc(exhaustive=True, **EXACT).fit(X, y, working)
        open_ended = svc(exhaustive=True, n_positive="any", **EXACT)
        assert best.n_positive_ == greedy.n_positive_ == 4
        assert greedy.objective_ > best.objective_ * (1 - 1e-6)
        assert best.objective_ > open_ended.fit(X, y, working).objective_ * (1 - 1e-6)
        misses.append(greedy.objective_ > best.objective_ * (1 + 1e-4))
    assert any(misses) and not all(misses)


# ---- hard margin --------------------------------------------------------------------------------


@pytest.mark.parametrize("exhaustive", [False, True])
def test_hard_margin(exhaustive):
    X, y, working = clouds(0, n_working=6, distance=3.0)
    found = svc(np.inf, np.inf, kernel="linear", exhaustive=exhaustive, tol=1e-7).fit(X, y, working)
    signs = np.r_[2 * y - 1, 2 * found.transduction_ - 1]
    points = np.vstack([X, working])
    assert np.min(signs * found.decision_function(points)) > 1 - 1e-6
    least, labels, _ = brute_force(points @ points.T, y, 10.0, 10.0, 3)
    np.testing.assert_array_equal(found.transduction_, labels)
    assert found.objective_ == pytest.approx(least, rel=1e-5)
    assert found.objective_ == pytest.approx(0.5 * found.coef_ @ found.coef_, rel=1e-5)


def test_hard_margin_after_labels_that_have_none():
    # coefficients that grew for labels without a margin must not be where the next SVM starts
    for seed in range(4):
        rng = np.random.default_rng(seed)
        points = rng.standard_normal((14, 2))
        y = points[:, 0] > 0
        svm = svc(np.inf, np.inf, kernel="linear", exhaustive=True, n_positive="any")
        found = svm.fit(points[:8], y[:8], points[8:])
        best, signs = np.inf, None
        gram = points @ points.T
        joint = JointSVM(gram, np.diagonal(gram).copy(), np.where(y[:8], 1.0, -1.0), np.inf,
                             True, 1e-8)  # fmt: skip
        for labels in product((-1.0, 1.0), repeat=6):
            joint.label(np.array(labels), np.inf, np.inf)
            try:
                joint.solve()
            except NotSeparableError:
                np.testing.assert_array_equal(joint.coefficients, 0.0)
                continue
            if joint.primal() < best:
                best, signs = joint.primal(), labels
        np.testing.assert_array_equal(found.transduction_, np.array(signs) > 0)
        assert found.objective_ == pytest.approx(best, rel=1e-7)


@pytest.mark.parametrize("C", [1.0, np.inf])
def test_a_bound_is_the_dual_objective_or_exceeds_what_it_need_not(C):
    X, y, working = clouds(4, n_working=6, distance=4.0)
    gram = (points := np.vstack([X, working])) @ points.T
    svm = BoundedSVM(gram, np.diagonal(gram).copy(), np.where(y, 1.0, -1.0), C, True, 1e-8)
    svm.solve()
    signs = np.sign(svm.decision_values()[len(X) :])
    svm.label(signs, C, C)
    dual = svm.bound(np.inf)
    assert dual == pytest.approx(svm.primal(), rel=1e-6)
    svm.label(-signs, C, C)
    # of two clusters under the wrong labels; a hard margin does not exist
    assert dual < svm.bound(1.5 * dual) and svm.bound(np.inf) > 10 * dual
    assert np.isinf(svm.bound(np.inf)) == np.isinf(C)


def test_hard_margin_for_either_sample():
    X, y, working = clouds(2, n_working=12, distance=0.6)
    paid = svc(np.inf, 1.0, gamma=0.5, tol=1e-7).fit(X, y, working)
    assert np.min((2 * y - 1) * paid.decision_function(X)) > 1 - 1e-6
    paid = svc(1.0, np.inf, gamma=0.5, tol=1e-7).fit(X, y, working)
    signs = 2 * paid.transduction_ - 1
    assert np.min(signs * paid.working_values_) > 1 - 1e-6


@pytest.mark.parametrize("exhaustive", [False, True])
def test_no_hard_margin(exhaustive):
    # a positive between two negatives
    X, y = np.array([[-1.0], [0.0], [1.0]]), [0, 1, 0]
    settings = {"kernel": "linear", "exhaustive": exhaustive}
    for working in (None, [[2.0], [3.0]]):
        with pytest.raises(NotSeparableError, match="separate"):
            svc(np.inf, 1.0, **settings).fit(X, y, working)
    # a hard margin for working points that repeat both classes' point with one positive too many
    X, y = np.array([[-1.0], [1.0]]), [0, 1]
    working = np.array([[-1.0], [-1.0], [1.0]])
    with pytest.raises(NotSeparableError, match="separate"):
        svc(np.inf, np.inf, n_positive=2, **settings).fit(X, y, working)
    found = svc(np.inf, np.inf, n_positive=1, **settings).fit(X, y, working)
    np.testing.assert_array_equal(found.transduction_, [0, 0, 1])


# ---- the same however it is asked ---------------------------------------------------------------


def test_order_of_the_points(sample):
    X, y, working = sample
    found = svc(n_positive=10, **EXACT).fit(X, y, working)
    rng = np.random.default_rng(0)
    order, shuffled = rng.permutation(len(y)), rng.permutation(len(working))
    moved = svc(n_positive=10, **EXACT).fit(X[order], y[order], working[shuffled])
    np.testing.assert_array_equal(moved.transduction_, found.transduction_[shuffled])
    assert moved.objective_ == pytest.approx(found.objective_, rel=1e-7)
    assert moved.n_switches_ == found.n_switches_
    # the classes' names change nothing, their order turns the signs
    named = svc(n_positive=10, **EXACT).fit(X, np.array(["a", "b"])[y], working)
    np.testing.assert_array_equal(named.transduction_, np.array(["a", "b"])[found.transduction_])
    turned = svc(n_positive=20, **EXACT).fit(X, 1 - y, working)
    np.testing.assert_array_equal(turned.transduction_, 1 - found.transduction_)
    np.testing.assert_allclose(turned.working_values_, -found.working_values_, atol=1e-5)


def test_twice_the_same(sample):
    first, again = (svc().fit(*sample) for _ in range(2))
    np.testing.assert_array_equal(first.dual_coef_, again.dual_coef_)
    assert first.history_.tobytes() == again.history_.tobytes()


def test_copies_of_points(sample):
    X, y, working = sample
    # of equal values the first get the positive class
    copies = np.tile(working[:1], (5, 1))
    found = svc(n_positive=2, **EXACT).fit(X, y, copies)
    np.testing.assert_array_equal(found.transduction_, [1, 1, 0, 0, 0])
    many = svc(n_positive=30, **EXACT).fit(X, y, np.tile(working[:1], (70, 1)))
    np.testing.assert_array_equal(many.transduction_, np.arange(70) < 30)
    best = svc(n_positive=2, exhaustive=True, **EXACT).fit(X, y, copies)
    assert best.n_positive_ == 2 and best.objective_ == pytest.approx(found.objective_, rel=1e-6)
    # the training sample as the working sample, and points with both labels
    svc(**EXACT).fit(X, y, X)
    both = svc(**EXACT).fit(np.vstack([X, X]), np.r_[y, 1 - y], working)
    np.testing.assert_allclose(both.history_["gap"], 0.0, atol=1e-4)


def in_halves(X):
    """CSR with two entries for each value that is not 0."""
    half = sparse.csr_array(X / 2)
    parts = half.data, half.indices, 2 * half.indptr
    return sparse.csr_array((*(np.repeat(part, 2) for part in parts[:2]), parts[2]), half.shape)


@pytest.mark.parametrize("kernel", ["linear", "rbf", "cosine"])
@pytest.mark.parametrize(
    "container", [sparse.csr_matrix, sparse.csr_array, sparse.coo_matrix, in_halves]
)
def test_sparse_is_dense(kernel, container):
    X, y, working = clouds(0, n_train=10, n_working=40, d=30, distance=0.2)
    X, working = X * (X > 1), working * (working > 1)
    settings = {"kernel": kernel, "tol": 1e-7, "n_positive": 15}
    dense = svc(**settings).fit(X, y, working)
    thin = svc(**settings).fit(container(X), y, container(working))
    np.testing.assert_array_equal(thin.transduction_, dense.transduction_)
    np.testing.assert_allclose(thin.working_values_, dense.working_values_, atol=1e-5)
    assert thin.objective_ == pytest.approx(dense.objective_, rel=1e-7)
    for points in (working, container(working)):
        for found in (thin, dense):
            values = found.decision_function(points)
            np.testing.assert_allclose(values, dense.working_values_, atol=1e-5)
    mixed = svc(**settings).fit(container(X), y, working)
    np.testing.assert_array_equal(mixed.transduction_, dense.transduction_)


def test_text_stays_sparse(monkeypatch):
    rng = np.random.default_rng(0)
    d = 200_000
    X = sparse.random(60, d, density=3e-4, format="csr", random_state=0)

    def refuse(self, *args, **kwargs):
        assert d not in self.shape, "the features were made dense"
        return sparse.coo_matrix(self).toarray(*args, **kwargs)

    for name in ("toarray", "todense"):
        for container in (sparse.csr_matrix, sparse.csc_matrix):
            monkeypatch.setattr(container, name, refuse)
    y = rng.permutation(np.arange(10) % 2)
    for tol in (1e-3, 1e-6):
        found = svc(kernel="linear", tol=tol).fit(X[:10], y, X[10:])
        assert found.coef_.shape == (d,) and found.decision_function(X).shape == (60,)


def test_precomputed(sample):
    X, y, working = sample
    joint = np.vstack([X, working])
    K = gram_matrix(joint, gamma=0.5)
    new = clouds(9)[2]
    found = svc(**EXACT).fit(X, y, working)
    given = svc(kernel="precomputed", tol=1e-7).fit(K[:6], y, K[6:])
    np.testing.assert_array_equal(given.transduction_, found.transduction_)
    np.testing.assert_allclose(
        given.decision_function(gram_matrix(new, joint, gamma=0.5)),
        found.decision_function(new),
        atol=1e-5,
    )
    alone = svc(kernel="precomputed", tol=1e-7).fit(K[:6, :6], y)
    other = svc(**EXACT).fit(X, y)
    assert alone.objective_ == pytest.approx(other.objective_, rel=1e-9)
    # a function is a kernel as well
    called = svc(kernel=lambda a, b: np.exp(-0.5 * np.sum((a - b) ** 2)), tol=1e-7)
    np.testing.assert_array_equal(called.fit(X, y, working).transduction_, found.transduction_)


def test_single_precision_changes_little():
    for seed in range(3):
        X, y, working = clouds(seed, n_working=60)
        single = svc(gamma=0.5, tol=1e-3).fit(X, y, working)
        double = svc(gamma=0.5, tol=1e-7).fit(X, y, working)
        np.testing.assert_array_equal(single.transduction_, double.transduction_)
        assert single.objective_ == pytest.approx(double.objective_, rel=1e-3)


# ---- tools of the trade -------------------------------------------------------------------------


def test_what_points_and_labels_may_be(sample):
    pd = pytest.importorskip("pandas")
    X, y, working = sample
    estimator = svc(gamma=0.5)
    base = estimator.fit(X, y, working).transduction_
    names = ["a", "b"]
    frame = pd.DataFrame(X, columns=names), pd.Series(y), pd.DataFrame(working, columns=names)
    np.testing.assert_array_equal(estimator.fit(*frame).transduction_, base)
    with pytest.raises(ValueError, match="feature names"):
        estimator.fit(*frame[:2], frame[2][["b", "a"]])
    for array in (X, y, working):
        array.setflags(write=False)
    for change in (np.asfortranarray, lambda a: a.astype(np.float32), np.ndarray.tolist):
        np.testing.assert_array_equal(
            estimator.fit(change(X), y, change(working)).transduction_, base
        )


def test_grid_search_and_pipelines_route_working_points():
    X, y, working = clouds(0, n_train=20)
    with config_context(enable_metadata_routing=True):
        routed = svc(gamma=0.5).set_fit_request(X_working=True)
        grid = {"C": [0.1, 10.0], "C_star": [0.0, 1.0]}
        search = GridSearchCV(routed, grid, cv=StratifiedKFold(4)).fit(X, y, X_working=working)
        best = svc(gamma=0.5, **search.best_params_).fit(X, y, working)
        np.testing.assert_array_equal(search.best_estimator_.transduction_, best.transduction_)
        steps = [("scale", StandardScaler()), ("svm", routed)]
        pipeline = Pipeline(steps, transform_input=["X_working"]).fit(X, y, X_working=working)
    scaler = StandardScaler().fit(X)
    scaled = svc(gamma=0.5).fit(scaler.transform(X), y, scaler.transform(working))
    np.testing.assert_array_equal(pipeline[-1].transduction_, scaled.transduction_)


def test_docstring_examples_run():
    found = doctest.testmod(transductive_svc)
    assert found.attempted > 10 and found.failed == 0


@pytest.mark.parametrize("ensemble", [True, False])
def test_calibrated_probabilities_of_working_points(ensemble):
    X, y, working = clouds(5, 60, 301, distance=1.2)
    truth = (np.arange(60, 361) % 2).astype(float)
    with config_context(enable_metadata_routing=True):
        model = svc().set_fit_request(X_working=True)
        calibrated = CalibratedClassifierCV(model, ensemble=ensemble).fit(X, y, X_working=working)
    # every fold has all working points
    for fold in calibrated.calibrated_classifiers_:
        assert fold.estimator.transduction_.shape == (301,)
    p = calibrated.predict_proba(working)[:, 1]
    assert np.mean((p - truth) ** 2) < 0.1
    assert np.mean(truth[p < 0.2]) < 0.2 and np.mean(truth[p > 0.8]) > 0.8
    assert (p < 0.2).sum() > 50 and (p > 0.8).sum() > 50


def test_ties_of_a_search_go_to_the_first_cost():
    # separable classes: all candidates are right
    X, y, working = clouds(0, 30, 20, distance=6.0)
    with config_context(enable_metadata_routing=True):
        model = svc().set_fit_request(X_working=True)
        search = GridSearchCV(model, {"C_star": [1.0, 0.1, 0.0]}).fit(X, y, X_working=working)
    assert (search.cv_results_["rank_test_score"] == 1).all()
    assert search.best_params_ == {"C_star": 1.0}


def test_progress(sample, capsys):
    svc(verbose=True).fit(*sample)
    assert "doublings: 100%" in capsys.readouterr().err
    X, y, working = sample
    for number in (3, "any"):
        best = svc(verbose=True, exhaustive=True, n_positive=number)
        best.fit(X, y, working[:7])
        bar, (decided, total) = capsys.readouterr().err, (35, 35) if number == 3 else (128, 128)
        assert "labellings: 100%" in bar and f" {decided}/{total} " in bar
    svc().fit(*sample)
    assert capsys.readouterr().err == ""
    classes = np.array(["red", "green", "blue"])[np.arange(6) % 3]
    for exhaustive in (False, True):
        model = svc(verbose=True, exhaustive=exhaustive, n_jobs=2)
        model.fit(X, classes, working[:7])
        bar = capsys.readouterr().err
        assert "classes: 100%" in bar and " 3/3 " in bar and "done: " in bar
        assert "doublings" not in bar and "labellings" not in bar


def test_no_warning_at_work(sample):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        svc().fit(*sample)
        svc(kernel="linear", exhaustive=True).fit(*sample[:2], sample[2][:5])
        svc(np.inf, 1.0).fit(*sample)


# ---- bad input ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        *[({"C": bad}, "The 'C' parameter") for bad in (0, -1.0, None, np.nan, "1")],
        *[({"C_star": bad}, "The 'C_star' parameter") for bad in (-1.0, None, np.nan, "1")],
        *[({"tol": bad}, "The 'tol' parameter") for bad in (0.0, 1e-17, -1.0, np.inf, None)],
        ({"n_positive": 31}, "n_positive must be at most 30, .* got 31"),
        *[({"n_positive": bad}, "The 'n_positive' parameter") for bad in (-1, 3.0, 0.4, "all")],
        ({"n_positive": "any"}, "needs exhaustive=True"),
        ({"exhaustive": True}, "at most 24 working points, there are 30"),
        ({"first_costs": "equal"}, "The 'first_costs' parameter"),
        ({"kernel": "gauss"}, "The 'kernel' parameter"),
        ({"gamma": -1.0}, "The 'gamma' parameter"),
    ],
)
def test_bad_parameters(sample, parameters, message):
    with pytest.raises(ValueError, match=message):
        svc(**parameters).fit(*sample)


def test_bad_samples(sample):
    X, y, working = sample
    with pytest.raises(ValueError, match="needs two classes"):
        svc().fit(X, np.zeros(6), working)
    with pytest.raises(ValueError, match="1 features, but TransductiveSVC is expecting 2"):
        svc().fit(X, y, working[:, :1])
    with pytest.raises(ValueError, match="0 sample"):
        svc().fit(X, y, working[:0])
    for bad in (np.nan, np.inf):
        with pytest.raises(ValueError, match=r"NaN|infinity"):
            svc().fit(X, y, np.where(working == working[0, 0], bad, working))
    with pytest.raises(NotFittedError):
        svc().predict(X)


def test_bad_kernel_matrices(sample):
    X, y, working = sample
    K = gram_matrix(np.vstack([X, working]), gamma=0.5)
    given = svc(kernel="precomputed")
    with pytest.raises(ValueError, match="training points and then working points must be square"):
        given.fit(K[:6, :6], y, K[6:, :6])
    with pytest.raises(ValueError, match="not symmetric"):
        given.fit(K[:6], y, K[6:] + np.triu(K[6:]))
    with pytest.raises(NotPositiveSemidefiniteError, match="negative squared distance"):
        svc(kernel="sigmoid", gamma=2.0, coef0=-3.0).fit(X, y, working)


def test_loop_2_ends_where_no_hyperplane_is_worth_its_norm():
    # unbalanced labels that nothing separates: w = 0 is best, and all pairs of slacks sum to 2
    for seed in (0, 2, 4):
        rng = np.random.default_rng(seed)
        points = rng.standard_normal((60, 1))
        y = rng.permutation(np.arange(10) % 5 == 0)
        svm = svc(kernel="linear", first_costs="slides")
        found = svm.fit(points[:10], y, points[10:])
        assert found.objective_ == pytest.approx(24.0, rel=0.1)
        after = np.flatnonzero(found.history_["switch"])
        objective = found.history_["objective"]
        assert np.all(objective[after] < objective[after - 1])


def test_rows_on_demand_give_the_same_classifier(monkeypatch):
    X, y, working = clouds(3, n_working=60, d=3)
    for kernel, shift in (("rbf", 0.0), ("linear", 0.0), ("linear", 1e4)):
        monkeypatch.undo()
        svm = svc(kernel=kernel, gamma=0.5, tol=1e-3)
        whole = svm.fit(X + shift, y, working + shift).objective_
        monkeypatch.setattr("transductive.margin.gram.MAX_GRAM_POINTS", 10)
        rows = svm.fit(X + shift, y, working + shift).objective_
        assert rows == pytest.approx(whole, rel=1e-3), (kernel, shift)


def test_large_finite_costs_are_not_held_in_single_precision():
    X, y, working = clouds(0, n_working=20, d=2)
    found = svc(1e6, 1.0, gamma=0.5).fit(X, y, working)
    np.testing.assert_allclose(
        found.decision_function(working), found.working_values_, rtol=0, atol=1e-6
    )


def test_the_ratio_of_costs_may_be_kept():
    X, y, working = clouds(1, n_working=40, d=2)
    gram = gram_matrix(np.vstack([X, working]), gamma=0.5)
    signs = np.where(y == np.unique(y)[1], 1.0, -1.0)
    svm = JointSVM(gram, np.diagonal(gram).copy(), signs, 1.0, True, 1e-6)
    history = switch_labels(svm, 1.0, 8, "balanced", keep_ratio=True).history
    assert history["C_plus"][-1] == pytest.approx(4.0)
    assert history["C_minus"][-1] == 1.0
    np.testing.assert_allclose(history["C_plus"], 4.0 * history["C_minus"])


def test_working_points_are_named_in_errors():
    X, y, working = clouds(1)
    with pytest.raises(ValueError, match="X_working: X has 1 features"):
        svc().fit(X, y, working[:, :1])
    with pytest.raises(ValueError, match="X_working: Input X contains NaN"):
        svc().fit(X, y, np.full_like(working, np.nan))


def test_without_a_cost_of_working_points_all_labellings_are_as_good():
    X, y, working = clouds(1)
    working = np.vstack([working] * 3)[:24]
    found = svc(C_star=0.0, exhaustive=True).fit(X, y, working)
    assert found.n_machines_ == 1
    assert found.objective_ == pytest.approx(svc(tol=1e-8).fit(X, y).objective_)


@pytest.mark.parametrize("scale", [1e-7, 1.0, 1e6])
def test_hard_margins_at_any_scale(scale):
    rng = np.random.default_rng(0)
    points = rng.standard_normal((30, 2)) * scale
    y = points[:, 0] > 0
    apart = points + np.where(y, 1.0, -1.0)[:, None] * np.array([scale, 0.0])
    svm = svc(np.inf, np.inf, kernel="linear")
    assert svm.fit(apart, y).score(apart, y) == 1.0
    with pytest.raises(NotSeparableError):
        svm.fit(points, rng.permutation(y))
