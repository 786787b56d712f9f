"""Files of findings, claims, anchors and open choices: what they say, how they fail."""

import re

import pytest
import yaml

from transductive_compendium.verdicts.claims import (
    ClaimError,
    load_folder,
    load_statements,
    measure,
)

REMEDY = "The fields are described in CONTRIBUTING.md, 'Add a claim'."
OPTION_REMEDY = "The fields of open_choices.yml are described in CONTRIBUTING.md, 'Add an option'."


def fault(room, error=ClaimError):
    """What the loading says of the files."""
    with pytest.raises(error) as raised:
        load_folder(room.folder, "toy")
    assert str(raised.value).endswith((REMEDY, OPTION_REMEDY))
    return str(raised.value)


def line_of(room, name, text):
    """Number of the line of a file that begins with `text`, from 1."""
    lines = (room.folder / f"{name}.yml").read_text().splitlines()
    return next(i for i, line in enumerate(lines, 1) if line.strip().startswith(text))


def test_files_are_read_as_they_are_written(room, anchors):
    room.write(anchors=anchors)
    (found,) = load_statements().values()
    assert found.paper == "toy" and [f.id for f in found.findings] == ["better", "worse"]
    gain, theta = found.claims[:2]
    assert found.finding_of(gain) is found.finding_of(theta) is found.findings[0]
    assert found.finding_of(found.claims[3]) is None
    assert gain.quotes == ("A errs | less",) and theta.quotes == ("about two", "theta = 2.0")
    assert found.protocol_of(gain).text.startswith("A and B")
    assert list(found.open_choices["start"].others) == ["far", "near"]
    assert found.claims[5].published.numbers == {"10": 2.0, "20": 4.1}  # keys are names
    assert theta.published.numbers == {"": 2.0} and gain.published.numbers == {}
    assert [claim.id for claim in found.untestable] == ["toy-mail"]
    assert found.protocol_of(found.claims[6]) is None  # mathematics needs none
    assert list(found.tables_of(gain)) == ["thresholds"] and not found.tables_of(found.claims[8])
    (printed,) = found.anchors.tables["thresholds"].anchors
    assert printed.decides and printed.readers == ("T1", "T-A1")
    draws = {name: protocol.draws for name, protocol in found.protocols.items()}
    assert draws == {"patients": 100, "unknown_size": None, "exact": 0}


def test_a_setting_is_called_by_the_texts_of_its_options(room):
    text = (room.folder / "open_choices.yml").read_text()
    text = text.replace("normal: {", "normal: {text: as printed, ")
    room.write(
        open_choices=text.replace(
            "source: program, run: {law", "source: 'variant: program', run: {law"
        )
    )
    (found,) = load_statements().values()
    assert found.called("start: near") == "close to zero"
    assert found.called("start: near, law: uniform") == "close to zero, law: uniform"
    assert found.called("default", ("law: uniform",)) == "as printed"
    assert found.called("default") == ""  # of a claim that the variants do not touch


@pytest.mark.parametrize(
    ("claim", "changes", "field", "words"),
    [
        ("toy-theta", {"tollerance": 1.0}, "tollerance", "is no field"),
        ("toy-theta", {"kind": "valeu"}, "kind", "'repeats'.*'equivalence'.*'numbers'"),
        ("toy-theta", {"margin": "1e-9"}, "margin", "valid number"),
        ("toy-theta", {"margin": 0}, "margin", "greater than 0"),
        ("toy-theta", {"published": {"value": "2"}}, "published.value", "valid number"),
        ("toy-theta", {"published": {"digits": 1.5}}, "published.digits", "valid integer"),
        ("toy-theta", {"published": {"n": 100}}, "published.n", "is no field"),
        ("toy-theta", {"published": 2.0}, "published", "dictionary"),
        ("toy-theta", {"results": "toy/draws"}, "results", "valid tuple"),
        ("toy-theta", {"statement": None}, "statement", "valid string"),
        ("toy-theta", {"published": {}}, "", "numbers need published: {value"),
        ("toy-column", {"published": {"cells": {}}}, "", "numbers need published: {value"),
        ("toy-same", {"margin": None}, "", "an equivalence needs margin"),
        ("toy-gain", {"comes_out": ""}, "", "needs comes_out"),
        ("toy-gain", {"protocol": ""}, "", "needs the protocol"),
        ("toy-mail", {"why": ""}, "", "untestable needs why"),
    ],
)
def test_a_wrong_field_is_named_with_its_file_and_line(room, claim, changes, field, words):
    room.edit(claim, **changes)
    message = fault(room).replace("\n", " ")
    number = [entry["id"] for entry in room.read("claims")["claims"]].index(claim)
    place = f"claims.{number}" + f".{field}" * bool(field)
    start = line_of(room, "claims", f"- id: {claim}")
    found = re.search(rf"claims\.yml, line (\d+), {re.escape(place)}: .*{words}", message)
    assert found, message
    lines = (room.folder / "claims.yml").read_text().splitlines()
    end = next((i for i in range(start, len(lines)) if lines[i].startswith("- id:")), len(lines))
    assert start <= int(found[1]) <= end


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("findings", "  figure: curve\n", "", r"findings.yml, line 1, 0.figure: is missing"),
        ("findings", "claims: [toy-loss]", "claims: []", "1.claims: .*at least 1"),
        ("findings", "  comparator: A\n", "  main: true\n", "1.main: is no field"),
        (
            "open_choices",
            "    uniform: {source: program, run: {law: uniform}}\n",
            "",
            "at least two options",
        ),
        ("open_choices", "{source: print,", "{source: hearsay,", "law.options.normal"),
        ("open_choices", "words: '\"at", "word: '\"at", "law.word: is no field"),
        ("open_choices", "print, run: {law: normal}", "print", "law: .*needs run: {law: ...}, too"),
        ("open_choices", "run: {level: 3.0}", "runs: {level: 3.0}", "far.runs: is no field"),
        (
            "open_choices",
            "run: {level: 3.0}",
            "judge: {bye: 3}",
            "unknown argument 'bye'; did you mean 'by'",
        ),
        ("claims", "m: exact", "m: exactly", "protocols.exact.m"),
        ("claims", "m: 100", "m: 0", "protocols.patients.m"),
        ("claims", "m: 100", "m: 100\n    m: 9", "is a key in line 5 already"),
        ("anchors", "      measure: toy_theta\n", "", "needs a measure, or told"),
        ("anchors", "      published: {value: 2.0, digits: 1}\n", "", "needs published: {value"),
        ("anchors", "readers: [T1, T-A1]", "reader: T1", "anchors.0.reader: is no field"),
        (
            "anchors",
            "readers: [T1, T-A1]",
            "readers: [T1]\n      untouched_by: [lwa]",
            "anchor printed-theta: unknown open choice 'lwa'; did you mean 'law'",
        ),
        ("claims", "    repetition: a random split\n", "", "protocols.patients.repetition: is"),
    ],
)
def test_the_other_files_are_checked_too(room, anchors, name, old, new, words):
    room.write(anchors=anchors)
    text = (room.folder / f"{name}.yml").read_text()
    assert old in text
    room.write(**{name: text.replace(old, new, 1)})
    assert re.search(words, fault(room))


