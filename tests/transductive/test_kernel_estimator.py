"""The kernel's parameters, and two classes as signs."""

import warnings
from decimal import Decimal

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from transductive import (
    BayesianTransduction,
    KernelGibbsSampler,
    TransductiveLinearDiscriminant,
    TransductiveRidge,
    TransductiveSVC,
    UniversumSVC,
)
from transductive.kernel_estimator import KernelEstimator, two_classes
from transductive.kernels import gram_matrix


class Bare(KernelEstimator):
    def __init__(self, kernel="rbf", *, gamma="scale", degree=3, coef0=1.0):
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


def test_gamma_by_name_is_the_support_vector_machines(points):
    from sklearn.svm import SVC

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


def test_precomputed_is_pairwise(points):
    assert Bare("precomputed").__sklearn_tags__().input_tags.pairwise
    assert not Bare("linear").__sklearn_tags__().input_tags.pairwise
    K = points[0] @ points[0].T
    np.testing.assert_array_equal(Bare("precomputed").fit(K)._kernel(K[:2], points[0]), K[:2])


@pytest.mark.parametrize("bad", [0.0, -1.0, float("nan"), "wide"])
def test_bad_gamma(points, bad):
    with pytest.raises(ValueError, match="The 'gamma' parameter"):
        Bare(gamma=bad).fit(points[0])


def test_two_classes():
    for y, names in (
        ([3, 1, 3], [1, 3]),
        (["b", "a", "b"], ["a", "b"]),
        (np.array([True, False, True]), [False, True]),
        (np.array(["b", "a", "b"], dtype=object), ["a", "b"]),
    ):
        classes, signs = two_classes(np.asarray(y), Bare())
        assert list(classes) == names
        np.testing.assert_array_equal(signs, [1.0, -1.0, 1.0])
        assert signs.dtype == np.float64
    with pytest.raises(ValueError, match=r"Bare needs two classes, the sample has 1 class \(1\)"):
        two_classes(np.ones(3, dtype=int), Bare())
    with pytest.raises(ValueError, match=r"Bare needs two classes, the sample has 3 classes: "):
        two_classes(np.arange(3), Bare())
    with pytest.raises(ValueError, match="label type"):
        two_classes(np.array([0.3, 1.7, 2.2]), Bare())


PLACE = "y is NaN or missing in 3 of 6 rows: leave them out of X and y"


@pytest.mark.parametrize("nothing", [None, np.nan, Decimal("NaN"), "NA", "NaT"], ids=str)
def test_rows_without_a_label_are_named_with_their_place(nothing):
    if isinstance(nothing, str):
        nothing = getattr(pytest.importorskip("pandas"), nothing)
    y = ["a", "b", "a", nothing, nothing, nothing]
    for labels in (np.array(y, dtype=object), np.array(y, dtype=object)[:, None]):
        with pytest.raises(ValueError, match=f"^{PLACE}, and give them to fit as X_working$"):
            TransductiveSVC().fit(np.arange(12.0).reshape(6, 2), labels)


@pytest.mark.parametrize("nothing", [None, np.nan, "NA"], ids=str)
def test_rows_of_a_data_frame_without_a_label_are_named_with_their_place(nothing):
    pd = pytest.importorskip("pandas")
    nothing = pd.NA if nothing == "NA" else nothing
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.standard_normal((6, 2)), columns=["length", "weight"])
    y = pd.Series(["a", "b", "a", nothing, nothing, nothing], dtype=object)
    with pytest.raises(ValueError, match=f"^{PLACE}, and give them to fit as X_working$"):
        TransductiveSVC().fit(X, y)
    with pytest.raises(ValueError, match=f"^{PLACE}$"):
        KernelGibbsSampler().fit(X, y)
    with pytest.raises(ValueError, match=f"^{PLACE}, and give them"):
        TransductiveRidge().fit(X, [1.0, 2.0, 3.0, np.nan, np.nan, np.nan])
    # what is wrong with the sample itself is not hidden
    with pytest.raises(ValueError, match=r"^Input X contains NaN"):
        TransductiveSVC().fit(X.mask(X > 0), y.fillna("b"))
    TransductiveSVC().fit(X[:3], y[:3], X[3:])


def test_semi_supervised_marks_of_scikit_learn_are_recognised():
    X, asked = np.arange(12.0).reshape(6, 2), "rows without a label(:|,) leave .* fit as X_working"
    with pytest.raises(ValueError, match=asked):
        TransductiveSVC().fit(X, np.array(["a", "b", -1] * 2, dtype=object))
    # they may be a class, too
    with pytest.warns(UserWarning, match=asked):
        assert TransductiveSVC().fit(X, [0, 1, -1] * 2).classes_.tolist() == [-1, 0, 1]


@pytest.mark.parametrize(
    ("estimator", "others"),
    [
        (BayesianTransduction(gamma=5.0), "X_working"),
        (BayesianTransduction(gamma=5.0, span="joint"), "X_working"),
        (TransductiveLinearDiscriminant(), "X_working"),
        (TransductiveRidge(), "X_working"),
        (TransductiveSVC(), "X_working"),
        (UniversumSVC(), "X_universum"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_points_beside_the_sample_go_by_their_own_name(estimator, others):
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.standard_normal((20, 2)), columns=["length", "weight"])
    y = np.arange(20) % 2
    more = X + 0.1
    for wrong, message in (
        (more[["weight", "length"]], "feature names"),
        (more[["length"]], "missing"),
        (more.mask(more > 1), "contains NaN"),
        (more.iloc[:0], "0 sample"),
    ):
        with pytest.raises(ValueError, match=f"^{others}: (.|\n)*{message}"):
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
