"""What this book asks of Sphinx beyond its configuration: nothing may come from the network."""

import re
from importlib.metadata import distribution
from pathlib import Path

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


def drop_font_preloads(app, error):
    """Remove the theme's orders to fetch icon fonts early: icons are drawn by its script, and a
    browser refuses such an order in a page opened from a disk."""
    if error is not None or app.builder.format != "html":
        return
    for page in Path(app.outdir).rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        kept = re.sub(r'<link rel="preload" as="font"[^>]*>\n?', "", text)
        if kept != text:
            page.write_text(kept, encoding="utf-8")


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


def setup(app):
    """Connect the above."""
    # A title with a formula stands in every page's navigation: MathJax is wanted on all of them.
    app.set_html_assets_policy("always")
    app.connect("build-finished", copy_mathjax)
    app.connect("build-finished", drop_font_preloads)
    app.connect("html-page-context", clean_scripts, priority=900)
    app.connect("autodoc-skip-member", skip_routing)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
