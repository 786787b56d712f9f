"""TransductiveSVC: the slides' algorithm replayed, its objective from outside, and its uses."""

from itertools import product
from math import ceil, log2

import numpy as np
import pytest
from margin_samples import svc
from scipy import sparse
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from transductive import TransductiveSVC
from transductive.kernels import NotPositiveSemidefiniteError, gram_matrix
from transductive.margin import NotSeparableError
from transductive.margin.exhaustive_labelling import BoundedSVM
from transductive.margin.label_switching import JointSVM, switch_labels

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
        TransductiveSVC(kernel="linear", exhaustive=True, tol=1e-12),
    ],
    expected_failed_checks=lambda estimator: {} if estimator.tol < 1e-8 else TO_TOL,
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


# ---- the objective, from outside ----------------------------------------------------------------


def svm(K, signs, costs):
    """The support vector machine with a cost for each point: primal objective, all values."""
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
@pytest.mark.parametrize("number", ["sample", None])
@pytest.mark.filterwarnings("ignore:no gap")
def test_objective_and_solution_at_the_end(sample, kernel, costs, number):
    X, y, working = sample
    model = svc(*costs, n_positive=number, kernel=kernel, coef0=1.0, **EXACT).fit(X, y, working)
    K = gram_matrix(np.vstack([X, working]), kernel=kernel, gamma=0.5, coef0=1.0)
    working_signs = 2.0 * model.transduction_ - 1.0
    signs = np.r_[2.0 * y - 1.0, working_signs]
    per_point = joint_costs(working_signs, len(y), costs[0], costs[1], costs[1])
    values = model.decision_function(np.vstack([X, working]))
    slacks = np.maximum(0.0, 1.0 - signs * values)
    objective = 0.5 * model.dual_coef_ @ K @ model.dual_coef_ + per_point @ slacks
    assert model.objective_ == pytest.approx(objective, rel=1e-6)
    np.testing.assert_allclose(model.working_values_, values[len(y) :], atol=1e-7)
    # it is the support vector machine for these labels
    least, others = svm(K, signs, per_point)
    assert model.objective_ == pytest.approx(least, rel=1e-6)
    np.testing.assert_allclose(values, others, atol=1e-4)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_without_working_points_or_their_cost_it_is_the_svm_on_the_sample(kernel):
    X, y, working = clouds(1, n_train=40)
    other = SVC(C=2.0, kernel=kernel, gamma=0.5, tol=1e-8).fit(X, y)
    values = other.decision_function(working)
    alone = svc(2.0, kernel=kernel, **EXACT).fit(X, y)
    unpaid = svc(2.0, 0.0, kernel=kernel, n_positive=7, **EXACT).fit(X, y, working)
    for model in (alone, unpaid):
        np.testing.assert_allclose(model.decision_function(working), values, atol=1e-5)
        np.testing.assert_array_equal(model.predict(X), other.predict(X))
        assert model.n_switches_ == 0
    assert alone.transduction_ is alone.working_values_ is alone.n_positive_ is None
    assert len(alone.history_) == 0 and not alone.switch_possible_
    # the seven highest values, whatever their signs
    assert set(np.flatnonzero(unpaid.transduction_)) == set(np.argsort(values)[-7:])
    assert not unpaid.dual_coef_[40:].any()


# ---- the algorithm, step by step ----------------------------------------------------------------


REPLAYED = [(27, "rbf", 1.0, 1.0), (4, "linear", 0.2, 2.0), (10, "poly", 10.0, 0.3)]


