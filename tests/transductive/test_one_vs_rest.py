"""More than two classes: each against the rest, as scikit-learn's OneVsRestClassifier has it."""

import pickle
import warnings

import joblib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.stats import entropy
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, StratifiedKFold, train_test_split
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import LabelBinarizer, scale

from transductive import (
    BayesianTransduction,
    BayesPointMachine,
    KernelGibbsSampler,
    MeanOfPairs,
    OtherClasses,
    TransductiveLinearDiscriminant,
    TransductiveSVC,
    UniformNoise,
    UniversumSVC,
)
from transductive.blas_threads import one_blas_thread
from transductive.kernels import gram_matrix
from transductive.one_vs_rest import has_several_classes
from transductive.version_space import Diagnosis, EmptyVersionSpaceError

QUICK = {"n_samples": 50, "n_chains": 2, "burn_in": 100, "thin": 2, "random_state": 0}
# the chains are too short for their diagnostics, which is not what is tested here
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

EXACT = [TransductiveLinearDiscriminant(), TransductiveSVC(), UniversumSVC()]
SAMPLED = [
    BayesianTransduction(n_bounces=200, ridge=0.1, random_state=0, q=0, gamma="scale"),
    BayesPointMachine(n_bounces=200, ridge=0.1, random_state=0, q=0, gamma="scale"),
    KernelGibbsSampler(**QUICK, gamma="scale", sampler="hit_and_run", q=0.05),
]
TRANSDUCTIVE = [SAMPLED[0], *EXACT[:2]]


def name(estimator):
    return type(estimator).__name__ + getattr(estimator, "sampler", "").replace("billiard", "")


each = pytest.mark.parametrize("estimator", [*SAMPLED, *EXACT], ids=name)
each_exact = pytest.mark.parametrize("estimator", EXACT, ids=name)
each_transductive = pytest.mark.parametrize("estimator", TRANSDUCTIVE, ids=name)


def split(load, n_train=45, n_later=60):
    """Training points, their classes, later points, theirs."""
    X, y = load(return_X_y=True)
    return [
        part[:n_later] if later else part
        for part, later in zip(
            train_test_split(scale(X), y, train_size=n_train, stratify=y, random_state=0),
            (False, True) * 2,
            strict=True,
        )
    ]


@pytest.fixture(scope="module")
def iris():
    """Classes of different sizes."""
    X, later, y, truth = split(load_iris)
    return X[:40], y[:40], later, truth


@pytest.fixture(scope="module", autouse=True)
def few_followed():
    """The diagnostics of the chains take most of the time of such short ones."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("transductive.version_space.kernel_gibbs_sampler.N_FOLLOWED", 2)
        yield


def against_rest(estimator, X, y, **others):
    """scikit-learn's OneVsRestClassifier around binary fits with the seeds of each class."""
    many = OneVsRestClassifier(estimator)
    many.label_binarizer_ = LabelBinarizer().fit(y)
    many.classes_ = np.unique(y)
    parts = [clone(estimator) for _ in np.unique(y)]
    if "random_state" in estimator.get_params():
        seeds = np.random.SeedSequence(estimator.random_state).spawn(len(parts))
        parts = [part.set_params(random_state=seed) for part, seed in zip(parts, seeds)]  # noqa: B905
    with one_blas_thread():
        many.estimators_ = [
            part.fit(X, (y == label).astype(int), **others)
            for part, label in zip(parts, np.unique(y), strict=True)
        ]
    return many


# ---- the same as scikit-learn's ------------------------------------------------------------------


@pytest.mark.parametrize("load", [load_iris, load_wine, load_digits], ids=lambda f: f.__name__[5:])
@each_exact
def test_same_predictions_as_one_vs_rest_classifier(estimator, load):
    X, later, y, truth = split(load, 200 if load is load_digits else 45)
    ours = clone(estimator).fit(X, y)
    theirs = OneVsRestClassifier(clone(estimator)).fit(X, y)
    values = ours.decision_function(later)
    assert values.shape == (len(later), len(np.unique(y)))
    np.testing.assert_array_equal(values, theirs.decision_function(later))
    np.testing.assert_array_equal(ours.predict(later), theirs.predict(later))
    assert ours.score(later, truth) > 0.8


