import errno
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from transductive_compendium import environment
from transductive_compendium.datasets import (
    DataDamagedError,
    DataError,
    DataMissingError,
    DataUnreachableError,
    available,
    fetch,
    load,
    verify,
)
from transductive_compendium.datasets import (
    download as store,
)
from transductive_compendium.datasets.registry import Source


def damaged_versions(text):
    lines = text.splitlines(keepends=True)
    return {
        "truncated": text[:2000],
        "cut between rows": "".join(lines[:-1]),
        "changed digit": text[:2] + str((int(text[2]) + 1) % 10) + text[3:],
        "flipped bit": text[:3] + chr(ord(text[3]) ^ 0x40) + text[4:],
        "a column more": text.replace("\n", ",1\n"),
        "one short row": "".join([*lines[:9], lines[9].rpartition(",")[0] + "\n", *lines[10:]]),
        "NaN": text.replace(lines[4].split(",")[2], "nan", 1),
        "class code": "4" + text[1:],
        "class moved": "2" + text[1:],
        "rows swapped": "".join([lines[1], lines[0], *lines[2:]]),
        "empty": "",
        "a web page": "<html><body>Service unavailable</body></html>",
        "binary": b"\x1f\x8b\x08\x00\xff\xfe",
    }


DAMAGES = list(damaged_versions("1,2,3,4,5,6\n" * 10))


@pytest.fixture
def damaged(request, text):
    return damaged_versions(text)[request.param]


@pytest.mark.parametrize("damaged", DAMAGES, indirect=True)
def test_a_damaged_file_is_refused_with_the_way_out(damaged, thyroid, put, tmp_path):
    folder = tmp_path / "my data"
    path = put(folder, damaged)
    with pytest.raises(DataDamagedError) as caught:
        load("thyroid", folder)
    message = str(caught.value)
    assert str(path) in message
    assert f"transductive data fetch thyroid --folder '{folder}'" in message
    assert thyroid.files[0].sources[0].url in message
    assert verify("thyroid", folder).state == "damaged"
    assert available("thyroid", folder)  # so that no substitute hides the damage


@pytest.mark.parametrize(
    "change, proof",
    [
        (lambda text: text, "same bytes"),
        (lambda text: text.replace("\n", "\r\n"), "same content"),
        (lambda text: "a,b,c,d,e,f\n" + text, "same content"),
    ],
)
def test_faithful_copies_verify(change, proof, put, tmp_path, text):
    put(tmp_path, change(text))
    assert (verify("thyroid", tmp_path).state, verify("thyroid", tmp_path).detail) == ("ok", proof)
    assert load("thyroid", tmp_path).X.shape == (215, 5)


def test_an_unreadable_file_is_reported(put, tmp_path, text, monkeypatch):
    path = put(tmp_path, text)

    def refuse(self):
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(type(path), "read_bytes", refuse)
    with pytest.raises(DataDamagedError, match="Permission denied"):
        load("thyroid", tmp_path)


def test_the_search_goes_folder_then_variable_then_cache(put, tmp_path, text, monkeypatch):
    monkeypatch.setenv(environment.DATA, str(tmp_path / "env"))
    (tmp_path / "env").mkdir()
    for where, root in (("cache", "cache"), (environment.DATA, "env"), ("folder", "own")):
        put(tmp_path / root, text)
        assert verify("thyroid", tmp_path / "own").where == where


def test_a_variable_that_names_no_folder_is_an_error(thyroid, tmp_path, monkeypatch):
    monkeypatch.setenv(environment.DATA, str(tmp_path / "typo"))
    with pytest.raises(DataError, match=r"TRANSDUCTIVE_DATA names .*typo.*unset") as caught:
        load("thyroid")
    assert not isinstance(caught.value, DataMissingError)  # which would call for a substitute


def test_sources_are_tried_in_order_until_one_is_right(
    thyroid, server, sources, text, zipped, tmp_path
):
    server.answers.update(
        {
            "/drop": text.encode(),
            "/page": b"<html>log in</html>",
            "/damaged": text.replace("1,", "7,", 1).encode(),
            "/bad.zip": b"PK not really",
            "/right.zip": zipped(readme="x", thyroid__a="1,2", **{"dir__new-thyroid.data": text}),
            "/never": text.encode(),
        }
    )
    paths = ["/gone", "/drop", "/page", "/damaged"]
    sources(
        *(server.url + path for path in paths),
        Source(server.url + "/bad.zip", "a"),
        Source(server.url + "/right.zip", "new-thyroid.data"),
        server.url + "/never",
    )
    path = fetch("thyroid")
    assert path == tmp_path / "cache" / thyroid.path
    assert path.read_text() == text
    assert server.requests == [*paths, "/bad.zip", "/right.zip"]
    assert [p.name for p in path.parent.iterdir()] == [path.name]
    fetch("thyroid")
    assert len(server.requests) == 6  # a sound copy is not downloaded again


