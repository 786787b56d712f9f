"""What templates make of text, and that they miss no fact in silence."""

import jinja2
import pytest

from transductive_compendium.book.templating import anchor, cell, escape, render


def test_generated_text_is_escaped():
    assert escape("a_b *c* |f| $x$ [y] <z>") == r"a\_b \*c\* \|f\| \$x\$ \[y\] \<z\>"
    assert cell("$|f|$ and\n \\|") == r"$\|f\|$ and \|"
    assert anchor("claims", "kernel_gibbs_sampler", "Equations (22), (28)") == (
        "claims-kernel-gibbs-sampler-equations-22-28"
    )


def test_a_fact_that_is_not_given_is_an_error():
    with pytest.raises(jinja2.UndefinedError, match="'rows' is undefined"):
        render("independent.md")


def test_html_is_escaped_and_markdown_is_not():
    about = {"title": "A & B", "version": "1", "authors": [{"name": "<i>"}], "abstract": "x < y"}
    page = render("print.html", about=about, head="<link>", entries=[])
    assert "A &amp; B" in page and "&lt;i&gt;" in page and "x &lt; y" in page
    assert "<link>" in page  # what is a page's own already
    facts = {"seconds": 1.0, "memory": 0, "data": {"<4": {}}}
    about = {"title": str, "notebook_of": lambda name: None, "total": 1.0}
    page = render("artifact/experiments.md", costs={"a": {"a/b": facts}}, **about)
    assert "`<4`" in page
