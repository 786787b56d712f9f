"""Every page ends with what to read next, and why."""

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BOOK = ROOT / "book"
CHAPTERS = {
    *("bayesian_transduction", "kernel_gibbs_sampler", "transductive_regression"),
    *("transductive_svm", "universum", "comparison"),
}
PAGES = [
    *(path for path in sorted(BOOK.rglob("*.md")) if path.stem not in CHAPTERS),
    *(path for path in sorted(BOOK.glob("*/*.md")) if path.stem in CHAPTERS),
    *sorted((ROOT / "notebooks").glob("*/*.ipynb")),
]
#: Parts of other pages.
PAGES = [p for p in PAGES if p.parent.name != "appendix" and p.stem != "in_a_hundred_lines"]


def last_paragraph(path):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        text = "".join(json.loads(text)["cells"][-1]["source"])
    return text.rstrip().split("\n\n")[-1]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_last_paragraph_says_what_to_read_next(path):
    last = last_paragraph(path)
    assert last.startswith("Next: ") and last.endswith(".")
    assert "{doc}" in last


@pytest.mark.parametrize("chapter", sorted(CHAPTERS))
def test_a_chapter_ends_with_what_to_read_next(chapter):
    text = (BOOK / f"{chapter}.md").read_text(encoding="utf-8")
    end = max(text.rfind("What to read next"), text.rfind("**Next:**"))
    assert end > 0.9 * len(text) and "{doc}" in text[end:]