def test_a_table_below_a_text_with_its_rows_on_two_lines_is_put_together(
    thyroid, server, sources, text
):
    lines = [line.split(",") for line in text.split()]
    rows = "".join(f" {' '.join(row[:4])}\n  {' '.join(row[4:])}\n" for row in lines)
    server.answers["/x"] = f"On 3 kinds of patients:\n 1 2\n{rows}".encode()
    sources(Source(server.url + "/x", skipped_lines=2))
    assert load("thyroid").sha256 == thyroid.files[0].content_sha256
    server.answers["/cut"] = server.answers["/x"][:-20]
    sources(Source(server.url + "/cut", skipped_lines=2))
    fetch("thyroid").unlink()
    with pytest.raises(DataUnreachableError, match="214 rows of 6 columns instead of 215"):
        fetch("thyroid")


def refused_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def test_offline_only_an_explicit_fetch_downloads(server, sources, text, monkeypatch):
    server.answers["/x"] = text.encode()
    sources(server.url + "/x")
    monkeypatch.setenv(environment.OFFLINE, "1")
    with pytest.raises(DataMissingError, match="transductive data fetch"):
        load("thyroid")
    assert server.requests == []
    fetch("thyroid")
    assert load("thyroid").X.shape == (215, 5)


def test_unreachable_sources_are_listed_with_the_way_out(thyroid, server, sources, text, tmp_path):
    server.answers["/drop"] = text.encode()
    urls = [
        f"http://127.0.0.1:{refused_port()}/x",
        server.url + "/gone",
        server.url + "/drop",
        "http://",
    ]
    sources(*urls)
    with pytest.raises(DataUnreachableError) as caught:
        load("thyroid")
    message = str(caught.value)
    assert all(url in message for url in urls)
    assert "404" in message and "transductive data fetch thyroid" in message
    assert isinstance(caught.value, DataMissingError)
    assert not list((tmp_path / "cache").rglob("*part*"))
    assert not available("thyroid")


@pytest.mark.parametrize("damaged", DAMAGES, indirect=True)
def test_damaged_downloads_never_reach_the_cache(damaged, thyroid, server, sources, tmp_path):
    server.answers["/x"] = damaged if isinstance(damaged, bytes) else damaged.encode()
    sources(server.url + "/x")
    with pytest.raises(DataUnreachableError, match="/x: answered, but"):
        fetch("thyroid")
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]


def test_fetch_replaces_a_damaged_copy_in_its_destination_only(
    thyroid, server, sources, put, text, tmp_path, monkeypatch
):
    server.answers["/x"] = text.encode()
    sources(server.url + "/x")
    put(tmp_path / "cache", text[:500])
    assert fetch("thyroid").read_text() == text

    other = put(tmp_path / "env", text[:500])
    monkeypatch.setenv(environment.DATA, str(tmp_path / "env"))
    with pytest.raises(DataDamagedError):
        fetch("thyroid")
    assert other.read_text() == text[:500]
    assert fetch("thyroid", tmp_path / "env") == other  # the command the error named
    assert other.read_text() == text
    assert load("thyroid").X.shape == (215, 5)


def test_a_destination_that_cannot_be_written_is_an_error(thyroid, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(DataError, match=r"cannot be written.*--folder"):
        fetch("thyroid", tmp_path / "file")


def test_a_full_disk_is_no_fault_of_the_source(thyroid, tmp_path, monkeypatch):
    def full(self, url, target, _):
        raise OSError(errno.ENOSPC, "No space left on device", target)

    monkeypatch.setattr(store.pooch.HTTPDownloader, "__call__", full)
    with pytest.raises(DataError, match=r"uci cannot be written .*No space left.*--folder"):
        fetch("thyroid", tmp_path)


def test_parallel_fetches_and_readers_see_whole_files_only(
    thyroid, server, sources, put, text, tmp_path
):
    server.answers["/x"] = text.encode()
    sources(server.url + "/x")
    path, seen, done = tmp_path / "cache" / thyroid.path, set(), threading.Event()

    def watch():
        while not done.is_set():
            if path.exists():
                seen.add(path.read_bytes())

    watcher = threading.Thread(target=watch)
    watcher.start()
    with ThreadPoolExecutor(8) as pool:
        paths = list(pool.map(fetch, ["thyroid"] * 24))
    done.set()
    watcher.join()
    assert set(paths) == {path}
    assert seen <= {text.encode()} and path.read_text() == text
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_an_archive_cannot_write_outside_the_cache(
    thyroid, server, sources, text, zipped, tmp_path
):
    server.answers["/evil.zip"] = zipped(
        **{"..__..__..__new-thyroid.data": text, "__tmp__other": "x"}
    )
    sources(Source(server.url + "/evil.zip", "new-thyroid.data"))
    before = {path for path in tmp_path.rglob("*")}
    path = fetch("thyroid")
    assert {p for p in tmp_path.rglob("*") if p.is_file()} - before == {path}
