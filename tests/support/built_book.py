"""Where the built book is, and what its pages are."""

from pathlib import Path

BOOK = Path(__file__).resolve().parents[2] / "_build" / "html"


def pages():
    """Every page of the built book, relative to it; index.html only leads on to the first."""
    return sorted(
        path.relative_to(BOOK).as_posix()
        for path in BOOK.rglob("*.html")
        if path != BOOK / "index.html" and "_static" not in path.parts
    )