@pytest.mark.claim("ts-greedy-falls", "holds")
@pytest.mark.claim("ts-greedy-ends", "holds")
@pytest.mark.claim("ts-greedy-num-plus", "holds")
@pytest.mark.parametrize("first_costs", ["slides", "balanced"])
@pytest.mark.parametrize("seed, kernel, C, C_star", REPLAYED)
def test_history_is_algorithm_tsvm_step_by_step(seed, kernel, C, C_star, first_costs):
    """Every entry of the history against scikit-learn's SVC and the slides' conditions.

    Loop 1 ends after ceil(log2(C* / c)) rounds, where c is the smaller first cost; Loop 2 repeats
    no labelling, and each one has num_+ positives. A switch lowers the objective at the old
    hyperplane, where a slack xi becomes max(0, 2 - xi) at the other cost, and again when trained.
    """
    X, y, working = clouds(seed, n_working=40, d=4, distance=0.4)
    l, k, number = len(y), len(working), 13
    settings = {"n_positive": number, "kernel": kernel, "first_costs": first_costs, "coef0": 1.0}
    model = svc(C, C_star, **settings, **EXACT).fit(X, y, working)
    history = model.history_
    assert model.n_switches_ == history["switch"].sum() > 1
    K = gram_matrix(np.vstack([X, working]), kernel=kernel, gamma=0.5, coef0=1.0)
    train = 2.0 * y - 1.0
    _, values = svm(K, np.r_[train, np.ones(k)], joint_costs(np.ones(k), l, C, 0.0, 0.0))
    signs = np.full(k, -1.0)
    signs[np.argsort(-values[l:])[:number]] = 1.0
    ratio = number / (k - number)
    C_minus, C_plus = 1e-5, 1e-5 * (ratio if first_costs == "slides" else 1 / ratio)
    rounds = ceil(log2(C_star / min(C_minus, C_plus)))
    least = short = slacks = None
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
            before = C_plus * slacks[i] + C_minus * slacks[j]
            switched = C_minus * max(0.0, 2.0 - slacks[i]) + C_plus * max(0.0, 2.0 - slacks[j])
            at_old = least - before + switched
            assert entry["objective"] < at_old < least
            assert entry["switched_objective"] == pytest.approx(at_old, rel=2e-5)
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
    np.testing.assert_array_equal(model.transduction_, (signs > 0).astype(int))
    assert model.n_positive_ == number == (signs > 0).sum()


@pytest.mark.claim("ts-greedy-falls", "holds")
@pytest.mark.parametrize("tol", [1e-2, 1e-3, 1e-6])
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_objective_never_rises_within_loop_2(tol, C):
    switches = 0
    for seed in range(6):
        X, y, working = clouds(seed, n_working=100, d=10, distance=0.2)
        settings = {"kernel": "poly", "coef0": 1.0, "n_positive": 33, "tol": tol}
        model = svc(C, 2.0, first_costs="slides", **settings)
        history = model.fit(X, y, working).history_
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


def test_switch_possible_follows_from_the_slacks():
    answers = []
    for seed in range(10, 14):
        X, y, working = clouds(seed, distance=0.3, n_working=16)
        model = svc(1.0, 0.9, **EXACT).fit(X, y, working)
        signs = 2.0 * model.transduction_ - 1.0
        slacks = np.maximum(0.0, 1.0 - signs * model.working_values_)
        positive, negative = slacks[signs > 0].max(), slacks[signs < 0].max()
        possible = min(positive, negative) > 0 and positive + negative > 2
        assert model.switch_possible_ == possible
        answers.append(model.switch_possible_)
    assert any(answers) and not all(answers)


@pytest.mark.claim("ts-greedy-num-plus", "holds")
@pytest.mark.parametrize("number", [0, 1, 29, 30])
def test_any_number_of_positives(sample, number):
    X, y, working = sample
    model = svc(n_positive=number, **EXACT).fit(X, y, working)
    assert (model.transduction_ == 1).sum() == number == model.n_positive_
    if number in (0, 30):
        assert model.n_switches_ == 0 and len(model.history_) == 1
        K = gram_matrix(np.vstack([X, working]), gamma=0.5)
        signs = np.r_[2.0 * y - 1.0, np.full(30, 1.0 if number else -1.0)]
        assert model.objective_ == pytest.approx(svm(K, signs, np.ones(36))[0], rel=1e-6)


