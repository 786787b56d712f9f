"""What this book asks of Sphinx beyond its configuration: pages that need no network, for all."""

import json
import lzma
import re
import shutil
from importlib.metadata import distribution
from pathlib import Path, PurePosixPath
from posixpath import dirname, join, normpath

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.fileutil import copy_asset_file

from transductive_compendium.book import repository

MATHJAX = "tex-svg.js"  # one file, glyphs included: no font files, works from file://


def copy_mathjax(app, error):
    """Put MathJax, which an installed package carries, beside the pages."""
    if error is not None or app.builder.format != "html":
        return
    package = distribution("sphinx-mathjax-offline")
    source = Path(package.locate_file(f"sphinx-mathjax-offline/static/mathjax/{MATHJAX}"))
    if not source.is_file():
        raise FileNotFoundError(
            f"{package.name} {package.version} has no {MATHJAX}; install the versions of "
            "requirements.lock: pip install --require-hashes -r requirements.lock"
        )
    target = Path(app.outdir, "_static", "mathjax")
    target.mkdir(parents=True, exist_ok=True)
    copy_asset_file(source, target)


#: What the writers and the theme put into a page, and what it becomes.
REPLACED = (
    # Icons are drawn by the theme's script, not by the fonts that it orders early; a browser
    # refuses such an order in a page opened from a disk.
    (r'<link rel="preload" as="font"[^>]*>\n?', ""),
    # The arrows of the contents have no name to be read out.
    (r"(>\s*([^<>]*?)\s*</a><details[^>]*><summary)>", r'\1 aria-label="Pages of \2">'),
    # Title and search button of the sidebar lie in no landmark.
    (
        r'<div class="bd-sidebar-primary bd-sidebar([^"]*)">',
        r'<div class="bd-sidebar-primary bd-sidebar\1" role="complementary" aria-label="Sidebar">',
    ),
    # The corner of a table heads nothing.
    (r"<th(?: class=\"(?:head|blank[^\"]*)\" ?)?>(?:<p></p>|&nbsp;)?</th>", "<td></td>"),
    # All proofs of a page have one name, which none can be reached by.
    (r' id="proof(?:-content)?"', ""),
    # A table that is wider than a screen scrolls, and must do so by keyboard, too.
    (
        r'<div class="pst-scrollable-table-container">',
        '<div class="pst-scrollable-table-container" tabindex="0" role="group" aria-label="Table">',
    ),
    # Entries of a list of references, by a role that ARIA withdrew.
    (r'role="doc-biblioentry"', 'role="listitem"'),
    # Names, punctuation and spaces of code have the colour of text: an eighth of all pages.
    (r'<span class="(?:n|nn|p|w)">([^<]*)</span>', r"\1"),
    # A table of figures has an address that tells its name alone.
    (r'_downloads/[0-9a-f]{32}/(fig-[^/"]+")', r"_downloads/\1"),
    # In a page opened from a disk a browser lets the search read no other page.
    (
        r'(?s)(<div class="bd-search-container">.*?</form>)',
        r'\1<p id="from-disk" hidden>Opened from a disk, the search lists titles without text; <a '
        r'href="book/how_to_read.html#without-a-network">a line of Python brings the text back</a>.'
        r'</p><script>document.getElementById("from-disk").hidden = location.protocol !== "file:"'
        r"</script>",
    ),
)


#: Between a number and its error or its unit no line breaks. Code stays as it is.
UNBROKEN = re.compile(r"(?<=\d) (?=%|±)|(?<=±) (?=\d)")
AS_IT_IS = re.compile(r"(<(pre|script|style|code)\b.*?</\2>)", re.S)


def corrected(page):
    """The text of a page: `REPLACED` is, numbers keep their errors, lines are not indented."""
    for pattern, replacement in REPLACED:
        page = re.sub(pattern, replacement, page)
    parts = re.split(AS_IT_IS, page)  # text, code, name of its element, text, ...
    texts = [re.sub(r"\n\s+", "\n", text) for text in parts[::3]]
    texts = [UNBROKEN.sub("\N{NO-BREAK SPACE}", text) for text in texts]
    return "".join(text + code for text, code in zip(texts, [*parts[1::3], ""], strict=True))


