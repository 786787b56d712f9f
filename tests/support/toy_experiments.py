"""Small experiments for the tests. Each call of a unit leaves a line in the file TOY_LOG."""

import os
import signal
import time
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_info

from transductive_compendium.runner import Experiment, Parameter

SIZES = {"smoke": 2, "paper": 6, "full": 8}


def log(word, split):
    with open(os.environ["TOY_LOG"], "a") as file:
        file.write(f"{word} {split}\n")


def logged(word="start"):
    path = Path(os.environ["TOY_LOG"])
    lines = path.read_text().splitlines() if path.exists() else []
    return [int(line.split()[1]) for line in lines if line.startswith(word)]


def units(params, profile):
    return [{"split": i, "half": "even" if i % 2 == 0 else "odd"} for i in range(SIZES[profile])]


def run_unit(key, params, data, rng):
    log("start", key["split"])
    if params["fails"] and key["split"] in (1, 3):
        raise ValueError(f"split {key['split']} has one class only")
    time.sleep(params["nap"])
    rows = [
        {
            "theta": theta,
            "error": params["scale"] * rng.normal(),
            "hits": rng.integers(100),
            "sure": bool(rng.random() < 0.5),
            "name": f"s{key['split']}",
            "nothing": float("nan") if theta else 1.0,
        }
        for theta in (0.0, 0.5)
    ]
    log("end", key["split"])
    return rows


def die(key, params, data, rng):
    """What the kernel does to a worker that is out of memory."""
    os.kill(os.getpid(), signal.SIGKILL)


def blas_threads(key, params, data, rng):
    return [{"threads": max(p["num_threads"] for p in threadpool_info())}]


PARAMETERS = {
    "scale": Parameter(1.0, float, "scale of the noise", exclusive_minimum=0),
    "nap": Parameter(0.0, float, "seconds that a unit sleeps", minimum=0),
    "fails": Parameter(False, bool, "whether two units fail"),
    "sampler": Parameter("billiard", str, "which sampler", choices=("billiard", "gibbs")),
    "bounces": Parameter(1000, int, "bounces", minimum=1),
}


def toy(name="toy/walk", **changes):
    facts = dict(
        name=name,
        version=1,
        title="A walk",
        units=units,
        run_unit=run_unit,
        parameters=PARAMETERS,
        agreement={"nothing": 0.1},
        seed=7,
    )
    return Experiment(**{**facts, **changes})


HELD = []


def hold(key, params, data, rng):
    """A unit that leaves 400 MB in its process, from the second on; joblib looks once a second."""
    HELD.append(None)
    if len(HELD) == 2:
        HELD[0] = np.ones(50_000_000)
    time.sleep(1.1)
    return [{"process": os.getpid()}]
