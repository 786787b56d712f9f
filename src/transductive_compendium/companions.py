"""Two companions of an experiment: under other interpretations, and without groups of its cases.

``<paper>/<item>_options`` has rows of some of the experiment's units under each option of what the
paper leaves open. ``<paper>/<item>_groups`` has rows without each of twenty groups of cases; a
jackknife over them tests whether a statement carries over to new cases.
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import partial
from typing import Any

import numpy as np

from .runner import Experiment, get, register

N_GROUPS = 20
SMOKE_UNITS = 2


def _declare(name: str, kind: str, title: str, run_unit: Callable, units: Callable, module: str):
    base = get(name)
    register(
        Experiment(
            name=name + kind,
            version=base.version,
            title=f"{base.title}: {title}",
            datasets=base.datasets,
            units=lambda params, profile: units()[: SMOKE_UNITS if profile == "smoke" else None],
            run_unit=run_unit,
            agreement=base.agreement,
            seed=base.seed,
            module=module,
        )
    )


def _keys(name: str, keep: Callable[[dict], bool] | None) -> list[dict]:
    base = get(name)
    defaults = {key: parameter.default for key, parameter in base.parameters.items()}
    keys = base.unit_keys(defaults, "paper")
    return [key for key in keys if keep is None or keep(key)]


def _base_parameters(name: str, params: Mapping[str, Any], changed: Mapping[str, Any]) -> dict:
    base = get(name)
    return (
        {key: parameter.default for key, parameter in base.parameters.items()}
        | {key: params[key] for key in ("profile", "seed") if key in params}
        | dict(changed)
    )


def options(
    name: str,
    choices: Mapping[str, Mapping[str, Mapping[str, Any]]],
    keep: Callable[[dict], bool] | None = None,
) -> None:
    """Register ``<name>_options``.

    Parameters
    ----------
    name : str
        The experiment, registered before.
    choices : dict
        Parameters of the experiment by interpretation and option, named as in
        ``interpretations.yml``; without the defaults.
    keep : callable, optional
        ``keep(key)`` returns whether a unit is run; by default all of the paper's tier are.
    """
    pairs = [(i, o) for i, found in choices.items() for o in found]

    def units():
        return [
            {"interpretation": i, "option": o} | key for i, o in pairs for key in _keys(name, keep)
        ]

    _declare(
        name,
        "_options",
        "other interpretations",
        partial(_run_option, name, choices),
        units,
        sys._getframe(1).f_globals["__name__"],
    )


def _run_option(name, choices, key, params, data, rng):
    changed = choices[key["interpretation"]][key["option"]]
    own = {k: v for k, v in key.items() if k not in ("interpretation", "option")}
    return get(name).run_unit(own, _base_parameters(name, params, changed), data, rng)


def groups(name: str, keep: Callable[[dict], bool] | None = None, n_groups: int = N_GROUPS) -> None:
    """Register ``<name>_groups``: units without each group of the cases of its data sets.

    The groups are drawn once for all units; the group's rows are removed from tables with ``X`` and
    ``y``.

    Parameters
    ----------
    name : str
        The experiment, registered before, on tables.
    keep : callable, optional
        ``keep(key)`` returns whether a unit is run for each group.
    n_groups : int, default 20
        Number of groups of cases.
    """

    def units():
        return [{"left_out": g} | key for g in range(n_groups) for key in _keys(name, keep)]

    _declare(
        name,
        "_groups",
        "without groups of cases",
        partial(_run_without, name, n_groups),
        units,
        sys._getframe(1).f_globals["__name__"],
    )


def case_groups(n: int, n_groups: int = N_GROUPS) -> np.ndarray:
    """Group of each of `n` cases; sizes differ by at most one, and the random order is fixed."""
    return np.random.default_rng([2026, n]).permutation(n) % n_groups


def restricted(table: Any, rows: np.ndarray) -> Any:
    """A data set with some of its cases; arrays with a value for each case are cut."""
    n = len(rows)
    arrays = {f.name: getattr(table, f.name) for f in fields(table) if f.init}
    cut = {
        name: array[rows]
        for name, array in arrays.items()
        if hasattr(array, "shape") and array.shape[:1] == (n,)
    }
    return replace(table, **cut)


def _run_without(name, n_groups, key, params, data, rng):
    kept = {
        dataset: restricted(table, case_groups(len(table.y), n_groups) != key["left_out"])
        for dataset, table in data.items()
    }
    own = {k: v for k, v in key.items() if k != "left_out"}
    return get(name).run_unit(own, _base_parameters(name, params, {}), kept, rng)
