"""Characters of UNIPEN: made-up files in their format."""

import hashlib
import io

import numpy as np
import pytest

from transductive_compendium.datasets import (
    load,
    verify,
)


def sha256(raw):
    return hashlib.sha256(raw).hexdigest()


def pack(arrays, save=np.savez_compressed):
    buffer = io.BytesIO()
    save(buffer, **arrays)
    return buffer.getvalue()


@pytest.fixture
def arrays():
    """Images of a, b and c; more of them than are unpacked at a time."""
    rng = np.random.default_rng(3)
    code = np.sort(rng.choice([97, 98, 99], 1500)).astype(np.uint8)
    return {
        "X": rng.integers(0, 256, (1500, 4, 4), dtype=np.uint8),
        "code": code,
        "num": np.arange(1500, dtype=np.int32),
        "split": rng.integers(0, 3, 1500, dtype=np.uint8),
    }


@pytest.fixture
def unipen(register, arrays):
    content = arrays["X"].tobytes() + b"".join(
        arrays[name].astype("<i4").tobytes() for name in ("code", "num", "split")
    )
    features = tuple(f"pixel_{i}_{j}" for i in range(4) for j in range(4))
    return register("unipen", pack(arrays), sha256(content), rows=1500, features=features)


def test_chosen_characters_training_part_first(unipen, arrays):
    for positive, negative in ((("a",), ("b",)), ("c", "ab")):
        data = load("unipen", positive=positive, negative=negative)
        chosen = np.isin(arrays["code"], [ord(c) for c in (*positive, *negative)])
        rows = [i for part in range(3) for i in np.flatnonzero(chosen & (arrays["split"] == part))]
        np.testing.assert_array_equal(data.X, arrays["X"][rows].reshape(-1, 16) / 255)
        np.testing.assert_array_equal(data.codes, arrays["code"][rows])
        np.testing.assert_array_equal(data.y == 1, np.isin(data.codes, [ord(c) for c in positive]))
        assert data.n_train == (chosen & (arrays["split"] == 0)).sum()
    assert data.target_names == ("a b", "c") and data.feature_names[5] == "pixel_1_1"


def test_smaller_images_are_means_of_blocks(unipen):
    whole, half = load("unipen"), load("unipen", size=2)
    by_hand = whole.X.reshape(-1, 4, 4)[:, 2:, :2].mean(axis=(1, 2))
    np.testing.assert_allclose(half.X[:, 2], by_hand, rtol=1e-12)
    np.testing.assert_allclose(load("unipen", size=1).X[:, 0], whole.X.mean(axis=1), rtol=1e-12)
    assert half.feature_names == ("pixel_0_0", "pixel_0_1", "pixel_1_0", "pixel_1_1")
    for size in (3, 0, 8):
        with pytest.raises(ValueError, match="must divide 4"):
            load("unipen", size=size)


def test_arrays_packed_in_another_way_will_do(unipen, arrays):
    before = load("unipen").sha256
    wider = arrays | {name: arrays[name].astype(np.int64) for name in ("code", "num", "split")}
    unipen.path.write_bytes(pack(dict(reversed(wider.items())), np.savez))
    assert verify("unipen").detail == "same content" and load("unipen").sha256 == before


def test_damaged_characters_are_refused(unipen, arrays, refused):
    changed = arrays["X"].copy()
    changed[-1, -1, -1] ^= 1
    for raw, reason in (
        (pack(arrays | {"X": changed}), "some values differ"),
        (pack(arrays | {"split": arrays["split"][::-1]}), "some values differ"),
        (pack(arrays | {"X": arrays["X"][:-1]}), r"X has shape \(1499, 4, 4\)"),
        (pack(arrays | {"X": arrays["X"].astype(float)}), "type float64"),
        (pack(arrays | {"code": arrays["code"].astype(object)}), "code has shape"),
        (pack({"X": arrays["X"]}), "not a sound .npz file"),
        (unipen.raw[:-200], "not a sound .npz file"),
        (b"<html>", "not a sound .npz file"),
    ):
        refused("unipen", unipen.path, raw, reason, way_out="as the data card of '{}' says")


def test_the_published_characters(published):
    data = published("unipen", size=8)
    assert data.counts == {"b": 624, "a": 2219} and data.n_train == 2310
    assert 0 <= data.X.min() < data.X.max() <= 1
