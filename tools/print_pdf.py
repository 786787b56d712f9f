"""Print the built book as one PDF with Chromium: _build/transduction-compendium.pdf.

    python tools/print_pdf.py [--html _build/html] [--output FILE] [PAGE ...]

The articles of the built pages, in the order of the contents, become one page of HTML whose
formulas, cross-references and outline Chromium then sets. Nothing is fetched. What a page folds
away (the code behind a figure) is left out; it stands in the notebooks.
"""

import argparse
import html
import os
import posixpath
import re
import shutil
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
HTML = ROOT / "_build" / "html"
PDF = ROOT / "_build" / "transduction-compendium.pdf"

#: Paper, and what a screen needs and paper does not.
STYLE = """
@page { size: A4; margin: 20mm 18mm 20mm 18mm; @bottom-center { content: counter(page);
  font: 9pt sans-serif; color: #444; } }
@page :first { @bottom-center { content: none; } }
/* Each shadow would be a picture, each stroke without a width a hairline. */
main.bd-content article.bd-article :is(*, #p) { box-shadow: none !important; }
mjx-container :is(g, path, rect, use) { stroke: none; }
html, body { background: #fff; font-size: 9.5pt; line-height: 1.4; }
body { display: block; overflow: visible; }
main { display: block; max-width: none; margin: 0; padding: 0; }
.headerlink, .copybtn, button, summary, .prev-next-area, details.hide { display: none !important; }
.cover { text-align: center; padding-top: 55mm; }
.cover .name { font-size: 26pt; font-weight: 700; }
.cover .cite { margin-top: 60mm; text-align: left; }
.listing { break-before: page; }
.listing ol { list-style: none; margin: 0; padding-left: 1.5em; }
.listing li { break-inside: avoid; margin: 0.15em 0; }
.listing a { color: inherit; display: flex; gap: 0.5em; text-decoration: none; }
.listing a::after { content: attr(data-page); margin-left: auto; }
.listing .part { font-weight: 700; margin-top: 0.8em; }
.bd-article { padding: 0 !important; }
article { break-before: page; }
/* Without the padding a heading at the top of a page is drawn on the page before, too, unseen. */
h1, h2, h3, h4, h5, h6 { break-after: avoid; padding-top: 1mm; }
h1 { font-size: 20pt; } h2 { font-size: 16pt; } h3 { font-size: 13pt; }
h4, h5, h6 { font-size: 11pt; }
p, li, dd, figcaption { orphans: 2; widows: 2; overflow-wrap: anywhere; }
figure, img, svg, tr, .admonition-title, div.highlight { break-inside: avoid; }
figure { margin: 1em 0; }
img { max-width: 100% !important; max-height: 200mm; }
pre, .bd-article div.highlight pre { font-size: 7.5pt; overflow: visible !important;
  overflow-wrap: anywhere; white-space: pre-wrap !important; }
.bd-article .pst-scrollable-table-container, .cell_output, .cell_output .output, div.math,
.bd-article mjx-container { overflow: visible !important; max-height: none !important; }
table { width: auto; } thead { display: table-header-group; }
.bd-article table.table, .bd-article table.dataframe { font-size: 8pt; }
a { color: #0b57b8; }
.bd-article .admonition { margin: 0.8em 0; padding: 0 0.8em 0.4em; page-break-inside: auto; }
.bd-article .admonition :is(p, ul, li) { font-size: inherit; margin-block: 0.2em; }
.standin-live { border: 1px solid #888; padding: 0.5em 0.8em; }
"""

