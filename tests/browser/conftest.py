"""The built book over loopback HTTP and from disk, and a browser that reaches nothing else."""

import os
import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from built_book import BOOK

from transductive_compendium.environment import is_on

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


def _missing(reason):
    """Skip, or fail where the check is demanded."""
    if is_on("TRANSDUCTIVE_REQUIRE_BROWSER"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def book():
    """Folder of the built book."""
    if not (BOOK / "index.html").is_file():
        _missing("there is no built book; make one with `make book`")
    return BOOK


@pytest.fixture(scope="session")
def sites(book):
    """Address of the book's folder by scheme: over HTTP on loopback, and from disk."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(book)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield {"http": f"http://127.0.0.1:{server.server_port}/", "file": book.as_uri() + "/"}
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def chromium():
    """A headless Chromium from the system."""
    playwright = pytest.importorskip("playwright.sync_api")
    names = [os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"]
    program = next((found for name in names if name and (found := shutil.which(name))), None)
    if program is None:
        _missing("no Chromium was found: `apt-get install chromium`, or name it in CHROMIUM")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def window(chromium):
    """One window for all pages: what they share is read once."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    yield context
    context.close()


@pytest.fixture
def tab(window, sites):
    """A new page whose `.troubles` lists outside and failed requests and script errors."""
    page = window.new_page()
    page.troubles = []
    inside = (*sites.values(), "data:", "blob:", "about:")

    def check(request):
        # nothing is routed, which would turn the browser's cache off: the flags block the network
        if not request.url.startswith(inside):
            page.troubles.append(f"outside request: {request.url}")

    page.on("request", check)
    page.on("pageerror", lambda error: page.troubles.append(f"script error: {error}"))
    page.on("requestfailed", lambda r: page.troubles.append(f"failed: {r.url} {r.failure}"))
    page.on("response", lambda r: r.status < 400 or page.troubles.append(f"{r.status}: {r.url}"))
    page.on("console", lambda m: m.type != "error" or page.troubles.append(f"console: {m.text}"))
    yield page
    page.close()
