"""A made-up collection of divisions becomes the archive that is registered for a set."""

import hashlib
import io
from dataclasses import replace

import numpy as np
import pytest
from scipy.io import savemat

from transductive_compendium.datasets import DataUnreachableError, load_realisation
from transductive_compendium.datasets.raetsch_collection import as_archive
from transductive_compendium.datasets.registry import Source, registry


@pytest.fixture
def collection():
    """Patterns, labels, the rows of ten training and test parts, and the file that holds them."""
    rng = np.random.default_rng(3)
    x, t = rng.normal(size=(30, 2)) / 3, rng.permutation(np.repeat([-1.0, 1.0], [18, 12]))
    orders = np.array([rng.permutation(30) + 1 for _ in range(10)])
    train, test = np.split(orders.astype(float), [20], axis=1)
    buffer = io.BytesIO()
    fields = {"x": x, "t": t[:, None], "train": train, "test": test}
    savemat(buffer, {"banana": fields, "other": {"x": x[:3]}})
    return x, t, orders - 1, buffer.getvalue()


def table_hash(table):
    head = "{} {}\n".format(*table.shape).encode()
    return hashlib.sha256(head + np.asarray(table, dtype="<f8").tobytes()).hexdigest()


@pytest.fixture
def banana(collection, empty_folders, server, monkeypatch):
    x, t, orders, raw = collection
    server.answers["/benchmarks.mat"] = raw
    source = Source(
        f"{server.url}/benchmarks.mat", "banana", sha256=hashlib.sha256(raw).hexdigest()
    )
    hashes = tuple(table_hash(np.column_stack([x, t])[order]) for order in orders)
    entry = registry()["banana"]
    file = replace(entry.files[0], content_sha256=hashes, sources=(source,))
    entry = replace(entry, files=(file,), rows=30, training_rows=20, classes={-1: 18, 1: 12})
    monkeypatch.setitem(registry(), "banana", entry)
    return entry


def test_divisions_are_those_of_the_collection(banana, collection):
    x, t, orders, _ = collection
    for number in (1, 10):
        X_train, y_train, X_test, y_test = load_realisation("banana", number)
        rows = orders[number - 1]
        np.testing.assert_array_equal(np.vstack([X_train, X_test]), x[rows])
        np.testing.assert_array_equal(np.concatenate([y_train, y_test]), t[rows])
        assert len(X_train) == 20


def test_the_archive_has_the_same_bytes_every_time(banana, collection):
    (source,) = banana.files[0].sources
    assert as_archive(banana, source, collection[-1]) == as_archive(banana, source, collection[-1])


def test_other_bytes_never_reach_the_reader(banana, server, monkeypatch):
    server.answers["/benchmarks.mat"] = server.answers["/benchmarks.mat"][:-1] + b"?"
    monkeypatch.setattr(
        "transductive_compendium.datasets.raetsch_collection.loadmat", lambda *_, **__: 1 / 0
    )
    with pytest.raises(DataUnreachableError, match="not those of the registered collection"):
        load_realisation("banana", 1)


def test_a_collection_with_other_divisions_is_refused(banana, monkeypatch):
    file = replace(banana.files[0], content_sha256=banana.files[0].content_sha256[::-1])
    monkeypatch.setitem(registry(), "banana", replace(banana, files=(file,)))
    with pytest.raises(DataUnreachableError, match="answered, but realisation 1"):
        load_realisation("banana", 1)
