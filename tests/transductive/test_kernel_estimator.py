"""What all estimators share: the kernel's parameters, forms of input, and bad input."""

import warnings
from decimal import Decimal
from inspect import signature

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn import config_context
from sklearn.base import clone, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from transductive import (
    BayesianTransduction,
    BayesPointMachine,
    KernelGibbsSampler,
    MeanOfClosest,
    RidgeLOO,
    TransductiveLinearDiscriminant,
    TransductiveRidge,
    TransductiveSVC,
    UniversumSVC,
)
from transductive.kernel_estimator import KernelEstimator
from transductive.kernels import gram_matrix

beside = pytest.mark.parametrize(
    ("estimator", "others"),
    [
        (BayesianTransduction(gamma=5.0, q=0, random_state=0), "X_working"),
        (TransductiveLinearDiscriminant(), "X_working"),
        (TransductiveRidge(), "X_working"),
        (TransductiveSVC(n_positive="sample"), "X_working"),
        (UniversumSVC(), "X_universum"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)


class Bare(KernelEstimator):
    def __init__(self, kernel="rbf", *, gamma="scale", degree=3, coef0=0.0):
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0

    def fit(self, X):
        self._validate_params()
        self.gamma_ = self._resolve_gamma(X)
        return self


@pytest.fixture
def points():
    rng = np.random.default_rng(0)
    return 3.0 * rng.standard_normal((7, 4)), rng.standard_normal((5, 4))


def test_gamma_by_name_is_that_of_svc(points):
    X, _ = points
    y = [0, 1] * 3 + [0]
    for name in ("scale", "auto"):
        gamma = Bare(gamma=name).fit(X).gamma_
        by_name = SVC(gamma=name).fit(X, y).decision_function(X)
        by_value = SVC(gamma=gamma).fit(X, y).decision_function(X)
        np.testing.assert_allclose(by_name, by_value, atol=1e-12)
    assert Bare(gamma="scale").fit(np.ones((3, 4))).gamma_ == 1.0
    assert Bare(gamma=2).fit(X).gamma_ == 2.0
    assert Bare("precomputed").fit(X).gamma_ is None


@pytest.mark.parametrize("kernel", ["rbf", "poly", "sigmoid", "linear"])
def test_parameters_reach_the_kernel(points, kernel):
    X, Y = points
    settings = {"kernel": kernel, "gamma": 0.01, "degree": 2, "coef0": 0.5}
    estimator = Bare(**settings).fit(X)
    for A, B in ((X, X), (Y, X), (X, X.copy())):
        np.testing.assert_allclose(estimator._kernel(A, B), gram_matrix(A, B, **settings))
    # of a set with itself the matrix is symmetric to the last bit, its diagonal exact
    if kernel == "rbf":
        np.testing.assert_array_equal(np.diag(estimator._kernel(X, X)), 1.0)


def _as_column(y):
    return np.array(y, dtype=object)[:, None]


def _as_series(y):
    return pytest.importorskip("pandas").Series(y, dtype=object)


@pytest.mark.parametrize("nothing", [None, np.nan, "NA", "NaT"], ids=str)
@pytest.mark.parametrize("kind", [np.array, _as_column, _as_series])
@pytest.mark.parametrize("classes", [["a", "b"], [0, 1], [0.5, 1.5], [False, True]], ids=str)
def test_rejects_missing_labels(nothing, kind, classes):
    if isinstance(nothing, str):
        nothing = getattr(pytest.importorskip("pandas"), nothing)
    X = np.arange(12.0).reshape(6, 2)
    for place in (0, 2, 5):
        y = [*classes, *classes, *classes]
        y[place] = nothing
        y = kind(np.array(y, dtype=object))
        for model in (TransductiveSVC(), MeanOfClosest(), KernelGibbsSampler(q=0.05)):
            with pytest.raises(ValueError, match=r"^y is NaN or missing in 1 of 6 rows"):
                model.fit(X, y)
    with pytest.raises(ValueError, match=r"y is NaN or missing .* X_working"):
        TransductiveRidge().fit(X, [1.0, 2.0, 3.0, 4.0, 5.0, np.nan])
    with pytest.raises(ValueError, match=r"^y is NaN or missing in 1 of 6 rows"):
        TransductiveSVC().fit(X, np.array([*"ababa", Decimal("NaN")], dtype=object))


@beside
def test_messages_name_the_points_beside_the_sample(estimator, others):
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.standard_normal((20, 2)), columns=["length", "weight"])
    y = np.arange(20) % 2
    more = X + 0.1
    for wrong in (
        more[["weight", "length"]],
        more[["length"]],
        more.mask(more > 1),
        more.iloc[:0],
        more.set_axis(["length", "length"], axis=1),
        more.set_axis(["length", 1], axis=1),
    ):
        with pytest.raises((ValueError, TypeError), match=f"^{others}: "):
            estimator.fit(X, y, **{others: wrong})
    # a pipeline that hands them on as they are, beside a sample that it has scaled
    pipeline, name = make_pipeline(StandardScaler(), estimator), type(estimator).__name__.lower()
    with pytest.warns(UserWarning, match=rf"transform_input=\['{others}'\]"):
        pipeline.fit(X, y, **{f"{name}__{others}": more})
    with pytest.warns(UserWarning, match=f"^{others} has no feature names"):
        estimator.fit(X, y, **{others: more.to_numpy()})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        estimator.fit(X, y, **{others: more})
        estimator.fit(X.to_numpy(), y, **{others: more.set_axis([0, 1], axis=1)})


class Broken(Exception):
    pass


def broken(A, B):
    raise Broken


QUICK = {"n_samples": 30, "burn_in": 50, "thin": 2, "random_state": 0}
CLASSIFIERS = [
    BayesianTransduction(tol=0.5, random_state=0, q=0, gamma="scale"),
    BayesPointMachine(tol=0.5, random_state=0, q=0, gamma="scale"),
    KernelGibbsSampler(**QUICK, sampler="hit_and_run", q=0.05),
    TransductiveLinearDiscriminant(),
    TransductiveSVC(),
    UniversumSVC(),
]
each = pytest.mark.parametrize(
    "estimator", [*CLASSIFIERS, RidgeLOO(), TransductiveRidge()], ids=lambda e: type(e).__name__
)
pytestmark = pytest.mark.filterwarnings("ignore:the chains have not mixed")
strict = pytest.mark.filterwarnings("error", "ignore:the chains have not mixed")


@pytest.fixture
def sample():
    """Multiples of 1/1024, so that far shifts are exact, and targets of two values."""
    rng = np.random.default_rng(0)
    y = np.arange(16) % 2
    return np.round((rng.standard_normal((16, 3)) + 3.0 * y[:, None]) * 1024) / 1024, y


@each
@strict
@pytest.mark.parametrize("scale", [1e308, 1e200, 1e-200])
@pytest.mark.parametrize("kernel", ["rbf", "linear", "cosine", "laplacian"])
def test_rejects_features_beyond_floating_point(estimator, scale, kernel, sample):
    X, y = sample
    with np.errstate(over="ignore"):
        X = np.nan_to_num(X * scale)
    with pytest.raises(ValueError, match="scale the features"):
        clone(estimator).set_params(kernel=kernel).fit(X, y)


@each
@strict
def test_features_may_be_large_and_small_in_between(estimator, sample):
    X, y = sample
    near = clone(estimator).fit(X, y).predict(X[:5].copy())
    for scale in (2.0**300, 2.0**-300):
        np.testing.assert_allclose(clone(estimator).fit(X * scale, y).predict(X[:5] * scale), near)


@each
@strict
def test_an_rbf_kernel_ignores_the_place_of_the_origin(estimator, sample):
    X, y = sample
    near = clone(estimator).fit(X, y).predict(X[:5])
    far = clone(estimator).fit(X + 2.0**33, y).predict(X[:5] + 2.0**33)
    np.testing.assert_allclose(near, far, atol=1e-6)


@each
def test_kernel_functions_take_matrices(estimator, sample):
    X, y = sample
    named = clone(estimator).set_params(gamma=1 / 3).fit(X, y)
    called = clone(estimator).set_params(kernel=rbf_kernel).fit(X, y)
    np.testing.assert_allclose(called.predict(X[:5] + 0.1), named.predict(X[:5] + 0.1), rtol=1e-6)
    # a function of two points, no number, and what goes wrong inside
    for bad, error in (
        (lambda a, b: np.sum(a * b), ValueError),
        (lambda A, B: None, ValueError),
        (broken, Broken),
    ):
        with pytest.raises(error, match="kernel" if error is ValueError else None):
            clone(estimator).set_params(kernel=bad).fit(X, y)


@each
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_fit_that_fails_leaves_no_half_of_another(estimator, n_classes, sample):
    X, y = sample[0], np.arange(16) % n_classes
    for fitted in (clone(estimator), clone(estimator).fit(X, y)):
        kernel = fitted.kernel
        with pytest.raises(Broken):
            fitted.set_params(kernel=broken).fit(X, y)
        with pytest.raises(NotFittedError):
            fitted.set_params(kernel=kernel).predict(X)
    # a sample that is rejected at sight leaves the earlier fit as it was
    fitted = clone(estimator).fit(X, y)
    before = fitted.predict(X)
    with pytest.raises(ValueError, match="NaN"):
        fitted.fit(np.where(X > 2, np.nan, X), y)
    np.testing.assert_array_equal(fitted.predict(X), before)


@each
@pytest.mark.parametrize("n_classes", [2, 3])
def test_frames_and_names_of_classes_change_nothing(estimator, n_classes, sample):
    pd = pytest.importorskip("pandas")
    X, codes = sample[0], np.arange(16) % n_classes
    names = codes if is_regressor(estimator) else np.array(["ill", "old", "well"])[codes]
    takes_others = "X_working" in signature(estimator.fit).parameters
    plain = clone(estimator).fit(X, codes, *[X[:6]] * takes_others)
    frame = pd.DataFrame(X, columns=list("abc"))
    for labels in (pd.Series(names), pd.Series(names, dtype="category"), names.tolist()):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.filterwarnings("ignore", "the chains have not mixed")
            found = clone(estimator).fit(frame, labels, *[frame[:6]] * takes_others)
            predicted = found.predict(frame)
        assert found.feature_names_in_.tolist() == list("abc")
        pairs = [(predicted, plain.predict(X))]
        if takes_others:
            pairs.append((found.transduction_, plain.transduction_))
        for ours, theirs in pairs:
            expected = theirs if is_regressor(estimator) else found.classes_[theirs]
            np.testing.assert_array_equal(ours, expected)


@each
@pytest.mark.parametrize("n_classes", [2, 3])
def test_precomputed_values_are_the_kernel_and_are_kept(estimator, n_classes, sample):
    X, y = sample[0], np.arange(16) % n_classes
    new = X[:5] + 0.1
    exact = {"tol": 1e-10} if isinstance(estimator, (TransductiveSVC, UniversumSVC)) else {}
    named = clone(estimator).set_params(gamma=0.3, **exact).fit(X, y)
    # a default of gamma that needs features is none here
    given = clone(named).set_params(kernel="precomputed", gamma=type(estimator)().gamma)
    K = gram_matrix(X, gamma=0.3)
    kept = K.copy()
    given.fit(K, y)
    np.testing.assert_array_equal(K, kept)
    cross = gram_matrix(new, X, gamma=0.3)
    for method in {"predict", "predict_proba", "decision_function"} & set(dir(named)):
        found, expected = getattr(given, method)(cross), getattr(named, method)(new)
        # a sampler flies the same path; the others solve to their tolerance
        rounding = 0.0 if "random_state" in named.get_params() else 1e-6
        np.testing.assert_allclose(found, expected, rtol=rounding, atol=rounding / 10)


@beside
def test_pipelines_and_searches_route_the_points_beside_the_sample(estimator, others, sample):
    X, y = sample
    Z = X[:6] + 0.5
    with config_context(enable_metadata_routing=True):
        routed = clone(estimator).set_fit_request(**{others: True})
        search = GridSearchCV(routed, {"gamma": [0.1, 1.0]}, cv=KFold(4))
        search.fit(X, y, **{others: Z})
        pipeline = make_pipeline(StandardScaler(), routed, transform_input=[others])
        pipeline.fit(X, y, **{others: Z})
    best = clone(estimator).set_params(**search.best_params_).fit(X, y, **{others: Z})
    np.testing.assert_array_equal(search.predict(Z), best.predict(Z))
    scaler = StandardScaler().fit(X)
    direct = clone(estimator).fit(scaler.transform(X), y, **{others: scaler.transform(Z)})
    np.testing.assert_allclose(pipeline.predict(Z), direct.predict(scaler.transform(Z)))


@pytest.mark.parametrize("estimator", [CLASSIFIERS[0], TransductiveRidge()])
def test_rejects_sparse_working_points(estimator, sample):
    with pytest.raises(TypeError, match=r"^X_working: Sparse data"):
        clone(estimator).fit(*sample, csr_array(sample[0]))


@strict
@pytest.mark.parametrize("estimator", [RidgeLOO(), TransductiveRidge()], ids=["loo", "ridge"])
def test_regression_rejects_bad_targets(estimator, sample):
    X, y = sample
    for scale in (1e308, 1e200, 1e-200, 1e-308):
        with pytest.raises(ArithmeticError, match="scale the targets"):
            clone(estimator).fit(X, scale * (2.0 * y - 1.0))
    with pytest.raises(ValueError, match="y is NaN or missing in 8 of 16 rows"):
        clone(estimator).fit(X, np.where(y, None, 1.0))
    for kind in (list, np.array, lambda y: np.array(y, dtype=object)):
        with pytest.raises(ValueError, match=r"^y holds text, .*TransductiveLinearDiscriminant"):
            clone(estimator).fit(X, kind(["no", "yes"] * 8))


@each
def test_rejects_values_under_a_mask(estimator, sample):
    X, y = sample
    masked, third = np.ma.masked_greater(X, 3.0), np.arange(16) == 3
    fitted = clone(estimator).fit(np.ma.masked_array(X, mask=False), y)
    with pytest.raises(ValueError, match=r"^X is masked at"):
        fitted.predict(masked)
    arguments = signature(estimator.fit).parameters
    bad = {"X": masked, "y": np.ma.masked_array(y, mask=third), "X_working": masked}
    bad |= {"X_universum": masked, "sample_weight": np.ma.masked_array(np.ones(16), mask=third)}
    for name in bad.keys() & arguments.keys():
        message = rf"^{name}(: X)? is (masked at \d+ of|NaN or missing in 1 of)"
        with pytest.raises(ValueError, match=message):
            clone(estimator).fit(**{"X": X, "y": y, name: bad[name]})


@each
@pytest.mark.parametrize("n_classes", [2, 3])
def test_predict_rejects_a_kernel_that_was_changed_after_fit(estimator, n_classes, sample):
    X, y = sample[0], np.arange(16) % n_classes
    fitted = clone(estimator).fit(X, y)
    before = fitted.predict(X)
    for name, value in (("kernel", "laplacian"), ("degree", 2), ("coef0", 5.0)):
        old = fitted.get_params()[name]
        with pytest.raises(ValueError, match=f"^{name} is {value!r} now"):
            fitted.set_params(**{name: value}).predict(X)
        np.testing.assert_array_equal(fitted.set_params(**{name: old}).predict(X), before)
    fitted.set_params(kernel="laplacian").fit(X, y).predict(X)


# ---- scales of the features ----------------------------------------------------------------------


@each
@pytest.mark.parametrize("n_classes", [2, 3])
def test_warns_once_of_a_feature_that_hides_the_others(estimator, n_classes):
    pd = pytest.importorskip("pandas")
    y = np.arange(24) % n_classes
    X = np.random.default_rng(0).standard_normal((24, 3)) + 2.0 * y[:, None]
    frame = pd.DataFrame(X * [1.0, 1e3, 1.0], columns=["length", "pressure", "height"])

    def said(X):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("ignore")
            warnings.filterwarnings("always", "feature .* squared distances", UserWarning)
            clone(estimator).fit(X, y)
        return caught

    (warning,) = said(frame)
    assert str(warning.message).startswith("feature 'pressure' ") and warning.filename == __file__
    assert not said(StandardScaler().set_output(transform="pandas").fit_transform(frame))


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_does_not_warn_of_few_rows_one_feature_or_constant_features(kind):
    X = np.random.default_rng(0).standard_normal((12, 2)) * [1e3, 1.0]
    y = np.arange(12) % 2
    with pytest.warns(UserWarning, match="^feature 0 has"):
        TransductiveSVC().fit(kind(X), y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TransductiveSVC().fit(kind(X[:9]), y[:9])
        TransductiveSVC().fit(kind(X[:, :1]), y)
        # nothing is hidden by what varies alone
        TransductiveSVC().fit(kind(X * [1.0, 0.0] + [0.0, 5.0]), y)
        # nor by what is large and constant, whose squares have no digit for what differs
        small = np.random.default_rng(1).standard_normal((12, 2))
        TransductiveSVC()._compare_scales(kind(np.c_[0.1 * small, np.full(12, 1e8 + 0.1)]))
        TransductiveSVC()._compare_scales(kind(0.1 * small + [0.0, 1e8]))
        TransductiveSVC(kernel="linear")._compare_scales(kind(X))


def _of_larger(X):
    """A view of every second row and every third column."""
    larger = np.zeros((2 * X.shape[0], 3 * X.shape[1]))
    larger[::2, 1::3] = X
    return larger[::2, 1::3]


@pytest.mark.parametrize("order", [np.asfortranarray, _of_larger, lambda X: X[::-1].copy()[::-1]])
@pytest.mark.parametrize(
    "estimator",
    [
        BayesianTransduction(q=0, n_bounces=200, random_state=0),
        BayesianTransduction(n_bounces=2000, random_state=0),
        BayesPointMachine(n_bounces=2000, random_state=0),
        KernelGibbsSampler(n_bounces=2000, random_state=0),
        RidgeLOO(),
        TransductiveLinearDiscriminant(),
        TransductiveRidge(manifold="auto"),
        TransductiveSVC(),
        TransductiveSVC(kernel="linear"),
        UniversumSVC(),
        UniversumSVC(kernel="linear"),
    ],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_order_in_memory_changes_no_bit(estimator, order):
    rng = np.random.default_rng(0)
    X, others = rng.standard_normal((60, 13)) + rng.standard_normal(13), rng.random((90, 13))
    y = (X[:, 0] > np.median(X[:, 0])).astype(int)
    takes_others = not {"X_working", "X_universum"}.isdisjoint(signature(estimator.fit).parameters)

    def found(order):
        points = [order(X), order(others)]
        model = clone(estimator).fit(points[0], y, *points[1 : 1 + takes_others])
        methods = ("decision_function", "predict_proba", "predict")
        values = [getattr(model, name)(points[1]) for name in methods if hasattr(model, name)]
        names = ("transduction_", "flip_proba_", "dual_coef_", "coef_", "working_values_")
        return values + [getattr(model, name) for name in names if hasattr(model, name)]

    for one, other in zip(found(order), found(np.ascontiguousarray), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    "kind",
    [BayesianTransduction, TransductiveLinearDiscriminant, TransductiveRidge, TransductiveSVC],
)
@pytest.mark.parametrize("routing", [True, False])
def test_a_search_cuts_as_many_working_points_as_rows_and_no_others(kind, routing, monkeypatch):
    found, fit = [], kind.fit

    def counted(self, X, y, X_working=None, **others):
        found.append((len(X), len(X_working)))
        return fit(self, X, y, X_working, **others)

    monkeypatch.setattr(kind, "fit", counted)
    X, working = np.random.default_rng(0).standard_normal((2, 30, 2))
    y = (X[:, 0] > 0).astype(int)
    quick = {"q": 0, "tol": 1.0} if kind is BayesianTransduction else {}
    with config_context(enable_metadata_routing=routing):
        model = kind(**quick)
        if routing:
            model.set_fit_request(X_working=True)
        for given, sizes in ((working, {20, 30}), (working[1:], {29})):
            found.clear()
            search = GridSearchCV(model, {"gamma": [0.3, 1.0]}, cv=KFold(3))
            search.fit(X, y, X_working=given)
            assert {m for _, m in found} == sizes and len(found) == 7
