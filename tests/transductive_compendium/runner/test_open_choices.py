"""What a paper leaves open: its base, its variants, and the parameters that follow."""

import re

import pytest
from toy_companions import baseline, choice

from transductive_compendium.checked_yaml import SchemaError
from transductive_compendium.runner import ExperimentError, Parameter
from transductive_compendium.runner.open_choices import load_open_choices, open_parameters

RUNS = {"none": {"shift": 0.0, "law": "a"}, "far": {"shift": 5.0}, "bent": {"law": "b"}}


def test_the_base_is_the_default_unless_another_option_stands():
    start = choice(**RUNS)
    assert (start.base, list(start.others)) == ("none", ["far", "bent"])
    assert start.parameters == {"shift": [0.0, 5.0], "law": ["a", "b"]}
    start = baseline(start, "far")
    assert (start.base, list(start.others)) == ("far", ["none", "bent"])
    # its value comes first; what it does not set has the default's
    assert start.parameters == {"shift": [5.0, 0.0], "law": ["a", "b"]}


def test_parameters_of_an_experiment_begin_with_the_base_unless_it_has_its_own():
    choices = {
        "start": baseline(choice(**RUNS), "far"),
        "law": choice(a={"law": "a"}, c={"law": "c"}),
    }
    made = open_parameters(choices, ["start", "law"], {})
    assert {name: (p.default, p.choices) for name, p in made.items()} == {
        "shift": (5.0, (5.0, 0.0)),
        "law": ("a", ("a", "b", "c")),  # which two choices set
    }
    own = {"shift": Parameter(0.0, float, "own"), "size": Parameter(3, int, "size")}
    made = open_parameters(choices, ["start"], own)
    assert made["shift"] is own["shift"] and list(made) == ["shift", "law", "size"]
    with pytest.raises(ExperimentError, match="did you mean 'start'"):
        open_parameters(choices, ["strat"], {})
    with pytest.raises(ExperimentError, match="changes no parameter"):
        open_parameters({"x": choice(a={}, b={})}, ["x"], {})


FILE = """\
program:
  question: As printed or as programmed?
  words: algorithm 1
  options:
    printed: {source: print, run: {ratio: up}}
    programmed: {source: program, run: {ratio: down}}
"""


def test_an_option_that_says_nothing_sets_what_has_the_name_of_its_choice(tmp_path):
    path = tmp_path / "open_choices.yml"
    path.write_text(re.sub(", run: {.*?}", "", FILE))
    (found,) = load_open_choices(path).values()
    run = {"printed": {"program": "printed"}, "programmed": {"program": "programmed"}}
    assert {name: option.run for name, option in found.options.items()} == run
    assert {name: option.judge for name, option in found.options.items()} == run
    path.write_text(FILE.replace(", run: {ratio: down}", ""))
    with pytest.raises(SchemaError, match="programmed needs run or judge, as its default"):
        load_open_choices(path)


def test_variants_and_baselines_are_read_from_the_sources(tmp_path):
    path = tmp_path / "open_choices.yml"
    assert load_open_choices(path) == {}
    path.write_text(FILE)
    (found,) = load_open_choices(path).values()
    assert not found.variants and found.base == "printed"
    path.write_text(FILE.replace("source: program", "source: 'variant: program'"))
    assert load_open_choices(path)["program"].variants
    path.write_text(FILE.replace("source: program", "source: 'baseline: program'"))
    assert load_open_choices(path)["program"].base == "programmed"
    path.write_text(FILE.replace("source: program", "source: 'baseline'"))
    with pytest.raises(SchemaError, match="source"):
        load_open_choices(path)
