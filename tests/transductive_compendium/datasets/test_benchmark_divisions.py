"""Benchmark sets that come as published divisions into training and test part."""

import gzip
import os
from dataclasses import replace

import numpy as np
import pytest

from transductive_compendium.datasets import (
    DataDamagedError,
    available,
    fetch,
    load,
    load_realisation,
    verify,
)
from transductive_compendium.datasets.registry import Source, registry
from transductive_compendium.datasets.tables import content_sha256

ROWS, TRAIN = 30, 8


@pytest.fixture
def tables():
    """Three divisions of one set of 30 rows, 17 of class -1: label last, training rows first."""
    rng = np.random.default_rng(3)
    rows = np.column_stack([rng.normal(size=(ROWS, 2)).round(6), np.repeat([-1.0, 1.0], [17, 13])])
    return [rows[rng.permutation(ROWS)] for _ in range(3)]


@pytest.fixture
def members(tables):
    def text(values):
        return "".join("  " + "  ".join(f"{v: .7e}" for v in row) + "\n" for row in values).encode()

    return {
        f"banana/banana_{part}_{kind}_{number}.asc": text(rows[:, columns])
        for number, table in enumerate(tables, start=1)
        for part, rows in (("test", table[TRAIN:]), ("train", table[:TRAIN]))
        for kind, columns in (("data", [0, 1]), ("labels", [2]))
    }


@pytest.fixture
def banana(register, tables, members, tarred, tmp_path):
    """The registry's banana entry with the made-up divisions."""
    facts = {"rows": ROWS, "training_rows": TRAIN, "classes": {-1: 17, 1: 13}}
    hashes = tuple(content_sha256(table) for table in tables)
    register("banana", tarred(members), hashes, **facts).path.unlink()
    return registry()["banana"]


@pytest.fixture
def put(banana, tarred):
    def write(root, content):
        path = root / banana.files[0].path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else tarred(content))
        return path

    return write


def test_each_realisation_is_the_published_one(put, members, tables, tmp_path):
    put(tmp_path, members)
    for number, table in enumerate(tables, start=1):
        X_train, y_train, X_test, y_test = load_realisation("banana", number, tmp_path)
        np.testing.assert_array_equal(X_train, table[:TRAIN, :2])
        np.testing.assert_array_equal(y_train, table[:TRAIN, 2])
        np.testing.assert_array_equal(X_test, table[TRAIN:, :2])
        np.testing.assert_array_equal(y_test, table[TRAIN:, 2])
        assert y_train.dtype == np.int64 and X_train.flags.c_contiguous


def test_the_whole_set_is_the_first_realisation(banana, put, members, tables, tmp_path):
    put(tmp_path, members)
    data = load("banana", tmp_path)
    np.testing.assert_array_equal(data.X, tables[0][:, :2])
    np.testing.assert_array_equal(data.y, tables[0][:, 2])
    assert data.counts == {"class -1": 17, "class +1": 13} and data.n_train is None
    assert data.sha256 == banana.files[0].content_sha256[0]
    assert data.feature_names == ("x1", "x2")


def test_any_archive_whose_members_say_the_same_verifies(put, members, tmp_path):
    put(tmp_path, members)
    assert verify("banana", tmp_path).detail == "same bytes"
    elsewhere = {f"project-1f2e/data/sets/{name}": text for name, text in members.items()}
    dos = {name: text.replace(b"\n", b"\r\n") for name, text in elsewhere.items()}
    shorter = {name: text.replace(b"e+00", b"") for name, text in members.items()}
    for other in (elsewhere | {"project-1f2e/readme.md": b"x"}, dos, shorter):
        put(tmp_path, other)
        assert verify("banana", tmp_path).state == "ok"
        assert verify("banana", tmp_path).detail == "same content"


def damaged_versions(members):
    def changed(name, old, new):
        assert old in members[name]
        return members | {name: members[name].replace(old, new, 1)}

    first, second = (f"banana/banana_train_data_{number}.asc" for number in (1, 2))
    labels = "banana/banana_train_labels_1.asc"
    test, test_labels = first.replace("train", "test"), labels.replace("train", "test")
    line = members[test].splitlines(keepends=True)[0]
    label = members[test_labels].splitlines(keepends=True)[0]
    return {
        "member missing": {k: v for k, v in members.items() if k != labels},
        "no member": {"readme": b"x"},
        "a digit": members | {first: members[first][:-7] + b"9" + members[first][-6:]},
        "NaN": members | {first: b"  nan 1\n" + members[first].partition(b"\n")[2]},
        "a label flipped": changed(labels, b"-1", b" 1"),
        "a label of 0": changed(labels, b"-1.0", b" 0.0"),
        "two realisations swapped": members | {first: members[second], second: members[first]},
        "a row short": members | {first: members[first].partition(b"\n")[2]},
        "a row moved from test to training": members
        | {
            first: members[first] + line,
            labels: members[labels] + label,
            test: members[test][len(line) :],
            test_labels: members[test_labels][len(label) :],
        },
        "a column more": members | {first: members[first].replace(b"\n", b" 1\n")},
        "labels in the place of patterns": members | {first: members[labels]},
        "a path that leads out": {"../" + k: v for k, v in members.items()},
        "a web page": b"<html><body>Not found</body></html>",
        "empty": b"",
    }


