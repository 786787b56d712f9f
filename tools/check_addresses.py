"""Check that the built book has every page and anchor that others may have linked to.

    python tools/check_addresses.py

``book/addresses.txt`` lists them, as ``page.html`` or ``page.html#anchor``; addresses are added to
it and never removed. The build of the book calls `check`.
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from execute_notebooks import ROOT

ADDRESSES = ROOT / "book" / "addresses.txt"
REMEDY = (
    "Others may have linked to these. Give the page its old name, and the anchor its old name or "
    "a line in book/moved_anchors.yml that says which anchor of that page it is now."
)


def missing(book: Path, addresses: Iterable[str]) -> list[str]:
    """A line for each missing address in `book`: the page, or the anchor on it."""
    lines, anchors = [], {}
    for address in addresses:
        page, _, anchor = address.partition("#")
        if page not in anchors:
            path = book / page
            anchors[page] = None
            if path.is_file():
                text = path.read_text(encoding="utf-8")
                anchors[page] = set(re.findall(r'<[a-z][^>]*? id="([^"]*)"', text))
            else:
                lines.append(f"{page}: no such page")
        if anchor and anchors[page] is not None and anchor not in anchors[page]:
            lines.append(f"{address}: no such anchor")
    return lines


def check(book: Path) -> int:
    """Print what is missing and the remedy; returns the exit code."""
    lines = missing(book, ADDRESSES.read_text(encoding="utf-8").split())
    if lines:
        print(*lines, f"{len(lines)} addresses are gone. {REMEDY}", sep="\n", file=sys.stderr)
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(check(ROOT / "_build" / "html"))
