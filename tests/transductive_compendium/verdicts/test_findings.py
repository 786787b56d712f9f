"""From verdicts to findings, and to the prefix of a title: each branch, on made verdicts."""

from itertools import product

import pytest

from transductive_compendium.verdicts import rules
from transductive_compendium.verdicts.claims import Anchor, Claim, Finding, Table
from transductive_compendium.verdicts.findings import (
    FINDING_OUTCOMES,
    PREFIXES,
    DecidedFinding,
    decide_findings,
    prefix,
    word,
)
from transductive_compendium.verdicts.identification import DEFAULT, Identified
from transductive_compendium.verdicts.rules import NO, OPEN, PARTLY, YES, Decision, Misfit
from transductive_compendium.verdicts.verification import Verdict, verify

FAR, NEAR = "start: far", "start: near"
LEVELS = (YES, PARTLY, NO, OPEN)


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        ((YES,), "holds"),
        ((PARTLY,), "in part"),
        ((NO,), "does not hold"),
        ((OPEN,), "open"),
        ((YES, YES), "holds"),
        ((YES, NO), "in part"),  # in some of the standing settings, or as programmed
        ((NO, PARTLY), "in part"),
        ((YES, OPEN), "in part"),
        ((NO, NO), "does not hold"),
        ((NO, OPEN), "open"),
    ],
)
def test_a_finding_of_one_claim(first, expected):
    assert word([first]) == expected


def test_the_first_claim_decides_and_the_others_cost_the_whole():
    for levels in product(LEVELS, repeat=4):  # two claims in two settings
        found = word([levels[:2], levels[2:]])
        comes_out = YES in levels[:2] or PARTLY in levels[:2]
        assert (found == "holds") == (set(levels) == {YES})
        assert (found == "in part") == (comes_out and set(levels) != {YES})
        assert (found == "does not hold") == (levels[:2] == (NO, NO))
        assert found in FINDING_OUTCOMES
        assert word([levels[1::-1], levels[:1:-1]]) == found  # in whatever order of the settings


def verdict(name="toy-gain", misfits=None, **outcomes):
    """A verdict by its settings' outcomes, with a table's misfits by setting."""
    claim = Claim(
        id=name,
        statement="It | falls.",
        kind="mathematics",
        quote="falls",
        place="section 1",
        comes_out="It does.",
    )
    names = {"default": DEFAULT, "far": FAR, "near": NEAR}
    decisions = {names[n]: Decision(o, f"{n} {i}", "") for i, (n, o) in enumerate(outcomes.items())}
    tables = {}
    if misfits:
        anchor = Anchor(
            id="a", quantity="", quote="", place="", readers=(), measure="m", published={"value": 1}
        )
        table = Table(experiments=(), anchors=(anchor,))
        tables["t"] = Identified(
            table, {"a": {names[n]: Misfit(x, x, x) for n, x in misfits.items()}}
        )
    return Verdict("toy", claim, decisions, tables)


def decided(*claims, told=""):
    finding = Finding(
        id="better",
        sentence="A falls.",
        comparator="B",
        claims=[v.claim.id for v in claims],
        figure="curve",
        published="no number",
        told=told,
    )
    return DecidedFinding("toy", finding, claims, {v.claim.id: v for v in claims})


def test_words_under_other_thresholds_and_the_plain_default():
    # at a tenth only the default's rival fits; at a third the default does
    found = decided(
        verdict(
            misfits={"default": 0.3, "far": 0.15, "near": 0.05},
            default=rules.NOT_REPRODUCED,
            far=rules.UNDECIDED,
            near=rules.REPRODUCED,
        )
    )
    assert found.words == {
        "verdict": "in part",
        "plain default": "does not hold",
        "at a tenth": "holds",
        "at a third": "does not hold",
    }
    assert found.verdict == "in part" and found.first is found.claims[0]
    assert found.reproduced == "far 1"  # of the first standing setting
    (reason,) = found.reasons
    assert reason == "“It | falls.”: start: far: undecided; start: near: reproduced"


def test_reasons_are_the_claims_that_do_not_come_out():
    assert decided(verdict(default=rules.REPRODUCED)).reasons == []
    found = decided(verdict(default=rules.HOLDS), verdict("toy-loss", default=rules.SMALLER))
    assert found.reasons == ["“It | falls.”: smaller"] and found.verdict == "in part"


def test_a_table_that_stands_elsewhere_leaves_a_claim_that_it_cannot_change():
    own = verdict(misfits={"default": 0.5, "far": 0.0}, default=rules.REPRODUCED)
    assert own.standing() == (DEFAULT,) and decided(own).verdict == "holds"


def test_what_is_told_has_the_reproduced_numbers_and_misfits():
    gain = verdict(
        misfits={"default": 0.5, "far": 0.15}, default=rules.UNDECIDED, far=rules.REPRODUCED
    )
    told = (
        "By {toy-gain} ({toy-gain | default}, {toy-gain | start: near}), {t}, {t | default}, {u}."
    )
    assert decided(gain, told=told).told == "By far 1 (default 0, -), 15 %, 50 %, -."


def test_the_prefix_is_the_word_of_the_first_finding():
    for outcome, expected in [
        (rules.REPRODUCED, "[Re]"),
        (rules.SMALLER, "[Re, in part]"),
        (rules.NOT_REPRODUCED, "[¬Re]"),
        (rules.NOT_TESTABLE, "[open]"),
    ]:
        first, later = decided(verdict(default=outcome)), decided(verdict(default=rules.HOLDS))
        assert prefix([first, later]) == expected
    assert prefix([]) == "[open]" and set(PREFIXES) == set(FINDING_OUTCOMES)


def test_findings_of_a_paper_are_decided_by_their_claims(recorded):
    found = decide_findings()
    assert [(d.finding.id, d.verdict) for d in found["toy"]] == [
        ("better", "holds"),
        ("worse", "does not hold"),
    ]
    better, worse = found["toy"]
    assert [v.claim.id for v in better.claims] == ["toy-gain", "toy-theta"]
    assert set(better.every) == {v.claim.id for v in verify()}
    assert prefix(found["toy"]) == "[Re]" and worse.reasons
    assert decide_findings(verdicts=verify()) == found
    recorded.edit("toy-theta", published={"value": 9.0})
    assert decide_findings()["toy"][0].verdict == "in part"
