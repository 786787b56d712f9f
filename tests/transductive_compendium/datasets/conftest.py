"""A registered table made up here, and a loopback server: the tests never leave the machine."""

import hashlib
import io
import os
import tarfile
import threading
import zipfile
from dataclasses import replace
from functools import cache, lru_cache, partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import numpy as np
import pytest

from transductive_compendium import environment
from transductive_compendium.datasets import (
    DataDamagedError,
    available,
    load,
    load_realisation,
    verify,
)
from transductive_compendium.datasets import download as store
from transductive_compendium.datasets.registry import File, Source, registry


def made_up_text():
    """Return a made-up file with the layout of new-thyroid: 215 rows, class first."""
    rng = np.random.default_rng(7)
    codes = np.repeat([1, 2, 3], [150, 35, 30])
    return "".join(
        f"{code}," + ",".join(f"{value:.1f}" for value in row) + "\n"
        for code, row in zip(codes, rng.normal(50, 20, (215, 5)), strict=True)
    )


def zip_of(**members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/"), content)
    return buffer.getvalue()


def tar_of(members, mode="w:gz"):
    """Pack (name, content) pairs; the content of a link is a tar type and its target."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        for name, content in members.items() if isinstance(members, dict) else members:
            info = tarfile.TarInfo(name)
            if isinstance(content, tuple):
                info.type, info.linkname = content
                archive.addfile(info)
            else:
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


@pytest.fixture(scope="session")
def published():
    """``published(name)``: a set as published, read once; skips where no data are at hand."""
    if not os.environ.get("TRANSDUCTIVE_DATA"):
        pytest.skip("TRANSDUCTIVE_DATA names no data; `transductive data fetch --folder FOLDER`")

    def loaded(name, **options):
        assert available(name), f"{name} is not in TRANSDUCTIVE_DATA"
        return load(name, download=False, **options)

    return lru_cache(4)(loaded)


@pytest.fixture(scope="session")
def realisation():
    """``realisation(name, number)``: a published division, read once by a process."""
    return cache(partial(load_realisation, download=False))


@pytest.fixture
def zipped():
    """Pack keyword arguments into a zip archive, two underscores for a slash."""
    return zip_of


@pytest.fixture
def tarred():
    """Pack a dictionary, or pairs, of names and bytes into a tar archive."""
    return tar_of


@pytest.fixture
def text():
    return made_up_text()


NOWHERE = Source("http://127.0.0.1:9/none")


@pytest.fixture
def empty_folders(monkeypatch, tmp_path):
    """No data anywhere, and no network but this machine's."""
    monkeypatch.delenv(environment.DATA, raising=False)
    monkeypatch.delenv(environment.OFFLINE, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(store, "cache_folder", lambda: tmp_path / "cache")


def content_hash(table):
    """The hash that the data/README.md documents, by its words."""
    head = "{} {}\n".format(*table.shape).encode()
    return hashlib.sha256(head + np.asarray(table, dtype="<f8").tobytes()).hexdigest()


@pytest.fixture
def made_up(monkeypatch, empty_folders, tmp_path):
    """Give a registered set made-up files, and write them below a folder, else `tmp_path`.

    Takes the name, the bytes of each file, what each holds (hashes, or a table), and facts that
    differ from the registry.
    """

    def write(name, raws, contents, root=tmp_path, **facts):
        files = []
        for file, raw, content in zip(registry()[name].files, raws, contents, strict=True):
            known = content_hash(content) if isinstance(content, np.ndarray) else content
            digest = hashlib.sha256(raw).hexdigest()
            sources = tuple(replace(source, url=NOWHERE.url) for source in file.sources)
            file = replace(file, bytes=len(raw), sha256=digest, sources=sources)
            files.append(replace(file, content_sha256=known))
            path = root / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(raw)
        entry = replace(registry()[name], files=tuple(files), **facts)
        monkeypatch.setitem(registry(), name, entry)
        return entry

    return write


@pytest.fixture
def register(made_up, tmp_path):
    """Give a registered set of one file a made-up one, in the cache."""

    def put(name, raw, content, **facts):
        entry = made_up(name, [raw], [content], root=tmp_path / "cache", **facts)
        return SimpleNamespace(path=tmp_path / "cache" / entry.path, raw=raw)

    return put


@pytest.fixture
def refused():
    """``refused(name, path, raw, reason)``: a damaged file is named, with the way out."""

    def check(name, path, raw, reason=None, folder=None, way_out="transductive data fetch {}"):
        path.write_bytes(raw)
        with pytest.raises(DataDamagedError, match=reason) as caught:
            load(name, folder)
        assert str(path) in str(caught.value)
        assert way_out.format(name) in str(caught.value)
        assert verify(name, folder).state == "damaged" and available(name, folder)

    return check


@pytest.fixture
def thyroid(monkeypatch, empty_folders, text):
    """The registry's thyroid entry with the made-up table, empty folders, and no sources."""
    table = np.array([line.split(",") for line in text.split()], dtype="<f8")
    file = File(
        path=registry()["thyroid"].path,
        bytes=len(text),
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        content_sha256=hashlib.sha256(b"215 6\n" + table.tobytes()).hexdigest(),
        sources=(NOWHERE,),
    )
    entry = replace(registry()["thyroid"], files=(file,))
    monkeypatch.setitem(registry(), "thyroid", entry)
    return entry


@pytest.fixture
def put(thyroid):
    """Write bytes or text to where the thyroid file belongs below a folder."""

    def write(root, content):
        path = root / thyroid.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.fixture
def sources(monkeypatch, thyroid):
    """Set the entry's sources."""

    def set_sources(*urls):
        entries = tuple(url if isinstance(url, Source) else Source(url) for url in urls)
        file = replace(thyroid.files[0], sources=entries)
        monkeypatch.setitem(registry(), "thyroid", replace(thyroid, files=(file,)))

    return set_sources


@pytest.fixture
def server():
    """A loopback server. `answers`: path -> bytes; b"" after announcing more for "drop:" paths."""
    answers, requests = {}, []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            requests.append(self.path)
            if self.path not in answers:
                self.send_error(404)
                return
            body = answers[self.path]
            self.send_response(200)
            extra = 1000 if self.path.startswith("/drop") else 0  # announced, but never sent
            self.send_header("Content-Length", str(len(body) + extra))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
        thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        httpd.answers, httpd.requests = answers, requests
        httpd.url = f"http://127.0.0.1:{httpd.server_port}"
        yield httpd
        httpd.shutdown()
        thread.join()
