"""Proof units of toy experiments: which they are, and what their rerun finds."""

import json
from unittest.mock import Mock

import pytest
from choose_proof_units import AFFORDABLE, STOPPED, choose, measured
from toy_experiments import toy

from transductive_compendium.datasets import DataDamagedError
from transductive_compendium.runner import ExperimentError, proof, record, run
from transductive_compendium.runner.sentinel import sentinel

BOTH = [[0, "even"], [1, "odd"]]


def write(**entry):
    entry = {"keys": ["split", "half"], "seconds": [0.1] * len(entry["units"]), **entry}
    path = proof.proof_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"sentinel": sentinel(), "experiments": {"toy/walk": entry}}))
    proof.read.cache_clear()


def change(column, by):
    done = run(toy(), "paper", progress=False)
    done.rows[column] += by
    record(done)


def test_what_only_counts_repetitions_is_no_condition():
    keys = [
        {"split": s, "m": m, "number": 10 + s, "dimension": 2 + s % 3, "law": law}
        for s in range(20)
        for m in (0, 50)
        for law in ("beta", "uniform")
    ]
    found = proof.conditions(keys)
    assert found == [
        *(("m", m) for m in (0, 50)),
        *(("dimension", d) for d in (2, 3, 4)),
        *(("law", law) for law in ("beta", "uniform")),
    ]


def chosen(costs, before=(), **axes):
    keys = [{"m": m, "law": law} for m in axes["m"] for law in axes["law"]]
    known = {}

    def seconds(key, limit=STOPPED):
        """As the meter: a unit that was stopped is only repeated with a higher limit."""
        known[str(key)] = max(known.get(str(key), 0.0), min(costs(key), limit))
        return known[str(key)]

    return choose(keys, seconds, before)


def test_few_units_contain_all_conditions():
    found = chosen(lambda key: 0.1, m=(10, 30, 100), law=("beta", "uniform"))
    assert found.units == [[10, "beta"], [30, "uniform"], [100, "beta"]]
    assert found.unaffordable == []


def test_a_condition_that_is_too_slow_is_named_with_the_unit_measured_and_its_seconds():
    def costs(key):
        return 2 * AFFORDABLE if key["m"] == 100 or key["law"] == "slow" else 0.1

    found = chosen(costs, m=(10, 30, 100), law=("beta", "slow", "uniform"))
    values = {value for unit in found.units for value in unit}
    assert values == {10, 30, "beta", "uniform"} and max(found.seconds) < AFFORDABLE
    assert sorted(map(str, found.unaffordable)) == [
        f"['law', 'slow', {2 * AFFORDABLE}, [10, 'slow']]",
        f"['m', 100, {2 * AFFORDABLE}, [100, 'beta']]",
    ]


def test_the_cheapest_unit_is_there_whatever_it_takes():
    found = chosen(lambda key: 1000.0 * key["m"], m=(10, 30), law=("beta",))
    assert found.units == [[10, "beta"]] and found.seconds == [10_000.0]


def test_a_unit_chosen_before_is_kept_where_no_other_is_affordable():
    before = [{"m": 30, "law": "beta"}]
    assert chosen(lambda key: 9.0, before, m=(10, 30), law=("beta",)).units == [[30, "beta"]]
    assert chosen(lambda key: 1.0, before, m=(10,), law=("beta",)).units == [[10, "beta"]]


def test_units_that_do_not_meet_the_record_are_apart():
    change("error", 0.0)
    assert measured(toy()).apart == []
    change("error", 1e-6)
    assert measured(toy()).apart == list(range(len(measured(toy()).units)))


def test_a_rerun_of_proof_units_finds_what_changed():
    change("error", 0.0)
    write(units=BOTH)
    agreement = proof.prove(toy())
    assert agreement.ok and agreement.compared == 4
    change("error", 1e-6)
    assert not proof.prove(toy()).ok


def test_units_that_are_apart_have_the_tolerances(monkeypatch):
    rough = toy(agreement={"error": 0.1})
    done = run(rough, "paper", progress=False)
    done.provenance["sentinels"] = []  # of a machine of which nothing is known
    done.rows["error"] += 0.01
    record(done)
    write(units=BOTH, apart=[0, 1])
    assert proof.prove(rough).ok
    write(units=BOTH)
    assert not proof.prove(rough).ok


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"units": [[9, "odd"]]}, "no longer has the proof unit"),
        ({"units": [[0, "even"]]}, "no proof unit of half = 'odd'"),
        (
            {"units": [[0, "even"]], "unaffordable": [["half", "odd", 3.0, [9, "odd"]]]},
            "no longer has the proof unit {'split': 9, 'half': 'odd'}",
        ),
    ],
)
def test_an_entry_that_no_longer_fits_says_how_to_choose_again(entry, words):
    with pytest.raises(ExperimentError, match=r"toy/walk has no proof units.*choose_proof_units"):
        proof.proof(toy())
    write(**entry)
    with pytest.raises(ExperimentError, match=f"{words}.*choose_proof_units.py toy/walk"):
        proof.proof(toy())


