"""The picture of the claims, its numbers and its words say the same."""

import csv
import json
import re
from xml.etree import ElementTree

import pytest

from transductive_compendium.book.claim_counts import Counts, count_by_paper, paper_of, total
from transductive_compendium.book.pages import claims_csv, claims_figure, claims_picture
from transductive_compendium.verdicts.rules import (
    IN_DIRECTION,
    NOT_REPRODUCED,
    NOT_TESTABLE,
    OUTCOMES,
    REPRODUCED,
)


def outcomes(*numbers):
    return Counts(zip(OUTCOMES, numbers, strict=True))


def picture_alt(counts):
    return json.loads(re.search(r"^:alt: (.*)$", claims_figure(counts, "picture"), re.M)[1])


@pytest.fixture
def counts():
    return {"universum": outcomes(63, 3, 36, 23, 6), "transductive_svm": outcomes(4, 0, 40, 0, 8)}


def numbers_of(text):
    return {
        outcome: int(found.group(1))
        if (found := re.search(rf"(\d+) {outcome}(?! in)", text))
        else 0
        for outcome in OUTCOMES
    }


def test_alternative_text_states_every_count_and_what_they_come_to(counts):
    finding, extremes, *papers = re.split(r"(?<=\.) ", picture_alt(counts))
    assert "183 claims" in finding and numbers_of(finding) == total(counts)
    assert "largest share is reproduced of Inference with the Universum" in extremes
    assert extremes.endswith(f"smallest of {paper_of('transductive_svm').title}.")
    for sentence, (paper, row) in zip(papers, counts.items(), strict=True):
        assert sentence.startswith(paper_of(paper).title) and numbers_of(sentence) == row


def test_alternative_text_follows_the_counts(counts):
    counts["universum"][REPRODUCED], counts["universum"][NOT_REPRODUCED] = 0, 69
    counts["transductive_svm"][IN_DIRECTION] = 2
    text = picture_alt(counts)
    assert "4 reproduced, 5 reproduced in direction" in text and "77 not reproduced" in text
    assert f"smallest of {paper_of('universum').title}." in text


def test_table_has_the_counts(counts):
    rows = list(csv.DictReader(claims_csv(counts).splitlines()))
    assert {(r["document"], r["outcome"]): int(r["claims"]) for r in rows} == {
        (paper, outcome): n for paper, row in counts.items() for outcome, n in row.items()
    }


def test_picture_is_the_same_bytes_twice_and_changes_with_a_count(counts):
    made = claims_picture(counts)
    assert claims_picture(counts) == made
    counts["universum"][NOT_TESTABLE] += 1
    assert claims_picture(counts) != made


def test_picture_shows_each_number_by_its_place_and_by_more_than_colour(counts):
    drawn = ElementTree.fromstring(claims_picture(counts))
    svg = "{http://www.w3.org/2000/svg}"
    patterns = {f"url(#{pattern.get('id')})" for pattern in drawn.findall(f".//{svg}pattern")}
    boxes = [box for box in drawn.findall(f"{svg}rect") if box.get("stroke")]
    used = {box.get("fill") for box in boxes if box.get("fill").startswith("url")}
    assert used == patterns and len(used) == 3  # in direction, inconclusive, not reproduced
    written = {text.text: text for text in drawn.findall(f"{svg}text")}
    assert {*OUTCOMES, "183 claims", "All papers"} <= set(written)
    bars = [box for box in boxes if box.get("height") == "36" and box.get("fill") not in patterns]
    rows = {}
    for box in bars:
        rows.setdefault(box.get("y"), []).append(box)
    assert [len(row) for row in rows.values()] == [5, 3, 5]
    for row in rows.values():
        ends = [float(box.get("x")) + float(box.get("width")) for box in row]
        starts = [float(box.get("x")) for box in row]
        assert starts == pytest.approx([230, *ends[:-1]], abs=0.02)  # side by side
        assert ends[-1] == pytest.approx(680, abs=0.02)
    middles = [float(b.get("x")) + float(b.get("width")) / 2 for b in bars]
    numbers = [t for t in drawn.findall(f"{svg}text") if t.get("font-size")]
    assert [float(n.get("x")) for n in numbers] == pytest.approx(middles, abs=0.02)
    assert [n.text for n in numbers] == [
        *("63", "3", "36", "23", "6"),
        *("4", "40", "8"),
        *("67", "3", "76", "23", "14"),
    ]


def test_a_number_without_room_stands_above_its_part(counts):
    drawn = ElementTree.fromstring(claims_picture(counts))
    texts = drawn.findall("{http://www.w3.org/2000/svg}text[@font-size]")
    above = [text.text for text in texts if text.get("stroke") is None]
    assert above == ["3", "3"]  # of 131 and of 183


def test_figure_has_anchor_words_and_numbers(counts):
    text = claims_figure(counts, "some-anchor")
    assert ":name: some-anchor\n" in text and f':alt: "{picture_alt(counts)}"\n' in text
    assert "{download}`claims.csv </generated/claims.csv>`" in text
    assert numbers_of(text.split("\n\n")[1]) == total(counts)


def test_only_the_papers_own_claims_count():
    from transductive_compendium.verdicts import verify

    verdicts = verify(["bayesian_transduction"])
    (row,) = count_by_paper(verdicts).values()
    assert sum(row.values()) == sum(v.claim.role == "claim" for v in verdicts) < len(verdicts)
