"""Every page of the book, opened in a browser that has no network."""

import csv
import lzma
import re
from functools import cache
from pathlib import PurePosixPath
from types import SimpleNamespace
from urllib.parse import unquote, urlsplit

import pytest
from accessibility import LOOK, violations
from bs4 import BeautifulSoup
from built_book import BOOK, pages

from transductive_compendium.book.colours import METHODS

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


#: A moment after the window changed the theme makes focusable what scrolls, and pictures change.
#: Waits for both; what never comes is for the checks below to report.
SETTLED = """async () => {
  const parts = 'pre, .nboutput > .output_area, .cell_output > .output, .jp-RenderedHTMLCommon';
  const focusable = e => e.tabIndex >= 0 ||
    e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight;
  const chosen = picture => picture.querySelector('img').currentSrc.endsWith(
    picture.querySelector('source').getAttribute('srcset').replace(/^.*\\//, ''));
  const done = () => [...document.querySelectorAll(parts)].every(focusable) &&
    [...document.querySelectorAll('main article figure picture')].every(chosen);
  for (let tries = 0; tries < 60 && !done(); tries++)
    await new Promise(resume => setTimeout(resume, 50));
}"""

PLACES = """() => ({
  height: document.documentElement.scrollHeight,
  figure: document.querySelector('main article figure img')?.getBoundingClientRect().top + scrollY,
})"""

#: Heights from picture to picture, from the head of a page to its end, as it is when it opens.
STRETCHES = """async () => {
  const article = document.querySelector('main article');
  const images = [...article.querySelectorAll('figure img')];
  for (const image of images) image.loading = 'eager';
  await Promise.all(images.map(image => image.decode()));
  // the code of the hundred lines is looked at, too
  const seen = article.querySelectorAll('figure img, #the-paper-in-a-hundred-lines .highlight');
  const boxes = [...seen].map(e => e.getBoundingClientRect()).filter(box => box.height > 60);
  const {top, bottom} = article.getBoundingClientRect();
  const edges = [top, ...boxes.flatMap(box => [box.top, box.bottom]), bottom];
  return edges.filter((_, i) => i % 2).map((edge, i) => Math.round(edge - edges[2 * i]));
}"""

NARROW = """() => [...document.querySelectorAll('main article figure picture')].map(picture => ({
  shown: picture.querySelector('img').currentSrc,
  stacked: picture.querySelector('source').getAttribute('srcset').replace(/^.*\\//, '')}))"""

#: Names in legends and the methods that they are of.
METHOD_OF = {
    "SVM": "SVM",
    "Bayesian transduction": "Bayesian transduction",
    "Bayes point": "Bayes point",
    "TSVM as printed": "TSVM",
    "naive Bayes": "naive Bayes",
    "ridge regression": "ridge",
    "transductive regression": "transductive ridge",
}

#: A screen in pixels; what must be on the first, and how many of them a page may have.
SCREEN, MOST_SCREENS = 900, 10


#: Chapters, and the most screens of one without a picture.
CHAPTERS = (
    *("bayesian_transduction", "kernel_gibbs_sampler", "transductive_regression"),
    *("transductive_svm", "universum"),
)
PICTURE_EVERY = 2


def describes(alt):
    """Whether alt text was written for the figure; the default is the file's name."""
    return bool(alt) and len(alt.split()) >= 3 and not re.search(r"\.(png|svg|jpe?g)$|_images", alt)


def check_content(tab):
    """Formulas are drawn, images are there and described."""
    assert tab.evaluate(BAD_FORMULAS) == []
    for image in tab.evaluate(IMAGES):
        assert describes(image["alt"]), f"no alt text for a figure: {image}"
        assert image["inside"] > 0, f"image did not load: {image}"


def check_places(tab, name):
    """Pages of figures show the first at once, and no page of results goes on for ever."""
    places = tab.evaluate(PLACES)
    if name.startswith("notebooks/"):
        assert places["figure"] < SCREEN, "the first figure is below the first screen"
    if name.startswith(("notebooks/", "book/report/")):
        assert places["height"] <= MOST_SCREENS * SCREEN, "longer than ten screens"


@pytest.mark.parametrize("name", pages())
def test_page(name, tab, sites):
    """All about a page on one visit: light and wide, then dark and narrow."""
    tab.goto(sites["http"] + name, wait_until="load")
    check_content(tab)
    check_places(tab, name)
    assert violations(tab) == [], "axe, light and wide"
    tab.set_viewport_size({"width": 390, "height": 800})
    tab.evaluate("() => { document.documentElement.dataset.theme = 'dark' }")
    tab.evaluate(SETTLED)
    assert tab.evaluate(WIDE) == [], "wider than a narrow screen"
    for picture in tab.evaluate(NARROW):
        assert picture["shown"].endswith(picture["stacked"]), "panels side by side on a telephone"
    assert violations(tab, rules=LOOK) == [], "axe, dark and narrow"
    assert tab.troubles == []


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_has_a_picture_every_two_screens(chapter, tab, sites):
    tab.set_viewport_size({"width": 1400, "height": SCREEN})
    tab.goto(f"{sites['http']}book/{chapter}.html", wait_until="load")
    tab.evaluate("() => window.MathJax.startup.promise")
    stretches = tab.evaluate(STRETCHES)
    assert len(stretches) > 10 and max(stretches) <= PICTURE_EVERY * SCREEN, stretches


