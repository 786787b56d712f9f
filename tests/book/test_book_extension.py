"""What the book's extension corrects in the pages, and nothing else; old anchors that stay."""

import gzip
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import docutils.core
import pytest
from docutils import nodes
from sphinx import addnodes

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "book" / "_ext"))
import compendium
from compendium import (
    copy_stacked,
    corrected,
    keep_notebooks,
    keep_old_anchors,
    new_anchor,
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


MOVED = {
    "everywhere": {"old.module": "new.module", "old.module.sub": "other", "old.gone": ""},
    "on_page": {"page.html#was": "here"},
}


@pytest.mark.parametrize(
    ("anchor", "expected"),
    [
        ("was", "here"),
        ("old.module", "new.module"),
        ("old.module.name", "new.module.name"),
        ("old.module.sub.name", "other.name"),
        ("old.module-1", "new.module-1"),
        ("old.modules", None),
        ("old.gone.name", ""),
        ("never", None),
    ],
)
def test_new_names_of_anchors(anchor, expected):
    assert new_anchor("page.html", anchor, MOVED) == expected
    assert new_anchor("another.html", "was", MOVED) is None


def test_old_anchors_are_kept_beside_the_new_ones_and_none_is_there_twice(monkeypatch):
    listed = ["was", "there", "old.gone", "old.module", "never"]
    monkeypatch.setattr(compendium, "addresses", lambda folder: ({"page.html": listed}, MOVED))
    text = "Top\n===\n\nHere\n----\n\nThere\n-----\n\nText.\n"
    doctree = docutils.core.publish_doctree(text, settings_overrides={"doctitle_xform": False})
    app = SimpleNamespace(env=SimpleNamespace(docname="page"), srcdir="")
    keep_old_anchors(app, doctree)
    html = docutils.core.publish_from_doctree(doctree, writer_name="html5").decode()
    ids = re.findall(r' id="([^"]*)"', html)
    # what has no new place, or none on this page, is left to the check after the build
    assert sorted(ids) == ["here", "old.gone", "there", "top", "was"]
    assert ids.index("here") - ids.index("was") in (-1, 1)
    assert abs(ids.index("top") - ids.index("old.gone")) == 1


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
        ("/packed/results/large.csv.gz", "large.csv.gz"),
        ("/results/little.csv", "little.csv"),
        ("/results/missing.csv", "missing.csv"),
    ]
    packed = (tmp_path / targets[0][0].lstrip("/")).read_bytes()
    assert gzip.decompress(packed) == large and len(packed) < len(large) / 100
    assert packed[4:8] == bytes(4), "no date, so that two builds give the same bytes"