@pytest.mark.parametrize("load", [load_iris, load_wine], ids=lambda f: f.__name__[5:])
@each
def test_the_binary_estimators_are_those_of_each_class_against_the_rest(estimator, load):
    X, later, y, truth = split(load)
    ours, theirs = clone(estimator).fit(X, y), against_rest(estimator, X, y)
    assert len(ours.estimators_) == 3
    method = "predict_proba" if hasattr(ours, "predict_proba") else "decision_function"
    scores = getattr(ours, method)(later)
    for part, other in zip(ours.estimators_, theirs.estimators_, strict=True):
        expected = getattr(other, method)(later)
        np.testing.assert_allclose(getattr(part, method)(later), expected, rtol=1e-12)
    if method == "predict_proba":
        np.testing.assert_allclose(scores.sum(axis=1), 1.0)
    else:
        np.testing.assert_allclose(scores, theirs.decision_function(later), rtol=1e-12)
        np.testing.assert_array_equal(ours.predict(later), theirs.predict(later))
    np.testing.assert_array_equal(ours.predict(later), ours.classes_[scores.argmax(axis=1)])
    assert ours.score(later, truth) > 0.8


@each_transductive
def test_working_points_are_shared_by_all_classes(estimator, iris):
    X, y, working, truth = iris
    ours = clone(estimator).fit(X, y, working)
    theirs = against_rest(estimator, X, y, X_working=working)
    if isinstance(estimator, BayesianTransduction):
        p = np.array([part.transduction_proba_[:, 1] for part in theirs.estimators_]).T
        np.testing.assert_allclose(ours.transduction_proba_, p / p.sum(axis=1, keepdims=True))
        np.testing.assert_allclose(ours.transduction_proba_, ours.predict_proba(working))
        errors = [part.transduction_error_ for part in theirs.estimators_]
        np.testing.assert_array_equal(ours.transduction_error_, np.transpose(errors))
        scores = ours.transduction_proba_
    elif isinstance(estimator, TransductiveSVC):
        scores = ours.working_values_
        np.testing.assert_allclose(scores, ours.decision_function(working), atol=1e-6)
    else:
        scores = np.transpose([part.ridge_.transduction_ for part in theirs.estimators_])
    np.testing.assert_array_equal(ours.transduction_, scores.argmax(axis=1))
    np.testing.assert_array_equal(ours.predict(working), theirs.predict(working))
    assert np.mean(ours.transduction_ == truth) > 0.8


# ---- labels --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "names",
    [["setosa", "versicolor", "virginica"], [5, 6, 9], [-3.0, 0.0, 7.0], ["b", "a", "c"]],
    ids=lambda names: type(names[0]).__name__ + str(names[0]),
)
@each
def test_labels_of_any_type(estimator, names, iris):
    X, y, later, _ = iris
    coded = np.array(names)[y]
    for labels in (coded, coded.astype(object)) if isinstance(names[0], str) else (coded,):
        found = clone(estimator).fit(X, labels)
        assert found.classes_.tolist() == sorted(names)
        predicted = found.predict(later)
        assert predicted.dtype == found.classes_.dtype
        expected = clone(estimator).fit(X, np.searchsorted(sorted(names), coded)).predict(later)
        np.testing.assert_array_equal(predicted, found.classes_[expected])


@each_exact
@settings(max_examples=5)
@given(order=st.permutations(range(4)), seed=st.integers(0, 5))
def test_classes_may_change_their_names(estimator, order, seed):
    """Other names in another order: the same classes, the same values in other columns."""
    rng = np.random.default_rng(seed)
    y = np.arange(28) % 4
    X = rng.standard_normal((28, 3)) + np.array([[2, 0, 0], [0, 2, 0], [0, 0, 2], [-1, -1, -1]])[y]
    later = rng.standard_normal((20, 3))
    order = np.array(order)
    others = {"X_working": later} if not isinstance(estimator, UniversumSVC) else {}
    plain = clone(estimator).fit(X, y, **others)
    renamed = clone(estimator).fit(X, order[y], **others)
    np.testing.assert_array_equal(
        renamed.decision_function(later)[:, order], plain.decision_function(later)
    )
    np.testing.assert_array_equal(renamed.predict(later), order[plain.predict(later)])
    if others:
        np.testing.assert_array_equal(renamed.transduction_, order[plain.transduction_])


