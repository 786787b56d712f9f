"""The picture of the claims, its numbers and its words say the same."""

import csv
import re
from xml.etree import ElementTree

import pytest

from transductive_compendium.book.documents import by_document, document_title, total
from transductive_compendium.book.picture import (
    picture_alt,
    picture_csv,
    picture_figure,
    picture_svg,
)
from transductive_compendium.verdicts.rules import (
    IN_DIRECTION,
    NOT_REPRODUCED,
    NOT_TESTABLE,
    OUTCOMES,
    REPRODUCED,
)


def outcomes(*numbers):
    return dict(zip(OUTCOMES, numbers, strict=True))


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
    finding, extremes, *documents = re.split(r"(?<=\.) ", picture_alt(counts))
    assert "183 claims" in finding and numbers_of(finding) == total(counts)
    assert "largest share is reproduced of Inference with the Universum" in extremes
    assert extremes.endswith(f"smallest of {document_title('transductive_svm')}.")
    for sentence, (document, row) in zip(documents, counts.items(), strict=True):
        assert sentence.startswith(document_title(document)) and numbers_of(sentence) == row


def test_alternative_text_follows_the_counts(counts):
    counts["universum"][REPRODUCED], counts["universum"][NOT_REPRODUCED] = 0, 69
    counts["transductive_svm"][IN_DIRECTION] = 2
    text = picture_alt(counts)
    assert "4 reproduced, 5 reproduced in direction" in text and "77 not reproduced" in text
    assert f"smallest of {document_title('universum')}." in text


def test_table_has_the_counts(counts):
    rows = list(csv.DictReader(picture_csv(counts).splitlines()))
    assert {(r["document"], r["outcome"]): int(r["claims"]) for r in rows} == {
        (document, outcome): n for document, row in counts.items() for outcome, n in row.items()
    }


def test_picture_is_the_same_bytes_whatever_the_settings_and_changes_with_a_count(counts):
    import matplotlib

    made = picture_svg(counts)
    with matplotlib.rc_context({"font.size": 20, "axes.facecolor": "red"}):
        assert picture_svg(counts) == made
    counts["universum"][NOT_TESTABLE] += 1
    assert picture_svg(counts) != made


def test_picture_shows_each_number_by_its_place_and_by_more_than_colour(counts):
    drawn = ElementTree.fromstring(picture_svg(counts))
    shapes = "{http://www.w3.org/2000/svg}"
    hatches = drawn.findall(f".//{shapes}pattern")
    assert len(hatches) >= 3  # in direction, inconclusive, not reproduced
    written = re.findall(r"<!-- (\d+) -->", picture_svg(counts))
    ticks, bars = written[:6], written[6:]
    assert ticks[-1] == "100" and bars == [
        *("63", "3", "36", "23", "6"),
        *("4", "40", "8"),
        *("67", "3", "76", "23", "14"),
    ]


def test_figure_has_anchor_words_and_numbers(counts):
    text = picture_figure(counts, "some-anchor")
    assert ":name: some-anchor\n" in text and f':alt: "{picture_alt(counts)}"\n' in text
    assert "{download}`claims.csv </generated/claims.csv>`" in text
    assert numbers_of(text.split("\n\n")[1]) == total(counts)


def test_only_the_documents_own_claims_count():
    from transductive_compendium.verdicts import verify

    verdicts = verify(["bayesian_transduction"])
    (row,) = by_document(verdicts).values()
    assert sum(row.values()) == sum(v.claim.role == "claim" for v in verdicts) < len(verdicts)