@pytest.mark.parametrize(
    ("claim", "changes", "words"),
    [
        ("toy-gain", {"protocol": "patient"}, "claim toy-gain: unknown protocol.*'patients'"),
        ("toy-gain", {"measure": "toy_gap"}, "claim toy-gain: unknown measure.*'toy_gaps'"),
        ("toy-gain", {"results": []}, "claim toy-gain: has a measure, but no results"),
        ("toy-column", {"results": ["toy/more"]}, "results are those of its measure, toy/draws"),
        ("toy-theta", {"arguments": {"dataset": "x"}}, "claim toy-theta: arguments do not fit"),
        ("toy-gain", {"arguments": {"bye": 1.0}}, "toy_gaps.frames, by=0.0, of=None.*'bye'"),
        ("toy-gain", {"id": "toy-theta"}, "claim toy-theta: the id is taken"),
        ("toy-gain", {"id": "toy-open"}, "claim toy-open: the id is taken"),
        ("toy-gain", {"id": "printed-theta"}, "claim printed-theta: the id is taken"),
    ],
)
def test_what_the_files_name_must_be_there(room, anchors, claim, changes, words):
    room.write(anchors=anchors)
    room.edit(claim, **changes)
    message = fault(room)
    assert message.startswith("toy: ") and re.search(words, message)


def test_ids_of_anchors_are_those_of_the_raw_lists(room, anchors, folders):
    room.write(anchors=anchors)
    load_statements()  # where there are no lists, as in a wheel
    lists = [folders / f"results/anchors/reader_{reader}/toy.yml" for reader in "ab"]
    lists[0].parent.mkdir(parents=True)
    room.write()
    assert "unknown id of a printed number 'T1'. Known: none" in fault(room)
    for path, name in zip(lists, ("T1", "T-A1"), strict=True):
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"anchors:\n- {{id: {name}, value: 2.0}}\n")
    room.write()
    load_statements()
    room.write(anchors=anchors.replace("T-A1", "T-A2") + "left_out: {garbled: [T7]}\n")
    message = fault(room)
    assert "toy: anchor printed-theta: unknown id of a printed number 'T-A2'" in message
    assert "did you mean 'T-A1'" in message and "into results/anchors/*/toy.yml" in message
    assert "toy: left_out, garbled: unknown id of a printed number 'T7'" in message


def test_faults_of_findings(room):
    findings = room.read("findings")
    more = [{**findings[1], "id": f"more-{i}"} for i in range(7)]
    room.write(findings=yaml.safe_dump(findings + more))
    message = fault(room)
    assert "9 findings; keep at most eight" in message
    assert "claim toy-loss: it is in two findings" in message
    room.write(findings=yaml.safe_dump([*findings, findings[0]]))
    assert "finding better: the id is taken" in fault(room)
    findings[0]["claims"] = ["toy-gian"]
    room.write(findings=yaml.safe_dump(findings))
    assert "finding better: unknown claim 'toy-gian'; did you mean 'toy-gain'" in fault(room)


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ("By {toy-gain}, from afar {toy-gain | start: far}, misfit {thresholds | default}.", ""),
        ("By {toy-gian}.", "finding better: unknown claim 'toy-gian'"),
        ("By {toy-gain | start: fra}.", "unknown setting 'start: fra'; did you mean 'start: far'"),
        ("By {toy-gain | start: zero}.", "unknown setting 'start: zero'"),  # that is the default
    ],
)
def test_what_is_told_names_claims_tables_and_settings(room, anchors, told, words):
    findings = room.read("findings")
    findings[0]["told"] = told
    room.write(findings=yaml.safe_dump(findings), anchors=anchors)
    if words:
        assert words in fault(room)
    else:
        assert load_folder(room.folder, "toy").findings[0].told == told


def test_two_measures_of_one_name_are_an_error():
    def toy_theta(frames):
        return None

    with pytest.raises(ClaimError, match=r"toy_theta is in .* rename one"):
        measure()(toy_theta)
