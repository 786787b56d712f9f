"""Print the built book as one PDF with Chromium: _build/transduction-compendium.pdf.

    python tools/print_pdf.py [--html _build/html] [--output FILE] [PAGE ...]

The articles of the built pages, in the order of the contents up to its appendices, become one page
of HTML; other pages are printed if they are named. Chromium prints formulas,
cross-references and outline. Nothing is downloaded. What is folded is printed, but a claim as its
row, and of what is marked `on-screen` the title. Left out are the code behind a figure, its
parameters, and further verdicts, which are printed among the claims. The PDF has the date of the
last commit, so the same pages give the same bytes.
"""

import argparse
import os
import posixpath
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import yaml
from bs4 import BeautifulSoup

from transductive_compendium.book.templating import render

ROOT = Path(__file__).resolve().parent.parent
HTML = ROOT / "_build" / "html"
PDF = ROOT / "_build" / "transduction-compendium.pdf"

#: Classes of folded boxes on pages of notebooks that are not printed; their anchors stay.
LEFT_OUT = "how-computed|verdicts"

#: Parts wider than the paper's text are scaled down. Nothing scrolls or folds.
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

#: The last parts of the contents, which are looked up rather than read.
APPENDICES = ("How it was checked", "Data and library")

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


def chosen_entries(entries, pages=()):
    """Entries of the contents that are printed: these pages, or all before the appendices."""
    entries = list(entries)
    if pages:
        return [entry for entry in entries if entry[1] in pages]
    return entries[: next(i for i, entry in enumerate(entries) if entry[2] in APPENDICES)]


def article(page: str) -> str:
    """Content of a built page, without the theme around it."""
    return re.search(r'<article class="bd-article">(.*?)</article>', page, re.S)[1]


def title(body: str) -> str:
    """Text of the first heading, formulas as they are drawn."""
    heading = re.search(r"<h1>(.*?)</h1>", body, re.S)[1]
    return re.sub(r'<a class="headerlink".*?</a>', "", heading, flags=re.S).strip()


def unfold(body: str) -> str:
    """What is folded without its fold, and each claim as its row, all anchors kept."""
    if "<details" not in body and not re.search(LEFT_OUT, body):
        return body
    soup = BeautifulSoup(body, "html.parser")
    for folded in soup.select(", ".join(f"div.dropdown.{name}" for name in LEFT_OUT.split("|"))):
        folded.replace_with(*[soup.new_tag("span", id=str(p["id"])) for p in folded.select("[id]")])
    for claim in soup.select("details.claim"):
        row = soup.new_tag("p", attrs={"class": "claim-row"})
        for place in claim.select("[id]"):
            row.append(soup.new_tag("span", id=str(place["id"])))
        numbers = claim.select_one(".claim-numbers")
        lines = (line.p or line for line in claim.select("li"))
        whole = next((line for line in lines if line.get_text().startswith("Published:")), None)
        if numbers and whole:  # on the screen the row shortens them until it is opened
            numbers.clear()
            numbers.extend(list(whole.contents))
        row.extend(list(claim.select_one("summary .sd-summary-text").contents))
        claim.replace_with(row)
    for folded in soup.select("details:not(.hide)"):
        if not (title := folded.find("summary")):
            continue
        title.name, folded.name = "p", "div"
        title["class"] = "unfolded-title"
        if "on-screen" in (folded.get("class") or []):
            title.string = f"{title.get_text().strip()}: in the book of web pages."
            title["class"] = "substitute"
            folded.replace_with(title)
    return str(soup)


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

    body = unfold(re.sub(r"<script\b.*?</script>", "", body, flags=re.S))
    body = re.sub(
        r"<iframe\b[^>]*>.*?</iframe>",
        '<p class="substitute">This part is interactive; it is in the book of web pages.</p>',
        body,
        flags=re.S,
    )
    body = re.sub(r"<[a-zA-Z/][^>]*>", tag, body)
    return body.replace(' loading="lazy"', "")


