"""From recorded rows to verdicts: a toy paper that has a claim of every kind."""

import pandas as pd
import pytest

from transductive_compendium.runner import load_recorded, results_folder
from transductive_compendium.verdicts import measure, verify
from transductive_compendium.verdicts.identification import DEFAULT
from transductive_compendium.verdicts.rules import Repeats, Value

FAR, NEAR, UNIFORM = "start: far", "start: near", "law: uniform"


def decided(papers=None):
    return {v.claim.id: v for v in verify(papers)}


def outcomes(verdict):
    return {name: found.outcome for name, found in verdict.decisions.items()}


def test_every_kind_is_decided_by_its_rule(recorded):
    found = decided()
    assert {name: v.outcome for name, v in found.items()} == {
        "toy-gain": "reproduced",
        "toy-theta": "reproduced",
        "toy-loss": "not reproduced",
        "toy-open": "undecided",
        "toy-same": "reproduced",
        "toy-column": "reproduced",
        "toy-identity": "holds",
        "toy-count": "reproduced",
        "toy-zip": "not testable here",
        "toy-later": "undecided",
    }
    assert [v.comes_out for v in found.values()][:4] == ["yes", "yes", "no", "open"]
    details = {name: v.decision.detail for name, v in found.items()}
    assert details["toy-zip"].endswith("In its stead: digits, under its own name")
    assert 'is marked @pytest.mark.claim("toy-later"' in details["toy-later"]
    assert details["toy-column"] == "misfit 2 % (20)"  # 4.0 for 4.1
    shares = {name: v.share_text for name, v in found.items()}
    assert shares["toy-gain"] == "100 of 100" and shares["toy-loss"] == "0 of 100"
    # print does not tell the draws, or nothing is random
    assert shares["toy-open"] == shares["toy-count"] == ""
    assert "about 400 draws would decide" in details["toy-open"]  # 120 (0.18 / 0.1)^2


def test_mathematics_is_decided_by_its_marked_tests(recorded):
    found = decided()["toy-identity"]
    assert (found.outcome, found.reproduced) == ("holds", "test_0")
    assert found.decision.detail == "python -m pytest tests/test_toy.py::test_0"
    for words, outcome in [
        (["fails", "fails"], "does not hold"),
        (["corrected"], "holds once corrected"),
        (["holds", "fails"], "undecided"),
        (["perhaps"], "undecided"),
        ([], "undecided"),
    ]:
        recorded.mark("toy-identity", *words)
        found = decided()["toy-identity"]
        assert found.outcome == outcome
        assert (outcome == "undecided") == bool(found.decision.fault)


# ---- settings -----------------------------------------------------------------------------------


def test_the_default_decides_if_no_anchor_speaks_and_options_are_told(recorded):
    recorded.record_options(far=(1.0, -5.0), near=(0.5, 0.1))
    gain = decided()["toy-gain"]
    assert outcomes(gain) == {
        DEFAULT: "reproduced",
        FAR: "not reproduced",
        NEAR: "reproduced",
        UNIFORM: "undecided",
    }
    assert gain.standing() == (DEFAULT,) and gain.excluded == {}
    assert gain.told_text == (
        "comes out under start: near; not under start: far (not reproduced); not run: law: uniform"
    )
    # mathematics has no setting
    assert outcomes(decided()["toy-identity"]) == {DEFAULT: "holds"}


@pytest.fixture
def anchored(recorded, anchors):
    """``anchored(printed)``: the toy with its anchor, a threshold that only some options give."""

    def write(printed):
        recorded.write(anchors=anchors.replace("{value: 2.0,", f"{{value: {printed},"))
        return recorded

    return write


def test_a_claim_is_judged_in_the_setting_that_the_anchors_identify(anchored):
    anchored(3.0).record_options(far=(1.0, -5.0), near=(0.0, 0.0))
    gain = decided()["toy-gain"]
    assert gain.standing() == (FAR,) and gain.outcome == "not reproduced"
    assert gain.reproduced == "-3.00 (-3.18, -2.82) (n = 120)"
    assert gain.levels() == ("no",) and gain.levels(plain=True) == ("yes",)
    assert set(gain.excluded) == {DEFAULT, NEAR} and gain.told == {UNIFORM: "undecided"}
    assert gain.as_dict()["options"] == [FAR, NEAR, UNIFORM]
    assert gain.as_dict()["excluded"] == pytest.approx({DEFAULT: 0.333, NEAR: 0.333}, abs=1e-3)
    anchored(2.0)  # the default fits
    gain = decided()["toy-gain"]
    assert gain.standing() == (DEFAULT,) and gain.outcome == "reproduced"
    assert (
        set(gain.excluded) == {FAR}
        and gain.told_text == "comes out under start: near; not run: law: uniform"
    )