@each
def test_a_class_with_one_point(estimator, iris):
    X, y, later, _ = iris
    few = np.r_[np.flatnonzero(y == 0)[:1], np.flatnonzero(y > 0)]
    others = {}
    if "X_working" in estimator.get_metadata_routing().fit.requests:
        others = {"X_working": later}
    found = clone(estimator).fit(X[few], y[few], **others)
    assert set(found.predict(later)) <= {0, 1, 2} and found.predict(later).shape == (60,)
    assert np.mean(found.predict(X[few][1:]) == y[few][1:]) > 0.8


@pytest.mark.parametrize(
    ("y", "several"),
    [
        ([0, 1, 2], True),
        (["a", "b", "c"], True),
        (np.array([["a"], ["b"], ["c"]]), True),
        ([0.0, 1.0, 2.0], True),
        ([0, 1, 1], False),
        ([0.5, 1.5, 2.5], False),
        ([0.0, 1.0, 2.0, np.nan], False),
        (np.array(["a", "b", "c", None], dtype=object), False),
        (np.array([["a", "b", "c"]]), False),
        (None, False),
        ([[0], [1, 2]], False),
    ],
)
def test_what_has_several_classes(y, several):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert has_several_classes(y) == several


# ---- what is fitted ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "estimator", [e for e in [*SAMPLED, *EXACT] if "n_jobs" in e.get_params()], ids=name
)
def test_any_number_of_jobs_gives_the_same(estimator, iris):
    X, y, later, _ = iris
    one, *more = (clone(estimator).set_params(n_jobs=n).fit(X, y) for n in (1, 2, 7))
    scores = "predict_proba" if hasattr(one, "predict_proba") else "decision_function"
    for other in more:
        np.testing.assert_array_equal(getattr(other, scores)(later), getattr(one, scores)(later))


def test_classes_are_threads_whatever_joblibs_context_is(iris):
    # a function that no other process could be sent
    model = TransductiveLinearDiscriminant(kernel=lambda A, B: A @ B.T + 1.0, n_jobs=2)
    X, y, later, _ = iris
    alone = clone(model).fit(X, y).decision_function(later)
    with joblib.parallel_config(backend="multiprocessing", n_jobs=2):
        np.testing.assert_array_equal(clone(model).fit(X, y).decision_function(later), alone)


@each
def test_nothing_stays_from_a_fit_to_another_number_of_classes(estimator, iris):
    X, y, later, _ = iris
    working = "X_working" in estimator.get_metadata_routing().fit.requests
    fresh, used = clone(estimator), clone(estimator)
    used.fit(X, y, **({"X_working": later} if working else {}))
    for labels in (y > 0, y, y == 1):
        fresh = clone(estimator).fit(X, labels)
        used.fit(X, labels)
        assert {k for k in vars(used) if k.endswith("_")} == {
            k for k in vars(fresh) if k.endswith("_")
        }
        np.testing.assert_array_equal(used.predict(later), fresh.predict(later))
    assert getattr(used, "transduction_", None) is None
    assert used.estimators_ == [used] and "estimators_" not in vars(used)
    with pytest.raises(NotFittedError, match="no estimators_: it is not fitted"):
        clone(estimator).estimators_  # noqa: B018


@each
def test_copies_and_pickles(estimator, iris):
    X, y, later, _ = iris
    found = clone(estimator).fit(X, y)
    again = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(again.predict(later), found.predict(later))
    assert not hasattr(clone(found), "classes_")