def whole_book(folder: Path, pages=()) -> str:
    """The built book as one page of HTML, to be opened from `folder`."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    entries = chosen_entries(contents(toc), pages)
    numbers = {name: k for k, (_, name, _) in enumerate(entries) if name}
    index = (folder / "genindex.html").read_text(encoding="utf-8")
    keep = r'<link[^>]*rel="stylesheet"[^>]*>|<script>window.MathJax.*?</script>'
    head = re.findall(keep, index) + re.findall(r"<script[^>]*mathjax[^>]*></script>", index)
    listed = []
    for level, name, caption in entries:
        if name is None:
            listed.append({"part": caption})
            continue
        body = article((folder / f"{name}.html").read_text(encoding="utf-8"))
        depth = max(0, level - 1)
        text = rewrite(body, name, numbers, depth)
        listed.append({"number": numbers[name], "depth": depth, "title": title(body), "text": text})
    about = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    return render("print.html", about=about, head="".join(head), entries=listed)


def chromium() -> str:
    """Path of the system's Chromium."""
    names = [os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"]
    found = next((path for name in names if name and (path := shutil.which(name))), None)
    if found is None:
        sys.exit("no Chromium was found: `apt-get install chromium`, or name it in CHROMIUM")
    return found


def page_numbers(pdf: bytes) -> dict[str, int]:
    """Page number of each link target in a PDF made by Chromium."""
    pages = re.findall(rb"\n(\d+) 0 obj\n<</Type /Page\n", pdf)
    return {
        place.decode(): pages.index(page) + 1
        for place, page in re.findall(rb"/(\S+) \[(\d+) 0 R /XYZ", pdf)
    }


def commit_date() -> int:
    """Date of the last commit in seconds since 1970; 0 outside a repository."""
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    return int(subprocess.run(command, capture_output=True, text=True).stdout or 0)


def dated(pdf: bytes, seconds: int) -> bytes:
    """A PDF of Chromium's with this date in the place of the time when it was printed."""
    # of the same length, since a PDF tells where in the file its parts are
    date = time.strftime("(D:%Y%m%d%H%M%S+00'00')", time.gmtime(seconds)).encode()
    return re.sub(rb"(?<=Date )\(D:\d{14}\+00'00'\)", date, pdf)


def print_book(folder: Path, output: Path, browser=None, pages=()) -> list[str]:
    """Print the book built in `folder`, or some pages of it; returns faults of the print."""
    if browser is None:
        from playwright.sync_api import sync_playwright

        flags = ["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND"]
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=chromium(), args=flags)
            return print_book(folder, output, browser, pages)
    # beside the pages, so that what they name is found
    for left in folder.glob("print-*.html"):  # by a print that was killed
        left.unlink()
    whole = folder / f"print-{os.getpid()}.html"
    page = browser.new_page(viewport={"width": 658, "height": 970})  # A4's text at 96 dpi
    page.set_default_timeout(600_000)
    try:
        whole.write_text(whole_book(folder, pages), encoding="utf-8")
        page.goto(whole.resolve().as_uri(), wait_until="load")
        page.emulate_media(media="print")
        page.evaluate("() => window.MathJax.startup.promise")
        bad = page.evaluate(FIT)
        # Chromium (156) cannot count pages for the contents: printed until the numbers are right.
        numbers: dict[str, int] = {}
        for _ in range(4):
            pdf = page.pdf(
                outline=True, tagged=True, prefer_css_page_size=True, print_background=True
            )
            if (found := page_numbers(pdf)) == numbers:
                break
            numbers = found
            page.evaluate(NUMBER, numbers)
        else:
            bad.append("page numbers of the contents that do not settle")
        output.write_bytes(dated(pdf, commit_date()))
    finally:
        page.close()
        whole.unlink(missing_ok=True)
    return bad


def main(arguments=None) -> int:
    """Command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="as in _toc.yml")
    parser.add_argument("--html", type=Path, default=HTML, help="folder of the built book")
    parser.add_argument("--output", type=Path, default=PDF)
    given = parser.parse_args(arguments)
    if not (given.html / "genindex.html").is_file():
        sys.exit(f"there is no built book in {given.html}; make one with `make book`")
    for complaint in print_book(given.html, given.output, pages=given.pages):
        print(f"pdf: {complaint}", file=sys.stderr)
    print(f"pdf: {given.output}, {given.output.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
