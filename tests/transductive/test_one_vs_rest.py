"""More than two classes: each against the rest, as scikit-learn's OneVsRestClassifier has it."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import train_test_split
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
from transductive.version_space import Diagnosis, EmptyVersionSpaceError

QUICK = {"n_samples": 50, "n_chains": 2, "burn_in": 100, "thin": 2, "random_state": 0}
# the chains are too short for their diagnostics, which is not what is tested here
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

EXACT = [TransductiveLinearDiscriminant(), TransductiveSVC(manifold=10.0), UniversumSVC()]
SAMPLED = [
    BayesianTransduction(tol=0.5, ridge=0.1, random_state=0, q=0, gamma="scale"),
    BayesPointMachine(**QUICK, gamma="scale", sampler="hit_and_run", q=0.05),
    KernelGibbsSampler(**QUICK, gamma="scale", sampler="hit_and_run", q=0.05),
]
TRANSDUCTIVE = [SAMPLED[0], *EXACT[:2]]


def name(estimator):
    return type(estimator).__name__ + getattr(estimator, "sampler", "").replace("billiard", "")


each = pytest.mark.parametrize("estimator", [*SAMPLED, *EXACT], ids=name)
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
        patch.setattr("transductive.version_space.posterior_sampler.N_FOLLOWED", 2)
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


# ---- what is fitted ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "estimator", [e for e in [*SAMPLED, *EXACT] if "n_jobs" in e.get_params()], ids=name
)
def test_any_number_of_jobs_gives_the_same(estimator, iris):
    X, y, later, _ = iris
    scores = "predict_proba" if hasattr(estimator, "predict_proba") else "decision_function"
    for labels in (y, y == 1):
        one, *more = (
            getattr(clone(estimator).set_params(n_jobs=n).fit(X, labels), scores)(later)
            for n in (1, 2, 7, -1)
        )
        for other in more:
            np.testing.assert_array_equal(other, one)


@each
def test_a_fit_to_another_number_of_classes_leaves_nothing(estimator, iris):
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
    for attribute in ("mixing_", "r_hat_"):
        assert not hasattr(chains, attribute)
        assert all(hasattr(part, attribute) for part in chains.estimators_)
    balls = BayesianTransduction(tol=0.5, ridge=0.1, q=0, gamma="scale").fit(X, y)
    with pytest.raises(AttributeError, match=r"see estimators_\[0\].trajectory_"):
        balls.trajectory_  # noqa: B018


def test_an_error_names_its_class(iris):
    X, y, _, _ = iris
    twice, labels = np.vstack([X, X[y == 1][:1]]), np.array(["x", "y", "z"])[np.r_[y, 2]]
    with pytest.raises(EmptyVersionSpaceError) as caught:
        BayesianTransduction(q=0, gamma="scale").fit(twice, labels)
    assert caught.value.__notes__ == ["Of class y against the rest."]


# ---- each estimator's own ------------------------------------------------------------------------


def test_confidence_and_diagnosis_of_bayesian_transduction(iris):
    X, y, later, _ = iris
    result = BayesianTransduction(tol=0.1, ridge=0.1, random_state=0, q=0, gamma="scale").fit(X, y)
    p = result.predict_proba(later)
    np.testing.assert_allclose(result.confidence(later), 1.5 * p.max(axis=1) - 0.5)
    diagnoses = result.diagnose(X[:30], y[:30])
    assert len(diagnoses) == 3 and all(isinstance(d, Diagnosis) for d in diagnoses)
    # so far out that no kernel value is left, no class has a share of its own
    far = result.predict_proba(np.full((1, 4), 1e3))
    np.testing.assert_allclose(far, 1 / 3)
    assert result.fit(X, y, later).transduction_error_.max() <= 0.1


@pytest.mark.parametrize("how", [{}, {"manifold": 1.0}], ids=str)
def test_with_label_noise_draws_of_all_classes_vote(how, iris):
    X, y, later, truth = iris
    model = BayesianTransduction(tol=0.2, n_bounces=2000, random_state=0, gamma=0.2, **how)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        result = model.fit(X, y, later)
    p = result.transduction_proba_
    np.testing.assert_allclose(p, result.predict_proba(later), atol=1e-12)
    np.testing.assert_array_equal(result.transduction_, result.classes_[p.argmax(axis=1)])
    assert np.mean(result.transduction_ == truth) > 0.85
    outputs = []
    for part in result.estimators_:
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
        np.testing.assert_allclose(result.predict_proba(np.full((1, 4), 1e3)), 1 / 3)


def test_numbers_of_working_points_of_each_class(iris):
    X, y, working, truth = iris
    names = np.array(["x", "y", "z"])
    numbers = [25, 20, 15]

    def counts(n_positive, labels=names[y]):
        result = TransductiveSVC(n_positive=n_positive).fit(X, labels, working)
        return [part.n_positive_ for part in result.estimators_]

    shares = np.floor(60 * np.bincount(y) / 40 + 0.5).astype(int).tolist()
    assert counts("sample") == shares
    assert counts(dict(zip(names, numbers, strict=True))) == numbers
    assert counts({"z": 15}) == [*counts(None)[:2], 15]
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


@pytest.mark.parametrize(
    ("n_positive", "classes"),
    [
        *(
            (bad, 3)
            for bad in (20, [20, 20, 20], {3: 20}, {0: 20.0}, {0: True}, {0: -1, 1: 30}, {0: 61})
        ),
        ("some", 3),
        ("any", 3),
        ({0: 20, 1: 20}, 2),
    ],
)
def test_rejects_bad_numbers(n_positive, classes, iris):
    X, y, working, _ = iris
    with pytest.raises(ValueError, match="n_positive"):
        TransductiveSVC(n_positive=n_positive).fit(X, np.minimum(y, classes - 1), working)


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
