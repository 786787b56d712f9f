"""From verdicts to findings, and to the prefix of a title: each branch, on made verdicts."""

import pytest

from transductive_compendium.runner.open_choices import OpenChoice, Option
from transductive_compendium.verdicts import rules
from transductive_compendium.verdicts.claims import Claim, Finding
from transductive_compendium.verdicts.findings import (
    DecidedFinding,
    aggregate,
    decide_findings,
    prefix,
)
from transductive_compendium.verdicts.verification import Verdict, verify

COMES_OUT = [rules.REPRODUCED, rules.HOLDS, rules.SAME, rules.COMPATIBLE, rules.NEAR]
IN_PART = [rules.IN_DIRECTION, rules.COMES_AND_GOES, rules.DEPENDS]
FAILS = [rules.NOT_REPRODUCED, rules.DIFFERENT, rules.FAILS]
OPEN = [rules.UNDECIDED, rules.NOT_TESTABLE]
YES, PARTLY, NO = COMES_OUT[0], IN_PART[0], FAILS[0]


def verdict(outcome, *options, rises=True, **facts):
    claim = Claim(
        id="toy",
        statement="It falls.",
        kind="mathematics",
        quote="falls",
        place="section 1",
        comes_out="It does.",
    )
    others = {f"start: {number}": outcome for number, outcome in enumerate(options)}
    return Verdict("toy", claim, outcome, "1", "", rises=rises, options=others, **facts)


def test_all_outcomes_are_tried_here():
    assert sorted(COMES_OUT + IN_PART + FAILS + OPEN) == sorted(rules.OUTCOMES)


@pytest.mark.parametrize("outcome", rules.OUTCOMES)
def test_a_headline_alone(outcome):
    expected = "holds" if outcome in COMES_OUT else "in part" if outcome in IN_PART else None
    expected = expected or ("does not hold" if outcome in FAILS else "open")
    assert aggregate([verdict(outcome)], []) == expected


@pytest.mark.parametrize("outcome", rules.OUTCOMES)
def test_a_support_costs_the_whole_but_does_not_contradict(outcome):
    expected = "holds" if outcome in COMES_OUT else "open" if outcome in OPEN else "in part"
    assert aggregate([verdict(YES)], [verdict(YES), verdict(outcome)]) == expected
    assert aggregate([verdict(NO)], [verdict(outcome)]) == "does not hold"
    assert aggregate([verdict(rules.UNDECIDED)], [verdict(outcome)]) == "open"


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ((YES, YES), "holds"),
        ((YES, PARTLY), "in part"),
        ((YES, NO), "does not hold"),
        ((PARTLY, NO), "does not hold"),
        ((NO, rules.UNDECIDED), "open"),
    ],
)
def test_all_headlines_are_needed(outcomes, expected):
    for order in (outcomes, outcomes[::-1]):
        assert aggregate([verdict(outcome) for outcome in order], []) == expected


def decided(headline, support=()):
    finding = Finding(
        id="better",
        sentence="A falls.",
        comparator="B",
        figure="curve",
        published="no number",
    )
    made = aggregate(headline, support)
    start = OpenChoice(
        question="Where does it start?",
        words="nothing",
        default="svm",
        options={"svm": Option(source="print"), "1": Option(source="nothing")},
    )
    return DecidedFinding("toy", finding, made, tuple(headline), tuple(support), {"start": start})


def test_what_keeps_a_finding_from_holding_is_named():
    assert decided([verdict(YES, YES)], [verdict(YES, NO)]).reasons == []
    (only,) = decided([verdict(YES, YES, NO, rules.UNDECIDED)]).reasons
    assert only == "its headline does not come out under start: 1 (Where does it start?)"
    found = decided([verdict(YES)], [verdict(rules.DEPENDS), verdict(NO)])
    assert found.reasons == [
        "“It falls.” depends on the number of draws",
        "“It falls.” is not reproduced",
    ]


def test_the_share_is_said_once_where_all_numbers_of_draws_agree():
    assert verdict(YES).share_text == ""
    assert verdict(YES, share=1.0, shares=((1, 0.999), (100, 1.0))).share_text == "100 of 100"
    assert verdict(YES, share=0.97, shares=((6, 0.97),)).share_text == "97 of 100"


def test_comes_and_goes_needs_every_mean_above_zero():
    assert aggregate([verdict(rules.COMES_AND_GOES)], []) == "in part"
    assert aggregate([verdict(rules.COMES_AND_GOES, rises=False)], []) == "does not hold"


@pytest.mark.parametrize(
    ("outcome", "options", "expected"),
    [
        (YES, (YES, YES), "holds"),
        (YES, (YES, NO), "in part"),
        (YES, (PARTLY,), "in part"),
        (YES, (rules.UNDECIDED,), "holds"),  # what could not be judged contradicts nothing
        (NO, (NO, NO), "does not hold"),
        (NO, (NO, YES), "in part"),
        (NO, (PARTLY,), "in part"),
        (NO, (rules.UNDECIDED,), "open"),
        (NO, (NO, rules.UNDECIDED), "open"),
        (PARTLY, (NO,), "in part"),
    ],
)
def test_options_of_a_headline(outcome, options, expected):
    assert aggregate([verdict(outcome, *options)], []) == expected


