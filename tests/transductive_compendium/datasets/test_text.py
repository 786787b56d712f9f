"""Texts: the format of Reuters-21578, word counts, TF-IDF, and generated texts."""

import hashlib
import os
import pickle
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.naive_bayes import MultinomialNB

from transductive_compendium.datasets import (
    DataDamagedError,
    UnknownDatasetError,
    available,
    fetch,
    load,
    load_realisation,
    text_like,
    tf_idf,
    verify,
    word_counts,
)
from transductive_compendium.datasets.generated_texts import newswire_like
from transductive_compendium.datasets.registry import Source, registry
from transductive_compendium.runner.execution import load_data


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
def reuters(monkeypatch, empty_folders, members, tarred, tmp_path):
    """The registry's entry with the made-up files, in the cache."""
    raw, (file,) = tarred(members), registry()["reuters21578"].files
    file = replace(
        file,
        bytes=len(raw),
        sha256=hashlib.sha256(raw).hexdigest(),
        content_sha256=tuple(hashlib.sha256(m).hexdigest() for m in list(members.values())[1:]),
        sources=(Source("http://127.0.0.1:9/none"),),
    )
    entry = replace(registry()["reuters21578"], files=(file,), rows=6, training_rows=4)
    monkeypatch.setitem(registry(), "reuters21578", entry)
    path = tmp_path / "cache" / file.path
    path.parent.mkdir(parents=True)
    path.write_bytes(raw)
    return SimpleNamespace(entry=entry, path=path, raw=raw)


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


def test_an_unknown_topic_is_named(reuters):
    with pytest.raises(UnknownDatasetError, match=r"topic of 'reuters21578' 'eran'.*'earn'\?"):
        load("reuters21578").labels("eran")
    with pytest.raises(UnknownDatasetError, match="published realisations"):
        load_realisation("reuters21578", 1)


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
    file = replace(reuters.entry.files[0], sources=(source,))
    monkeypatch.setitem(registry(), "reuters21578", replace(reuters.entry, files=(file,)))
    assert fetch("reuters21578") == reuters.path and load("reuters21578").sha256 == sha256


def test_damage_is_named_with_the_way_out(reuters, members, tarred):
    changed = members | {"reut2-001.sgm": members["reut2-001.sgm"].replace(b"Odd", b"Add")}
    lacking = {name: raw for name, raw in members.items() if name != "reut2-000.sgm"}
    for raw, reason in (
        (tarred(changed), "its member 'reut2-001.sgm' is not the registered one"),
        (tarred(lacking), "lacks 'reut2-000.sgm'"),
        (reuters.raw[:-200], "not a sound tar archive"),
        (b"<html>", "not a sound tar archive"),
    ):
        reuters.path.write_bytes(raw)
        with pytest.raises(DataDamagedError, match=reason) as caught:
            load("reuters21578")
        assert "transductive data fetch reuters21578" in str(caught.value)
        assert "the files reut2-000.sgm to reut2-001.sgm will do" in str(caught.value)
        assert verify("reuters21578").state == "damaged"


def test_another_split_of_the_registered_files_is_refused(reuters, members, tarred, monkeypatch):
    monkeypatch.setitem(registry(), "reuters21578", replace(reuters.entry, training_rows=5))
    with pytest.raises(DataDamagedError, match="6 documents, 4 of them to train on, instead of 6"):
        load("reuters21578")


needs_data = pytest.mark.skipif(
    not os.environ.get("TRANSDUCTIVE_DATA"),
    reason="TRANSDUCTIVE_DATA names no data folder; `transductive data fetch --folder FOLDER`",
)


@needs_data
def test_the_published_collection():
    assert available("reuters21578"), "reuters21578 is not in TRANSDUCTIVE_DATA"
    data = load("reuters21578", download=False)
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


DOCUMENTS = [
    "The banks were banking. A bank's U.S. profits: 12 mln!",
    "Connected, connecting and CONNECTION; profit.",
    "the of and",
    "Bank profits",
]


def test_stems_are_counted_and_stop_words_are_not():
    counts, stems = word_counts(DOCUMENTS, minimum=1)
    assert stems == ("bank", "connect", "mln", "profit")
    np.testing.assert_array_equal(
        counts.toarray(), [[3, 0, 1, 1], [0, 3, 0, 1], [0, 0, 0, 0], [1, 0, 0, 1]]
    )
    assert word_counts(DOCUMENTS)[1] == ("profit",)  # in three documents; "connect" in one
    assert word_counts(DOCUMENTS, minimum=2)[1] == ("bank", "profit")
    with pytest.raises(ValueError, match="no word is in 4 of the 4 documents"):
        word_counts(DOCUMENTS, minimum=4)


def test_tf_idf_by_hand():
    """Shares 1/2, 1/4, 1/4 and 3/4 of four documents: the logarithms of 2, 4, 4 and 4/3."""
    counts, _ = word_counts(DOCUMENTS, minimum=1)
    X = tf_idf(counts).toarray()
    by_hand = np.array([3 * np.log(2), 0, np.log(4), np.log(4 / 3)])
    np.testing.assert_allclose(X[0], by_hand / np.linalg.norm(by_hand), rtol=1e-14)
    np.testing.assert_array_equal(X[2], 0)
    X = tf_idf(counts, [0.5, 0.5, 0, 1]).toarray()  # of other documents, which lack the third word
    np.testing.assert_allclose(X, np.eye(4)[[0, 1, 2, 0]] * [[1], [1], [0], [1]], atol=1e-15)


