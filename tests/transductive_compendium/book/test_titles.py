"""What the book calls a paper."""

import re
from pathlib import Path

import pytest

from transductive_compendium.book.titles import paper_of, papers

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("name", [name for name, paper in papers().items() if paper.references])
def test_a_paper_is_called_by_author_and_year_of_its_reference(name):
    paper = paper_of(name)
    entries = (ROOT / "book" / "references.bib").read_text(encoding="utf-8").split("\n@")
    author, year = re.match(r"(\w+)[^(]*\((\d{4})\), ", paper.called).groups()
    entry = next(e for key in paper.references[::-1] for e in entries if f"{{{key}," in e[:60])
    assert re.search(rf"year\s*=\s*\{{{year}\}}", entry) and author in entry