def test_attributes_of_all_classes_and_of_each(iris):
    X, y, _, _ = iris
    linear = UniversumSVC(kernel="linear").fit(X, y, X[:5] / 2)
    assert linear.coef_.shape == (3, 4) and linear.intercept_.shape == linear.n_iter_.shape == (3,)
    assert linear.dual_coef_.shape == (3, 45) and linear.universum_values_.shape == (5, 3)
    np.testing.assert_allclose(X @ linear.coef_.T + linear.intercept_, linear.decision_function(X))
    values = linear.decision_function(X[:5] / 2)
    np.testing.assert_allclose(linear.universum_values_, values, atol=1e-5)
    assert linear.gamma_ == linear.estimators_[0].gamma_
    with pytest.raises(AttributeError, match=r"3 classes.* own objective_: see estimators_\[0\]"):
        linear.objective_  # noqa: B018
    with pytest.raises(AttributeError, match="has no attribute 'nothing_'"):
        linear.nothing_  # noqa: B018
    chains = KernelGibbsSampler(**QUICK, gamma="scale", sampler="hit_and_run", q=0.05).fit(X, y)
    for attribute in ("mixing_", "r_hat_", "diagnose", "evidence"):
        assert not hasattr(chains, attribute)
        assert all(hasattr(part, attribute) for part in chains.estimators_)
    with pytest.raises(AttributeError, match=r"see estimators_\[0\].diagnose"):
        chains.diagnose(X)
    balls = BayesianTransduction(n_bounces=50, ridge=0.1, q=0, gamma="scale").fit(X, y)
    with pytest.raises(AttributeError, match=r"see estimators_\[0\].flight_times"):
        balls.flight_times(X)


def test_an_error_says_in_which_class(iris):
    X, y, _, _ = iris
    twice, labels = np.vstack([X, X[y == 1][:1]]), np.array(["x", "y", "z"])[np.r_[y, 2]]
    with pytest.raises(EmptyVersionSpaceError) as caught:
        BayesianTransduction(q=0, gamma="scale").fit(twice, labels)
    assert caught.value.__notes__ == ["Of class y against the rest."]


# ---- each estimator's own ------------------------------------------------------------------------


def test_confidence_and_diagnosis_of_bayesian_transduction(iris):
    X, y, later, _ = iris
    found = BayesianTransduction(n_bounces=200, ridge=0.1, random_state=0, q=0, gamma="scale").fit(
        X, y
    )
    p = found.predict_proba(later)
    np.testing.assert_allclose(found.confidence(later), 1.5 * p.max(axis=1) - 0.5)
    diagnoses = found.diagnose(X[:30], y[:30])
    assert len(diagnoses) == 3 and all(isinstance(d, Diagnosis) for d in diagnoses)
    # so far out that no kernel value is left, no class has a share of its own
    far = found.predict_proba(np.full((1, 4), 1e3))
    np.testing.assert_allclose(far, 1 / 3)
    tol = BayesianTransduction(
        tol=0.1, n_starts=4, refresh=3.0, ridge=0.1, random_state=0, q=0, gamma="scale"
    )
    assert tol.fit(X, y, later).transduction_error_.max() <= 0.1


@pytest.mark.parametrize("how", [{}, {"span": "joint"}, {"manifold": 1.0}], ids=str)
def test_with_label_noise_draws_of_all_classes_vote(how, iris):
    X, y, later, truth = iris
    model = BayesianTransduction(tol=0.2, max_bounces=2000, random_state=0, gamma=0.2, **how)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = model.fit(X, y, later)
    p = found.transduction_proba_
    np.testing.assert_allclose(p, found.predict_proba(later), atol=1e-12)
    np.testing.assert_array_equal(found.transduction_, found.classes_[p.argmax(axis=1)])
    assert np.mean(found.transduction_ == truth) > 0.85
    outputs = []
    for part in found.estimators_:
        posterior = part.posterior_
        coordinates = posterior._coordinates_of(part._rows(later))
        outputs.append(posterior.samples_.outputs(coordinates).reshape(-1, len(later)))
    # all draws of each class against all of the others, of which the votes are a random part
    below = [
        [[np.searchsorted(np.sort(b), a) / len(b) for a, b in zip(one.T, other.T, strict=True)]
         for other in outputs if other is not one]
        for one in outputs
    ]  # fmt: skip
    exact = np.array([np.prod(shares, axis=0).mean(axis=1) for shares in below]).T
    np.testing.assert_allclose(exact.sum(axis=1), 1.0)
    n, unlikely = min(map(len, outputs)), np.log(2 * p.size / 1e-4)
    # Bernstein's bound, false alarm 1e-4 in all
    spread = np.sqrt(2 * exact * (1.0 - exact) * unlikely / n)
    assert np.all(np.abs(p - exact) <= spread + unlikely / n)
    if not how:
        # where no kernel value is left, no class has a share of its own
        np.testing.assert_allclose(found.predict_proba(np.full((1, 4), 1e3)), 1 / 3)


