"""Every page of the book, opened in a browser that has no network."""

import re
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup
from built_book import BOOK, pages

pytestmark = pytest.mark.browser

#: Formulas that are missing, empty or in error, and TeX left in the text.
BAD_FORMULAS = r"""async () => {
  const formulas = [...document.querySelectorAll('.math')];
  if (formulas.length) await window.MathJax.startup.promise;
  const bad = [];
  for (const formula of formulas) {
    const drawn = formula.querySelectorAll('mjx-container');
    if (!drawn.length) bad.push('not drawn: ' + formula.textContent);
    for (const one of drawn) {
      if (!one.querySelector('svg path, svg use, svg rect, svg text'))
        bad.push('empty: ' + formula.outerHTML.slice(0, 200));
      const error = one.querySelector('[data-mml-node="merror"], mjx-merror');
      if (error) bad.push('error: ' + (error.getAttribute('data-mjx-error') || error.textContent));
    }
  }
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode;
    if (node.parentElement.closest('pre, code, script, style, noscript, mjx-container')) continue;
    const left = node.textContent.match(/\\[([][^\n]{0,40}|\\(begin|frac|mathcal)\{[^\n]{0,40}/);
    if (left) bad.push('left as text: ' + left[0]);
  }
  return bad;
}"""

IMAGES = """() => [...document.querySelectorAll('main article img')]
  .filter(image => !image.closest('.indextable')).map(image => ({
  source: image.getAttribute('src'), alt: image.getAttribute('alt'),
  inside: image.naturalWidth}))"""

WIDE = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const scrolls = e => {
    for (let up = e.parentElement; up && up !== document.body; up = up.parentElement)
      if (getComputedStyle(up).overflowX !== 'visible') return true;
    return false;
  };
  return [...document.querySelectorAll('body *')]
    .filter(e => e.getBoundingClientRect().right > width + 1 && !scrolls(e))
    .map(e => e.tagName + '.' + e.className + ' ' + e.textContent.trim().slice(0, 60)).slice(0, 8);
}"""


def describes(alt):
    """Whether alt text was written for the figure; the default is the file's name."""
    return bool(alt) and len(alt.split()) >= 3 and not re.search(r"\.(png|svg|jpe?g)$|_images", alt)


@pytest.mark.parametrize("scheme", ["http", "file"])
@pytest.mark.parametrize("name", pages())
def test_page(name, scheme, tab, sites):
    tab.goto(sites[scheme] + name, wait_until="load")
    assert tab.evaluate(BAD_FORMULAS) == []
    for image in tab.evaluate(IMAGES):
        assert describes(image["alt"]), f"no alt text for a figure: {image}"
        assert image["inside"] > 0, f"image did not load: {image}"
    tab.set_viewport_size({"width": 390, "height": 800})
    tab.wait_for_timeout(50)
    assert tab.evaluate(WIDE) == [], "wider than a narrow screen"
    if scheme == "http" or not name.endswith("search.html"):
        assert tab.troubles == []


def test_book_has_pages_with_formulas(book):
    # Otherwise the checks above would pass on nothing.
    assert any('class="math' in (book / name).read_text(encoding="utf-8") for name in pages())


def test_the_front_door_leads_on(tab, sites):
    for site in sites.values():
        tab.goto(site + "index.html")
        tab.wait_for_url(re.compile(r"book/intro\.html$"))
        assert "Transduction" in tab.title()


def test_search_finds(tab, sites):
    tab.goto(sites["http"] + "search.html?q=transduction")
    tab.wait_for_selector("#search-results li a")
    assert "intro" in " ".join(
        link.get_attribute("href") for link in tab.query_selector_all("#search-results li a")
    )
    tab.wait_for_load_state("networkidle")
    assert tab.troubles == []


def test_dark_mode_changes_the_page(tab, sites):
    tab.goto(sites["http"] + "book/intro.html")
    ground = "() => getComputedStyle(document.body).backgroundColor"
    light = tab.evaluate(ground)
    tab.evaluate("() => { document.documentElement.dataset.theme = 'dark' }")
    assert tab.evaluate(ground) != light


@pytest.mark.parametrize("name", pages())
def test_links_inside_the_book_arrive(name, book):
    page = BeautifulSoup((book / name).read_text(encoding="utf-8"), "html.parser")
    for link in page.select("main a[href]"):
        to = urlsplit(link["href"])
        if to.scheme or to.netloc:
            continue
        target = (book / name).parent / unquote(to.path) if to.path else book / name
        assert target.is_file(), f"{link['href']} leads nowhere"
        if to.fragment and target.suffix == ".html":
            there = BeautifulSoup(target.read_text(encoding="utf-8"), "html.parser")
            assert there.find(id=unquote(to.fragment)), f"{link['href']} has no such place"


def test_pages_were_collected():
    assert BOOK.is_dir() == bool(pages())
