"""Which settings the printed baselines identify: on made misfits, and from recorded rows."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from transductive_compendium.verdicts import identification, measure, verify
from transductive_compendium.verdicts.claims import Anchor, Table, load_statements
from transductive_compendium.verdicts.identification import DEFAULT, Identified, identify
from transductive_compendium.verdicts.rules import FIT, Misfit, Value

A, B, C = "scale: a", "scale: b", "law: c"


def anchor(name, **facts):
    printed = {"published": {"value": 1.0}, "measure": "toy_theta"} | facts
    return Anchor(id=name, quantity="error", quote="1", place="table 1", readers=(), **printed)


def made(*by_anchor, told=(), **facts):
    """What anchors say, each by the misfits of settings: a number, or a value and a lower limit."""
    found = {
        f"a{i}": {
            n: Misfit(*(x if isinstance(x, tuple) else (x, x)), 1.0) for n, x in misfits.items()
        }
        for i, misfits in enumerate(by_anchor)
    }
    anchors = tuple(anchor(name, told="too coarse" * (name in told)) for name in found)
    return Identified(Table(experiments=(), anchors=anchors), found, **facts)


@pytest.mark.parametrize(
    ("misfits", "standing"),
    [
        ({DEFAULT: 0.19, A: 0.0, B: 0.9}, (DEFAULT,)),  # though another is nearer
        ({DEFAULT: (0.5, 0.19), A: 0.0}, (DEFAULT,)),  # its interval reaches below a fifth
        ({DEFAULT: 0.2, A: 0.1, B: 0.9}, (A,)),
        ({DEFAULT: 0.5, A: 0.1, B: 0.15, C: 0.2}, (A, B)),
        ({DEFAULT: 0.5, A: 0.4, B: 0.9}, (A,)),  # none fits: the nearest
        ({DEFAULT: 0.5, A: (0.6, 0.3)}, (DEFAULT,)),
        ({DEFAULT: 0.5}, (DEFAULT,)),
    ],
)
def test_the_default_else_all_that_fit_else_the_nearest(misfits, standing):
    found = made(misfits)
    assert found.standing() == standing
    fits = {name: found.misfits[name].lower < FIT for name in misfits}
    assert {name: found.fits(name) for name in misfits} == fits


def test_a_setting_faces_all_anchors_that_decide():
    found = made({DEFAULT: 0.5, A: 0.0, B: 0.1}, {DEFAULT: 0.0, A: 0.7, B: 0.15})
    assert found.misfits == {
        DEFAULT: Misfit(0.5, 0.5, 1.0, "a0"),
        A: Misfit(0.7, 0.7, 1.0, "a1"),
        B: Misfit(0.15, 0.15, 1.0, "a1"),
    }
    assert found.standing() == (B,)
    told = made({DEFAULT: 0.5, A: 0.0, B: 0.1}, {DEFAULT: 0.0, A: 0.7, B: 0.15}, told=("a1",))
    assert told.standing() == (A, B)
    nothing = made({DEFAULT: 0.5, A: 0.0}, told=("a0",))
    assert nothing.standing() == (DEFAULT,) and nothing.fits(DEFAULT) and nothing.fits(A)


def test_what_cannot_change_an_anchor_has_the_defaults_misfit_there():
    found = made({DEFAULT: 0.5, A: 0.0}, {DEFAULT: 0.3, C: 0.1})
    assert {name: x.value for name, x in found.misfits.items()} == {DEFAULT: 0.5, A: 0.3, C: 0.5}


def test_a_setting_that_was_not_run_is_neither_chosen_nor_excluded():
    found = made({DEFAULT: 0.5, A: 0.0, B: 0.3}, {DEFAULT: 0.1}, not_run=frozenset({A}))
    assert A not in found.misfits and found.fits(A) and found.standing() == (B,)


def test_range_of_thresholds_by_hand():
    assert made({DEFAULT: 0.5, A: 0.1, B: 0.15}).range == (0.15, 0.5)
    assert made({DEFAULT: 0.05, A: 0.0}).range == (0.05, float("inf"))
    assert made({DEFAULT: 0.5, A: 0.3}).range == (0.0, 0.5)  # the nearest at first, then fits
    assert made().range == (0.0, float("inf"))


levels = st.sampled_from([0.0, 0.05, 0.1, 0.19, 0.2, 0.21, 0.3, 0.8])


@given(st.dictionaries(st.sampled_from([A, B, C]), levels), levels)
def test_within_the_range_the_same_settings_stand_and_beyond_it_others(misfits, default):
    found = made({DEFAULT: default} | misfits)
    low, high = found.range
    assert low < FIT <= high
    for threshold in (low + 1e-9, FIT, min(high, 2.0)):
        assert found.standing(threshold) == found.standing()
    if high < float("inf"):
        assert found.standing(high + 1e-9) != found.standing()
    if low > 0:
        assert found.standing(low) != found.standing()


# ---- from recorded rows -------------------------------------------------------------------------


@pytest.fixture
def toy(recorded, anchors):
    recorded.write(anchors=anchors)
    return recorded


@pytest.fixture
def identified(toy):
    """What the anchors of the toy's table say now."""

    def say():
        return identify(load_statements()["toy"])["thresholds"]

    return say