def correct_pages(app, error):
    """Correct every page that was written, and keep in one file what their contents share."""
    if error is not None or app.builder.format != "html":
        return
    folder, parts = Path(app.outdir), {}
    for table in sorted(folder.glob("_downloads/*/fig-*")):
        table.rename(folder / "_downloads" / table.name)
        table.parent.rmdir()
    same = one_of_each(folder / "_images")
    for path in sorted(folder.rglob("*.html")):
        text = corrected(path.read_text(encoding="utf-8"))
        for name, other in same.items():
            text = text.replace(f"_images/{name}", f"_images/{other}")
        text = share_contents(text, path.relative_to(folder).as_posix(), parts)
        path.write_text(text, encoding="utf-8")
    script = CONTENTS_SCRIPT.format(json.dumps(parts, ensure_ascii=False, indent=0))
    (folder / CONTENTS).write_text(script, encoding="utf-8")


def one_of_each(folder):
    """Keep one of the files with the same content; the others' names, each with the one kept."""
    kept, same = {}, {}
    # a name that a person gave, rather than a hash
    for path in sorted(folder.iterdir(), key=lambda path: (len(path.name) > 40, path.name)):
        if (first := kept.setdefault(path.read_bytes(), path.name)) != path.name:
            same[path.name] = first
            path.unlink()
    return same


#: The parts of the contents that are closed on a page, a quarter of a short page, stand in a file.
CONTENTS = "_static/contents.js"
CONTENTS_SCRIPT = """(() => {{
  const parts = {};
  const root = new URL("..", document.currentScript.src);
  for (const list of document.querySelectorAll("ul[data-part]")) {{
    list.innerHTML = parts[list.dataset.part];
    for (const link of list.querySelectorAll("a")) link.href = root + link.getAttribute("href");
  }}
}})();
"""
CLOSED = re.compile(r'<a [^>]*href="([^"]*)"(?:(?!<a ).)*?<details>(?:(?!<a ).)*?(<ul>)', re.S)


def share_contents(text, page, parts):
    """The text of a page without the closed parts of its contents, which are put into `parts`."""
    start = text.find('<nav class="bd-links')
    end = text.find("</nav>", start)
    if start < 0 or end < 0:
        return text
    contents = text[start:end]

    def absolute(href):
        return normpath(join(dirname(page), href))

    position = 0
    while found := CLOSED.search(contents, position):
        depth, position = 1, found.end()
        for tag in re.finditer(r"<(/?)ul\b", contents[position:]):
            depth += -1 if tag[1] else 1
            if not depth:
                break
        first, last = found.start(2), position + tag.start()
        inside = contents[position:last]
        inside = re.sub(r'href="([^"]*)"', lambda m: f'href="{absolute(m[1])}"', inside)
        part = parts.setdefault(absolute(found[1]), inside.strip())
        if part != inside.strip():
            raise ValueError(f"{page}: the contents of {found[1]} differ from those elsewhere")
        contents = f'{contents[:first]}<ul data-part="{absolute(found[1])}">{contents[last:]}'
        position = first
    script = f'<script src="{"../" * page.count("/")}{CONTENTS}"></script>'
    return f"{text[:start]}{contents}</nav>{script}{text[end + len('</nav>') :]}"


def clean_scripts(app, pagename, templatename, context, doctree):
    """Leave out scripts for running cells in the page, and the second copy of any script."""
    kept, seen = [], set()
    for script in context.get("script_files", []):
        name = str(getattr(script, "filename", script) or "")
        body = getattr(script, "attributes", {}).get("body", "") or ""
        if "thebe" in (name + body).lower() or (name or body) in seen:
            continue
        seen.add(name or body)
        kept.append(script)
    context["script_files"] = kept


def skip_routing(app, what, name, obj, skip, options):
    """Leave scikit-learn's generated set_*_request methods out of the API pages."""
    return True if name.startswith("set_") and name.endswith("_request") else None