def test_several_standing_settings_are_all_judged(anchored):
    anchored(3.0).record_options(far=(1.0, -5.0), near=(0.9, 0.0))
    gain = decided()["toy-gain"]
    assert gain.standing() == (FAR, NEAR) and gain.levels() == ("no", "yes")
    assert gain.settings_text == "start: far: not reproduced; start: near: reproduced"
    assert gain.levels(threshold=0.01) == ("no",)  # the nearer one
    assert gain.as_dict()["settings"] == {FAR: "not reproduced", NEAR: "reproduced"}


def test_a_standing_setting_needs_a_hundred_draws(anchored):
    anchored(3.0).record_options(n=60, far=(1.0, 0.0))
    gain = decided()["toy-gain"]
    assert gain.setting == FAR and gain.outcome == "undecided" and gain.levels() == ("open",)
    assert "60 draws; 100 decide" in gain.decision.detail


def test_of_what_is_told_alone_few_draws_say_how_it_comes_out(recorded):
    recorded.record_options(n=60, far=(1.0, 0.0))
    assert decided()["toy-gain"].told_text.startswith(
        "comes out under start: far; not run: start: near"
    )


def test_a_claim_that_a_standing_setting_cannot_change_is_judged_as_recorded(anchored):
    room = anchored(3.0)
    room.record_options(far=(1.0, -5.0))
    room.record_rows("toy/more", [{"block": 0}], lambda key: [{"theta": 2.0}] * 120)
    room.edit("toy-theta", results=["toy/more"], measure="toy_first")
    text = (room.folder / "anchors.yml").read_text()
    room.write(anchors=text.replace("experiments: [toy/draws]", "experiments: [toy/more]"))
    theta = decided()["toy-theta"]
    assert list(theta.tables) == ["thresholds"]
    assert theta.tables["thresholds"].standing() == (FAR,)
    assert theta.standing() == (DEFAULT,) and outcomes(theta) == {DEFAULT: "reproduced"}
    # another table's setting does not bear on what shares no experiment with it
    assert decided()["toy-gain"].tables == {} and decided()["toy-gain"].standing() == (DEFAULT,)


@measure()
def toy_first(frames):
    (rows,) = frames.values()
    return Value(rows["theta"])


def test_a_record_of_the_standing_setting_has_the_default_in_its_companion(anchored):
    room = anchored(3.0)
    text = (room.folder / "open_choices.yml").read_text()
    room.write(open_choices=text.replace('"cited work: page 3"', '"baseline: cited work: page 3"'))
    room.record(3.0)
    room.record_options(zero=(0.0, -5.0), near=(0.5, 0.0))
    gain = decided()["toy-gain"]
    assert list(gain.decisions)[:2] == [FAR, DEFAULT]
    assert gain.standing() == (FAR, NEAR) and gain.levels() == ("yes", "yes")
    assert gain.levels(plain=True) == ("no",) and set(gain.excluded) == {DEFAULT}


def test_variants_are_always_judged_and_never_told_alone(anchored):
    room = anchored(2.0)
    text = (room.folder / "open_choices.yml").read_text()
    room.write(
        open_choices=text.replace(
            "source: program, run: {law", "source: 'variant: program', run: {law"
        )
    )
    room.record_options(choice="law", uniform=(9.0, -5.0))  # excluded, were it no variant
    gain = decided()["toy-gain"]
    assert gain.standing() == (DEFAULT, UNIFORM) and gain.levels() == ("yes", "no")
    assert gain.excluded == {} and UNIFORM not in gain.told
    assert gain.levels(plain=True) == ("yes",) and gain.setting == DEFAULT


JUDGED = """\
offset:
  question: From where is the gap measured?
  words: '"from"'
  options:
    none: {source: print}
    five: {source: custom of the field, judge: {by: -5.0}}
"""


