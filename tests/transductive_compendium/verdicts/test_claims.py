"""Files of findings, claims, open choices and checks: what they may say, and how they fail."""

import re

import pytest
import yaml

from transductive_compendium.verdicts.claims import (
    ClaimError,
    find,
    load_folder,
    load_statements,
    measure,
    statement_folders,
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


def test_files_are_read_as_they_are_written(room):
    (found,) = load_statements().values()
    assert found.paper == "toy" and [f.id for f in found.findings] == ["better", "worse"]
    assert [f.main for f in found.findings] == [True, False]
    gain, theta = found.claims[:2]
    assert (gain.role, theta.role) == ("headline", "support")
    assert gain.quotes == ("A errs | less",) and theta.quotes == ("about two", "theta = 2.0")
    assert found.setting_of(gain).text.startswith("A and B")
    assert list(found.open_choices["start"].others) == ["far", "near"]
    assert found.claims[5].published.cells == {"10": 2.0, "20": 4.1}  # keys are names
    assert [check.id for check in found.checks] == ["toy-check"]
    assert found.setting_of(found.claims[6]) is None  # mathematics needs none


@pytest.mark.parametrize(
    ("m", "experiment", "draws"),
    [
        (100, "published", (100,)),
        ({"smallest": 1}, "published", (1, 100)),
        ({"smallest": 1}, "ours", (100,)),  # print has no experiment, and so no number of draws
        ("exact", "published", (0,)),
    ],
)
def test_draws_of_a_repetition(room, m, experiment, draws):
    file = room.read("claims")
    file["settings"]["patients"] |= {"m": m, "experiment": experiment}
    room.write(claims=yaml.safe_dump(file))
    (found,) = load_statements().values()
    assert found.settings["patients"].draws == draws


@pytest.mark.parametrize(
    ("claim", "changes", "field", "words"),
    [
        ("toy-theta", {"tollerance": 1.0}, "tollerance", "is no field"),
        ("toy-theta", {"kind": "valeu"}, "kind", "'repeats'.*'value'.*'column'"),
        ("toy-theta", {"role": "check"}, "role", "'headline' or 'support'"),
        ("toy-theta", {"tau": "1e-9"}, "tau", "valid number"),
        ("toy-theta", {"tau": 0}, "tau", "greater than 0"),
        ("toy-theta", {"published": {"value": "2"}}, "published.value", "valid number"),
        ("toy-theta", {"published": {"digits": 1.5}}, "published.digits", "valid integer"),
        ("toy-theta", {"published": {"n": 100}}, "published.n", "is no field"),
        ("toy-theta", {"published": 2.0}, "published", "dictionary"),
        ("toy-theta", {"results": "toy/draws"}, "results", "valid tuple"),
        ("toy-theta", {"statement": None}, "statement", "valid string"),
        ("toy-theta", {"published": {}}, "", "a value needs published: {value"),
        ("toy-column", {"published": {"cells": {}}}, "", "a column needs published: {cells"),
        ("toy-same", {"margin": None}, "", "an equivalence needs margin"),
        ("toy-gain", {"comes_out": ""}, "", "needs comes_out"),
        ("toy-gain", {"setting": ""}, "", "needs the setting"),
        ("toy-mail", {"why": ""}, "", "untestable needs why"),
        (
            "toy-column",
            {"published": {"cells": {"low": 2.0}, "rivals": {"lwo": 3.0}}},
            "published",
            "unknown cell 'lwo'; did you mean 'low'",
        ),
    ],
)
def test_a_wrong_field_is_named_with_its_file_and_line(room, claim, changes, field, words):
    room.edit(claim, **changes)
    message = fault(room).replace("\n", " ")
    number = [entry["id"] for entry in room.read("claims")["claims"]].index(claim)
    place = f"claims.{number}" + f".{field}" * bool(field)
    start, end = line_of(room, "claims", f"- id: {claim}"), None
    found = re.search(rf"claims\.yml, line (\d+), {re.escape(place)}: .*{words}", message)
    assert found, message
    lines = (room.folder / "claims.yml").read_text().splitlines()
    end = next((i for i in range(start, len(lines)) if lines[i].startswith("- id:")), len(lines))
    assert start <= int(found[1]) <= end


@pytest.mark.parametrize("key", ["id", "statement", "quote", "place", "kind"])
def test_what_every_claim_needs(room, key):
    room.edit("toy-gain", remove=[key])
    assert re.search(rf"claims\.yml, line \d+, claims\.0\.{key}: is missing", fault(room))


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("findings", "  figure: curve\n", "", r"findings.yml, line 1, 0.figure: is missing"),
        ("findings", "main: true", "headline: true", r"line 6, 0.headline: is no field"),
        ("open_choices", "default: zero", "default: zeor", "did you mean 'zero'"),
        (
            "open_choices",
            "    uniform: {source: program, run: {law: uniform}}\n",
            "",
            "at least two options",
        ),
        ("open_choices", "{source: print,", "{source: hearsay,", "line 14, law.options.normal"),
        ("open_choices", "words: '\"at", "word: '\"at", "law.word: is no field"),
        ("open_choices", "print, run: {law: normal}", "print", "law: .*needs run: {law: ...}, too"),
        ("open_choices", "run: {level: 3.0}", "runs: {level: 3.0}", "far.runs: is no field"),
        (
            "open_choices",
            "run: {level: 3.0}",
            "judge: {bye: 3}",
            "unknown argument 'bye'; did you mean 'by'",
        ),
        ("checks", "  item: Figure 1\n", "", r"checks.yml, line 1, 0.item: is missing"),
        ("checks", "m: 0", "m: -1", "0.m: Input should be greater than or equal to 0"),
        ("checks", "kind: repeats", "kind: untestable", "is left out"),
        ("checks", "item: Figure 1", "quote: x", "0.quote: is no field"),
        ("claims", "m: exact", "m: exactly", "settings.exact.m"),
        ("claims", "m: 100", "m: 0", "settings.patients.m"),
        ("claims", "{smallest: 1}", "{smallest: 0}", "settings.unknown_size.m"),
        ("claims", "n: 120", "n: 120\n    n: 9", "is a key in line 6 already"),
        ("claims", "    repetition: a random split\n", "", "settings.patients.repetition: is mis"),
    ],
)
def test_settings_findings_open_choices_and_checks_are_checked_too(room, name, old, new, words):
    text = (room.folder / f"{name}.yml").read_text()
    assert old in text
    room.write(**{name: text.replace(old, new, 1)})
    assert re.search(words, fault(room))


