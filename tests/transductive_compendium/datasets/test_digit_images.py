"""MNIST and USPS: digits are chosen from a training and a test part."""

import gzip
import hashlib
import io
from dataclasses import replace

import h5py
import numpy as np
import pytest

from transductive_compendium.datasets import (
    DataDamagedError,
    DataMissingError,
    DataUnreachableError,
    available,
    fetch,
    load,
    verify,
)
from transductive_compendium.datasets.registry import Source, registry

TRAIN, TEST = 60, 20


@pytest.fixture
def arrays():
    rng = np.random.default_rng(5)
    return [
        array
        for rows in (TRAIN, TEST)
        for array in (rng.integers(0, 256, (rows, 28, 28)), rng.permutation(np.arange(rows) % 10))
    ]


@pytest.fixture
def contents(arrays):
    """The four files, unpacked: a header with type, dimensions and shape, then the bytes."""
    return [
        bytes([0, 0, 8, array.ndim])
        + b"".join(size.to_bytes(4, "big") for size in array.shape)
        + array.astype(np.uint8).tobytes()
        for array in arrays
    ]


@pytest.fixture
def mnist(made_up, contents, tmp_path):
    """The registry's mnist entry with the made-up images, which are written by `put`."""
    raws = [gzip.compress(content, 6, mtime=0) for content in contents]
    hashes = [hashlib.sha256(content).hexdigest() for content in contents]
    return made_up("mnist", raws, hashes, root=tmp_path / "unused")


@pytest.fixture
def put(mnist, contents):
    """Write the files below a folder, some replaced by other bytes, or left out if None."""

    def write(root, others=None, level=6):
        for number, (file, content) in enumerate(zip(mnist.files, contents, strict=True)):
            raw = gzip.compress(content, level, mtime=0)
            raw = (others or {}).get(number, raw)
            path = root / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            if raw is not None:
                path.write_bytes(raw)

    return write


def test_two_lists_of_digits_training_part_first(put, arrays, tmp_path):
    put(tmp_path)
    images, digits, test_images, test_digits = arrays
    for positive, negative in (((8,), (5,)), ([3, 4], [9, 0, 1])):
        data = load("mnist", tmp_path, positive=positive, negative=negative)
        chosen = [*positive, *negative]
        keep, keep_test = np.isin(digits, chosen), np.isin(test_digits, chosen)
        expected = np.concatenate([images[keep], test_images[keep_test]]).reshape(-1, 784)
        np.testing.assert_array_equal(data.X, expected / 255.0)
        np.testing.assert_array_equal(data.codes, [*digits[keep], *test_digits[keep_test]])
        np.testing.assert_array_equal(data.y, np.where(np.isin(data.codes, positive), 1, -1))
        assert data.n_train == keep.sum() == 6 * len(chosen)
        assert data.X.dtype == np.float64 and not data.X.flags.writeable
        assert data.target_names[1] == " ".join(map(str, sorted(positive)))
    default = load("mnist", tmp_path)
    assert default.counts == {"5": 8, "8": 8} and default.n_train == 12
    assert default.sha256 != data.sha256
    against_all = load("mnist", tmp_path, positive=[7], negative=None)
    assert len(against_all.X) == TRAIN + TEST and (against_all.y == 1).sum() == 8
    assert default.feature_names[29] == "pixel_1_1"


def test_files_packed_in_another_way_verify(put, contents, tmp_path):
    put(tmp_path)
    assert verify("mnist", tmp_path).detail == "same bytes"
    assert verify("mnist", tmp_path).path == tmp_path / "mnist"
    for others in ({0: gzip.compress(contents[0], 1)}, dict(enumerate(contents))):  # or unpacked
        put(tmp_path, others)
        assert verify("mnist", tmp_path).detail == "same content"
        assert load("mnist", tmp_path).counts == {"5": 8, "8": 8}


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("damage", ["truncated", "a pixel", "a row less", "swapped", "a web page"])
def test_a_damaged_file_is_refused(number, damage, mnist, put, contents, tmp_path, refused):
    content = contents[number]
    size = 28 * 28 if number % 2 == 0 else 1
    raw = {
        "truncated": gzip.compress(content)[:-20],
        "a pixel": gzip.compress(content[:-1] + bytes([content[-1] ^ 1])),
        "a row less": gzip.compress(
            content[:4] + (content[7] - 1).to_bytes(4, "big") + content[8:-size]
        ),
        "swapped": gzip.compress(contents[number ^ 2]),
        "a web page": b"<html>",
    }[damage]
    put(tmp_path)
    refused("mnist", tmp_path / mnist.files[number].path, raw, folder=tmp_path)


def test_a_part_of_the_files_is_not_the_set(mnist, put, tmp_path):
    put(tmp_path, {2: None})
    assert not available("mnist", tmp_path)
    with pytest.raises(DataMissingError) as caught:
        load("mnist", tmp_path, download=False)
    assert all(file.path in str(caught.value) for file in mnist.files)


