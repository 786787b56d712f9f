"""All of RCV1-v2, by a made-up download in place of scikit-learn's."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.sparse import csr_array

from transductive_compendium.datasets import (
    DataDamagedError,
    DataMissingError,
    DataUnreachableError,
    load,
    load_rcv1_full,
    rcv1,
)

VECTORS = [[0.6, 0.0, 0.8], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
TOPICS = [[1, 1, 0], [0, 1, 0], [0, 0, 1]]


@pytest.fixture
def fetched(monkeypatch, empty_folders):
    """What scikit-learn is asked for; it leaves its last file, or raises what `error` says."""
    asked = SimpleNamespace(calls=[], error=None, vectors=VECTORS, topics=TOPICS)

    def fetch_rcv1(*, data_home, download_if_missing):
        asked.calls.append((data_home, download_if_missing))
        if asked.error:
            raise asked.error
        (data_home / "RCV1").mkdir(parents=True, exist_ok=True)
        (data_home / "RCV1" / "topics_names_py3.pkl").touch()
        return SimpleNamespace(
            data=csr_array(asked.vectors),
            target=csr_array(np.array(asked.topics, dtype=np.uint8)),
            target_names=np.array(["C15", "CCAT", "M14"], dtype=object),
        )

    monkeypatch.setattr(rcv1, "fetch_rcv1", fetch_rcv1)
    return asked


def test_vectors_and_topics(fetched):
    data = load("rcv1")
    np.testing.assert_array_equal(data.X.toarray(), VECTORS)
    assert data.name == "rcv1" and data.topics == (("C15", "CCAT"), ("CCAT",), ("M14",))
    assert data.labels("CCAT").tolist() == [1, 1, -1] and len(data.feature_names) == 3
    assert data.X.data.dtype == np.float64 and not data.X.data.flags.writeable
    assert data.sha256 == load_rcv1_full().sha256


def test_one_download_then_the_copy(fetched, tmp_path):
    load_rcv1_full()
    load_rcv1_full(download=False)
    assert fetched.calls == [(tmp_path / "cache", True), (tmp_path / "cache", False)]
    own = tmp_path / "own"
    (own / "RCV1").mkdir(parents=True)
    load_rcv1_full(own)  # an unfinished download is no copy
    (own / "RCV1" / "topics_names.pkl").touch()
    load_rcv1_full(own)
    assert fetched.calls[2:] == [(tmp_path / "cache", False), (own, False)]


def test_errors_say_what_to_run(fetched, monkeypatch):
    with pytest.raises(DataMissingError, match=r"fetch_rcv1\(data_home=.*load\('rcv1_k500'\)"):
        load_rcv1_full(download=False)
    monkeypatch.setenv("TRANSDUCTIVE_OFFLINE", "1")
    with pytest.raises(DataMissingError, match="in none of"):
        load("rcv1")
    monkeypatch.delenv("TRANSDUCTIVE_OFFLINE")
    assert not fetched.calls
    fetched.error = OSError("no route")
    with pytest.raises(DataUnreachableError, match=r"no route.*with a network"):
        load("rcv1")
    fetched.error = None
    load("rcv1")
    fetched.error = EOFError("cut off")
    with pytest.raises(DataDamagedError, match=r"cut off.*remove it"):
        load("rcv1")


def test_other_vectors_or_topics_have_another_hash(fetched):
    before = load("rcv1").sha256
    fetched.vectors = [[0.6, 0.0, 0.8], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]
    other = load("rcv1").sha256
    fetched.topics = TOPICS[1:] + TOPICS[:1]
    assert len({before, other, load("rcv1").sha256}) == 3
