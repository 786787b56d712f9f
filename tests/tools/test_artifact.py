"""The artifact appendix: what is measured is what was asked, and its tables are the records'."""

import json
import re
import sys
from pathlib import Path

import measure_artifact
import pytest
from measure_artifact import Costs, commands, human_size, human_time, measure, page, shown

from transductive_compendium.book.titles import papers
from transductive_compendium.verdicts import rules
from transductive_compendium.verdicts.claims import Claim, find
from transductive_compendium.verdicts.verification import Verdict

ROOT = Path(__file__).resolve().parents[2]


def python(code):
    return [sys.executable, "-c", code]


def test_memory_is_that_of_the_command_and_in_bytes():
    small = measure(python("pass"))["peak_memory_bytes"]
    large = measure(python("x = bytearray(200_000_000)"))["peak_memory_bytes"]
    assert 1e6 < small < 100e6 and 190e6 < large - small < 210e6


def test_memory_counts_children():
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'x=bytearray(2*10**8)'])"
    assert measure(python(code))["peak_memory_bytes"] > 200e6


@pytest.mark.skipif(sys.platform != "linux", reason="an orphan can be waited for on Linux alone")
def test_time_counts_what_outlives_the_command():
    busy = (
        "import os, time\n"
        "if os.fork() == 0:\n"
        "    while time.process_time() < 0.5: pass\n"
        "    os._exit(0)\n"
    )
    assert measure(python(busy))["processor_seconds"] >= 0.5


def test_a_failure_is_no_measurement():
    with pytest.raises(RuntimeError, match="what went wrong"):
        measure(python("raise SystemExit('what went wrong')"))


def test_every_experiment_can_be_measured_and_is_shown_as_typed():
    known = commands()
    assert shown(known["verify"]) == "transductive verify"
    name = "paper/transductive_svm/descent"
    assert shown(known[name]) == (
        "transductive run transductive_svm/descent --profile paper --fresh"
    )
    measured = {n.split("/")[1] for n in known if n.startswith("paper/")}
    assert len(measured) >= 5 and measured <= {name for name, p in papers().items() if p.authors}
    assert {f"smoke/{n}" for n in Costs([], {}).provenance} <= set(known)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.2, "1 s"), (99.4, "99 s"), (100, "2 min"), (5900, "98 min"), (5990, "1.7 h")],
)
def test_time_for_people(value, text):
    assert human_time(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(4844, "5 kB"), (999_400, "999 kB"), (999_600, "1.0 MB"), (12_345_678, "12 MB"),
     (1.14e9, "1.1 GB")],
)  # fmt: skip
def test_size_for_people(value, text):
    assert human_size(value) == text


# The tables

RECORDS = {
    "toy/short": {"seconds": 20.0, "data": {"heart": {}}, "peak_memory_bytes": 300_000_000},
    "toy/long": {"seconds": 7200.0, "data": {}},
    "toy/short_options": {"seconds": 200.0, "data": {"heart": {}}},
    "other/one": {"seconds": 100.0, "data": {"heart": {}, "thyroid": {}}},
}


def verdict(name, outcome, results):
    claim = Claim(
        id=name,
        statement="It falls.",
        kind="mathematics",
        quote="it falls",
        place="section 1",
        comes_out="It does.",
        results=results,
    )
    return Verdict("toy", claim, {"default": rules.Decision(outcome, "reproduced", "detail")})


@pytest.fixture
def costs(tmp_path, monkeypatch):
    for name, facts in RECORDS.items():
        path = tmp_path / f"{name}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(facts))
    monkeypatch.setattr(measure_artifact, "results_folder", lambda: tmp_path)
    monkeypatch.setattr(
        measure_artifact,
        "notebook_of",
        lambda name: f"notebooks/{name.removesuffix('_options')}.ipynb" if "toy" in name else None,
    )
    monkeypatch.setattr(measure_artifact, "all_experiments", lambda: [*RECORDS, "toy/unrecorded"])
    decided = [
        verdict("a", rules.HOLDS, ("toy/short", "toy/long")),
        verdict("b", rules.FAILS, ("toy/short",)),
        verdict("c", rules.FAILS, ("toy/short",)),
    ]
    return Costs(decided, {"measured": {"smoke/toy/long": {"peak_memory_bytes": 5_000_000_000}}})


def rows(text):
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()[2:]]