def test_number_of_positives_by_default(sample):
    X, y, working = sample
    for labels, m, number in (([0, 1, 0, 0, 1, 0], 30, 10), ([0, 1, 1, 1, 1, 0], 10, 7)):
        assert svc().fit(X, labels, working[:m]).n_positive_ == number
    # one point, and classes of the same size: rounded up
    with pytest.warns(UserWarning, match="rounds to 1"):
        assert svc().fit(X, y, working[:1]).n_positive_ == 1
    with pytest.warns(UserWarning, match="n_positive"):
        X, rare = clouds(0, 20)[0], np.arange(20) == 0
        assert not svc().fit(X, rare, working[:9]).transduction_.any()


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
    model = svc(1.0, C_star, n_positive=number, kernel=kernel, exhaustive=True, **EXACT).fit(
        X, y, working
    )
    K = gram_matrix(np.vstack([X, working]), kernel=kernel, gamma=0.5)
    count = {"any": None, None: 3}.get(number, number)
    least, labels, ahead = brute_force(K, y, 1.0, C_star, count)
    assert model.objective_ == pytest.approx(least, rel=1e-6)
    assert ahead > 1e-4
    np.testing.assert_array_equal(model.transduction_, labels)
    assert len(model.history_) == model.n_switches_ == 0
    # and fewer SVMs than labellings and their parts
    assert model.n_machines_ < 2**7


def test_without_a_number_one_class_may_take_all_points():
    # the reason for num_+: no hyperplane at all, and a slack of 2 for the other training points
    X, y, working = clouds(1, n_working=6, distance=0.3)
    settings = {"kernel": "linear", "exhaustive": True, "tol": 1e-7}
    model = svc(1.0, 0.5, n_positive="any", **settings).fit(X, y, working)
    assert model.n_positive_ in (0, 6)
    assert model.objective_ == pytest.approx(2.0 * 3, rel=1e-6)
    counted = svc(1.0, 0.5, **settings).fit(X, y, working)
    assert counted.n_positive_ == 3 and counted.objective_ > 6.0


@pytest.mark.claim("ts-try-all", "holds")
def test_greedy_objective_is_never_below_and_sometimes_above_the_best():
    misses = []
    for seed in range(10):
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
    model = svc(np.inf, np.inf, kernel="linear", exhaustive=exhaustive, tol=1e-7).fit(X, y, working)
    signs = np.r_[2 * y - 1, 2 * model.transduction_ - 1]
    points = np.vstack([X, working])
    assert np.min(signs * model.decision_function(points)) > 1 - 1e-6
    least, labels, _ = brute_force(points @ points.T, y, 10.0, 10.0, 3)
    np.testing.assert_array_equal(model.transduction_, labels)
    assert model.objective_ == pytest.approx(least, rel=1e-5)
    assert model.objective_ == pytest.approx(0.5 * model.coef_ @ model.coef_, rel=1e-5)


def test_hard_margin_restarts_after_inseparable_labels():
    # coefficients that grew for labels without a margin must not be where the next SVM starts
    for seed in range(4):
        rng = np.random.default_rng(seed)
        points = rng.standard_normal((12, 2))
        y = points[:, 0] > 0
        svm = svc(np.inf, np.inf, kernel="linear", exhaustive=True, n_positive="any")
        model = svm.fit(points[:8], y[:8], points[8:])
        best, signs = np.inf, None
        gram = points @ points.T
        joint = JointSVM(gram, np.diagonal(gram).copy(), np.where(y[:8], 1.0, -1.0), np.inf,
                             True, 1e-8)  # fmt: skip
        for labels in product((-1.0, 1.0), repeat=4):
            joint.label(np.array(labels), np.inf, np.inf)
            try:
                joint.solve()
            except NotSeparableError:
                np.testing.assert_array_equal(joint.coefficients, 0.0)
                continue
            if joint.primal() < best:
                best, signs = joint.primal(), labels
        np.testing.assert_array_equal(model.transduction_, np.array(signs) > 0)
        assert model.objective_ == pytest.approx(best, rel=1e-7)


