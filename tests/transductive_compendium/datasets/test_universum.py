"""Newsgroups, RCV1 as a sparse table, and characters: made-up files in their formats."""

import hashlib
import io
import os
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from transductive_compendium.datasets import (
    DataDamagedError,
    DataMissingError,
    DataUnreachableError,
    UnknownDatasetError,
    fetch,
    load,
    load_unipen,
    load_winmac,
    verify,
)
from transductive_compendium.datasets.registry import registry

MAC, WINDOWS, PC = registry()["winmac"].classes
ARTICLES = {
    MAC: {50419: b"From: x\nSubject: y\n\nmac \xfc\n", 9: b"From: x\n\nfirst\n"},
    WINDOWS: {10: b"win\n"},
    PC: {7: b"pc\n", 8: b"pc too\n", 11: b""},
}


def sha256(raw):
    return hashlib.sha256(raw).hexdigest()


@pytest.fixture
def register(monkeypatch, empty_folders, tmp_path):
    """Give a registered set a made-up file, in the cache."""

    def put(name, raw, content, **facts):
        (file,) = registry()[name].files
        sources = tuple(replace(s, url="http://127.0.0.1:9/none") for s in file.sources)
        file = replace(
            file, bytes=len(raw), sha256=sha256(raw), content_sha256=content, sources=sources
        )
        monkeypatch.setitem(registry(), name, replace(registry()[name], files=(file,), **facts))
        path = tmp_path / "cache" / file.path
        path.parent.mkdir(parents=True)
        path.write_bytes(raw)
        return SimpleNamespace(path=path, raw=raw)

    return put


def members(groups, top="20news-18828/"):
    return {f"{top}{g}/{n}": raw for g, texts in groups.items() for n, raw in texts.items()}


@pytest.fixture
def winmac(register, tarred):
    hashes = tuple(
        sha256("".join(f"{n} {sha256(texts[n])}\n" for n in sorted(texts)).encode())
        for texts in ARTICLES.values()
    )
    raw = tarred({"20news-18828/alt.atheism/50419": b"passed over", **members(ARTICLES)})
    classes = {group: len(texts) for group, texts in ARTICLES.items()}
    return register("winmac", raw, hashes, rows=6, classes=classes)


def test_two_groups_in_the_order_of_their_numbers(winmac):
    data = load("winmac")
    assert data.documents == ("From: x\n\nfirst\n", "From: x\nSubject: y\n\nmac \xfc\n", "win\n")
    assert data.topics == ((MAC,), (MAC,), (WINDOWS,)) and data.n_train is None
    assert data.labels(MAC).tolist() == [1, 1, -1]
    other = load_winmac(negative=PC)
    assert other.documents[2:] == ("pc\n", "pc too\n", "") and other.sha256 != data.sha256
    with pytest.raises(UnknownDatasetError, match=r"Did you mean 'comp\.sys\.ibm\.pc\.hardware'"):
        load_winmac(negative="comp.sys.ibm.hardware")


def test_another_archive_of_the_articles_will_do(winmac, tarred):
    before = load("winmac").sha256
    assert verify("winmac").detail == "same bytes"
    winmac.path.write_bytes(tarred(dict(reversed(members(ARTICLES, "").items())), "w:xz"))
    assert verify("winmac").detail == "same content" and load("winmac").sha256 == before


def test_damaged_newsgroups_are_refused(winmac, tarred):
    whole = members(ARTICLES)
    first = f"20news-18828/{MAC}/9"
    for raw, reason in (
        (tarred(whole | {first: b"other"}), "some articles of comp.sys.mac.hardware"),
        (tarred({k: v for k, v in whole.items() if k != first}), "has 1 articles, not 2"),
        (tarred(whole | {f"x/{MAC}/README": b""}), "no number for a name"),
        (winmac.raw[:-200], "not a sound tar archive"),
        (b"<html>", "not a sound tar archive"),
    ):
        winmac.path.write_bytes(raw)
        with pytest.raises(DataDamagedError, match=reason) as caught:
            load("winmac")
        assert "transductive data fetch winmac" in str(caught.value)
        assert verify("winmac").state == "damaged"


ARFF = b"""@relation 'made up'
%a remark

@attribute CCAT.C15.C15 {0,1}
@attribute CCAT.C15.C151.C1511 {0,1}
@attribute MCAT.M14.M141 {0,1}
@attribute MCAT.MCAT {0,1}
@attribute b12 numeric
@attribute b7 numeric

@data

{0 1,4 0.25}
{1 1,2 1,4 0.5,5 0.125}
{3 1}
{}
"""


