"""Marks of rows without a label: warned of once, taken literally, and split off by name."""

import warnings

import numpy as np
import pytest
from scipy import sparse

from transductive import (
    BayesianTransduction,
    BayesPointMachine,
    KernelGibbsSampler,
    MeanOfPairs,
    RidgeLOO,
    TransductiveLinearDiscriminant,
    TransductiveRidge,
    TransductiveSVC,
    UniversumSVC,
    split_unlabelled,
)

CLASSIFIERS = [
    BayesPointMachine(q=0, n_bounces=100, random_state=0),
    BayesianTransduction(q=0, n_bounces=100, random_state=0),
    KernelGibbsSampler(sampler="hit_and_run", q=0.1, n_samples=10, burn_in=10, random_state=0),
    TransductiveLinearDiscriminant(),
    TransductiveSVC(),
    UniversumSVC(universum=MeanOfPairs(5, random_state=0)),
]
LOOK_LIKE_MARKS = [
    (["a", "nan"], "'nan' is"),
    (["a", "b", "None"], "'None' is"),
    (["", "a", "b"], "'' is"),
    (["?", "a"], "'?' is"),
    (["a", "b", "unknown"], "'unknown' is"),
    (["-1", "yes"], "'-1' is"),
    (["-1", "0", "2"], "'-1' is"),
    ([-1, 0, 1], "-1 and 0 are"),
    ([-1.0, 0.0, 1.0], "-1.0 and 0.0 are"),
    ([-1, 1, 2], "-1 is"),
    ([-1, 0, 1, 2], "-1 is"),
]
CLASSES = [
    ["a", "b"],
    ["-1", "1"],
    ["-1", "+1"],
    ["0", "1", "2"],
    ["na", "none"],
    [-1, 1],
    [-1.0, 1.0],
    [-1, 0],
    [0, 1, 2],
    [-2, -1, 0, 1, 2],
    [False, True],
]


def rows(labels):
    """Separable classes of twelve points, and their labels."""
    labels = np.repeat(labels, 4)
    X = np.random.default_rng(0).standard_normal((len(labels), 5))
    return X, labels


@pytest.mark.parametrize("estimator", CLASSIFIERS, ids=lambda e: type(e).__name__)
@pytest.mark.parametrize(("labels", "marks"), LOOK_LIKE_MARKS, ids=str)
def test_warns_once_of_what_looks_like_a_mark_and_takes_it_as_a_class(estimator, labels, marks):
    X, y = rows(labels)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        estimator.fit(X, y)
    said = [str(one.message) for one in caught if "rows without a label" in str(one.message)]
    assert len(said) == 1 and said[0].startswith(f"{marks} treated as ")
    takes_working_points = "X_working" in estimator.get_metadata_routing().fit.requests
    assert ("X_working" in said[0]) == takes_working_points and "split_unlabelled" in said[0]
    assert estimator.classes_.tolist() == sorted(labels)


@pytest.mark.parametrize("labels", CLASSES, ids=str)
def test_does_not_warn_of_ordinary_classes_or_values(labels):
    X, y = rows(labels)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TransductiveSVC().fit(X, y)
        TransductiveRidge().fit(X, np.arange(len(y)) % 3 - 1.0)
        RidgeLOO().fit(X, np.arange(len(y)) % 3 - 1.0)


MARKS = [
    ([0, -1, 1, -1], -1, [0, 1]),
    ([-1, 0, 1, 0], 0, [-1, 1]),
    (["a", "nan", "b", "nan"], "nan", ["a", "b"]),
    (["-1", "0", "1", "0"], "0", ["-1", "1"]),
    ([0, None, 1, None], None, [0, 1]),
    (["a", np.nan, "b", None], np.nan, ["a", "b"]),
    ([0.0, np.nan, 1.0, np.nan], None, [0.0, 1.0]),
    ([True, None, False, None], None, [True, False]),
]


@pytest.mark.parametrize(("y", "mark", "labels"), MARKS, ids=str)
@pytest.mark.parametrize("container", [np.asarray, sparse.csr_matrix, sparse.coo_array, list])
def test_rows_are_split_at_their_marks(y, mark, labels, container):
    points = np.arange(8.0).reshape(4, 2)
    y = np.array(y, dtype=object) if None in y else np.array(y)
    X, kept, X_working = split_unlabelled(container(points), y, mark)
    if sparse.issparse(X):
        X, X_working = X.toarray(), X_working.toarray()
    np.testing.assert_array_equal(X, points[[0, 2]])
    np.testing.assert_array_equal(X_working, points[[1, 3]])
    assert kept.tolist() == labels and kept.dtype.kind == np.array(labels).dtype.kind


def test_data_frames_stay_data_frames():
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"length": [1.0, 2.0, 3.0], "weight": [4.0, 5.0, 6.0]}, index=list("xyz"))
    y = pd.Series([1, 0, pd.NA], index=X.index, dtype="Int64")
    sample, labels, working = split_unlabelled(X, y, mark=pd.NA)
    assert sample.index.tolist() == ["x", "y"] and working.index.tolist() == ["z"]
    assert labels.tolist() == [1, 0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = TransductiveSVC(n_positive=1).fit(sample, labels, working)
    assert len(model.transduction_) == 1


@pytest.mark.parametrize(
    ("y", "mark", "message"),
    [
        (["a", "-1", "b"], -1, "mark"),
        (["a", "a", "a"], "a", "mark"),
        (["a", "-1", "b"], None, "mark"),
        (["a", "b"], "a", "inconsistent numbers of samples"),
        (np.zeros((3, 2)), 0.0, "y must"),
        ([0, 1, -1], np.array([-1, 0]), "mark"),
        (None, 0, "y must"),
        ({0: 1}, 0, "y must"),
    ],
    ids=str,
)
def test_rejects_marks_and_labels(y, mark, message):
    X = [[0.0]] if not isinstance(y, (list, np.ndarray)) else np.eye(3)
    with pytest.raises(ValueError, match=message):
        split_unlabelled(X, y, mark)


def test_large_whole_numbers_beside_missing_ones_stay_apart():
    pd = pytest.importorskip("pandas")
    y = pd.Series([2**53, 2**53 + 1, pd.NA, 2**53], dtype="Int64")
    found = split_unlabelled(np.eye(4), y, pd.NA)[1]
    assert found.tolist() == [2**53, 2**53 + 1, 2**53] and found.dtype.kind == "i"
    mixed = split_unlabelled(np.eye(6), [0, 1.5, None] * 2, None)[1]
    assert mixed.dtype == float and mixed.tolist() == [0.0, 1.5] * 2


def test_masked_labels_are_missing():
    y = np.ma.masked_equal([3, -1, 5, -1], -1)
    X, labels, working = split_unlabelled([[0.0], [1.0], [2.0], [3.0]], y, None)
    np.testing.assert_array_equal(labels, [3, 5])
    assert (X, working, labels.dtype) == ([[0.0], [2.0]], [[1.0], [3.0]], np.int64)