#: What is wider than the paper's text is drawn smaller. Nothing is left to scroll or to fold.
FIT = """() => {
  const main = document.querySelector('main');
  const edge = main.getBoundingClientRect().right;
  const said = one => one.textContent.replace(/\\s+/g, ' ').trim().slice(0, 60);
  const bad = [];
  for (const wide of document.querySelectorAll('table, mjx-container[display="true"], svg')) {
    if (wide.closest('mjx-container') && wide.tagName !== 'MJX-CONTAINER') continue;
    const formula = wide.tagName === 'MJX-CONTAINER';
    const measured = formula ? [...wide.children] : [wide];
    const left = wide.getBoundingClientRect().left;
    let zoom = 1;
    for (let round = 0; round < 4; round++) {  // what is drawn smaller is laid out again
      const right = Math.max(...measured.map(one => one.getBoundingClientRect().right));
      if (right <= edge) break;
      zoom *= 0.995 * (edge - left) / (right - left);
      wide.style.zoom = zoom;
    }
    if (zoom < 0.45) bad.push('drawn very small: ' + said(wide));
  }
  const out = one => one.getBoundingClientRect().right > edge + 1;
  for (const one of main.querySelectorAll('*'))
    if (!one.closest('mjx-container') && out(one) && !out(one.parentElement))
      bad.push('cut off: ' + one.tagName + ' ' + said(one));
  return bad;
}"""

NUMBER = """numbers => {
  for (const link of document.querySelectorAll('.listing a'))
    link.dataset.page = numbers[link.getAttribute('href').slice(1)];
}"""


def contents(toc, depth=0):
    """Pages of the table of contents in order: (level, name of the page or None, caption)."""
    if "root" in toc:
        yield 0, toc["root"], None
    for part in toc.get("parts", ()):
        yield 0, None, part["caption"]
        for chapter in part["chapters"]:
            yield from contents(chapter, 1)
    if "file" in toc:
        yield depth, toc["file"], None
    for section in toc.get("sections", ()):
        yield from contents(section, depth + 1)


def article(page: str) -> str:
    """What a built page says, without the theme around it."""
    return re.search(r'<article class="bd-article">(.*?)</article>', page, re.S)[1]


def title(body: str) -> str:
    """Text of the first heading, formulas as they are drawn."""
    heading = re.search(r"<h1>(.*?)</h1>", body, re.S)[1]
    return re.sub(r'<a class="headerlink".*?</a>', "", heading, flags=re.S).strip()


def rewrite(body: str, name: str, numbers: dict[str, int], level: int) -> str:
    """An article made part of the whole: ids of its own, links and images found from there."""
    here, own = posixpath.dirname(name), numbers[name]

    def attribute(found):
        key, value = found[1], found[2]
        if key in ("id", "for", "name"):
            return f' {key}="p{own}-{value}"'
        if key.startswith("aria-"):
            return f' {key}="' + " ".join(f"p{own}-{part}" for part in value.split()) + '"'
        if re.match(r"[a-z]+:", value):
            return found[0]
        path, _, fragment = value.partition("#")
        there = posixpath.normpath(posixpath.join(here, path)) if path else f"{name}.html"
        if key == "src":
            return f' src="{there}"'
        number = numbers.get(there.removesuffix(".html"))
        if number is None:
            return ""
        return f' href="#p{number}-{fragment}"' if fragment else f' href="#p{number}"'

    def tag(found):
        keys = "id|for|name|href|src|aria-labelledby|aria-describedby"
        text = re.sub(rf'\s({keys})="([^"]*)"', attribute, found[0])
        if heading := re.match(r"<(/?)h([1-6])\b", text):
            text = f"<{heading[1]}h{min(6, int(heading[2]) + level)}" + text[heading.end() :]
        return text

    body = re.sub(r"<script\b.*?</script>", "", body, flags=re.S)
    body = re.sub(
        r"<iframe\b[^>]*>.*?</iframe>",
        '<p class="standin-live">This part is interactive; it is in the book of web pages.</p>',
        body,
        flags=re.S,
    )
    body = re.sub(r"<[a-zA-Z/][^>]*>", tag, body)
    return body.replace(' loading="lazy"', "")


def cover() -> str:
    """Title page: what this is, its version, and how it is cited."""
    about = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    authors = ", ".join(
        author.get("name") or f"{author['given-names']} {author['family-names']}"
        for author in about["authors"]
    )
    year = about.get("date-released")
    cite = f"{authors}{f' ({year.year})' if year else ''}. {about['title']}, version"
    text = html.escape
    return (
        f'<section class="cover"><p class="name">{text(about["title"])}</p>'
        f"<p>Version {text(str(about['version']))}</p><p>{text(authors)}</p>"
        f"<p>{text(about['abstract'])}</p>"
        f'<p class="cite">To cite it: {text(cite)} {text(str(about["version"]))}. '
        "Please cite the reproduced document, too.</p></section>"
    )


