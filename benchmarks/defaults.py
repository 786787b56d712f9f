"""How the defaults of Bayesian transduction were chosen: on data outside the five papers.

Each setting is fitted several times to each problem. Its effective samples are the independent
draws from version space whose mean would be as far (mean square over the points) from a long run's
p+ as the fits are: a start that is forgotten too slowly counts against a setting as much as noise
does. R-hat asks whether single balls agree, those of one fit and those of others.
"""

from collections.abc import Iterator
from functools import cache
from math import pi
from time import process_time

import numpy as np
from measuring import table_row
from sklearn.datasets import (
    load_breast_cancer,
    load_digits,
    load_iris,
    load_wine,
    make_classification,
    make_moons,
)
from sklearn.preprocessing import scale

from transductive import BayesianTransduction

TITLE = "Defaults of Bayesian transduction, on data outside the papers"
METHOD = "one thread; processor time; mean of all fits"
GROUPS = {"settings": "All problems", "problems": "Each problem, with the defaults"}
FITS = 6
WORKING = 60
# stricter than the usual 1.1: it is that of the worst point
MAX_R_HAT = 1.05
LONG = {"n_starts": 32, "refresh": pi, "n_bounces": 20_000}
ARCS = {None: "no refresh", pi: "pi", 2 * pi: "2 pi", 8 * pi: "8 pi"}


def settings():
    """Name, parameters, and events a ball for each training point (None: as the parameters say)."""
    yield "the defaults", {}, None
    paper = {"n_starts": 1, "refresh": None, "n_bounces": 1000}
    for start in ("unit_margins", "max_margin"):
        yield f"the paper's, {start}", {**paper, "start": start}, None
        refreshed = {"n_starts": 1, "refresh": 4 * pi, "start": start}
        yield f"1 ball of 30 l, {start}, 4 pi", refreshed, 30
    yield "4 balls of 1000, 4 pi", {"n_starts": 4, "refresh": 4 * pi, "n_bounces": 1000}, None
    yield "4 balls of 10 l, 4 pi", {"n_starts": 4, "refresh": 4 * pi}, 10
    for refresh, arc in ARCS.items():
        yield f"4 balls of 30 l, {arc}", {"n_starts": 4, "refresh": refresh}, 30
    for n_starts in (2, 8):
        yield f"{n_starts} balls of 30 l, 4 pi", {"n_starts": n_starts, "refresh": 4 * pi}, 30


def _two(load, first, second):
    X, y = load(return_X_y=True)
    chosen = (y == first) | (y == second)
    return X[chosen], y[chosen]


def _generated(n, **kwargs):
    return make_classification(n + WORKING, n_features=20, random_state=0, **kwargs)


PROBLEMS = {
    "breast cancer, l = 50": (lambda: load_breast_cancer(return_X_y=True), 50, {}),
    "breast cancer, l = 200": (lambda: load_breast_cancer(return_X_y=True), 200, {"ridge": 1.0}),
    "breast cancer, linear": (
        lambda: load_breast_cancer(return_X_y=True), 100, {"kernel": "linear"}
    ),
    "wine 0 and 1": (lambda: _two(load_wine, 0, 1), 80, {}),
    "wine 1 and 2": (lambda: _two(load_wine, 1, 2), 60, {"ridge": 0.1}),
    "iris 1 and 2": (lambda: _two(load_iris, 1, 2), 60, {"ridge": 0.1}),
    "digits 3 and 8": (lambda: _two(load_digits, 3, 8), 150, {}),
    "moons, l = 100": (lambda: make_moons(160, noise=0.15, random_state=0), 100, {}),
    "moons, l = 300": (lambda: make_moons(360, noise=0.3, random_state=0), 300, {"ridge": 1.0}),
    "generated, l = 100": (lambda: _generated(100), 100, {}),
    "generated, l = 300": (lambda: _generated(300, flip_y=0.1), 300, {"ridge": 1.0}),
    "generated, l = 1000": (lambda: _generated(1000, flip_y=0.1), 1000, {"ridge": 1.0}),
}  # fmt: skip


@cache
def problem(name):
    """Sample, undecided working points, their p+ by a long run, and how to fit."""
    load, l, how = PROBLEMS[name]
    X, y = load()
    order = np.random.default_rng(0).permutation(len(y))
    X, y = scale(X)[order], y[order]
    sample, others = (X[:l], y[:l]), X[l : l + WORKING]
    p = BayesianTransduction(q=0, gamma="scale", **how, **LONG, random_state=0).fit(*sample, others)
    p = p.transduction_proba_[:, 1]
    # where all agree, nothing can be told apart
    undecided = (p > 0.02) & (p < 0.98)
    return *sample, others[undecided], p[undecided], how


def fitted(name, parameters, per_point=None, n_fits=FITS):
    """Seconds a fit, effective samples, error of p+ and worst R-hat."""
    X, y, working, p, how = problem(name)
    if per_point is not None:
        parameters = {**parameters, "n_bounces": per_point * max(100, len(X))}
    errors, balls, seconds = [], [], 0.0
    for seed in range(n_fits):
        model = BayesianTransduction(q=0, gamma="scale", **how, **parameters, random_state=1 + seed)
        begin = process_time()
        model.fit(X, y, working)
        seconds += process_time() - begin
        errors.append(model.transduction_proba_[:, 1] - p)
        times = model.flight_times(working, n_batches=1)
        balls.extend(times.positive / times.total[:, None])
    balls = np.array(balls)
    square = np.mean(np.square(errors))
    within = np.mean(balls * (1.0 - balls), axis=0)
    # a point that no ball ever sees change sides, though balls differ, has no inner variance
    ratio = balls.var(axis=0, ddof=1) / np.maximum(within, 1e-12)
    return {
        "seconds": seconds / n_fits,
        "effective": float(np.mean(p * (1.0 - p)) / square),
        "error": float(np.sqrt(square)),
        "r_hat": float(np.sqrt(1.0 + ratio.max())),
    }


def _rows(place, found, r_hat, bar):
    rate = found["effective"] / found["seconds"]
    yield table_row(*place, "a fit", "milliseconds", found["seconds"] * 1e3)
    yield table_row(*place, "effective samples", "a fit", found["effective"])
    yield table_row(*place, "effective samples", "a second", rate)
    yield table_row(*place, "error of p+", "probability", found["error"])
    yield table_row(*place, "R-hat of the balls, worst point", "times", r_hat, at_most=bar)


def measure() -> Iterator[dict]:
    """All rows of the table, one by one."""
    for label, *setting in settings():
        found = {name: fitted(name, *setting) for name in PROBLEMS}
        default = label == "the defaults"
        means = {
            key: np.exp(np.mean([np.log(one[key]) for one in found.values()]))
            for key in ("seconds", "effective", "error")
        }
        worst = max(one["r_hat"] for one in found.values())
        bar = MAX_R_HAT if default else np.nan
        place = "settings", label, {"l": 0, "m": 0}
        yield from _rows(place, means, worst, bar)
        if default:
            for name, one in found.items():
                X, _, working, *_ = problem(name)
                place = "problems", name, {"l": len(X), "m": len(working)}
                yield from _rows(place, one, one["r_hat"], MAX_R_HAT)
