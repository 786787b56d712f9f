"""A registered table made up here, and a loopback server: the tests never leave the machine."""

import hashlib
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from transductive.datasets import store
from transductive.datasets.registry import Source, registry


def made_up_text():
    """Return a made-up file with the layout of new-thyroid: 215 rows, class first."""
    rng = np.random.default_rng(7)
    codes = np.repeat([1, 2, 3], [150, 35, 30])
    return "".join(
        f"{code}," + ",".join(f"{value:.1f}" for value in row) + "\n"
        for code, row in zip(codes, rng.normal(50, 20, (215, 5)), strict=True)
    )


@pytest.fixture
def text():
    return made_up_text()


@pytest.fixture
def thyroid(monkeypatch, tmp_path, text):
    """The registry's thyroid entry with the made-up table, empty folders, and no sources."""
    monkeypatch.delenv(store.FOLDER_VARIABLE, raising=False)
    monkeypatch.delenv(store.OFFLINE_VARIABLE, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(store, "cache_folder", lambda: tmp_path / "cache")
    table = np.array([line.split(",") for line in text.split()], dtype="<f8")
    entry = replace(
        registry()["thyroid"],
        bytes=len(text),
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        content_sha256=hashlib.sha256(b"215 6\n" + table.tobytes()).hexdigest(),
        sources=(Source("http://127.0.0.1:9/none"),),
    )
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
        monkeypatch.setitem(registry(), "thyroid", replace(thyroid, sources=entries))

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
