"""Sets that are one table: classes, or a number to predict; the MATLAB format."""

import io
import pickle
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.io import savemat

from transductive_compendium.datasets import (
    DataDamagedError,
    DataMissingError,
    RegressionDataset,
    available,
    load,
    verify,
)
from transductive_compendium.datasets.formats import mat as mat_format
from transductive_compendium.runner.execution import load_data


@pytest.fixture
def table():
    return np.random.default_rng(2).normal(20, 5, (30, 14)).round(3)


@pytest.fixture
def boston(made_up, table):
    text = "".join("  ".join(f"{value:8.3f}" for value in row) + "\n" for row in table)
    return made_up("boston", [text.encode()], [table], rows=30)


def mat(X, Y, **others):
    buffer = io.BytesIO()
    savemat(buffer, {"X": X, "Y": Y, **others})
    return buffer.getvalue()


@pytest.fixture
def arrays():
    rng = np.random.default_rng(4)
    return rng.normal(size=(25, 32)), rng.normal(size=(25, 1))


@pytest.fixture
def kin32fh(made_up, arrays):
    return made_up("kin32fh", [mat(*arrays)], [np.hstack(arrays)], rows=25)


def test_the_target_is_the_last_column(boston, table, tmp_path):
    data = load("boston", tmp_path)
    np.testing.assert_array_equal(data.X, table[:, :-1])
    np.testing.assert_array_equal(data.y, table[:, -1])
    assert data.target_name == "MEDV" and len(data.feature_names) == 13 and not data.substitute
    assert data.sha256 == boston.files[0].content_sha256
    for array in (data.X, data.y):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.0
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(data)).y, data.y)


def test_a_changed_target_is_damage(boston, table, tmp_path, refused):
    path = tmp_path / boston.files[0].path
    changed = path.read_text().replace(f"{table[3, -1]:.3f}", "50.000").encode()
    refused("boston", path, changed, "some values differ", tmp_path)


def test_a_matlab_file_is_read_and_recognised(kin32fh, arrays, tmp_path):
    X, Y = arrays
    data = load("kin32fh", tmp_path)
    np.testing.assert_array_equal(data.X, X)
    np.testing.assert_array_equal(data.y, Y[:, 0])
    assert verify("kin32fh", tmp_path).detail == "same bytes"


def test_only_the_registered_matlab_file_is_read(kin32fh, arrays, tmp_path, monkeypatch, refused):
    monkeypatch.setattr(mat_format, "_columns", lambda raw: pytest.fail("read, damaged or not"))
    path, (X, Y) = tmp_path / kin32fh.files[0].path, arrays
    sound = path.read_bytes()
    flipped = bytes([*sound[:200], sound[200] ^ 1, *sound[201:]])
    for raw in (mat(X + np.eye(25, 32), Y), mat(X, Y, more=X), flipped, sound[:-300], b"<html>"):
        refused("kin32fh", path, raw, "bytes are not the", tmp_path)


def test_a_matlab_file_that_reads_differently_is_refused(made_up, arrays, tmp_path):
    X, Y = arrays
    made_up("kin32fh", [mat(X, Y)], [np.hstack([X, -Y])], rows=25)
    with pytest.raises(DataDamagedError, match="some values differ"):
        load("kin32fh", tmp_path)
    made_up("kin32fh", [mat(X, Y)], [np.hstack([X, Y])], rows=24)
    with pytest.raises(DataDamagedError, match="25 rows of 33 columns instead of 24 of 33"):
        load("kin32fh", tmp_path)


def test_diabetes_replaces_a_missing_set(empty_folders, monkeypatch):
    data = load("diabetes")
    assert isinstance(data, RegressionDataset) and data.substitute and available("diabetes")
    assert data.X.shape == (442, 10) and (data.y.min(), data.y.max()) == (25.0, 346.0)
    assert set(data.X[:, data.feature_names.index("sex")]) == {1.0, 2.0}  # not scaled
    monkeypatch.setenv("TRANSDUCTIVE_OFFLINE", "1")
    with pytest.raises(DataMissingError):
        load("kin32fh")
    loaded, names, notice = load_data(SimpleNamespace(datasets=("boston",)))
    assert names == {"boston": "diabetes"} and "diabetes replaces boston" in notice
    assert loaded["boston"].sha256 == data.sha256


@pytest.mark.parametrize("name, shape", [("boston", (506, 13)), ("kin32fh", (8192, 32))])
def test_the_published_files(name, shape, published):
    data = published(name)
    assert data.X.shape == shape and data.y.shape == shape[:1]
    assert data.X.dtype == data.y.dtype == np.float64
    if name == "boston":
        assert data.y[:3].tolist() == [24.0, 21.6, 34.7]
        assert round(float(data.y.mean()), 3) == 22.533


@pytest.mark.parametrize(
    "positive_class, code, count", [("normal", 1, 150), ("hyper", 2, 35), ("hypo", 3, 30)]
)
def test_positive_classes_of_thyroid(put, text, tmp_path, positive_class, code, count):
    put(tmp_path, text)
    data = load("thyroid", tmp_path, positive_class=positive_class)
    assert (data.y == 1).sum() == count
    assert sum(data.counts.values()) == 215
    np.testing.assert_array_equal(data.y == 1, data.codes == code)
    np.testing.assert_array_equal(data.X[0], [float(v) for v in text.split("\n")[0].split(",")[1:]])
    again = load("thyroid", tmp_path).with_positive_class(positive_class)
    np.testing.assert_array_equal(again.y, data.y)
    assert again.sha256 == data.sha256
