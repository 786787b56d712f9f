"""What the book's extension corrects in the pages, and nothing else."""

import lzma
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import docutils.core
import docutils.utils
import pytest
from docutils import nodes
from sphinx import addnodes

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "book" / "_ext"))
import compendium
from compendium import (
    copy_stacked,
    corrected,
    keep_notebooks,
    link_code,
    pack_tables,
    stack_panels,
)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('<link rel="preload" as="font" href="a.woff2">\n<p>', "<p>"),
        (
            '<a href="x.html">\nData\n</a><details><summary><i></i></summary>',
            '<a href="x.html">\nData\n</a><details><summary aria-label="Pages of Data">'
            "<i></i></summary>",
        ),
        ("<tr><th></th><th>n</th></tr>", "<tr><td></td><th>n</th></tr>"),
        ('<th class="head"><p></p></th>', "<td></td>"),
        (
            '<th class="blank level0" >&nbsp;</th><th class="blank">k</th>',
            '<td></td><th class="blank">k</th>',
        ),
        ('<div class="citation" role="doc-biblioentry">', '<div class="citation" role="listitem">'),
        ('<section id="proof-content">', "<section>"),
        ('<section id="proofs"><th>0</th>', '<section id="proofs"><th>0</th>'),
        (
            '<pre><span class="n">x</span><span class="w"> </span><span class="o">=</span>'
            '<span class="p">(</span></pre>',
            '<pre>x <span class="o">=</span>(</pre>',
        ),
        (
            f'<a href="../_downloads/{"0af1" * 8}/fig-x.csv.xz"> "_downloads/{"0af1" * 8}/x.csv"',
            f'<a href="../_downloads/fig-x.csv.xz"> "_downloads/{"0af1" * 8}/x.csv"',
        ),
        ("<td>90.5 ± 0.7, 4 % of all</td>", "<td>90.5\xa0±\xa00.7, 4\xa0% of all</td>"),
        ("<pre>4 % 3</pre><p>4 %</p>", "<pre>4 % 3</pre><p>4\xa0%</p>"),
        (
            "<script>x = 4 % 3</script><code>4 % 3</code>",
            "<script>x = 4 % 3</script><code>4 % 3</code>",
        ),
    ],
)
def test_corrections(written, expected):
    assert corrected(written) == expected


def test_a_narrow_screen_gets_the_figure_with_stacked_panels(tmp_path):
    (tmp_path / "generated/figures").mkdir(parents=True)
    (tmp_path / "generated/figures/fig-two-stacked.png").write_bytes(b"png")
    text = """.. figure:: ../generated/figures/fig-two.png\n\n   Caption.\n
.. figure:: ../generated/figures/fig-one.png\n\n   Caption.\n"""
    doctree = docutils.core.publish_doctree(text)
    stack_panels(doctree, "notebooks/paper/page", tmp_path)
    html = docutils.core.publish_from_doctree(doctree, writer_name="html5").decode()
    (source,) = re.findall(r'<picture><source media="[^"]*" srcset="([^"]*)">', html)
    assert source == "../../_static/stacked/fig-two-stacked.png"
    assert html.count("</picture>") == 1
    app = SimpleNamespace(
        srcdir=tmp_path, outdir=tmp_path / "html", builder=SimpleNamespace(format="html")
    )
    copy_stacked(app, None)
    assert (tmp_path / "html/_static/stacked/fig-two-stacked.png").read_bytes() == b"png"


def test_what_is_downloaded_is_the_notebook_as_papermill_takes_it(tmp_path):
    for folder in ("notebooks/paper", "html/_sources/notebooks/paper"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "item.ipynb").write_text(folder)
    (tmp_path / "html/_sources/notebooks/paper/other.ipynb").write_text("page")
    app = SimpleNamespace(
        srcdir=tmp_path / "_build/source",
        outdir=tmp_path / "html",
        builder=SimpleNamespace(format="html"),
    )
    keep_notebooks(app, None)
    kept = {p.name: p.read_text() for p in tmp_path.glob("html/_sources/notebooks/paper/*")}
    assert kept == {"item.ipynb": "notebooks/paper", "other.ipynb": "page"}


def test_large_tables_are_downloaded_compressed(tmp_path):
    (tmp_path / "results").mkdir()
    large, little = b"a,b\n" + b"1,2\n" * 60_000, b"a\n1\n"
    (tmp_path / "results/large.csv").write_bytes(large)
    (tmp_path / "results/little.csv").write_bytes(little)
    page = nodes.paragraph()
    for name in ("large.csv", "little.csv", "missing.csv"):
        link = addnodes.download_reference(reftarget=f"/results/{name}")
        link += nodes.literal("", name)
        page += link
    app = SimpleNamespace(
        srcdir=tmp_path,
        env=SimpleNamespace(docname="page", relfn2path=lambda name, page: (name.lstrip("/"), "")),
    )
    pack_tables(app, page)
    targets = [(link["reftarget"], link.astext()) for link in page]
    assert targets == [
        ("/packed/results/large.csv.xz", "large.csv.xz"),
        ("/results/little.csv", "little.csv"),
        ("/results/missing.csv", "missing.csv"),
    ]
    packed = (tmp_path / targets[0][0].lstrip("/")).read_bytes()
    assert lzma.decompress(packed) == large and len(packed) < len(large) / 100


def test_a_listing_leads_to_its_lines_where_the_sources_are_kept(tmp_path, monkeypatch):
    (tmp_path / "src/package").mkdir(parents=True)
    module = tmp_path / "src/package/module.py"
    module.write_text("import a\n\n\nclass A:\n    def f(self):\n        return 1\n")
    app = SimpleNamespace(srcdir=tmp_path)

    def page():
        listing = nodes.literal_block("", "def f(self):\n    return 1\n", source=str(module))
        typed = nodes.literal_block("", "def g(): ...", source=str(tmp_path / "page.md"))
        return docutils.utils.new_document("page"), [listing, typed]

    for address, links in (("", 0), ("https://example.org/name", 1)):
        monkeypatch.setattr(compendium.repository, "address", lambda root=None, a=address: a)
        document, blocks = page()
        document += nodes.section("", *blocks)
        link_code(app, document)
        found = list(document.findall(nodes.reference))
        assert len(found) == links
    assert found[0].astext() == "src/package/module.py, lines 5 to 6"
    assert re.search(r"/src/package/module\.py#L5-L6$", found[0]["refuri"])
