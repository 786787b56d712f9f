"""A page of prose ends with what to read next, and why."""

from pathlib import Path

import pytest

BOOK = Path(__file__).resolve().parents[2] / "book"
#: Reference pages, which are looked up; chapters have tests of their own.
LOOKED_UP = ("api", "references", "colophon", "benchmarks", "hardening")
CHAPTERS = (
    *("bayesian_transduction", "kernel_gibbs_sampler", "transductive_regression"),
    *("transductive_svm", "universum", "comparison"),
)
PAGES = [
    path
    for path in sorted(BOOK.rglob("*.md"))
    if not path.relative_to(BOOK).parts[0].startswith(LOOKED_UP)
    and not (path.parent == BOOK and path.stem in CHAPTERS)
]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(BOOK).as_posix())
def test_the_last_paragraph_says_what_to_read_next(path):
    last = path.read_text(encoding="utf-8").rstrip().split("\n\n")[-1]
    assert last.startswith("Next: ") and last.endswith(".")