def test_an_experiment_has_its_record_and_its_claims_by_outcome(costs):
    text = page("experiments", costs, {})
    assert re.findall(r"^\((.*)\)=\n### (.*)$", text, re.M) == [
        ("cost-toy", "Toy"),
        ("cost-other", "Other"),
    ]
    short, long, options = rows(text.split("\n\n")[2])
    assert short[1:4] == ["20 s", "300 MB", "`heart`"]
    failed = "**does not hold**: [b](#claim-b), [c](#claim-c)"
    assert short[4] == f"**holds**: [a](#claim-a); {failed}"
    # memory from its first units
    assert long[1:] == ["2.0 h", "5.0 GB", "none", "**holds**: [a](#claim-a)"]
    # a companion has the notebook of its item, and decides no claim by itself
    assert options[0] == "[`short_options`](/notebooks/toy/short.ipynb)" and options[4] == "·"
    (one,) = rows(text.split("\n\n")[6])
    assert one[0] == "`one`"  # nothing shows it


def test_papers_add_up(costs):
    toy, other, every = rows(page("summary", costs, {}))
    assert toy[1:] == ["3", "2.1 h", "`long`, 2.0 h", "5.0 GB", "16 kB"]
    assert other[1:] == ["1", "2 min", "`one`, 2 min", "·", "21 kB"]
    assert every[0] == "**all**" and every[1:3] == ["4", "2.1 h"] and every[5] == "21 kB"


def test_an_hour_takes_the_experiments_that_bear_on_most_claims_and_are_short(costs):
    assert list(costs.hour()) == ["toy/short", "other/one"]
    text = page("hour", costs, {})
    assert "transductive run toy/short --profile paper" in text and "toy/long" not in text
    assert "took 2 min on one core, and bear on 3 claims" in text


def test_what_was_measured_alone_with_the_same_code_goes_first(costs):
    assert costs.seconds(["toy/short"]) == 20.0
    for made_by, seconds in (("12", 6.0), ("34", 20.0), (None, 20.0)):
        costs.provenance["toy/short"]["code"] = {"fingerprint": "12"}
        costs.alone = {"toy/short": {"processor_seconds": 6.0, "fingerprint": made_by}}
        assert costs.seconds(["toy/short"]) == seconds
    del costs.provenance["toy/short"]["code"]
    assert not costs.was_alone("toy/short")  # neither has a fingerprint: nothing is known


def test_data_name_their_users(costs):
    found = {row[0]: row for row in rows(page("data", costs, {}))}
    assert found["`heart`"] == ["`heart`", "16 kB", "yes", "toy, other"]
    assert found["`unipen`"][2] == "no: see its card" and found["`unipen`"][3] == "·"


def test_what_is_recorded_can_be_measured_again_and_covers_every_paper():
    facts = json.loads((ROOT / "results/artifact.json").read_text())
    assert set(facts["measured"]) <= set(commands())
    chosen = {name.split("/")[0] for name in measure_artifact.PAPER}
    assert chosen <= {name.split("/")[1] for name in facts["measured"] if "/" in name}
    assert facts["sizes"]["sources"] > 1e6
    text = page("machine", Costs([], {}), facts)
    assert facts["machine"]["cpu"] in text and re.search(r"\d+ processors", text)


def test_what_was_measured_is_listed_and_smoke_runs_are_summed_up():
    cost = {"command": "make test", "seconds": 100.0, "processor_seconds": 30.0}
    cost |= {"peak_memory_bytes": 5_000_000}
    smoke = cost | {"peak_memory_bytes": 9_000_000}
    facts = {"measured": {"tests": cost, "smoke/toy/a": smoke, "smoke/toy/b": cost}}
    tests, first_units = rows(page("measured", Costs([], facts), facts))
    assert tests == ["all tests", "`make test`", "2 min", "30 s", "5.0 MB"]
    assert first_units[0].startswith("first units of 2 experiments")
    assert first_units[2:] == ["·", "60 s", "9.0 MB"]
    assert rows(page("measured", Costs([], {}), {})) == []


def test_new_measurements_replace_those_of_another_machine(tmp_path, monkeypatch):
    monkeypatch.setattr(measure_artifact, "results_folder", lambda: tmp_path)
    row = {"peak_memory_bytes": 1}
    measure_artifact.record({"one": row}, {"sources": 5})
    measure_artifact.record({"two": row}, {})
    there = json.loads((tmp_path / "artifact.json").read_text())
    assert set(there["measured"]) == {"one", "two"} and there["sizes"] == {"sources": 5}
    monkeypatch.setattr(measure_artifact, "machine", lambda: {"cpu": "another"})
    measure_artifact.record({"three": row}, {})
    assert set(json.loads((tmp_path / "artifact.json").read_text())["measured"]) == {"three"}


def test_pages_name_claims_and_papers_that_there_are():
    pages = [*(ROOT / "book").glob("*.md"), ROOT / "README.md"]
    text = "\n".join(map(Path.read_text, pages))
    named = re.findall(r"transductive verify +([a-z][\w/-]+)", text)
    assert len(named) > 3
    for name in named:
        find(name)
