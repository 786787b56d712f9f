"""The printed book, on a few of its pages."""

import re
import subprocess
import sys
import time

import pytest
import yaml
from bs4 import BeautifulSoup
from built_book import BOOK
from print_pdf import ROOT, chosen_entries, contents, page_numbers, print_book, whole_book

pytestmark = pytest.mark.browser

#: A cover, a chapter, a page with figure and tables, and a page with a frame.
SAMPLE = ("book/intro", "book/transductive_svm", "notebooks/transductive_svm/greedy", "book/live")


def titles(pdf):
    """Entries of the outline of a PDF."""
    found = re.findall(rb"/Title (?:\(((?:[^\\()]|\\.)*)\)|<FEFF([0-9A-F]*)>)", pdf)
    for plain, wide in found:
        text = re.sub(rb"\\(.)", rb"\1", plain).decode("latin-1")
        yield bytes.fromhex(wide.decode()).decode("utf-16-be") if wide else text


@pytest.fixture(scope="module")
def printed(book, chromium, tmp_path_factory):
    """The bytes of the sample's PDF."""
    path = tmp_path_factory.mktemp("pdf") / "sample.pdf"
    assert print_book(book, path, chromium, pages=SAMPLE) == [], "cut off, or too small to read"
    assert not list(book.glob("print-*")), "the book is left as it was"
    return path.read_bytes()


def test_every_page_of_the_contents_is_printed_in_order(book):
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    names = [name for _, name, _ in chosen_entries(contents(toc)) if name]
    page = BeautifulSoup(whole_book(book), "html.parser")
    assert len(page.select("main > article")) == len(names) == len(set(names))
    assert len(page.select(".listing a")) == len(names)
    ids = [element["id"] for element in page.select("[id]")]
    assert sorted(set(ids)) == sorted(ids)
    inside = [a["href"][1:] for a in page.select("main a[href^='#']")]
    assert inside and set(inside) <= set(ids)
    left = [a["href"] for a in page.select("main a[href]") if not a["href"].startswith("#")]
    assert all(re.match(r"(https?|mailto):", link) for link in left), "the rest leads to the web"
    for image in page.select("main img[src]"):
        assert image["src"].startswith("data:") or (BOOK / image["src"]).is_file()
    assert not page.select("main iframe, main script")


def test_pages_headings_and_links_are_there(printed, book):
    assert printed.startswith(b"%PDF-") and printed.count(b"/Type /Page\n") >= 8
    outline = list(titles(printed))
    for name in SAMPLE:
        page = BeautifulSoup((book / f"{name}.html").read_text(encoding="utf-8"), "html.parser")
        heading = page.select_one("article h1")
        heading.select_one(".headerlink").decompose()
        assert heading.get_text().strip() in outline
    places = page_numbers(printed)
    wanted = {place.decode() for place in re.findall(rb"/Dest /(\S+)", printed)}
    assert wanted and wanted <= set(places)
    starts = [places[name] for name in sorted(wanted) if re.fullmatch(r"p\d+", name)]
    assert len(set(starts)) == len(SAMPLE) and min(starts) == 3, "after the cover and the contents"


def test_two_prints_of_the_same_pages_are_the_same_bytes(tmp_path, chromium):
    page = '<article class="bd-article"><h1>Rules</h1><p><a href="#x">x</a> <b id="x">is</b></p>'
    (tmp_path / "book").mkdir()
    (tmp_path / "book/rules.html").write_text(page + "<table><tr><td>1</table></article>")
    ready = "<script>window.MathJax = {startup: {promise: Promise.resolve()}}</script>"
    (tmp_path / "genindex.html").write_text(ready)
    prints = []
    for name in ("first.pdf", "second.pdf"):  # each by a browser of its own
        command = [sys.executable, ROOT / "tools/print_pdf.py", "book/rules"]
        output = tmp_path / name
        subprocess.run([*command, "--html", tmp_path, "--output", output], check=True)
        prints.append(output.read_bytes())
        time.sleep(1.1)  # a PDF counts seconds
    assert prints[0] == prints[1] and prints[0].count(b"/Type /Page\n") >= 3
    assert b"file:" not in prints[0]