@pytest.fixture
def rcv1(register):
    return register("rcv1_k500", ARFF, sha256(b"\n".join(ARFF.split())), rows=4)


def test_topics_go_up_the_hierarchy(rcv1):
    data = load("rcv1_k500")
    np.testing.assert_array_equal(data.X.toarray(), [[0.25, 0], [0.5, 0.125], [0, 0], [0, 0]])
    assert data.feature_names == ("b12", "b7") and data.X.indices.dtype == np.int32
    assert data.topics[0] == ("C15", "CCAT") and data.topics[2:] == (("MCAT",), ())
    for topic, y in (
        ("CCAT", [1, 1, -1, -1]),
        ("C15", [1, 1, -1, -1]),
        ("C1511", [-1, 1, -1, -1]),
        ("M14", [-1, 1, -1, -1]),
        ("MCAT", [-1, 1, 1, -1]),
    ):
        assert data.labels(topic).tolist() == y
    with pytest.raises(UnknownDatasetError, match="topic of 'rcv1_k500' 'M143'"):
        data.labels("M143")
    with pytest.raises(ValueError, match="read-only"):
        data.X.data[0] = 1


def test_line_ends_do_not_matter_but_values_do(rcv1):
    before = load("rcv1_k500").sha256
    rcv1.path.write_bytes(ARFF.replace(b"\n", b"\r\n"))
    assert verify("rcv1_k500").detail == "same content" and load("rcv1_k500").sha256 == before
    for raw in (ARFF.replace(b"0.25", b"0.26"), ARFF.replace(b"b7", b"b8"), ARFF[:-4], b"<html>"):
        rcv1.path.write_bytes(raw)
        with pytest.raises(DataDamagedError, match="do not say what the registered ones say"):
            load("rcv1_k500")


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
        data = load_unipen(positive=positive, negative=negative)
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


def test_bad_lists_of_characters_are_refused(unipen):
    for positive, negative in (("a", "a"), ((), "b"), ("aa", "b"), (["ab"], "c"), ("\\", "b")):
        with pytest.raises(ValueError, match="disjoint"):
            load_unipen(positive=positive, negative=negative)


def test_arrays_packed_in_another_way_will_do(unipen, arrays):
    before = load("unipen").sha256
    wider = arrays | {name: arrays[name].astype(np.int64) for name in ("code", "num", "split")}
    unipen.path.write_bytes(pack(dict(reversed(wider.items())), np.savez))
    assert verify("unipen").detail == "same content" and load("unipen").sha256 == before


def test_damaged_characters_are_refused(unipen, arrays):
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
        unipen.path.write_bytes(raw)
        with pytest.raises(DataDamagedError, match=reason) as caught:
            load("unipen")
        assert "as the data card of 'unipen' says" in str(caught.value)
        assert verify("unipen").state == "damaged"


def test_without_the_file_the_way_to_make_it_is_named(unipen):
    unipen.path.unlink()
    with pytest.raises(DataMissingError, match="as the data card of 'unipen' says"):
        load("unipen", download=False)
    with pytest.raises(DataUnreachableError, match=r"(?s)No source.*make .*64x64\.npz"):
        fetch("unipen")
    assert verify("unipen").state == "missing"


@pytest.mark.skipif(
    not os.environ.get("TRANSDUCTIVE_DATA"),
    reason="TRANSDUCTIVE_DATA names no data folder; `transductive data fetch --folder FOLDER`",
)
def test_the_published_sets():
    """More numbers are looked at in `test_data_cards`."""
    data = load("winmac", download=False)
    assert np.bincount(data.labels(MAC) + 1).tolist() == [985, 0, 961]
    assert all("Subject: " in text[:2000] for text in data.documents[:50])
    data = load("rcv1_k500", download=False)
    found = [(data.labels(topic) == 1).sum() for topic in "CCAT ECAT GCAT MCAT C15 M14".split()]
    assert found == [2632, 881, 1731, 1804, 991, 738]
    data = load("unipen", size=8, download=False)
    assert data.counts == {"b": 624, "a": 2219} and data.n_train == 2310
    assert 0 <= data.X.min() < data.X.max() <= 1
