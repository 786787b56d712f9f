"""What the book's extension mends in the pages, and nothing else."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "book" / "_ext"))
from compendium import mend


@pytest.mark.parametrize(
    ("written", "mended"),
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
    ],
)
def test_mend(written, mended):
    assert mend(written) == mended