def whole_book(folder: Path, chosen=()) -> str:
    """The built book as one page of HTML, to be opened from `folder`."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    entries = [e for e in contents(toc) if not chosen or e[1] in chosen]
    numbers = {name: k for k, (_, name, _) in enumerate(entries) if name}
    index = (folder / "genindex.html").read_text(encoding="utf-8")
    keep = r'<link[^>]*rel="stylesheet"[^>]*>|<script>window.MathJax.*?</script>'
    head = re.findall(keep, index) + re.findall(r"<script[^>]*mathjax[^>]*></script>", index)
    listed, bodies = [], []
    for level, name, caption in entries:
        if name is None:
            listed.append(f'<li class="part">{html.escape(caption)}</li>')
            continue
        body = article((folder / f"{name}.html").read_text(encoding="utf-8"))
        number, depth = numbers[name], max(0, level - 1)
        listed.append(
            f'<li style="padding-left: {1.5 * depth}em"><a href="#p{number}">'
            f"<span>{title(body)}</span></a></li>"
        )
        bodies.append(
            f'<article class="bd-article" id="p{number}">'
            f"{rewrite(body, name, numbers, depth)}</article>"
        )
    return (
        '<!DOCTYPE html><html lang="en" data-theme="light"><head><meta charset="utf-8">'
        f"<title>The Transduction Compendium</title>{''.join(head)}<style>{STYLE}</style></head>"
        f'<body><main class="bd-content">{cover()}<nav class="listing"><h1>Contents</h1>'
        f"<ol>{''.join(listed)}</ol></nav>{''.join(bodies)}</main></body></html>"
    )


def chromium() -> str:
    """Path of the system's Chromium."""
    names = [os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"]
    found = next((path for name in names if name and (path := shutil.which(name))), None)
    if found is None:
        sys.exit("no Chromium was found: `apt-get install chromium`, or name it in CHROMIUM")
    return found


def page_numbers(pdf: bytes) -> dict[str, int]:
    """Number of the page on which each place of a PDF of Chromium's is that something links to."""
    pages = re.findall(rb"\n(\d+) 0 obj\n<</Type /Page\n", pdf)
    return {
        place.decode(): pages.index(page) + 1
        for place, page in re.findall(rb"/(\S+) \[(\d+) 0 R /XYZ", pdf)
    }


def print_book(folder: Path, output: Path, chosen=(), browser=None) -> list[str]:
    """Print the book built in `folder`, or the chosen pages of it; what is wrong with the print."""
    if browser is None:
        from playwright.sync_api import sync_playwright

        flags = ["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND"]
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=chromium(), args=flags)
            return print_book(folder, output, chosen, browser)
    # beside the pages, so that what they name is found
    whole = folder / f"print-{os.getpid()}.html"
    whole.write_text(whole_book(folder, chosen), encoding="utf-8")
    page = browser.new_page(viewport={"width": 658, "height": 970})  # A4's text at 96 dpi
    page.set_default_timeout(600_000)
    try:
        page.goto(whole.resolve().as_uri(), wait_until="load")
        page.emulate_media(media="print")
        page.evaluate("() => window.MathJax.startup.promise")
        bad = page.evaluate(FIT)
        # Printed once for the page numbers of the contents, which Chromium cannot count (156).
        numbers = page_numbers(page.pdf(prefer_css_page_size=True))
        page.evaluate(NUMBER, numbers)
        page.pdf(
            path=output,
            outline=True,
            tagged=True,
            prefer_css_page_size=True,
            print_background=True,
        )
    finally:
        page.close()
        whole.unlink()
    return bad


def main(arguments=None) -> int:
    """Command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="as in _toc.yml; default: all")
    parser.add_argument("--html", type=Path, default=HTML, help="the built book")
    parser.add_argument("--output", type=Path, default=PDF)
    given = parser.parse_args(arguments)
    if not (given.html / "genindex.html").is_file():
        sys.exit(f"there is no built book in {given.html}; make one with `make book`")
    for complaint in print_book(given.html, given.output, given.pages):
        print(f"pdf: {complaint}", file=sys.stderr)
    print(f"pdf: {given.output}, {given.output.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