def printed(room, **published):
    """Print another number."""
    text = (room.folder / "anchors.yml").read_text()
    facts = ", ".join(f"{name}: {value}" for name, value in published.items())
    room.write(anchors=text.replace("{value: 2.0, digits: 1}", f"{{{facts}}}"))


def test_misfits_of_the_default_and_of_each_single_change(toy, identified):
    printed(toy, value=3.0, digits=1)
    toy.record_options(far=(1.0, 0.0), near=(0.5, 0.0))
    found = identified()
    values = {DEFAULT: 1 / 3, "start: far": 0.0, "start: near": 1 / 6}
    assert {name: x.value for name, x in found.misfits.items()} == pytest.approx(values)
    assert found.standing() == ("start: far", "start: near") and found.own == DEFAULT
    # sd 0.1 of 120 draws, and half a digit
    assert found.misfits[DEFAULT].lower == pytest.approx((1.0 - 0.01815 - 0.05) / 3, abs=1e-4)
    assert found.not_run == {"law: uniform"} and "law: uniform" not in found.misfits


def test_a_choice_that_cannot_change_an_anchor_is_neither_chosen_nor_excluded(toy, identified):
    printed(toy, value=3.0, digits=1)
    toy.record_options(far=(1.0, 0.0), near=(0.5, 0.0))
    anchors = (toy.folder / "anchors.yml").read_text()
    line = "      measure: toy_theta\n"
    toy.write(anchors=anchors.replace(line, f"{line}      untouched_by: [start]\n"))
    found = identified()
    assert set(found.misfits) == {DEFAULT} and found.standing() == (DEFAULT,)
    assert found.fits("start: far")


@pytest.mark.parametrize("level", [2.0, 3.0])
def test_a_record_under_another_option_changes_no_misfit(toy, identified, level):
    # the record is of "far", and the companion has its neighbours, the default among them
    printed(toy, value=3.0, digits=1)
    options = {"near": (0.5, 0.0), "far": (1.0, 0.0), "zero": (0.0, 0.0)}
    del options["far" if level == 3.0 else "zero"]
    if level == 3.0:
        toy.write(open_choices=far_identified(toy))
        toy.record(level)
    toy.record_options(**options)
    found = identified()
    values = {DEFAULT: 1 / 3, "start: far": 0.0, "start: near": 1 / 6}
    assert {name: x.value for name, x in found.misfits.items()} == pytest.approx(values)
    assert found.own == (DEFAULT if level == 2.0 else "start: far")


def far_identified(room):
    text = (room.folder / "open_choices.yml").read_text()
    return text.replace('"cited work: page 3"', '"baseline: cited work: page 3"')


def test_without_its_default_run_nothing_says_what_the_default_does(toy, identified):
    toy.write(open_choices=far_identified(toy))
    toy.record(3.0)
    found = identified()
    assert set(found.misfits) == {"start: far"} and DEFAULT in found.not_run