def test_entropy_and_agreement_of_the_gibbs_sampler(iris):
    X, y, later, _ = iris
    found = KernelGibbsSampler(**QUICK, gamma="scale", sampler="hit_and_run", q=0.05).fit(X, y)
    p = found.predict_proba(later)
    np.testing.assert_allclose(found.entropy(later), entropy(p, base=2, axis=1), atol=1e-12)
    point = found.bayes_point(later)
    assert point.shape == (60, 3)
    assert found.agreement(later) == np.mean(found.predict(later) == point.argmax(axis=1)) > 0.8
    np.testing.assert_allclose(found.decision_function(later), 2 * p - 1)


def test_numbers_of_working_points_of_each_class(iris):
    X, y, working, truth = iris
    names = np.array(["x", "y", "z"])
    numbers = [25, 20, 15]

    def counts(n_positive, labels=names[y]):
        found = TransductiveSVC(n_positive=n_positive).fit(X, labels, working)
        return [part.n_positive_ for part in found.estimators_]

    shares = np.floor(60 * np.bincount(y) / 40 + 0.5).astype(int).tolist()
    assert counts(None) == shares
    assert counts(dict(zip(names, numbers, strict=True))) == numbers
    assert counts({"z": 15}) == [*shares[:2], 15]
    assert counts({6: 20, 5: 25, 7: 15}, y + 5) == numbers
    true = dict(enumerate(np.bincount(truth, minlength=3)))
    known = TransductiveSVC(n_positive=true).fit(X, y, working)
    assert known.score(working, truth) > 0.9
    # by name it may be given for two classes, too
    two = names[np.minimum(y, 1)]
    assert counts(45, two) == counts({"y": 45}, two) == counts({"x": 15}, two) == [45]
    assert counts({"x": 15, "y": 45}, two) == [45]
    best = TransductiveSVC(n_positive="any", exhaustive=True).fit(X, y, working[:6])
    assert best.transduction_.shape == (6,)
    alone = TransductiveSVC(n_positive=true).fit(X, y)
    assert alone.transduction_ is None and alone.working_values_ is None


def test_numbers_by_the_counts_of_a_series(iris):
    pd = pytest.importorskip("pandas")
    X, y, working, _ = iris
    labels = pd.Series(y).map({0: "x", 1: "y", 2: "z"})
    given = dict(pd.Series({"z": 15, "x": 25, "y": 20}))
    found = TransductiveSVC(n_positive=given).fit(X, labels, working)
    assert [part.n_positive_ for part in found.estimators_] == [25, 20, 15]


@pytest.mark.parametrize(
    ("n_positive", "message"),
    [
        (20, "n_positive=20 is for two classes, there are 3"),
        ([20, 20, 20], "The 'n_positive' parameter"),
        ({3: 20}, r"names \[3\], the classes are \[0, 1, 2\]"),
        ({0: 20.0}, "integers, not negative, got 20.0"),
        ({0: True}, "integers, not negative, got True"),
        ({0: -1, 1: 30}, "integers, not negative, got -1"),
        ({0: 61}, "at most 60, the number of working points, got 61"),
        ("some", "The 'n_positive' parameter"),
        ("any", "needs exhaustive=True"),
    ],
)
def test_bad_numbers(n_positive, message, iris):
    X, y, working, _ = iris
    with pytest.raises(ValueError, match=message):
        TransductiveSVC(n_positive=n_positive).fit(X, y, working)


def test_no_number_of_any_class_is_the_default(iris):
    X, y, working, _ = iris
    for labels in (y, y == 1):
        found, default = (TransductiveSVC(n_positive=n).fit(X, labels, working) for n in ({}, None))
        np.testing.assert_array_equal(found.transduction_, default.transduction_)