@given(
    table=st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=1, max_size=6),
    times=st.integers(1, 5),
)
def test_rows_have_unit_length_or_no_word_of_weight(table, times):
    counts = csr_array(np.array(table, dtype=float))
    X = tf_idf(counts)
    lengths = np.sqrt((X * X).sum(axis=1))
    rare = (counts.toarray() > 0).mean(axis=0) < 1
    np.testing.assert_allclose(lengths, (counts.toarray() > 0)[:, rare].any(axis=1), rtol=1e-12)
    # The length of a document does not matter, nor how often the whole collection is given.
    np.testing.assert_allclose(tf_idf(times * counts).toarray(), X.toarray(), atol=1e-12)
    several = csr_array(np.vstack([counts.toarray()] * times))
    np.testing.assert_allclose(
        tf_idf(several).toarray(), np.vstack([X.toarray()] * times), atol=1e-12
    )


def test_document_frequencies_are_shares_of_each_word():
    counts, _ = word_counts(DOCUMENTS, minimum=1)
    for wrong in ([0.5, 0.5], [0.5, 0.5, 2, 1], [0.5, 0.5, np.nan, 1]):
        with pytest.raises(ValueError, match=r"4 shares.*divide"):
            tf_idf(counts, wrong)


def test_text_like_vectors_have_the_numbers_asked_for():
    X, y = text_like(400, 5000, 60, seed=1, prevalence=0.3)
    assert X.shape == (400, 5000) and X.dtype == np.float64 and X.indices.dtype == np.int32
    assert (y == 1).sum() == 120 and set(y) == {-1, 1}
    np.testing.assert_allclose((X * X).sum(axis=1), 1)
    # The number of words of a document has variance below its mean: five standard deviations.
    assert abs(X.nnz / 400 - 60) < 5 * np.sqrt(60 / 400)
    again = text_like(400, 5000, 60, np.random.default_rng(1), prevalence=0.3)
    np.testing.assert_array_equal(again[0].toarray(), X.toarray())
    assert not np.array_equal(text_like(400, 5000, 60, seed=2, prevalence=0.3)[1], y)


def test_text_like_classes_differ_by_their_words_only_if_asked_to():
    for boost, low, high in ((20.0, 0.97, 1.0), (1.0, 0.35, 0.65)):
        X, y = text_like(1000, 3000, 50, seed=3, boost=boost)
        score = MultinomialNB().fit(X[:800], y[:800]).score(X[800:], y[800:])
        assert low <= score <= high
    # Zipf: the words of the most frequent tenth make up most of all
    frequencies = np.sort(np.diff(X.tocsc().indptr))[::-1]
    assert frequencies[:300].sum() > 0.5 * frequencies.sum()


def test_text_like_is_guarded():
    for wrong in ((0, 10, 5), (3, 10, 10), (3, 10, 0)):
        with pytest.raises(ValueError, match="1 <= nonzeros < n_features"):
            text_like(*wrong)
    for wrong in ({"prevalence": 2}, {"boost": 0.5}, {"topical": -1}):
        with pytest.raises(ValueError, match="boost >= 1"):
            text_like(9, 20, 4, **wrong)


def test_generated_texts_replace_missing_ones(empty_folders, monkeypatch):
    monkeypatch.setenv("TRANSDUCTIVE_OFFLINE", "1")
    loaded, names, notice = load_data(SimpleNamespace(datasets=("reuters21578",)))
    data = loaded["reuters21578"]
    assert names == {"reuters21578": "generated_text"} and "replaces reuters21578" in notice
    assert data.substitute and data.n_train == 600 and len(data.documents) == 900
    assert data.sha256 == load("generated_text").sha256
    assert all(word.isalpha() for word in data.documents[0].split())


def test_generated_texts_have_the_topics_of_the_collection_in_both_parts():
    documents, topics, n_train = newswire_like(600, 300, seed=5)
    assert len(documents) == len(topics) == 900 and n_train == 600
    names = "earn acq money-fx grain crude trade interest wheat ship corn".split()
    assert set(sum(topics, ())) == set(names)
    for part, size in ((topics[:600], 600), (topics[600:], 300)):
        counts = {name: sum(name in has for has in part) for name in names}
        assert min(counts.values()) >= 5 and max(counts, key=counts.get) == "earn"
        assert abs(counts["earn"] - 0.3 * size) <= 1
    assert all("grain" in has for has in topics if "wheat" in has or "corn" in has)
    words = set(" ".join(documents).split())
    assert set(word_counts(documents, minimum=1)[1]) == words  # the stemmer leaves them as they are
    counts, _ = word_counts(documents, minimum=1)
    earn = np.array(["earn" in has for has in topics])
    model = MultinomialNB().fit(counts[:600], earn[:600])
    assert model.score(counts[600:], earn[600:]) > 0.85  # 0.7 without words