def of_each_kind(names):
    """The page at the front, those that lead to others, and the first page of each folder."""
    folders = {}
    for name in names:
        folders.setdefault(PurePosixPath(name).parent, name)
    leading = [name for name in names if (BOOK / name).with_suffix("").is_dir()]
    chosen = {"book/intro.html", *folders.values(), *leading}
    chosen |= {name for name in names if name.startswith("book/") and name.count("/") == 1}
    return sorted(name for name in chosen if name in names and name != "search.html")


@pytest.mark.parametrize("name", of_each_kind(pages()))
def test_page_from_disk(name, tab, sites):
    # The pages of a folder are made by one template from the same parts: all chapters and the
    # first page of every folder stand for the rest.
    tab.goto(sites["file"] + name, wait_until="load")
    check_content(tab)
    assert tab.troubles == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", ["book/intro.html", "genindex.html", "search.html"])
def test_the_frame_around_the_pages(name, theme, tab, sites):
    tab.goto(sites["http"] + name, wait_until="load")
    tab.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
    tab.wait_for_timeout(300)
    assert violations(tab, whole=True) == []


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
    # Results appear one by one, each after a fetch of its page: wait for the one we expect.
    tab.wait_for_selector("#search-results li a[href*='book/intro.html']")
    tab.wait_for_load_state("networkidle")
    assert tab.troubles == []


def test_the_search_says_that_it_shows_titles_alone_from_a_disk(tab, sites):
    for scheme, lines in (("http", 0), ("file", 1)):
        tab.goto(sites[scheme] + "search.html?q=transduction")
        assert tab.locator("#from-disk:visible").count() == lines


def test_dark_mode_changes_the_page(tab, sites):
    tab.goto(sites["http"] + "book/intro.html")
    ground = "() => getComputedStyle(document.body).backgroundColor"
    light = tab.evaluate(ground)
    tab.evaluate("() => { document.documentElement.dataset.theme = 'dark' }")
    assert tab.evaluate(ground) != light


@cache
def parsed(path):
    """What the checks below ask of a page: its links, its figures' links, its ids."""
    page = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
    figures = {}
    for number, image in enumerate(page.select("main article figure")):
        beside = image.find_next_sibling()
        links = [*image.select("a[href]"), *(beside.select("a[href]") if beside else ())]
        figures[image.get("id", number)] = [link["href"] for link in links]
    return SimpleNamespace(
        ids=[element["id"] for element in page.select("[id]")],
        own_ids=[element["id"] for element in page.select("main article [id]")],
        links=[link["href"] for link in page.select("main a[href]")],
        figures=figures,
    )


@pytest.mark.parametrize("name", pages())
def test_links_inside_the_book_arrive(name, book):
    page = parsed(book / name)
    for link in page.links:
        to = urlsplit(link)
        if to.scheme or to.netloc:
            continue
        target = (book / name).parent / unquote(to.path) if to.path else book / name
        assert target.is_file(), f"{link} leads nowhere"
        if to.fragment and target.suffix == ".html":
            there = parsed(target.resolve())
            assert unquote(to.fragment) in there.ids, f"{link} has no such place"


@pytest.mark.parametrize("name", pages())
def test_no_two_places_have_one_name(name, book):
    ids = parsed(book / name).own_ids  # the theme's search page has two fields of one name
    assert sorted(set(ids)) == sorted(ids)


def table(path):
    """Open a table, which is compressed if it is large."""
    read = lzma.open if path.suffix == ".xz" else open
    return read(path, "rt", newline="", encoding="utf-8")


@pytest.mark.parametrize("name", pages())
def test_figures_have_their_data(name, book):
    for figure, links in parsed(book / name).figures.items():
        tables = [link for link in links if link.endswith((".csv", ".csv.xz"))]
        assert tables, f"{figure}: no link to its data, neither in its caption nor below it"
        for link in tables:
            with table((book / name).parent / unquote(link)) as file:
                header, *rows = csv.reader(file)
            assert rows and {len(row) for row in rows} == {len(header)}, f"{link} is no table"


def test_notebooks_have_figures(book):
    # Otherwise the check above would pass on nothing.
    shown = [name for name in pages() if name.startswith("notebooks/")]
    assert all(parsed(book / name).figures for name in shown)


@pytest.mark.parametrize("name", [name for name in pages() if name.startswith("notebooks/")])
def test_the_finding_and_the_figure_come_before_tables_and_code(name, book):
    page = BeautifulSoup((book / name).read_text(encoding="utf-8"), "html.parser")
    article = page.select_one("main article")
    kinds = [element.name for element in article.find_all(["p", "figure", "table", "pre"])]
    assert kinds.index("p") < kinds.index("figure")
    first = min((kinds.index(kind) for kind in ("table", "pre") if kind in kinds), default=99)
    assert kinds.index("figure") < first
    assert article.select(".how-computed"), "parameters, code and provenance are folded at the end"


def test_methods_have_one_colour_in_all_figures(book):
    seen = set()
    for path in sorted(book.glob("_downloads/fig-*.csv*")):
        with table(path) as file:
            for row in csv.DictReader(file):
                method = METHOD_OF.get(row.get("series"))
                if method:
                    seen.add(method)
                    assert row["colour"] == METHODS[method].lower(), (path.name, row["series"])
    assert seen == set(METHOD_OF.values())


def test_pages_were_collected():
    assert BOOK.is_dir() == bool(pages())