@pytest.mark.parametrize(
    ("claim", "changes", "words"),
    [
        ("toy-gain", {"finding": "beter"}, "claim toy-gain: unknown finding 'beter'; .*'better'"),
        ("toy-gain", {"setting": "patient"}, "claim toy-gain: unknown setting.*'patients'"),
        ("toy-gain", {"measure": "toy_gap"}, "claim toy-gain: unknown measure.*'toy_gaps'"),
        ("toy-gain", {"results": []}, "claim toy-gain: has a measure, but no results"),
        ("toy-theta", {"arguments": {"dataset": "x"}}, "claim toy-theta: arguments do not fit"),
        ("toy-gain", {"arguments": {"bye": 1.0}}, "toy_gaps.frames, by=0.0, of=None.*'bye'"),
        ("toy-gain", {"id": "toy-theta"}, "claim toy-theta: the id is taken"),
        ("toy-gain", {"id": "toy-check"}, "claim toy-check: the id is taken"),
        ("toy-gain", {"role": "support"}, "finding better: no claim is its headline"),
    ],
)
def test_what_the_files_name_must_be_there(room, claim, changes, words):
    room.edit(claim, **changes)
    message = fault(room)
    assert message.startswith("toy: ") and re.search(words, message)


def test_too_many_findings_and_repeated_ones(room):
    findings = room.read("findings")
    more = [{**findings[1], "id": f"more-{i}"} for i in range(7)]
    room.write(findings=yaml.safe_dump(findings + more))
    assert "9 findings; keep at most eight" in fault(room)
    room.write(findings=yaml.safe_dump([*findings, findings[0]]))
    assert "finding better: the id is taken" in fault(room)


@pytest.mark.parametrize(
    ("text", "words"),
    [("claims: [", "cannot be read"), ("- a", "the file: "), ("claims:\n- 3", "line 2, claims.0")],
)
def test_broken_files_are_errors(room, text, words):
    room.write(claims=text)
    assert words in fault(room)


def test_a_room_may_have_checks_alone(room):
    for name in ("claims", "findings", "open_choices"):
        (room.folder / f"{name}.yml").unlink()
    found = load_folder(room.folder, "toy")
    assert found.claims == found.findings == () and len(found.checks) == 1
    assert "comparison" in statement_folders() or "toy" in statement_folders()


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("toy", ("toy", "paper", "toy")),
        ("toy/better", ("toy", "finding", "better")),
        ("worse", ("toy", "finding", "worse")),
        ("toy-theta", ("toy", "claim", "toy-theta")),
        ("toy-check", ("toy", "check", "toy-check")),
    ],
)
def test_names_of_papers_findings_claims_and_checks(room, name, place):
    assert find(name) == place


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("tyo", "toy"),
        ("toy/bettr", "toy/better"),
        ("toy-thta", "toy-theta"),
        ("toychek", "toy-che"),
    ],
)
def test_unknown_names_give_the_nearest(room, name, near):
    with pytest.raises(ClaimError, match=f"did you mean '{near}") as raised:
        find(name)
    assert "transductive verify PAPER" in str(raised.value)
    with pytest.raises(ClaimError, match=r"unknown paper, finding or claim 'qqqq'\. Papers: toy"):
        find("qqqq")


def test_unknown_papers_are_errors(room):
    with pytest.raises(ClaimError, match="did you mean 'toy'"):
        load_statements(["tyo"])


def test_two_measures_of_one_name_are_an_error():
    def toy_theta(frames):
        return None

    with pytest.raises(ClaimError, match=r"toy_theta is in .* rename one"):
        measure(toy_theta)
