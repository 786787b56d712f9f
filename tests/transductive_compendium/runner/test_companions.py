"""Rows under other options are those of the experiment with other parameters."""

from dataclasses import replace
from unittest import mock

import pandas as pd
import pytest
import toy_companions
from toy_companions import NAME, baseline, declare, large

from transductive_compendium.datasets import load
from transductive_compendium.runner import (
    Parameter,
    UnitError,
    get,
    register,
    run,
)
from transductive_compendium.runner.companions import other_options
from transductive_compendium.runner.seeding import unit_rng

OPTIONS = NAME + "_options"


@pytest.fixture(autouse=True)
def declared(folders, empty_register):
    declare()
    yield
    mock.patch.stopall()


def rows(name, profile="paper", **kwargs):
    return run(name, profile, progress=False, **kwargs).rows


def test_options_are_all_choices_in_their_order_on_the_units_that_are_kept():
    keys = get(OPTIONS).unit_keys({}, "paper")
    kept = [key for key in get(NAME).unit_keys({}, "paper") if large(key)]
    pairs = [("start", "far"), ("start", "near"), ("law", "uniform")]
    for fact in ("version", "seed", "datasets", "agreement"):
        assert getattr(get(OPTIONS), fact) == getattr(get(NAME), fact)
    assert list(other_options(NAME)) == pairs and len(kept) == 3
    assert keys == [{"choice": c, "option": o, **key} for c, o in pairs for key in kept]


def test_parameters_and_their_choices_are_those_of_the_options():
    shift, law = (get(NAME).parameters[name] for name in ("shift", "law"))
    assert shift.choices == (0.0, 5.0, 0.5) and shift.default == 0.0
    assert law.choices == ("normal", "uniform") and law.default == "normal"


FAR_STANDS = baseline(toy_companions.CHOICES["start"], "far")


def test_where_another_option_stands_the_default_is_among_the_others(monkeypatch):
    monkeypatch.setitem(toy_companions.CHOICES, "start", FAR_STANDS)
    declare()
    assert get(NAME).defaults == {"shift": 5.0, "law": "normal"}
    assert other_options(NAME) == {
        ("start", "none"): {"shift": 0.0},
        ("start", "near"): {"shift": 0.5},
        ("law", "uniform"): {"law": "uniform"},
    }
    law = rows(OPTIONS).query("option == 'uniform'")  # a single change of the one that stands
    noise = law["mean"] - 5.0 - load("breast_cancer").X[:, 0].mean()
    assert (noise.abs() < 3.0).all()


def test_an_experiment_with_a_default_of_its_own_has_options_of_its_own(monkeypatch):
    # it stays at the default of the choice, and admits no other start than "far"
    monkeypatch.setitem(toy_companions.CHOICES, "start", FAR_STANDS)
    own = {"shift": Parameter(0.0, float, "shift", choices=(0.0, 5.0))}
    register(replace(get(NAME), name="toy/fixed", stream="", parameters=own))
    assert get("toy/fixed").defaults == {"shift": 0.0, "law": "normal"}
    assert list(other_options("toy/fixed")) == [("start", "far"), ("law", "uniform")]


def test_rows_of_an_option_are_those_of_the_experiment_run_with_its_parameters():
    # Each unit has a generator of its own: the same rows come from the experiment's function
    # with the experiment's parameters, but for those of the option.
    base, data = get(NAME), {"breast_cancer": load("breast_cancer")}
    expected = []
    for key in get(OPTIONS).unit_keys({}, "paper"):
        own = {"split": key["split"], "size": key["size"]}
        params = {"shift": 0.0, "law": "normal", "seed": 11}
        params |= other_options(NAME)[key["choice"], key["option"]]
        named = {"interpretation": key["choice"], "option": key["option"]} | own  # of the stream
        for row in base.run_unit(own, params, data, unit_rng(OPTIONS, 11, named)):
            expected.append(key | row)
    pd.testing.assert_frame_equal(rows(OPTIONS), pd.DataFrame(expected))


def test_what_is_not_random_is_equal_to_a_run_with_these_parameters(monkeypatch):
    def run_unit(key, params, data, rng):
        return [{"x": key["size"] * params["shift"], "law": params["law"]}]

    base = get(NAME)
    monkeypatch.setitem(vars(base), "run_unit", run_unit)
    found = rows(OPTIONS)
    for (choice, option), changed in other_options(NAME).items():
        of = (found["choice"] == choice) & (found["option"] == option)
        whole = rows(base, params=changed, fresh=True)
        whole = whole[whole["size"] == 20].reset_index(drop=True)
        own = found[of].drop(columns=["choice", "option"]).reset_index(drop=True)
        pd.testing.assert_frame_equal(own, whole)


def test_an_option_that_the_code_does_not_know_is_named_without_a_traceback(monkeypatch):
    laws = {name: {"law": name} for name in ("normal", "uniform", "bent")}
    monkeypatch.setitem(toy_companions.CHOICES, "law", toy_companions.choice(**laws))
    declare()

    def draw(key, params, data, rng):
        yield {"x": {"normal": 0.0, "uniform": 1.0}[params["law"]]}

    monkeypatch.setitem(vars(get(NAME)), "run_unit", draw)
    for name, params in ((OPTIONS, {}), (NAME, {"law": "bent"})):
        with pytest.raises(UnitError) as caught:
            rows(name, "full", params=params)
        text = str(caught.value)
        assert "does not know law = 'bent' (KeyError: 'bent')" in text and "Traceback" not in text
    monkeypatch.setitem(vars(get(NAME)), "run_unit", lambda *unit: [{"x": {}["y"]}])
    with pytest.raises(UnitError, match=r"(?s)Traceback.*KeyError: 'y'"):
        rows(NAME)


def test_the_same_rows_for_any_number_of_workers(folders, monkeypatch):
    alone = rows(OPTIONS)
    monkeypatch.setenv("TRANSDUCTIVE_STORE", str(folders / "other"))
    pd.testing.assert_frame_equal(rows(OPTIONS, jobs=2), alone)