def test_a_value_that_no_option_has_is_the_experiments_own(toy, identified):
    toy.record(4.0)
    assert identified().own == DEFAULT
    assert {name: x.value for name, x in identified().misfits.items()} == {DEFAULT: 1.0}
    gain = next(v for v in verify() if v.claim.id == "toy-gain")
    assert gain.standing() == (DEFAULT,) and gain.outcome == "reproduced"


def test_an_anchor_of_two_experiments_one_of_which_stays_at_the_default(toy, identified):
    toy.write(open_choices=far_identified(toy))
    toy.record(3.0)
    toy.record_options(zero=(0.0, 0.0))
    toy.record_rows("toy/fixed", [{"block": 0}], lambda key: [{"theta": 2.0}] * 120)
    text = (toy.folder / "anchors.yml").read_text()
    text = text.replace("results: [toy/draws]", "results: [toy/draws, toy/fixed]")
    toy.write(anchors=text.replace("measure: toy_theta", "measure: toy_means"))
    found = identified()  # "fixed" has no parameter of the choice: it is of any option
    values = {"start: far": 0.25, DEFAULT: 0.0}
    assert {name: x.value for name, x in found.misfits.items()} == pytest.approx(values)


@measure()
def toy_means(frames):
    """Average threshold of the experiments."""
    return Value(estimate=sum(rows["theta"].mean() for rows in frames.values()) / len(frames))


@measure()
def toy_excess(frames):
    return Value(frames["toy/draws"]["noise"] + 0.3)


def test_a_percentage_and_the_place_of_a_minimum(toy, identified):
    printed(toy, value=99.0, digits=0, unit='"%"')
    assert identified().misfits[DEFAULT].value == pytest.approx(97.0)  # of one that errs
    printed_text = (toy.folder / "anchors.yml").read_text().replace("toy_theta", "toy_excess")
    toy.write(anchors=printed_text + "      minimum: true\n")
    found = identified().misfits[DEFAULT]
    assert (found.value, found.lower) == pytest.approx((0.3, 0.3 - 0.1815), abs=1e-4)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("measure: toy_theta", "measure: toy_broken"), "measure toy_broken failed: KeyError"),
        (("results: [toy/draws]", "results: [toy/none]"), "toy/none is not recorded yet"),
        (("{value: 2.0,", "{cells: {a: 2.0},"), "KeyError: 'a'"),
    ],
)
def test_an_anchor_that_fails_leaves_the_claims_of_its_table_undecided(
    toy, identified, change, words
):
    text = (toy.folder / "anchors.yml").read_text()
    toy.write(anchors=text.replace(*change))
    found = identified()
    assert words in found.fault and found.fault.startswith("anchor printed-theta: ")
    verdicts = {v.claim.id: v for v in verify()}
    assert (
        verdicts["toy-gain"].outcome == "undecided"
        and words in verdicts["toy-gain"].decision.detail
    )
    assert verdicts["toy-identity"].outcome == "holds"  # no setting changes mathematics
    other = text.replace(*change).replace("experiments: [toy/draws]", "experiments: [toy/none]")
    toy.write(anchors=other)
    assert {v.claim.id: v for v in verify()}["toy-gain"].outcome == "reproduced"


def test_the_record_stands_for_units_that_an_option_apart_leaves_as_they_are(monkeypatch):
    own = {"draw": [0], "kind": ["b"], "x": [9]}
    frames = {
        "toy/it": pd.DataFrame({"draw": [0, 0, 1], "kind": ["a", "b", "a"], "x": [1, 2, 3]}),
        "toy/it_options_law": pd.DataFrame({"choice": "law", "option": "c"} | own),
        "toy/it_options": pd.DataFrame({"choice": "scale", "option": "b"} | own),
    }
    facts = {"parameters": {}, "keys": ["draw", "kind"]}
    monkeypatch.setattr(identification, "load_recorded", lambda name: (frames[name], facts))
    monkeypatch.setattr(identification, "companions_of", lambda name: list(frames)[:0:-1])
    found = identification.Recorded().options_of("toy/it")
    values = {option: sorted(part["x"]) for (_, option), part in found.items()}
    assert values == {"b": [9], "c": [1, 9]}  # not of the draw that the option lacks
