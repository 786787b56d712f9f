"""Proof units of toy experiments: which they are, and what their rerun finds."""

import json

import pytest
from choose_proof_units import AFFORDABLE, STOPPED, choose, measured
from toy_experiments import toy

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


def test_a_condition_whose_units_are_too_slow_is_named():
    def costs(key):
        return 2 * AFFORDABLE if key["m"] == 100 or key["law"] == "slow" else 0.1

    found = chosen(costs, m=(10, 30, 100), law=("beta", "slow", "uniform"))
    values = {value for unit in found.units for value in unit}
    assert values == {10, 30, "beta", "uniform"} and max(found.seconds) < AFFORDABLE
    assert found.unaffordable == [["m", 100], ["law", "slow"]]


def test_a_condition_that_is_slow_with_another_has_a_unit_of_its_own():
    def costs(key):
        return 2 * AFFORDABLE if key == {"m": 30, "law": "uniform"} else 0.1

    found = chosen(costs, m=(10, 30), law=("beta", "uniform"))
    assert found.unaffordable == [] and [30, "uniform"] not in found.units


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
    ],
)
def test_an_entry_that_no_longer_fits_says_how_to_choose_again(entry, words):
    with pytest.raises(ExperimentError, match=r"toy/walk has no proof units.*choose_proof_units"):
        proof.proof(toy())
    write(**entry)
    with pytest.raises(ExperimentError, match=f"{words}.*choose_proof_units.py toy/walk"):
        proof.proof(toy())


def test_a_condition_may_have_no_affordable_unit():
    write(units=[[0, "even"]], unaffordable=[["half", "odd"]])
    assert proof.proof(toy()).unit_keys() == [{"split": 0, "half": "even"}]
