"""What this book asks of Sphinx beyond its configuration: pages that need no network, for all."""

import re
from importlib.metadata import distribution
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.util.fileutil import copy_asset_file

MATHJAX = "tex-svg-full.js"  # one file, glyphs included: no font files, works from file://


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
MENDS = (
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
)


def mend(page):
    """The text of a page with all of `MENDS`."""
    for pattern, replacement in MENDS:
        page = re.sub(pattern, replacement, page)
    return page


def mend_pages(app, error):
    """Mend every page that was written."""
    if error is not None or app.builder.format != "html":
        return
    for path in Path(app.outdir).rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        if (mended := mend(text)) != text:
            path.write_text(mended, encoding="utf-8")


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
    """Under each figure of a notebook, a link to what it draws."""
    for figure in list(doctree.findall(nodes.figure)):
        for name in figure["ids"]:
            data = f"generated/figures/{name}.csv"
            if not Path(app.srcdir, data).is_file():
                continue
            link = addnodes.download_reference(reftarget=f"/{data}", refdoc=app.env.docname)
            link += nodes.literal("", f"{name}.csv", classes=["xref", "download"])
            line = nodes.paragraph("", "What the figure draws: ", classes=["figure-data"])
            line += link
            figure.parent.insert(figure.parent.index(figure) + 1, line)


def setup(app):
    """Connect the above."""
    # A title with a formula stands in every page's navigation: MathJax is wanted on all of them.
    app.set_html_assets_policy("always")
    # before Sphinx collects what is to be downloaded, at 500
    app.connect("doctree-read", link_figure_data, priority=400)
    app.connect("build-finished", copy_mathjax)
    app.connect("build-finished", mend_pages)
    app.connect("html-page-context", clean_scripts, priority=900)
    app.connect("autodoc-skip-member", skip_routing)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