def link_figure_data(app, doctree):
    """Under each figure of a notebook, here or in a chapter, a link to what it draws."""
    for figure in list(doctree.findall(nodes.figure)):
        pictures = [PurePosixPath(image["uri"]) for image in figure.findall(nodes.image)]
        shown = [path.stem for path in pictures if path.parent.name == "figures"]
        for name in dict.fromkeys([*figure["ids"], *shown]):
            data = f"generated/figures/{name}.csv"
            if not Path(app.srcdir, data).is_file():
                continue
            link = addnodes.download_reference(reftarget=f"/{data}", refdoc=app.env.docname)
            link += nodes.literal("", f"{name}.csv", classes=["xref", "download"])
            line = nodes.paragraph("", "What the figure draws: ", classes=["figure-data"])
            line += link
            figure.parent.insert(figure.parent.index(figure) + 1, line)


def link_code(app, doctree):
    """Below a listing of the sources, a link to its lines in the repository, if that is known."""
    if not repository.address():
        return
    sources = Path(app.srcdir, "src").resolve()
    for block in list(doctree.findall(nodes.literal_block)):
        listed = Path(block.get("source", "")).resolve()
        if not listed.is_relative_to(sources) or not listed.is_file():
            continue
        file = f"src/{listed.relative_to(sources).as_posix()}"
        first, last = lines_of(block.astext(), listed.read_text(encoding="utf-8"))
        line = nodes.paragraph(classes=["figure-data"])
        name, address = f"{file}, lines {first} to {last}", repository.lines(file, first, last)
        line += nodes.reference("", name, refuri=address)
        block.parent.insert(block.parent.index(block) + 1, line)


def lines_of(part, text):
    """First and last line, from 1, of a part of a text, however it is indented."""
    part, text = ([line.strip() for line in t.rstrip().split("\n")] for t in (part, text))
    first = next(k for k in range(len(text)) if text[k : k + len(part)] == part)
    return first + 1, first + len(part)


#: Bytes above which a table is downloaded compressed, and above which recorded rows, compressed,
#: are no part of the book: they would be half of it, and a release has them beside it.
LARGE, LARGEST = 10_000, 50_000


def pack_tables(app, doctree):
    """Large tables are downloaded as ``.csv.xz``, which pandas reads as it reads ``.csv``.

    Of the largest results the page names the file among the sources.
    """
    for link in list(doctree.findall(addnodes.download_reference)):
        name = app.env.relfn2path(link["reftarget"], app.env.docname)[0]
        table = Path(app.srcdir, name)
        if not table.is_file():
            continue
        if table.suffix == ".csv" and table.stat().st_size > LARGE:
            table = Path(app.srcdir, "packed", f"{name}.xz")
            if not table.is_file():
                table.parent.mkdir(parents=True, exist_ok=True)
                table.write_bytes(lzma.compress(Path(app.srcdir, name).read_bytes()))
            link["reftarget"] = f"/packed/{name}.xz"
            for text in link.findall(nodes.Text):
                if text.endswith(".csv"):
                    text.parent.replace(text, nodes.Text(f"{text}.xz"))
        if name.startswith("results/") and table.stat().st_size > LARGEST:
            link.replace_self(nodes.literal("", name))


STACKED = "_static/stacked"


class StackPanels(SphinxPostTransform):
    """On a narrow screen, the figure with its panels below each other."""

    default_priority = 210  # when of a notebook's outputs one is chosen
    formats = ("html",)

    def run(self, **kwargs):
        """Offer that picture beside each that has one."""
        stack_panels(self.document, self.env.docname, Path(self.app.srcdir))


