"""A small experiment on a table with its companions. Workers import this module and so know it."""

import multiprocessing
from dataclasses import replace
from unittest import mock

from transductive_compendium.runner import Experiment, companions, declaration, register
from transductive_compendium.runner.companions import options
from transductive_compendium.runner.open_choices import OpenChoice, Option

NAME = "toy/means"


def choice(**runs):
    """An open choice with the parameters that each of its options sets, the default first."""
    made = {name: Option(source="nothing", run=run) for name, run in runs.items()}
    return OpenChoice(question="?", words="", options=made)


def baseline(made, option):
    """The choice with an option that the printed baselines identify."""
    found = made.options[option]
    marked = replace(found, source=f"baseline: {found.source}")
    return replace(made, options={**made.options, option: marked})


CHOICES = {
    "start": choice(none={"shift": 0.0}, far={"shift": 5.0}, near={"shift": 0.5}),
    "law": choice(normal={"law": "normal"}, uniform={"law": "uniform"}),
}


def open_choices(paper):
    """The open choices of the toys' room, which is no folder."""
    return CHOICES


def units(params, profile):
    return [
        {"split": i, "size": n}
        for i in range({"smoke": 1, "paper": 3, "full": 4}[profile])
        for n in (10, 20)
    ]


def run_unit(key, params, data, rng):
    """Mean of the first feature over a random subset of the cases."""
    table = data["breast_cancer"]
    chosen = rng.permutation(len(table.y))[: key["size"]]
    noise = rng.normal() if params["law"] == "normal" else rng.uniform(-1, 1)
    return [
        {
            "mean": table.X[chosen, 0].mean() + params["shift"] + noise,
            "sum": float(table.X[:, 0].sum()),
            "seed": params["seed"],
        }
    ]


def large(key):
    return key["size"] == 20


def declare():
    for module in (companions, declaration):
        mock.patch.object(module, "open_choices", open_choices).start()
    register(
        Experiment(
            NAME,
            3,
            "Means",
            units,
            run_unit,
            open_choices=tuple(CHOICES),
            datasets=("breast_cancer",),
            agreement={"sum": 1e-3},
            seed=11,
        )
    )
    options(NAME, keep=large)


# Elsewhere it would be in the register of every test.
if multiprocessing.parent_process() is not None:
    declare()
