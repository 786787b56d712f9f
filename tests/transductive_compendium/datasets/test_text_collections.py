"""Reuters-21578 in SGML, newsgroups, RCV1 as a sparse table: made-up files in their formats."""

import hashlib
import pickle
from dataclasses import replace

import numpy as np
import pytest

from transductive_compendium.datasets import (
    DataDamagedError,
    UnknownDatasetError,
    fetch,
    load,
    verify,
)
from transductive_compendium.datasets.registry import Source, registry


def story(split="TRAIN", topics=(), text="", used="YES", more="", number=1):
    """A made-up story with the layout of the collection."""
    listed = "".join(f"<D>{topic}</D>" for topic in topics)
    return (
        f'<REUTERS TOPICS="{used}" LEWISSPLIT="{split}" CGISPLIT="TRAINING-SET" {more}'
        f'OLDID="9" NEWID="{number}">\n<DATE> 1-JAN-1987 00:00:00.00</DATE>\n'
        f"<TOPICS>{listed}</TOPICS>\n<PLACES><D>usa</D></PLACES>\n<PEOPLE></PEOPLE>\n"
        f"<UNKNOWN>&#5;F zz\n&#22;f1</UNKNOWN>\n<TEXT{text}</TEXT>\n</REUTERS>\n"
    )


HEAD = '<!DOCTYPE lewis SYSTEM "lewis.dtd">\n'


FULL = (
    ">&#2;\n<AUTHOR>By A. Nonymous</AUTHOR><TITLE>BANK &lt;BNK> UP</TITLE>\n"
    "<DATELINE>    OSLO, Jan 1 - </DATELINE><BODY>Profit &amp; loss\nrose.\n Reuter\n&#3;</BODY>"
)


FILES = [
    HEAD
    + story("TRAIN", ["earn", "acq"], FULL)
    + story("TEST", ["earn"], ">\n<TITLE>Tested</TITLE><BODY>first</BODY>", number=2)
    + story("TRAIN", ["earn"], ">\n<TITLE>Bypassed</TITLE>", used="BYPASS", number=3)
    + story("TRAIN", ["earn"], ">\n<TITLE>Not indexed</TITLE>", used="NO", number=4)
    + story("NOT-USED", ["earn"], ">\n<TITLE>Not used</TITLE>", number=5),
    HEAD
    + story("TRAIN", [], ' TYPE="BRIEF">\n<TITLE>Only a title</TITLE>', number=6)
    + story("TRAIN", ["trade", "trade"], ' TYPE="UNPROC">&#2;\nNo tags, M\xfcnchen', number=7)
    + story("TRAIN", ["acq"], ">\n<TITLE>Odd</TITLE>", more='CSECS="5390" ', number=8)
    + story("TEST", [], ">\n<TITLE>Tested, second</TITLE>", number=9),
]


@pytest.fixture
def members():
    raws = {f"reut2-{i:03}.sgm": file.encode("latin-1") for i, file in enumerate(FILES)}
    return {"README.txt": b"not looked at", **raws}


@pytest.fixture
def reuters(register, members, tarred):
    hashes = tuple(sha256(raw) for raw in list(members.values())[1:])
    return register("reuters21578", tarred(members), hashes, rows=6, training_rows=4)


def test_the_modapte_split_takes_the_indexed_stories_in_order(reuters):
    data = load("reuters21578")
    assert data.documents == (
        "BANK <BNK> UP\nProfit & loss\nrose.\n Reuter",
        "Only a title",
        "No tags, M\xfcnchen",
        "Odd",
        "Tested\nfirst",
        "Tested, second",
    )
    assert data.topics == (("earn", "acq"), (), ("trade", "trade"), ("acq",), ("earn",), ())
    assert data.n_train == 4 and not data.substitute and data.name == "reuters21578"
    assert data.labels("acq").tolist() == [1, -1, -1, 1, -1, -1]
    assert data.labels("trade").tolist() == [-1, -1, 1, -1, -1, -1]
    again = pickle.loads(pickle.dumps(data))
    assert again.documents == data.documents and again.sha256 == data.sha256
    assert replace(data, n_train=3).sha256 != data.sha256


def test_any_archive_of_the_files_will_do(reuters, members, tarred, server, zipped, monkeypatch):
    assert verify("reuters21578").detail == "same bytes"
    sha256 = load("reuters21578").sha256
    other = tarred({f"reuters/{name}": raw for name, raw in reversed(members.items())}, "w:xz")
    reuters.path.write_bytes(other)
    assert verify("reuters21578").detail == "same content"
    assert load("reuters21578").sha256 == sha256
    reuters.path.unlink()
    server.answers["/all.zip"] = zipped(**{"mld__reuters21578.tar.gz": other})
    source = Source(server.url + "/all.zip", "reuters21578.tar.gz")
    file = replace(registry()["reuters21578"].files[0], sources=(source,))
    entry = replace(registry()["reuters21578"], files=(file,))
    monkeypatch.setitem(registry(), "reuters21578", entry)
    assert fetch("reuters21578") == reuters.path and load("reuters21578").sha256 == sha256


def test_damage_is_named_with_the_way_out(reuters, members, tarred, refused):
    changed = members | {"reut2-001.sgm": members["reut2-001.sgm"].replace(b"Odd", b"Add")}
    lacking = {name: raw for name, raw in members.items() if name != "reut2-000.sgm"}
    for raw, reason in (
        (tarred(changed), "its member 'reut2-001.sgm' is not the registered one"),
        (tarred(lacking), "lacks 'reut2-000.sgm'"),
        (reuters.raw[:-200], "not a sound tar archive"),
        (b"<html>", "not a sound tar archive"),
    ):
        refused("reuters21578", reuters.path, raw, reason)


