"""Every experiment of every room: each tier goes on from the one before, data have substitutes."""

import json
import re
from pathlib import Path

import pytest

from transductive_compendium.datasets import DataError, substitute
from transductive_compendium.datasets.registry import SUBSTITUTES
from transductive_compendium.rooms import room_folders
from transductive_compendium.runner import PROFILES, all_experiments, proof
from transductive_compendium.runner.execution import load_data
from transductive_compendium.runner.open_choices import open_choices
from transductive_compendium.runner.seeding import unit_rng

EXPERIMENTS = all_experiments()
ROOT = Path(__file__).resolve().parents[3]
NOTEBOOKS = sorted(p for p in ROOT.glob("notebooks/*/*.ipynb") if "hundred" not in p.stem)
#: Pictures, which are the same in the smoke tier.
SHOWN_WHOLE = {
    "bayesian_transduction/figure_1",
    "kernel_gibbs_sampler/figure_1",
    "kernel_gibbs_sampler/figure_2",
}
#: Experiments and their parameters that stand for open choices by a name, not by a number.
NAMED = [
    (name, parameter)
    for name, experiment in EXPERIMENTS.items()
    for choice in experiment.open_choices
    for parameter, values in open_choices(experiment.paper)[choice].parameters.items()
    if isinstance(values[0], str)
]


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_smoke_is_the_beginning_of_paper_and_paper_of_full(name):
    experiment = EXPERIMENTS[name]
    params = {key: parameter.default for key, parameter in experiment.parameters.items()}
    smoke, paper, full = (experiment.unit_keys(params, profile) for profile in PROFILES)
    assert paper[: len(smoke)] == smoke and full[: len(paper)] == paper
    assert 0 < len(smoke) <= len(paper) <= len(full)
    assert len(smoke) < len(paper) or name in SHOWN_WHOLE


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_data_that_may_be_missing_have_a_substitute(name):
    asked = EXPERIMENTS[name].datasets
    assert all(substitute(data) for data in asked if data not in SUBSTITUTES)


@pytest.mark.parametrize("paper", room_folders())
def test_an_option_is_admitted_where_its_choice_is_declared(paper):
    for choice, found in open_choices(paper).items():
        declared = [e for e in EXPERIMENTS.values() if paper == e.paper if choice in e.open_choices]
        for option, made in found.options.items():
            refused = {
                experiment.name: f"not admitted by {parameter} of {experiment.name}"
                for experiment in declared
                for parameter, value in made.run.items()
                if not experiment.parameters[parameter].admits(value)
            }
            one_admits = not declared or len(refused) < len(declared)
            assert one_admits, f"{choice}: {option}: {'; '.join(refused.values())}"


def test_records_and_proof_units_are_those_of_the_experiments():
    kept = {p.relative_to(ROOT / "results").with_suffix("") for p in ROOT.glob("results/*/*.json")}
    records = {path.as_posix() for path in kept if path.parent.name != "benchmarks"}
    assert records == set(EXPERIMENTS) == set(proof.read(proof.proof_file())[1])


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_page_runs_the_experiments_that_name_it(path):
    """And no cell that draws a figure runs one: its outputs would have the figure's name."""
    text = path.read_text(encoding="utf-8")
    names = re.findall(r'\b(?:begin|beside)\(\\"(\w+/\w+)\\"', text)
    pages = {(EXPERIMENTS[name].paper, EXPERIMENTS[name].page) for name in names}
    assert pages == {(path.parent.name, path.stem)}
    drawing = [c for c in json.loads(text)["cells"] if "figure" in c["metadata"].get("mystnb", {})]
    assert not [c for c in drawing if re.search(r"\.(run|beside)\(", "".join(c["source"]))]


@pytest.mark.usefixtures("loaded_once")
@pytest.mark.parametrize(("name", "parameter"), NAMED)
def test_an_option_that_the_code_does_not_know_is_an_error(name, parameter):
    """And not silently the default: an option's value is admitted as soon as it is declared."""
    experiment = EXPERIMENTS[name]
    try:
        data = load_data(experiment)[0]
    except DataError as error:
        pytest.skip(str(error))
    params = experiment.defaults | {parameter: "an_unknown_option"}

    def first_unit():
        key = experiment.unit_keys(params, "smoke")[0]
        rng = unit_rng(experiment.stream, experiment.seed, key)
        return list(experiment.run_unit(key, params | {"seed": experiment.seed}, data, rng))

    with pytest.raises((KeyError, ValueError, DataError), match="an_unknown_option"):
        first_unit()
