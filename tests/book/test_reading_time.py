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


def test_what_is_folded_takes_no_time():
    words = "word " * 220
    fold = f"````{{admonition}} Proof\n:class: dropdown\n{words}\n````\n"
    figure = "```{figure} a.png\n:alt: " + words + "\n:name: a\n\nTwo words.\n```\n"
    assert minutes(words) == pytest.approx(1)
    assert minutes(words + "\n" + fold) == pytest.approx(1)
    assert minutes(words + "\n" + figure) == pytest.approx(1 + 15 / 60 + 2 / 220)
    assert minutes("$$\nx\n$$\n\n```python\nx\n```\n") == pytest.approx(32 / 60)


def test_the_course_hands_out_each_exercise_of_a_chapter_once():
    course = page("how_to_read").split("## One course")[1].split("\n## ")[0]
    rows = [line.split(" | ") for line in re.findall(r"^\| (\d+ .*) \|$", course, re.M)]
    assert [int(row[0]) for row in rows] == list(range(1, 13))
    handed_out = []
    for i, (_, read, _, exercises) in enumerate(rows):
        if first := re.search(r"\{doc\}`(\w+)`, up to \*(.+)\*", read):
            assert f"\n## {first[2]}\n" in page(first[1])
            assert rows[i + 1][1] == "the rest of it"
            both = f"{exercises}, {rows[i + 1][3]}".replace(" to ", "-")
            spans = [[int(n) for n in span.split("-")] for span in both.split(", ")]
            numbers = [n for span in spans for n in range(span[0], span[-1] + 1)]
            assert sorted(numbers) == list(range(1, 11)), first[1]
            assert len(re.findall(r"^\*\*\d+\. ", page(first[1]), re.M)) == 10
            handed_out.append(first[1])
    assert handed_out == list(CHAPTERS)
