"""The article: no typed number of a result, eight to ten pages whatever the verdicts say."""

import re
from tempfile import TemporaryDirectory

import build_article
import pytest
from build_article import ARTICLE, ROOT, typeset, write_numbers

from transductive_compendium.verdicts import load_statements

SOURCE = ARTICLE.read_text(encoding="utf-8")
#: What looks a number up; the strings in its brackets are names.
LOOK_UPS = r'(?:found|is-told|printed|by-share|judged|[a-z]+-(?:that|list))\(("[^"]*"(?:, )?)*'
#: Numbers that are names: of parts of a paper, of years, and the level of all intervals.
NAMES = (
    r"\b(?:figure|step|table|section|version|class) \d[\d.]*[a-d]?(?![\d%])",
    r"\b(?:1999|20[0-3]\d)\b(?! ?%)",
    r"\b95 %",
    r"LING 572|kin-32fh|RCV1",
)


def typed_numbers(source):
    """Numbers that the prose types, but names and what print or protocol has by `printed`."""
    for part in (
        r"(?m)^\s*//.*$",
        r"(?s)```.*?```",
        r"`[^`]*`",
        r"@[\w-]+",
        r"<[\w-]+>$",
        LOOK_UPS,
    ):
        source = re.sub(part, " ", source)
    formulas = re.findall(r"\$[^$]*\$", source)
    prose = re.sub(r"\$[^$]*\$", " ", source)
    for name in NAMES:
        prose = re.sub(name, " ", prose)
    constants = (re.sub(r"10\^\(-5\)|(?<![\d.])\d(?![\d.])", " ", f) for f in formulas)
    return re.findall(r"\S*\d\S*", " ".join([prose, *constants]))


def test_no_reproduced_number_is_typed():
    assert typed_numbers(SOURCE) == []


def entries():
    """What each claim, anchor and protocol of the papers says, by id, as text."""
    for found in load_statements().values():
        for claim in found.claims:
            yield claim.id, f"{claim} {found.protocol_of(claim)}"
        for table in found.anchors.tables.values():
            yield from ((anchor.id, str(anchor)) for anchor in table.anchors)
        for finding in found.findings:
            yield finding.id, str(finding)


def test_published_numbers_stand_in_the_entries_that_they_name():
    texts, printed = dict(entries()), re.findall(r'printed\("([^"]+)", "([^"]+)"\)', SOURCE)
    assert len(printed) > 20
    for number, entry in printed:
        for part in re.findall(r"\d[\d.,]*", number):
            assert re.search(rf"(?<![\d.]){re.escape(part)}(?!\d)", texts[entry]), (number, entry)


@pytest.fixture(scope="module")
def numbers(verdicts):
    """Folder with the article's numbers; below the checkout, since Typst reads nothing outside."""
    build_article.BUILD.parent.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=build_article.BUILD.parent, prefix="article-") as folder:
        write_numbers(path := ROOT / folder, verdicts)
        yield path


def test_it_has_eight_to_ten_pages_and_the_same_bytes_twice(numbers):
    assert 8 <= len(typeset(numbers, "svg")) <= 10
    pdf = typeset(numbers)
    assert pdf.startswith(b"%PDF") and pdf == typeset(numbers)