def test_another_split_of_the_registered_files_is_refused(reuters, members, tarred, monkeypatch):
    entry = replace(registry()["reuters21578"], training_rows=5)
    monkeypatch.setitem(registry(), "reuters21578", entry)
    with pytest.raises(DataDamagedError, match="6 documents, 4 of them to train on, instead of 6"):
        load("reuters21578")


def test_the_published_collection(published):
    data = published("reuters21578")
    assert (data.n_train, len(data.documents) - data.n_train) == (9603, 3299)
    assert data.documents[0].startswith("BAHIA COCOA REVIEW\nShowers continued throughout the week")
    assert not any("<BODY" in text or "&#" in text for text in data.documents)
    for topic, train, test in (
        ("earn", 2877, 1087),
        ("acq", 1650, 719),
        ("money-fx", 538, 179),
        ("grain", 433, 149),
        ("crude", 389, 189),
        ("trade", 369, 117),  # 118 entries: one story has it twice
        ("interest", 347, 131),
        ("wheat", 212, 71),
        ("ship", 197, 89),
        ("corn", 181, 56),  # 182 entries
    ):
        y = data.labels(topic)
        assert ((y[:9603] == 1).sum(), (y[9603:] == 1).sum()) == (train, test)
    entries = [sum(part, ()) for part in (data.topics[:9603], data.topics[9603:])]
    assert entries[1].count("trade") == 118 and entries[0].count("corn") == 182


MAC, WINDOWS, PC = registry()["winmac"].classes


ARTICLES = {
    MAC: {50419: b"From: x\nSubject: y\n\nmac \xfc\n", 9: b"From: x\n\nfirst\n"},
    WINDOWS: {10: b"win\n"},
    PC: {7: b"pc\n", 8: b"pc too\n", 11: b""},
}


def sha256(raw):
    return hashlib.sha256(raw).hexdigest()


def archive_of(groups, top="20news-18828/"):
    return {f"{top}{g}/{n}": raw for g, texts in groups.items() for n, raw in texts.items()}


@pytest.fixture
def winmac(register, tarred):
    hashes = tuple(
        sha256("".join(f"{n} {sha256(texts[n])}\n" for n in sorted(texts)).encode())
        for texts in ARTICLES.values()
    )
    raw = tarred({"20news-18828/alt.atheism/50419": b"passed over", **archive_of(ARTICLES)})
    classes = {group: len(texts) for group, texts in ARTICLES.items()}
    return register("winmac", raw, hashes, rows=6, classes=classes)


def test_two_groups_in_the_order_of_their_numbers(winmac):
    data = load("winmac")
    assert data.documents == ("From: x\n\nfirst\n", "From: x\nSubject: y\n\nmac \xfc\n", "win\n")
    assert data.topics == ((MAC,), (MAC,), (WINDOWS,)) and data.n_train is None
    assert data.labels(MAC).tolist() == [1, 1, -1]
    other = load("winmac", negative=PC)
    assert other.documents[2:] == ("pc\n", "pc too\n", "") and other.sha256 != data.sha256
    with pytest.raises(UnknownDatasetError, match=r"Did you mean 'comp\.sys\.ibm\.pc\.hardware'"):
        load("winmac", negative="comp.sys.ibm.hardware")


def test_another_archive_of_the_articles_will_do(winmac, tarred):
    before = load("winmac").sha256
    assert verify("winmac").detail == "same bytes"
    winmac.path.write_bytes(tarred(dict(reversed(archive_of(ARTICLES, "").items())), "w:xz"))
    assert verify("winmac").detail == "same content" and load("winmac").sha256 == before


def test_damaged_newsgroups_are_refused(winmac, tarred, refused):
    whole = archive_of(ARTICLES)
    first = f"20news-18828/{MAC}/9"
    for raw, reason in (
        (tarred(whole | {first: b"other"}), "some articles of comp.sys.mac.hardware"),
        (tarred({k: v for k, v in whole.items() if k != first}), "has 1 articles, not 2"),
        (tarred(whole | {f"x/{MAC}/README": b""}), "is not a number"),
        (winmac.raw[:-200], "not a sound tar archive"),
        (b"<html>", "not a sound tar archive"),
    ):
        refused("winmac", winmac.path, raw, reason)


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


def test_line_ends_do_not_matter_but_values_do(rcv1, refused):
    before = load("rcv1_k500").sha256
    rcv1.path.write_bytes(ARFF.replace(b"\n", b"\r\n"))
    assert verify("rcv1_k500").detail == "same content" and load("rcv1_k500").sha256 == before
    for raw in (ARFF.replace(b"0.25", b"0.26"), ARFF.replace(b"b7", b"b8"), ARFF[:-4], b"<html>"):
        refused("rcv1_k500", rcv1.path, raw, "do not have the registered contents")


def test_the_published_articles_and_vectors(published):
    data = published("winmac")
    assert np.bincount(data.labels(MAC) + 1).tolist() == [985, 0, 961]
    assert all("Subject: " in text[:2000] for text in data.documents[:50])
    data = published("rcv1_k500")
    found = [(data.labels(topic) == 1).sum() for topic in "CCAT ECAT GCAT MCAT C15 M14".split()]
    assert found == [2632, 881, 1731, 1804, 991, 738]