def test_what_comes_out_otherwise_is_in_part_whatever_the_default_says():
    falls = verdict(rules.COMES_AND_GOES, YES, rises=False)
    assert aggregate([falls], []) == "in part"


def test_a_finding_without_a_headline_is_open():
    assert aggregate([], [verdict(YES)]) == "open"


# ---- the prefix of a title ----------------------------------------------------------------------


def findings(*outcomes, headline=None):
    """Findings with these verdicts, of which the first has this headline."""
    return [
        DecidedFinding(
            "toy",
            Finding(id=f"f{i}", sentence="x", comparator="y", figure="z", published="-"),
            outcome,
            (headline or verdict(YES),) if not i else (),
            (),
        )
        for i, outcome in enumerate(outcomes)
    ]


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        (("holds",), "[Re]"),
        (("holds",) * 2 + ("open",), "[Re]"),  # two of three are decided, and hold
        (("holds",) * 3 + ("open",) * 2, "[Re, in part]"),  # three of five are too few
        (("holds",) * 2 + ("in part",), "[Re, in part]"),
        (("holds",) * 2 + ("does not hold",), "[Re, in part]"),
        (("open",) * 2 + ("holds",) * 2, "[Re, in part]"),  # half are decided
        (("open",) * 3 + ("holds",) * 2, "[open]"),
        (("open",), "[open]"),
        ((), "[open]"),
    ],
)
def test_prefix_by_the_counts(outcomes, expected):
    assert prefix(findings(*outcomes)) == expected


def test_a_first_finding_that_fails_everywhere_is_not_reproduced_whatever_the_others_do():
    outcomes = ("does not hold", "holds", "holds")
    assert prefix(findings(*outcomes, headline=verdict(NO, NO))) == "[¬Re]"
    # under one option it could not be decided: not under every
    assert prefix(findings(*outcomes, headline=verdict(NO, rules.UNDECIDED))) == "[Re, in part]"
    assert prefix(findings("does not hold", "open", "open", headline=verdict(NO))) == "[¬Re]"
    not_run = verdict(NO, NO, options_not_run=("law: uniform",))
    assert prefix(findings(*outcomes, headline=not_run)) == "[Re, in part]"
    later = findings("holds", "does not hold", "holds")
    assert prefix(later) == "[Re, in part]"


# ---- what is shown of a finding -----------------------------------------------------------------


def test_a_finding_shows_its_headlines_numbers_and_smallest_share():
    first, second = verdict(YES, share=0.99), verdict(YES, share=0.96)
    bare = verdict(rules.UNDECIDED)
    found = DecidedFinding("toy", findings("holds")[0].finding, "holds", (first, second), (bare,))
    assert found.reproduced == "1" and found.share == 0.96
    assert found.claims == (first, second, bare)
    empty = DecidedFinding("toy", found.finding, "open", (), ())
    assert empty.reproduced == "-" and empty.share is None and not empty.fails_everywhere


def test_a_headline_fails_only_when_every_option_was_run():
    assert aggregate([verdict(NO, NO)], []) == "does not hold"
    left = verdict(NO, NO, options_not_run=("law: uniform",))
    assert aggregate([left], []) == "open"
    # one that comes out decides, whatever remains
    assert aggregate([verdict(NO, YES, options_not_run=("law: uniform",))], []) == "in part"


def test_an_option_that_comes_and_goes_without_rising_lifts_nothing():
    goes = rules.COMES_AND_GOES
    assert aggregate([verdict(NO, goes)], []) == "in part"
    falling = verdict(NO, goes, options_not_rising=("start: 0",))
    assert aggregate([falling], []) == "does not hold"
    assert falling.held_under == (0, 2) and falling.levels == [rules.NO]
    assert verdict(PARTLY, YES, PARTLY, OPEN[0]).held_text == (
        "1 of 3 that could be decided, in part under 2"
    )


def test_findings_of_a_paper_are_decided_by_their_claims(recorded):
    found = decide_findings()
    assert [(d.finding.id, d.verdict) for d in found["toy"]] == [
        ("better", "holds"),
        ("worse", "open"),  # its options are not run
    ]
    better, worse = found["toy"]
    assert [v.claim.id for v in better.headline] == ["toy-gain"]
    assert [v.claim.id for v in better.support] == ["toy-theta"]
    # options that were not run might say otherwise
    assert worse.headline[0].options_not_run and not worse.fails_everywhere
    assert prefix(found["toy"]) == prefix(reversed(found["toy"])) == "[Re, in part]"
    assert decide_findings(verdicts=verify()) == found
    recorded.edit("toy-theta", published={"value": 9.0})
    assert decide_findings()["toy"][0].verdict == "in part"