@pytest.mark.parametrize("C", [1.0, np.inf])
def test_bound_is_the_dual_objective_or_exceeds_its_limit(C):
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
    model = svc(np.inf, np.inf, n_positive=1, **settings).fit(X, y, working)
    np.testing.assert_array_equal(model.transduction_, [0, 0, 1])


# ---- the same however it is asked ---------------------------------------------------------------


def test_order_of_the_points(sample):
    X, y, working = sample
    model = svc(n_positive=10, **EXACT).fit(X, y, working)
    rng = np.random.default_rng(0)
    order, shuffled = rng.permutation(len(y)), rng.permutation(len(working))
    moved = svc(n_positive=10, **EXACT).fit(X[order], y[order], working[shuffled])
    np.testing.assert_array_equal(moved.transduction_, model.transduction_[shuffled])
    assert moved.objective_ == pytest.approx(model.objective_, rel=1e-7)
    assert moved.n_switches_ == model.n_switches_
    # the classes' names change nothing, their order turns the signs
    named = svc(n_positive=10, **EXACT).fit(X, np.array(["a", "b"])[y], working)
    np.testing.assert_array_equal(named.transduction_, np.array(["a", "b"])[model.transduction_])
    turned = svc(n_positive=20, **EXACT).fit(X, 1 - y, working)
    np.testing.assert_array_equal(turned.transduction_, 1 - model.transduction_)
    np.testing.assert_allclose(turned.working_values_, -model.working_values_, atol=1e-5)


def in_halves(X):
    """CSR with two entries for each value that is not 0."""
    half = sparse.csr_array(X / 2)
    parts = half.data, half.indices, 2 * half.indptr
    return sparse.csr_array((*(np.repeat(part, 2) for part in parts[:2]), parts[2]), half.shape)


@pytest.mark.parametrize("kernel", ["linear", "rbf", "cosine"])
@pytest.mark.parametrize("container", [sparse.csr_array, sparse.coo_matrix, in_halves])
def test_sparse_rows_give_the_dense_solution(kernel, container):
    X, y, working = clouds(0, n_train=10, n_working=40, d=30, distance=0.2)
    X, working = X * (X > 1), working * (working > 1)
    settings = {"kernel": kernel, "tol": 1e-7, "n_positive": 15}
    dense = svc(**settings).fit(X, y, working)
    thin = svc(**settings).fit(container(X), y, container(working))
    np.testing.assert_array_equal(thin.transduction_, dense.transduction_)
    np.testing.assert_allclose(thin.working_values_, dense.working_values_, atol=1e-5)
    assert thin.objective_ == pytest.approx(dense.objective_, rel=1e-7)
    for points in (working, container(working)):
        for model in (thin, dense):
            values = model.decision_function(points)
            np.testing.assert_allclose(values, dense.working_values_, atol=1e-5)
    mixed = svc(**settings).fit(container(X), y, working)
    np.testing.assert_array_equal(mixed.transduction_, dense.transduction_)


def test_text_is_never_made_dense(monkeypatch):
    rng = np.random.default_rng(0)
    d = 60_000
    X = sparse.random(60, d, density=3e-4, format="csr", random_state=0)

    def refuse(self, *args, **kwargs):
        assert d not in self.shape, "the features were made dense"
        return sparse.coo_matrix(self).toarray(*args, **kwargs)

    for name in ("toarray", "todense"):
        for container in (sparse.csr_matrix, sparse.csc_matrix):
            monkeypatch.setattr(container, name, refuse)
    y = rng.permutation(np.arange(10) % 2)
    for tol in (1e-3, 1e-6):
        model = svc(kernel="linear", tol=tol).fit(X[:10], y, X[10:])
        assert model.coef_.shape == (d,) and model.decision_function(X).shape == (60,)


