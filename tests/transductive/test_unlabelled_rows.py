"""Marks of rows without a label: warned of once, taken literally, and split off by name."""

import doctest
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
    unlabelled_rows,
)

CLASSIFIERS = [
    BayesPointMachine(q=0, tol=0.5, random_state=0),
    BayesianTransduction(q=0, tol=0.5, random_state=0),
    KernelGibbsSampler(sampler="hit_and_run", q=0.1, n_samples=10, burn_in=10, random_state=0),
    TransductiveLinearDiscriminant(),
    TransductiveSVC(),
    UniversumSVC(universum=MeanOfPairs(5, random_state=0)),
]
LOOKS_LIKE_A_MARK = [
    (["a", "nan"], "'nan' is treated as one of 2 classes"),
    (["a", "b", "None"], "'None' is treated as one of 3 classes"),
    (["", "a", "b"], "'' is treated as one of 3 classes"),
    (["?", "a"], "'?' is treated as one of 2 classes"),
    (["a", "b", "unknown"], "'unknown' is treated as one of 3 classes"),
    (["-1", "yes"], "'-1' is treated as one of 2 classes"),
    (["-1", "0", "2"], "'-1' is treated as one of 3 classes"),
    ([-1, 0, 1], "-1 and 0 are treated as two of 3 classes; if one of them marks"),
    ([-1.0, 0.0, 1.0], "-1.0 and 0.0 are treated as two of 3 classes"),
    ([-1, 1, 2], "-1 is treated as one of 3 classes; if it marks rows without a label, leave"),
    ([-1, 0, 1, 2], "-1 is treated as one of 4 classes"),
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
@pytest.mark.parametrize(("labels", "message"), LOOKS_LIKE_A_MARK, ids=str)
def test_one_warning_of_what_looks_like_a_mark(estimator, labels, message):
    X, y = rows(labels)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        estimator.fit(X, y)
    marks = [str(one.message) for one in said if "rows without a label" in str(one.message)]
    assert len(marks) == 1 and marks[0].startswith(message)
    takes_working_points = "X_working" in estimator.get_metadata_routing().fit.requests
    assert ("give them to fit as X_working" in marks[0]) == takes_working_points
    assert "split_unlabelled(X, y, mark)" in marks[0]
    # the way to silence it
    assert ("name them by words" in marks[0]) == (not isinstance(labels[0], str))
    # and the mark is a class
    assert estimator.classes_.tolist() == sorted(labels)


@pytest.mark.parametrize("labels", CLASSES, ids=str)
def test_no_warning_of_ordinary_classes(labels):
    X, y = rows(labels)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TransductiveSVC().fit(X, y)


def test_no_warning_of_numbers_that_are_values():
    X, y = rows([-1.0, 0.0, 1.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TransductiveRidge().fit(X, y)
        RidgeLOO().fit(X, y)


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


def test_bad_splits():
    X, y = np.arange(6.0).reshape(3, 2), ["a", "-1", "b"]
    with pytest.raises(ValueError, match=r"no row of y is marked by -1, .*'a', '-1', 'b'.*type"):
        split_unlabelled(X, y, -1)
    with pytest.raises(ValueError, match="every row of y is marked by 'a'"):
        split_unlabelled(X, ["a"] * 3, "a")
    with pytest.raises(ValueError, match="no row of y is marked by None"):
        split_unlabelled(X, y, None)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        split_unlabelled(X, y[:2], "a")
    with pytest.raises(ValueError, match=r"shape \(3, 2\)"):
        split_unlabelled(X, X, 0.0)


def test_docstring_examples_run():
    found = doctest.testmod(unlabelled_rows)
    assert found.attempted > 0 and found.failed == 0


def test_large_whole_numbers_beside_missing_ones_stay_apart():
    pd = pytest.importorskip("pandas")
    y = pd.Series([2**53, 2**53 + 1, pd.NA, 2**53], dtype="Int64")
    found = split_unlabelled(np.eye(4), y, pd.NA)[1]
    assert found.tolist() == [2**53, 2**53 + 1, 2**53] and found.dtype.kind == "i"
    mixed = split_unlabelled(np.eye(6), [0, 1.5, None] * 2, None)[1]
    assert mixed.dtype == float and mixed.tolist() == [0.0, 1.5] * 2
    with pytest.raises(ValueError, match="mark must be one value"):
        split_unlabelled(np.eye(6), [0, 1, -1] * 2, np.array([-1, 0]))


def test_a_masked_label_is_a_missing_one():
    y = np.ma.masked_equal([3, -1, 5, -1], -1)
    X, labels, working = split_unlabelled([[0.0], [1.0], [2.0], [3.0]], y, None)
    np.testing.assert_array_equal(labels, [3, 5])
    assert (X, working, labels.dtype) == ([[0.0], [2.0]], [[1.0], [3.0]], np.int64)
    for none in (None, {0: 1}):
        with pytest.raises(ValueError, match=r"y must have one label for each row, .*shape \(\)"):
            split_unlabelled([[0.0]], none, 0)