def test_a_condition_may_be_too_dear_for_a_proof():
    write(units=[[0, "even"]], unaffordable=[["half", "odd", 9.0, [1, "odd"]]])
    assert proof.proof(toy()).unit_keys() == [{"split": 0, "half": "even"}]


def test_a_release_draws_units_by_its_commit(monkeypatch):
    many = toy(units=lambda params, profile: [{"split": i} for i in range(40)])
    record(run(many, "paper", progress=False))
    assert len(proof.drawn(many, "abc")) == 40  # a short record is rerun whole
    monkeypatch.setattr(proof, "SHORT", 0.0)
    monkeypatch.setattr(proof, "SHARE", 0.25)
    one, two = (proof.drawn(many, commit) for commit in ("abc", "abd"))
    assert one != two and one == proof.drawn(many, "abc")
    assert 0 < len(one) < 25
    (left, *_) = [key["split"] for key in many.unit_keys({}, "paper") if key not in one]
    write(keys=["split"], units=[[left]], seconds=[proof.DEAR + 1.0])
    assert {"split": left} in proof.drawn(many, "abc")
    assert len(proof.drawn(many, "abc")) == len(one) + 1
    # and the unit measured for a condition that no test reruns, if it can be borne
    for seconds, more in ((proof.BEARABLE - 1.0, [{"split": left}]), (proof.BEARABLE, [])):
        dear = [["any", "value", seconds, [left]]]
        write(keys=["split"], units=[[one[0]["split"]]], unaffordable=dear)
        assert [key for key in proof.drawn(many, "abc") if key not in one] == more


def test_a_release_names_records_that_disagree():
    assert "toy/walk is not recorded yet" in proof.disagreeing([toy()], "abc")["toy/walk"]
    change("error", 0.0)
    agreed = []
    assert proof.disagreeing([toy()], "abc", agreed.append) == {}
    assert agreed == ["toy/walk: 6 units agree"]
    change("error", 1e-6)
    assert "error" in proof.disagreeing([toy()], "abc")["toy/walk"]


def test_a_release_names_records_whose_data_are_missing_or_whose_units_fail(monkeypatch):
    def fails(key, params, data, rng):
        raise ValueError("no such law")

    record(run(toy(), "paper", progress=False))
    assert "no such law" in proof.disagreeing([toy(run_unit=fails)], "abc")["toy/walk"]
    monkeypatch.setattr(proof, "load_data", lambda experiment: ({}, {}, "digits replaces mnist"))
    assert proof.disagreeing([toy(run_unit=fails)], "abc") == {"toy/walk": "digits replaces mnist"}
    monkeypatch.setattr(proof, "load_data", Mock(side_effect=DataDamagedError("mnist: damaged")))
    assert proof.disagreeing([toy()], "abc") == {"toy/walk": "mnist: damaged"}


def test_records_of_other_versions_seeds_and_parameters_are_told():
    record(run(toy(), "paper", progress=False))
    assert proof.other_than_declared(toy()) == "" == proof.made_by_earlier_code(toy())
    assert "version 1, now 2" in proof.other_than_declared(toy(version=2))
    assert "seed 7, now 3" in proof.other_than_declared(toy(seed=3))
    assert "parameters" in proof.other_than_declared(toy(parameters={}))
    assert "toy/none is not recorded yet" in proof.other_than_declared(toy("toy/none"))


def test_records_of_other_units_are_told_with_the_remedy(monkeypatch):
    record(run(toy(), "paper", progress=False))
    more = toy(units=lambda params, profile: [{"split": i, "half": "odd"} for i in (1, 3, 5, 7)])
    says = proof.other_than_declared(more)
    assert "toy/walk has 6 units, now there are 4: 1 lack, 3 are others" in says
    assert says.endswith("transductive run toy/walk --profile paper --extend")
    assert proof.disagreeing([more], "abc") == {"toy/walk": says}
    other = toy(units=lambda params, profile: [{"split": i} for i in range(6)])
    assert "keys ['split', 'half'], now ['split']" in proof.other_than_declared(other)
    monkeypatch.setattr(proof, "fingerprint", lambda experiment: "f" * 16)
    assert proof.other_than_declared(more).endswith(" --profile paper --record")


def test_a_unit_may_have_no_rows():
    def run_unit(key, params, data, rng):
        return [{"x": 1.0}] * key["split"]

    some = toy(run_unit=run_unit)
    record(run(some, "paper", progress=False))
    assert proof.other_than_declared(some) == ""


def test_records_of_earlier_code_are_told_and_nothing_more(monkeypatch):
    done = run(toy(), "paper", progress=False)
    record(done)
    monkeypatch.setattr(proof, "fingerprint", lambda experiment: "f" * 16)
    assert proof.made_by_earlier_code(toy()) == done.provenance["code"]["fingerprint"]
    assert proof.other_than_declared(toy()) == ""