def test_precomputed(sample):
    X, y, working = sample
    joint = np.vstack([X, working])
    K = gram_matrix(joint, gamma=0.5)
    new = clouds(9)[2]
    model = svc(**EXACT).fit(X, y, working)
    given = svc(kernel="precomputed", tol=1e-7).fit(K[:6], y, K[6:])
    np.testing.assert_array_equal(given.transduction_, model.transduction_)
    np.testing.assert_allclose(
        given.decision_function(gram_matrix(new, joint, gamma=0.5)),
        model.decision_function(new),
        atol=1e-5,
    )


# ---- refusals, and limits of the arithmetic -----------------------------------------------------


REFUSED = [
    *[({"C": bad}, {}, "'C'") for bad in (0, -1.0, None, np.nan, "1")],
    *[({"C_star": bad}, {}, "'C_star'") for bad in (-1.0, None, np.nan, "1")],
    *[({"tol": bad}, {}, "'tol'") for bad in (0.0, 1e-17, -1.0, np.inf, None)],
    *[({"n_positive": bad}, {}, "n_positive") for bad in (-1, 3.0, 0.4, "all", "any", 31, True)],
    ({"exhaustive": True}, {}, "exhaustive"),
    ({"first_costs": "equal"}, {}, "'first_costs'"),
    ({"kernel": "rfb"}, {}, "'kernel'.*mean 'rbf'"),
    ({"gamma": -1.0}, {}, "'gamma'"),
    ({}, {"y": np.zeros(6)}, "two classes"),
    ({}, {"X_working": np.ones((3, 1))}, "X_working"),
    ({}, {"X_working": np.ones((0, 2))}, "X_working"),
    *[({}, {"X_working": np.full((3, 2), bad)}, "X_working") for bad in (np.nan, np.inf)],
    ({"kernel": "precomputed"}, {"X": np.eye(6), "X_working": np.eye(30)[:, :6]}, "square"),
    ({"kernel": "precomputed"}, {"X": np.eye(36)[:6], "X_working": np.tri(36)[6:]}, "symmetric"),
    ({"kernel": "sigmoid", "gamma": 2.0, "coef0": -3.0}, {}, "not positive semi-definite"),
]


@pytest.mark.parametrize("parameters, data, named", REFUSED)
def test_refusals(sample, parameters, data, named):
    given = dict(zip(("X", "y", "X_working"), sample, strict=True)) | data
    with pytest.raises(ValueError, match=named) as refused:
        svc(**parameters).fit(**given)
    assert ("semi-definite" in named) == isinstance(refused.value, NotPositiveSemidefiniteError)


def test_loop_2_ends_where_w_is_zero():
    # unbalanced labels that nothing separates: w = 0 is best, and all pairs of slacks sum to 2
    for seed in (0, 2):
        rng = np.random.default_rng(seed)
        points = rng.standard_normal((60, 1))
        y = rng.permutation(np.arange(10) % 5 == 0)
        svm = svc(kernel="linear", first_costs="slides")
        model = svm.fit(points[:10], y, points[10:])
        assert model.objective_ == pytest.approx(24.0, rel=0.1)
        after = np.flatnonzero(model.history_["switch"])
        objective = model.history_["objective"]
        assert np.all(objective[after] < objective[after - 1])


def test_keeps_the_ratio_of_costs():
    X, y, working = clouds(1, n_working=40, d=2)
    gram = gram_matrix(np.vstack([X, working]), gamma=0.5)
    signs = np.where(y == np.unique(y)[1], 1.0, -1.0)
    svm = JointSVM(gram, np.diagonal(gram).copy(), signs, 1.0, True, 1e-6)
    history = switch_labels(svm, 1.0, 8, "balanced", keep_ratio=True).history
    assert history["C_plus"][-1] == pytest.approx(4.0)
    assert history["C_minus"][-1] == 1.0
    np.testing.assert_allclose(history["C_plus"], 4.0 * history["C_minus"])


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
