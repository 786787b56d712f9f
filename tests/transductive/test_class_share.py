"""The number of positives, estimated or doubted: outputs of cross-validation, their likelihood."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from scipy.special import expit, logit
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from transductive import BayesianTransduction, TransductiveSVC, class_share
from transductive.class_share import CrossFittedOutputs, _share, _sigmoid
from transductive.kernels import gram_matrix
from transductive.margin import transductive_svc
from transductive.margin.label_switching import JointSVM


def clouds(labels, answers, seed=0, distance=3.0):
    """Points of classes 0, 1, ...: a sample with so many of each, and working points."""
    rng = np.random.default_rng(seed)
    y = np.r_[np.repeat(np.arange(len(labels)), labels), np.repeat(np.arange(len(labels)), answers)]
    X = rng.standard_normal((len(y), 3)) + distance * np.eye(3)[y]
    n = sum(labels)
    return X[:n], y[:n], X[n:], y[n:]


# ---- what the estimate is made of ---------------------------------------------------------------


def test_outputs_are_those_of_svms_without_the_point():
    X, y, working, _ = clouds([12, 14], [20, 10])
    gram, signs = gram_matrix(np.vstack([X, working]), kernel="rbf", gamma=0.3), 2.0 * y - 1.0
    diagonal, costs = np.diagonal(gram).copy(), np.ones(26)
    costs[3] = 0.0

    def make(costs):
        return JointSVM(gram, diagonal, signs, costs, True, 1e-9)

    outputs = CrossFittedOutputs(make, signs, costs)
    counted = np.flatnonzero(costs)
    np.testing.assert_array_equal(outputs.signs, signs[counted])
    fold = np.empty(26, dtype=int)
    for label in (0, 1):
        points = counted[y[counted] == label]
        fold[points] = np.arange(len(points)) % 5
    for k in range(5):
        used, out = counted[fold[counted] != k], counted[fold[counted] == k]
        other = SVC(gamma=0.3, tol=1e-9).fit(X[used], y[used])
        result = outputs.held_out[np.isin(counted, out)]
        np.testing.assert_allclose(result, other.decision_function(X[out]), atol=1e-6)
        values = other.decision_function(working)
        np.testing.assert_allclose(outputs.working[k], values, atol=1e-6)


def test_the_sigmoid_is_logistic_regression_on_softened_labels():
    rng = np.random.default_rng(0)
    positive = np.arange(40) < 15
    values = rng.standard_normal(40) + 1.5 * positive
    slope, offset = _sigmoid(values, positive)
    soft = np.where(positive, 16 / 17, 1 / 27)
    both = LogisticRegression(C=np.inf, tol=1e-10).fit(
        np.r_[values, values][:, None], np.repeat([1, 0], 40), sample_weight=np.r_[soft, 1 - soft]
    )
    assert slope == pytest.approx(both.coef_[0, 0], abs=1e-5)
    assert offset == pytest.approx(both.intercept_[0], abs=1e-5)
    # of separated outputs, too, the slope is finite
    assert 1.0 < _sigmoid(np.where(positive, 1.0, -1.0), positive)[0] < 10.0


def em(values, positive, working):
    """The iteration of Saerens, Latinne and Decaestecker with the same sigmoid."""
    slope, offset = _sigmoid(values, positive)
    share, in_sample = 0.5, positive.mean()
    for _ in range(300):
        odds = slope * working + offset + logit(share) - logit(in_sample)
        share = np.mean(expit(odds))  # expectation, then maximisation
    return share


@pytest.mark.parametrize("true", [0.02, 0.3, 0.9])
def test_from_many_labels_the_share_is_that_of_em(true):
    rng = np.random.default_rng(1)
    positive = np.arange(20_000) < 5_000
    values = rng.standard_normal(20_000) + 2.0 * positive
    working = rng.standard_normal(500) + 2.0 * (np.arange(500) < 500 * true)
    share = _share(values, positive, working[None])
    assert share == pytest.approx(em(values, positive, working), abs=0.005)
    assert share == pytest.approx(true, abs=0.04)


def test_from_few_labels_em_is_biased_and_the_share_is_not():
    errors, rng = [], np.random.default_rng(2)
    positive, truth = np.arange(40) < 20, np.arange(200) < 10
    for _ in range(40):
        values = rng.standard_normal(40) + 5.0 * positive
        working = rng.standard_normal(200) + 5.0 * truth
        errors.append([_share(values, positive, working[None]), em(values, positive, working)])
    share, by_em = np.mean(errors, axis=0) - truth.mean()
    assert abs(share) < 0.005 and abs(by_em) > 0.02


def test_shares_of_zero_and_one_and_useless_outputs():
    positive = np.arange(40) < 20
    values = np.where(positive, 1.0, -1.0)
    assert _share(values, positive, np.full((1, 9), -1.0)) == pytest.approx(0.0, abs=1e-12)
    assert _share(values, positive, np.full((1, 9), 1.0)) == pytest.approx(1.0, abs=1e-12)
    assert np.isnan(_share(-values, positive, np.ones((1, 9))))


# ---- the estimate in use ------------------------------------------------------------------------


def wrong(model, X, y, working, truth):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.mean(model.fit(X, y, working).transduction_ != truth)


def test_twenty_labels_of_each_class_where_one_working_point_in_twenty_is_positive():
    errors = []
    for seed in range(5):
        problem = clouds([20, 20], [190, 10], seed)
        with pytest.warns(
            UserWarning, match=r"share of class 1 .* sample is 0\.5, .* n_positive='estimate'"
        ):
            TransductiveSVC().fit(*problem[:3])
        estimated = TransductiveSVC(n_positive="estimate")
        errors.append(
            [
                wrong(model, *problem)
                for model in (TransductiveSVC(), estimated, TransductiveSVC(n_positive=10))
            ]
        )
        low, high = estimated.n_positive_interval_
        assert 1 <= low <= estimated.n_positive_ <= high < 100
    default, estimate, true = np.mean(errors, axis=0)
    assert default > 0.25
    assert estimate < true + 0.01 < 0.03


def test_the_interval_covers():
    covered = []
    for seed in range(12):
        X, y, working, truth = clouds([15, 25], [60, 60], seed, distance=2.0)
        model = TransductiveSVC(n_positive="estimate").fit(X, y, working)
        low, high = model.n_positive_interval_
        covered.append(low <= truth.sum() <= high)
        assert high - low < 100
    # if it covers in 9 cases of 10, fewer than 8 of 12 have a probability of 0.004
    assert sum(covered) >= 8


QUICK = {"q": 0, "tol": 0.2, "ridge": 1.0, "random_state": 0}


@pytest.mark.parametrize(
    ("model", "labels"),
    [
        *[(TransductiveSVC(), labels) for labels in ([20, 20], [12, 48], [30, 14])],
        (BayesianTransduction(**QUICK), [18, 12]),
    ],
)
def test_no_warning_where_shares_agree(model, labels):
    said, rng = 0, np.random.default_rng(0)
    for seed in range(40):
        # labels are drawn like the working points
        numbers = [rng.binomial(sum(n), labels[1] / sum(labels)) for n in (labels, [200])]
        n = sum(labels)
        problem = clouds([n - numbers[0], numbers[0]], [200 - numbers[1], numbers[1]], seed, 2.0)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model.fit(*problem[:3])
        said += len(caught)
    # at a rate of 1 in 200, more than 2 of 40 have a probability of 0.001
    assert said <= 2


def test_costs_of_classes_count_no_rows():
    X, y = make_blobs([150, 60, 20], 2, random_state=3, cluster_std=1.5)
    order = np.random.default_rng(0).permutation(230)
    train, working = order[:115], order[115:]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for costs in ("balanced", {0: 1.0, 1: 10.0}):
            TransductiveSVC(class_weight=costs).fit(X[train], y[train], X[working])


@pytest.mark.parametrize(("labels", "n"), [(15, 2), (15, 5), (200, 3)])
def test_no_warning_of_a_few_working_points_of_one_class(labels, n):
    said = 0
    for seed in range(60):
        X, y, working, _ = clouds([labels, labels], [0, n] if seed % 2 else [n, 0], seed)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            TransductiveSVC(manifold=0.0).fit(X, y, working)
        said += any("standard errors" in str(one.message) for one in caught)
    # both classes are as probable: 2 in 2^n samples are of one class, and few may be warned of
    assert said / 60 * 2.0 ** (1 - n) < 0.01


@pytest.mark.parametrize(
    "parameters",
    [
        {"random_state": 0, "n_bounces": 3000},
        QUICK,
        {**QUICK, "manifold": 1.0},
        {**QUICK, "kernel": "precomputed"},
    ],
)
@pytest.mark.parametrize("labels", [[20, 20], [20, 20, 20]])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_bayesian_transduction_doubts_shares(parameters, labels):
    agree, differ = (
        clouds(labels, [*working, *(len(labels) - 2) * [40]], distance=4.0)[:3]
        for working in ([50, 50], [95, 5])
    )
    if "kernel" in parameters:
        agree, differ = (
            (gram_matrix(X, gamma=0.2), y, gram_matrix(working, X, gamma=0.2))
            for X, y, working in (agree, differ)
        )
    model = BayesianTransduction(**parameters)
    with pytest.warns(UserWarning, match="share of class 1 in .*; probabilities suppose") as caught:
        model.fit(*differ)
    assert all(one.filename == __file__ for one in caught)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(*agree)
        if "kernel" not in parameters:
            model.fit(differ[0][11:29], differ[1][11:29], differ[2])  # nine labels of a class
            model.diagnose(*differ)


def test_only_the_default_share_is_checked(monkeypatch):
    X, y, working, _ = clouds([20, 20], [95, 5])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TransductiveSVC(n_positive=50).fit(X, y, working)
        TransductiveSVC(n_positive={0: 50}).fit(X, y, working)
        TransductiveSVC().fit(X, y)
        nine_of_a_class = X[11:29], y[11:29]
        TransductiveSVC(n_positive="sample").fit(*nine_of_a_class, working)
        monkeypatch.setattr(class_share, "CrossFittedOutputs", None)
        X, y, working, _ = clouds([20, 20], [50, 50])
        TransductiveSVC().fit(X, y, working)


@pytest.mark.parametrize("kernel", ["linear", "precomputed", "rbf"])
@pytest.mark.parametrize("many", [False, True])
def test_any_solver_and_kernel(kernel, many, monkeypatch):
    X, y, working, truth = clouds([20, 20], [85, 15])
    if many:
        monkeypatch.setattr(transductive_svc, "SWITCH_MANY_MIN_POINTS", 10)
    if kernel == "precomputed":
        joint = np.vstack([X, working])
        X, working = gram_matrix(X, joint), gram_matrix(working, joint)
    model = TransductiveSVC(kernel=kernel, n_positive="estimate").fit(X, y, working)
    assert abs(model.n_positive_ - 15) <= 5
    assert np.mean(model.transduction_ != truth) < 0.06
    if kernel == "linear":
        dense = model.n_positive_, model.n_positive_interval_
        model.fit(sparse.csr_array(X), y, sparse.csr_array(working))
        assert dense == (model.n_positive_, model.n_positive_interval_)


def test_more_than_two_classes():
    X, y, working, truth = clouds([15, 15, 15], [80, 40, 10], distance=3.5)
    model = TransductiveSVC(n_positive="estimate").fit(X, y, working)
    numbers = [one.n_positive_ for one in model.estimators_]
    np.testing.assert_allclose(numbers, [80, 40, 10], atol=6)
    assert all(one.n_positive_interval_ is not None for one in model.estimators_)
    with pytest.warns(UserWarning, match=r"share of class 2 in .* \(of class 2 against"):
        default = TransductiveSVC().fit(X, y, working)
    with pytest.warns(UserWarning, match=r"the number of class [012] among 9 .* \(of class [012]"):
        clouded = clouds([15, 15, 15], [3, 3, 3], distance=0.8)
        TransductiveSVC(n_positive="estimate").fit(*clouded[:3])
    assert np.mean(model.transduction_ != truth) < np.mean(default.transduction_ != truth)


def test_rows_of_weight_zero_do_not_count():
    X, y, working, _ = clouds([20, 20], [85, 15])
    weight = np.where(np.arange(40) % 20 < 12, 1.0, 0.0)
    kept = weight > 0
    # the graph of a deformed kernel does not count weights
    model = TransductiveSVC(n_positive="estimate", tol=1e-9, manifold=0.0)
    weighted = model.fit(X, y, working, sample_weight=weight).n_positive_interval_
    assert model.fit(X[kept], y[kept], working).n_positive_interval_ == weighted
    weight[0] = weight[1] = weight[2] = 0.0
    with pytest.raises(ValueError, match="one has 9"):
        model.fit(X, y, working, sample_weight=weight)


def test_where_nothing_can_be_estimated():
    X, y, working, _ = clouds([9, 30], [40, 10])
    model = TransductiveSVC(n_positive="estimate")
    with pytest.raises(ValueError, match=r"needs 10 labels of each class, one has 9"):
        model.fit(X, y, working)
    # without working points there is no number
    assert model.fit(X, y).n_positive_ is model.n_positive_interval_ is None
    X, y, working, _ = clouds([20, 20], [40, 10])
    assert TransductiveSVC().fit(X, y, working[:4]).n_positive_interval_ is None
    assert model.fit(X, y, working[:1]).n_positive_ == 1
    assert model.fit(X, y, working[:2]).n_positive_interval_ == (1, 1)
    rng = np.random.default_rng(3)
    for _ in range(50):
        noise = rng.standard_normal((40, 3))
        try:
            model.fit(noise, y, working)
        except ValueError as error:
            assert "do not rise with the labels" in str(error)
            return
    raise AssertionError("cross-validation on noise is as often below chance as above")


def test_warns_of_a_useless_estimate():
    # a third of the labels wrong
    X, y, working, _ = clouds([15, 15], [90, 10])
    y = np.where(np.arange(30) % 3, y, 1 - y)
    with pytest.warns(
        UserWarning, match=r"interval of the number of class 1 among 100 .* more labels"
    ):
        result = TransductiveSVC(n_positive="estimate").fit(X, y, working)
    low, high = result.n_positive_interval_
    assert high - low > 50
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        X, y, working, _ = clouds([40, 40], [90, 10])
        result = TransductiveSVC(n_positive="estimate").fit(X, y, working)
    low, high = result.n_positive_interval_
    assert high - low <= 50
