"""The hour of the page on how to read takes an hour, the chapters half of one each."""

import re
from pathlib import Path

import pytest

BOOK = Path(__file__).resolve().parents[2] / "book"
CHAPTERS = (
    *("bayesian_transduction", "kernel_gibbs_sampler", "transductive_regression"),
    *("transductive_svm", "universum"),
)
WORDS_A_MINUTE = 220
SECONDS = {"formula": 12, "figure": 15, "listing": 20}
LISTING = r"\{literalinclude\}|\{code|pycon|python|console|yaml"


def unfolded(lines, seen):
    """Lines outside fences and in those that are open; `seen` counts figures and listings."""
    kept, lines = [], list(lines)
    while lines:
        line = lines.pop(0)
        fence = re.match(r"(`{3,}|:{3,})(\S.*)$", line)
        if not fence:
            kept.append(line)
            continue
        end = next(i for i, other in enumerate(lines) if other.rstrip() == fence[1])
        inside, lines = lines[:end], lines[end + 1 :]
        options = [option for option in inside if re.match(r":[\w-]+:", option)]
        if "dropdown" in " ".join([fence[2], *options]) or fence[2].startswith("{raw}"):
            continue
        if re.match(LISTING, fence[2]):
            seen["listing"] += 1
            continue
        seen["figure"] += fence[2].startswith("{figure}")
        kept += unfolded([one for one in inside if one not in options], seen)
    return kept


def minutes(text):
    """Time to read a page up to its exercises, by the rates that the book names."""
    seen = {"formula": 0, "figure": 0, "listing": 0}
    text = "\n".join(unfolded(text.split("\n## Exercises")[0].splitlines(), seen))
    seen["formula"] = len(re.findall(r"\$\$.+?\$\$", text, re.S))
    text = re.sub(r"\$\$.+?\$\$|^\|[-:| ]+\|$", "", text, flags=re.S | re.M)
    text = re.sub(r"\{[\w:]+\}`[^`]*`|\$[^$]*\$", "one", text)
    words = len(re.findall(r"\w[\w'’.,%-]*", text))
    return words / WORDS_A_MINUTE + sum(n * SECONDS[kind] for kind, n in seen.items()) / 60


def page(name):
    return (BOOK / f"{name}.md").read_text(encoding="utf-8")


def test_the_hour_takes_an_hour():
    hour = page("how_to_read").split("## One hour")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (\d+) \| \{doc\}`([\w./]+)`", hour, re.M)
    assert len(rows) >= 4 and sum(int(said) for said, _ in rows) <= 60
    for said, name in rows:
        # the front page has its cards from elsewhere; with the live page one plays
        if name not in ("intro", "live") and not name.startswith("../"):
            assert minutes(page(name)) == pytest.approx(int(said), rel=0.15, abs=1), name


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_reads_in_half_an_hour(chapter):
    assert 20 < minutes(page(chapter)) < 40