DAMAGES = list(
    damaged_versions(
        {
            f"banana/banana_{part}_{kind}_{number}.asc": b"-1.0 0\n" * 5
            for part in ("train", "test")
            for kind in ("data", "labels")
            for number in (1, 2)
        }
    )
)


@pytest.mark.parametrize("damage", [*DAMAGES, "truncated"])
def test_a_damaged_archive_is_refused_with_the_way_out(
    damage, banana, put, members, tarred, tmp_path
):
    versions = damaged_versions(members) | {"truncated": tarred(members)[:-400]}
    path = put(tmp_path, versions[damage])
    assert verify("banana", tmp_path).state == "damaged"
    with pytest.raises(DataDamagedError) as caught:
        load("banana", tmp_path)
        load_realisation("banana", 2, tmp_path)
    message = str(caught.value)
    assert str(path) in message
    assert f"transductive data fetch banana --folder {tmp_path}" in message
    assert available("banana", tmp_path)


def test_no_flipped_bit_changes_what_is_loaded(put, members, tables, tarred, tmp_path):
    sound, refused = tarred(members), 0
    for position in range(0, len(sound), 3):
        raw = bytearray(sound)
        raw[position] ^= 0x10
        put(tmp_path, bytes(raw))
        try:
            data = load("banana", tmp_path)
        except DataDamagedError:
            refused += 1
        else:  # a bit that realisation 1 does not depend on
            np.testing.assert_array_equal(data.X, tables[0][:, :2])
    assert refused > 50


def test_only_published_realisations_load(put, members, tmp_path):
    put(tmp_path, members)
    for number in (0, 4, -1, 1.5, "1"):
        with pytest.raises(ValueError, match="take one of 1 to 3"):
            load_realisation("banana", number, tmp_path)


def test_a_repository_archive_is_downloaded_and_read(
    banana, members, tables, server, tarred, monkeypatch, tmp_path
):
    raw = tarred({f"project-1f2e/sets/{name}": text for name, text in members.items()})
    server.answers.update({"/cut.tar.gz": raw[:-300], "/whole.tar.gz": raw})
    sources = tuple(Source(server.url + path) for path in ("/cut.tar.gz", "/whole.tar.gz"))
    file = replace(banana.files[0], sources=sources)
    monkeypatch.setitem(registry(), "banana", replace(banana, files=(file,)))
    assert fetch("banana") == tmp_path / "cache" / banana.path
    assert server.requests == ["/cut.tar.gz", "/whole.tar.gz"]
    np.testing.assert_array_equal(load_realisation("banana", 3)[2], tables[2][TRAIN:, :2])
    found = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert found == [tmp_path / "cache" / banana.path]  # nothing was unpacked


@pytest.mark.parametrize("name, rows, columns", [("banana", 5300, 2), ("ringnorm", 7400, 20)])
def test_the_published_divisions_are_of_one_set_of_rows(
    name, rows, columns, published, realisation
):
    whole = published(name)
    assert whole.X.shape == (rows, columns) and set(whole.y) == {-1, 1}

    def as_set(X, y):
        return {row.tobytes() for row in np.column_stack([X, y])}

    expected, divisions = as_set(whole.X, whole.y), set()
    assert len(expected) == rows  # no row twice
    for number in range(1, 11):
        X_train, y_train, X_test, y_test = realisation(name, number)
        train, test = as_set(X_train, y_train), as_set(X_test, y_test)
        assert len(train) == 400 and len(test) == rows - 400
        assert train | test == expected
        divisions.add(frozenset(train))
    assert len(divisions) == 10


def test_the_published_archive_packed_again_verifies(published, tmp_path):
    path = registry()["banana"].files[0].path
    raw = open(os.path.join(os.environ["TRANSDUCTIVE_DATA"], path), "rb").read()
    (tmp_path / path).parent.mkdir()
    (tmp_path / path).write_bytes(gzip.compress(gzip.decompress(raw), 1))
    assert verify("banana", tmp_path).detail == "same content"