def test_numbers_that_contradict_each_other_or_leave_none(iris):
    X, y, working, _ = iris
    with pytest.raises(ValueError, match=r"\[20, 20\] must sum to 60"):
        TransductiveSVC(n_positive={False: 20, True: 20}).fit(X, y > 0, working)
    rare = np.r_[np.flatnonzero(y == 0)[:1], np.flatnonzero(y > 0)]
    with pytest.warns(UserWarning, match=r"share of class 0 in the sample, rounds to 0") as caught:
        TransductiveSVC().fit(X[rare], y[rare], working[:10])
    assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_universum(kernel, iris):
    X, y, later, _ = iris
    model = UniversumSVC(kernel=kernel, C_universum=0.5)
    given = clone(model).fit(X, y, later[:9])
    theirs = against_rest(model, X, y, X_universum=later[:9])
    np.testing.assert_array_equal(given.decision_function(X), theirs.decision_function(X))
    # made once, of all the classes' points; or for each class, if the maker needs two
    noise = UniformNoise(15, random_state=0)
    made = clone(model).set_params(universum=noise).fit(X, y)
    by_hand = clone(model).fit(X, y, clone(noise).fit_transform(X))
    np.testing.assert_array_equal(made.decision_function(later), by_hand.decision_function(later))
    assert made.universum_.n_points == 15 and made.universum_values_.shape == (15, 3)
    means = clone(model).set_params(universum=MeanOfPairs(15, random_state=0)).fit(X, y)
    theirs = against_rest(clone(model).set_params(universum=MeanOfPairs(15, random_state=0)), X, y)
    np.testing.assert_array_equal(means.decision_function(X), theirs.decision_function(X))
    assert means.universum_ is None and means.estimators_[0].universum_ is not None
    rest = clone(model).set_params(universum=OtherClasses([0, 1])).fit(X, y)
    assert rest.universum_.points_.shape[0] == (y == 2).sum()


# ---- in use --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize("estimator", [TransductiveSVC(), UniversumSVC()], ids=name)
def test_sparse_rows(estimator, kernel):
    X, later, y, _ = split(load_digits)
    X, later = np.where(X > 0.5, X, 0.0), np.where(later > 0.5, later, 0.0)
    settings = {"kernel": kernel, "tol": 1e-6}
    dense = clone(estimator).set_params(**settings).fit(X, y, later)
    loose = (
        clone(estimator)
        .set_params(**settings)
        .fit(sparse.csr_matrix(X), y, sparse.csr_array(later))
    )
    values = loose.decision_function(sparse.csr_matrix(later))
    np.testing.assert_allclose(values, dense.decision_function(later), atol=1e-4)
    assert values.shape == (60, 10)


@each
def test_precomputed_kernel(estimator, iris):
    X, y, later, _ = iris
    direct = clone(estimator).set_params(gamma=0.2).fit(X, y)
    # a default of gamma that needs features is none here
    default = type(estimator)().gamma
    given = clone(estimator).set_params(kernel="precomputed", gamma=default)
    given.fit(gram_matrix(X, gamma=0.2), y)
    cross = gram_matrix(later, X, gamma=0.2)
    assert np.mean(given.predict(cross) == direct.predict(later)) > 0.95
    assert given.__sklearn_tags__().input_tags.pairwise


@each_transductive
def test_data_frames_and_grid_search(estimator, iris):
    pd = pytest.importorskip("pandas")
    X, y, working, truth = iris
    names = np.array(["setosa", "versicolor", "virginica"])
    columns = list("abcd")
    frame, others = (pd.DataFrame(part, columns=columns) for part in (X, working))
    plain = clone(estimator).fit(X, y, working)
    for labels in (pd.Series(names[y]), pd.Series(names[y], dtype="category"), names[y].tolist()):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = clone(estimator).fit(frame, labels, others)
            predicted = found.predict(others)
        assert list(found.feature_names_in_) == columns
        np.testing.assert_array_equal(found.transduction_, names[plain.transduction_])
        np.testing.assert_array_equal(predicted, names[plain.predict(working)])
    with pytest.warns(UserWarning, match="^X_working has no feature names") as caught:
        clone(estimator).fit(frame, y, working)
    assert caught[0].filename == __file__
    with pytest.raises(ValueError, match=r"^X_working: "):
        clone(estimator).fit(frame, y, others[["a", "b"]])
    with config_context(enable_metadata_routing=True):
        routed = clone(estimator).set_fit_request(X_working=True)
        search = GridSearchCV(routed, {"gamma": [0.01, 0.3]}, cv=StratifiedKFold(2))
        search.fit(X, y, X_working=working)
    assert search.best_score_ > 0.8
    assert search.best_estimator_.transduction_.shape == truth.shape