def stack_panels(document, page, sources):
    """Put pictures that have a stacked form into a ``<picture>`` with both."""
    above = "../" * page.count("/")
    for figure in list(document.findall(nodes.figure)):
        for image in list(figure.findall(nodes.image)):
            names = [*figure["ids"], PurePosixPath(image["uri"]).stem]
            files = [f"{name}-stacked.png" for name in names]
            found = [f for f in files if (sources / "generated/figures" / f).is_file()]
            if found:
                source = f'<source media="(max-width: 600px)" srcset="{above}{STACKED}/{found[0]}">'
                place = image.parent.index(image)
                image.parent.insert(place, nodes.raw("", f"<picture>{source}", format="html"))
                image.parent.insert(place + 2, nodes.raw("", "</picture>", format="html"))


def copy_stacked(app, error):
    """Put those figures beside the pages."""
    if error is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir, STACKED)
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(Path(app.srcdir, "generated/figures").glob("*-stacked.png")):
        shutil.copyfile(path, folder / path.name)


def leave_out(app, error):
    """Remove what the theme copies and no page uses.

    These are maps of its sources, its translations, icons, and fonts in a format that browsers take
    only if they do not know the other.
    """
    if error is not None or app.builder.format != "html":
        return
    static = Path(app.outdir, "_static")
    for pattern in ("*.map", "*.ttf", "fa-brands*"):
        for path in static.rglob(pattern):
            path.unlink()
    shutil.rmtree(static / "locales", ignore_errors=True)
    (icons,) = static.glob("vendor/fontawesome/*/js/all.min.js")
    texts = [p for p in Path(app.outdir).rglob("*") if p.suffix in (".html", ".js") and p != icons]
    used = {name for p in texts for name in re.findall(r"\bfa-([a-z0-9-]+)", p.read_text("utf-8"))}
    icons.write_text(only_icons(icons.read_text("utf-8"), used), "utf-8")


ICON = re.compile(
    r'(?:"([\w-]+)"|([\w$]+)):\[\d+,\d+,\[([^\]]*)\],"[0-9a-f]+",(?:"[^"]*"|\[[^\]]*\])\],?'
)


def only_icons(script, used):
    """The theme's script of icons with those named in `used`, by a name of each or another."""

    def kept(icon):
        names = {icon[1] or icon[2], *re.findall(r'"([\w-]+)"', icon[3])}
        return icon[0] if names & used else ""

    return ICON.sub(kept, script)


def keep_notebooks(app, error):
    """What a reader downloads of a notebook's page is the notebook as papermill takes it.

    The page was made from it in another order; its outputs are on the page.
    """
    if error is not None or app.builder.format != "html":
        return
    sources = Path(app.srcdir).parent.parent / "notebooks"
    for path in Path(app.outdir, "_sources", "notebooks").glob("*/*.ipynb"):
        notebook = sources / path.parent.name / path.name
        if notebook.is_file():
            shutil.copyfile(notebook, path)


class CodeBelow(SphinxPostTransform):
    """Folded code stands below what it shows."""

    default_priority = 200  # right after MyST-NB has folded it
    formats = ("html",)

    def run(self, **kwargs):
        """Move it."""
        for cell in self.document.findall(nodes.container):
            if cell.get("nb_element") == "cell_code" and cell.get("hide_mode") == "input":
                if len(cell) > 1 and cell[0].tagname == "HideCodeCellNode":
                    code = cell.pop(0)
                    code["prompt_show"], code["prompt_hide"] = "Show the code", "Hide the code"
                    cell.append(code)


def setup(app):
    """Connect the above."""
    # A title with a formula is in every page's navigation: all of them need MathJax.
    app.set_html_assets_policy("always")
    app.add_post_transform(CodeBelow)
    app.add_post_transform(StackPanels)
    # before Sphinx collects what is to be downloaded, at 500
    app.connect("doctree-read", link_figure_data, priority=400)
    app.connect("doctree-read", link_code)
    app.connect("doctree-read", pack_tables, priority=450)
    app.connect("build-finished", copy_mathjax)
    app.connect("build-finished", keep_notebooks)
    app.connect("build-finished", copy_stacked)
    app.connect("build-finished", leave_out)
    app.connect("build-finished", correct_pages)
    app.connect("html-page-context", clean_scripts, priority=900)
    app.connect("autodoc-skip-member", skip_routing)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
