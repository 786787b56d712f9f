"""Addresses that others may have linked to: what is gone is named, with the remedy."""

import check_addresses
import pytest
from check_addresses import check, missing


@pytest.fixture
def book(tmp_path):
    """A built book of two pages."""
    (tmp_path / "part").mkdir()
    (tmp_path / "part/one.html").write_text('<section id="a">\n<span class="x"\n id="b.c"></span>')
    (tmp_path / "two.html").write_text('<p>Not an anchor: id="a"</p><p data-id="b">')
    return tmp_path


def test_what_is_there_is_not_missing(book):
    assert (
        missing(book, ["part/one.html", "part/one.html#a", "part/one.html#b.c", "two.html"]) == []
    )


def test_a_page_that_is_gone_is_named_once_whatever_was_on_it(book):
    assert missing(book, ["gone.html", "gone.html#a", "gone.html#b"]) == ["gone.html: no such page"]


@pytest.mark.parametrize("address", ["part/one.html#b", "two.html#a", "two.html#b"])
def test_an_anchor_that_is_gone_is_named_with_its_page(book, address):
    assert missing(book, [address]) == [f"{address}: no such anchor"]


def test_the_message_says_what_to_do(book, monkeypatch, capsys):
    listed = book / "addresses.txt"
    monkeypatch.setattr(check_addresses, "ADDRESSES", listed)
    listed.write_text("two.html\npart/one.html#a\n")
    assert check(book) == 0 and capsys.readouterr().err == ""
    listed.write_text("two.html\npart/one.html#gone\n")
    assert check(book) == 1
    said = capsys.readouterr().err
    assert said.startswith("part/one.html#gone: no such anchor\n1 addresses are gone.")
    assert "book/moved_anchors.yml" in said