def test_fetch_mends_only_what_is_wrong(mnist, put, contents, server, monkeypatch, tmp_path):
    files = tuple(
        replace(file, sources=(Source(f"{server.url}/{number}"),))
        for number, file in enumerate(mnist.files)
    )
    monkeypatch.setitem(registry(), "mnist", replace(mnist, files=files))
    server.answers.update({f"/{n}": gzip.compress(content) for n, content in enumerate(contents)})
    put(tmp_path / "cache", {1: None, 3: b"damaged"})
    assert fetch("mnist") == tmp_path / "cache" / "mnist"
    assert server.requests == ["/1", "/3"]
    assert verify("mnist").state == "ok"
    assert load("mnist").n_train == 12
    del server.answers["/2"]
    with pytest.raises(DataUnreachableError, match=r"/2: .*404"):
        fetch("mnist", tmp_path / "other")


@pytest.fixture
def usps_parts():
    """Patterns and digits of 40 rows to train and 20 to test, every digit as often."""
    rng = np.random.default_rng(6)
    return [
        (rng.random((rows, 256)).astype("f4"), rng.permutation(np.arange(rows) % 10).astype("i4"))
        for rows in (40, 20)
    ]


@pytest.fixture
def usps(made_up, usps_parts):
    def hdf5(parts):
        buffer = io.BytesIO()
        with h5py.File(buffer, "w") as file:
            for name, part in zip(("train", "test"), parts, strict=True):
                file[f"{name}/data"], file[f"{name}/target"] = part
        return buffer.getvalue()

    table = np.vstack([np.column_stack(part) for part in usps_parts])

    def register(parts, training_rows=40):
        facts = {"rows": 60, "training_rows": training_rows, "classes": dict.fromkeys(range(10), 6)}
        return made_up("usps", [hdf5(parts)], [table], **facts)

    register(usps_parts)
    return register


def test_the_digits_of_usps_training_part_first(usps, usps_parts, tmp_path):
    (images, digits), (test_images, test_digits) = usps_parts
    data = load("usps", tmp_path)
    np.testing.assert_array_equal(data.X, np.vstack([images, test_images]))
    np.testing.assert_array_equal(data.codes, [*digits, *test_digits])
    np.testing.assert_array_equal(data.y == 1, data.codes > 4)
    assert data.n_train == 40 and data.counts == {"0 1 2 3 4": 30, "5 6 7 8 9": 30}
    assert data.X.dtype == np.float64 and data.sha256 == registry()["usps"].files[0].content_sha256
    pair = load("usps", tmp_path, positive=[3], negative=[8, 0])
    assert pair.n_train == 12 and len(pair.X) == 18 and pair.counts == {"0 8": 12, "3": 6}
    np.testing.assert_array_equal(pair.X, data.X[np.isin(data.codes, [0, 3, 8])])
    assert pair.sha256 != data.sha256


def test_only_the_registered_hdf5_file_is_read(usps, tmp_path, monkeypatch, refused):
    reader = "transductive_compendium.datasets.formats.hdf5._parts"
    monkeypatch.setattr(reader, lambda raw: pytest.fail("read, damaged or not"))
    path = tmp_path / registry()["usps"].files[0].path
    sound = path.read_bytes()
    for raw in (sound[:-100], bytes([*sound[:-1], sound[-1] ^ 1]), b"<html>", b""):
        refused("usps", path, raw, "bytes are not the", tmp_path)


def test_an_hdf5_file_that_reads_differently_is_refused(usps, usps_parts, tmp_path):
    usps(usps_parts, training_rows=41)
    with pytest.raises(DataDamagedError, match="'train' has 40 rows instead of 41"):
        load("usps", tmp_path)
    usps([(1 - images, digits) for images, digits in usps_parts])
    with pytest.raises(DataDamagedError, match="some values differ"):
        load("usps", tmp_path)


def test_the_published_fives_and_eights(published):
    data = published("mnist")
    assert data.X.shape == (13138, 784) and data.n_train == 11272
    assert (data.X.min(), data.X.max()) == (0.0, 1.0)
    assert data.counts == {"5": 6313, "8": 6825}
    assert (data.y[: data.n_train] == 1).sum() == 5851
    assert data.codes[:8].tolist() == [5, 5, 8, 8, 5, 8, 8, 5]


def test_the_published_zip_codes(published):
    data = published("usps")
    assert data.X.shape == (9298, 256) and data.n_train == 7291 == 23 * 317
    assert (data.X.min(), data.X.max()) == (0.0, 1.0)
    assert data.counts == {"0 1 2 3 4": 5427, "5 6 7 8 9": 3871}
    assert data.codes[:10].tolist() == [6, 5, 4, 7, 3, 6, 3, 1, 0, 1]