def test_an_option_of_the_measure_alone_is_judged_on_the_same_rows(recorded):
    recorded.write(open_choices=JUDGED)
    same = decided()["toy-same"]  # an equivalence: moved by five, it is none
    assert outcomes(same) == {DEFAULT: "reproduced", "offset: five": "not reproduced"}
    told = "comes out under 0 of 1; not under offset: five (not reproduced)"
    assert same.told_text == told and same.to_run == []
    more = "".join(f"    more{k}: {{source: print, judge: {{by: 0.{k}}}}}\n" for k in (1, 2, 3))
    recorded.write(open_choices=JUDGED + more)
    assert decided()["toy-same"].told_text == told.replace("0 of 1", "3 of 4")
    # a claim that fixes the argument, or whose measure has none such, is not touched
    found = decided()
    assert set(outcomes(found["toy-gain"])) == set(outcomes(found["toy-theta"])) == {DEFAULT}


def test_an_option_that_cannot_be_judged_is_undecided_alone(recorded):
    recorded.record_options(far=(1.0, float("nan")), near=(0.5, -9.0))
    gain = decided()["toy-gain"]
    assert gain.outcome == "reproduced" and outcomes(gain)[NEAR] == "not reproduced"
    assert "not under start: far (undecided: a repeated" in gain.told_in_words()
    assert "not under start: far (undecided), " in gain.told_text + ", "


# ---- what is missing or damaged -----------------------------------------------------------------


def test_missing_results_leave_claims_undecided_with_the_remedy(room, anchors):
    room.write(anchors=anchors)
    found = decided()
    others = {v.outcome for v in found.values() if v.claim.kind != "mathematics"}
    assert others == {"undecided"}
    remedy = "transductive run toy/draws --profile paper --record"
    assert remedy in found["toy-gain"].decision.detail and found["toy-gain"].reproduced == "-"


@pytest.mark.parametrize("name", ["toy/draws", "toy/draws_options"])
def test_a_damaged_result_leaves_claims_undecided(recorded, anchors, name):
    recorded.write(anchors=anchors)
    recorded.record_options(far=(1.0, 0.0))
    (results_folder() / f"{name}.csv").write_text("block\n1\n")
    found = decided()
    assert found["toy-gain"].outcome == "undecided"
    assert "damaged" in found["toy-gain"].decision.detail
    assert found["toy-identity"].outcome == "holds"


@measure()
def toy_late_failure(frames):
    """Fails when the rule asks for a repetition, not before."""
    return Repeats(lambda pick: frames["toy/draws"]["theta_min"][pick].mean(), n=120)


def test_a_measure_that_fails_leaves_only_its_claim_undecided(recorded):
    recorded.edit("toy-theta", measure="toy_broken")
    recorded.edit("toy-same", measure="toy_late_failure")
    found = decided()
    for name, words in {
        "toy-theta": "measure toy_broken failed: KeyError",
        "toy-same": "measure toy_late_failure failed: KeyError",
    }.items():
        assert found[name].outcome == "undecided" and words in found[name].decision.detail
    assert found["toy-gain"].outcome == "reproduced"


@measure()
def toy_vandal(frames):
    frames["toy/draws"]["noise"] *= 0
    del frames["toy/draws"]["theta"]
    return Value(estimate=0.0)


def test_a_measure_cannot_change_the_rows_for_the_next_one(recorded):
    before = decided()
    recorded.edit("toy-gain", measure="toy_vandal", arguments={})
    after = decided()
    assert after["toy-gain"].outcome == "undecided"
    assert after["toy-theta"] == before["toy-theta"] and after["toy-same"] == before["toy-same"]


# ---- the command --------------------------------------------------------------------------------


def test_papers_are_verified_apart(recorded):
    (recorded.folder.parent / "other").mkdir()
    text = (recorded.folder / "claims.yml").read_text()
    (recorded.folder.parent / "other" / "claims.yml").write_text(text.replace("id: toy-", "id: o-"))
    assert "o-gain" in decided(["other"]) and "toy-gain" not in decided(["other"])
    assert {v.paper for v in verify()} == {"other", "toy"}
    assert isinstance(load_recorded("toy/draws")[0], pd.DataFrame)
