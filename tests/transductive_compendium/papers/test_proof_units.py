"""Every record is proved by rerunning some of its units; these read all parameters."""

import json
from collections import UserDict
from dataclasses import replace

import pytest

from transductive_compendium.datasets import available
from transductive_compendium.runner import all_experiments, proof, results_folder

EXPERIMENTS = all_experiments()
#: Seconds of processor time, which is two and a half minutes of two processes.
AFFORDABLE = 300


@pytest.mark.prove
@pytest.mark.usefixtures("loaded_once")
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_record_agrees_with_a_rerun_of_its_proof_units(name, tmp_path):
    experiment = EXPERIMENTS[name]
    if lacking := [data for data in experiment.datasets if not available(data)]:
        pytest.skip(f"not at hand: {', '.join(lacking)}")
    read = set()

    class Noting(UserDict):  # **params and dict(params) read all: there nothing is found unread
        def __getitem__(self, parameter):
            read.add(parameter)
            return super().__getitem__(parameter)

    def run_unit(key, params, data, rng):
        return experiment.run_unit(key, Noting(params), data, rng)

    experiment.units(Noting(experiment.defaults), "paper")
    agreement = proof.prove(replace(experiment, run_unit=run_unit), tmp_path)
    assert not agreement.reason, agreement.reason
    assert agreement.ok, agreement.describe()
    unread = set(experiment.parameters) - read
    assert not unread, f"{name} declares {unread}, which its units do not read"


def test_all_proof_units_together_take_less_than_five_minutes_of_processor_time():
    seconds = [sum(proof.proof(experiment).seconds) for experiment in EXPERIMENTS.values()]
    assert sum(seconds) < AFFORDABLE


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_record_has_the_version_and_the_number_of_units_of_its_experiment(name):
    experiment = EXPERIMENTS[name]
    facts = json.loads((results_folder() / f"{name}.json").read_text(encoding="utf-8"))
    keys = experiment.unit_keys(experiment.defaults, facts["profile"])
    made = {fact: facts[fact] for fact in ("version", "seed", "parameters", "keys", "units")}
    assert made == {
        "version": experiment.version,
        "seed": experiment.seed,
        "parameters": experiment.defaults,
        "keys": list(keys[0]),
        "units": len(keys),
    }
