"""Two companions of an experiment: under other options, and without groups of its cases.

``<paper>/<item>_options`` has rows of some of the experiment's units under each option of the open
choices that it declares. ``<paper>/<item>_groups`` has rows without each of twenty groups of cases;
a jackknife over them tests whether a statement carries over to new cases. Where training sets are
disjoint, the groups are of test cases instead, and the column ``test_group`` names them.
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import partial
from itertools import compress
from typing import Any

import numpy as np

from .declaration import Experiment, all_experiments, get, register
from .open_choices import open_choices
from .seeding import unit_rng

OPTIONS, GROUPS = "_options", "_groups"
#: Ends of the companions' names, and the columns that they may have besides their experiment's.
COMPANIONS = {OPTIONS: ("choice", "option"), GROUPS: ("left_out", "test_group")}
N_GROUPS = 20
SMOKE_UNITS = 2


def base_of(name: str) -> str:
    """The experiment whose companion `name` is; `name` itself, if it is none."""
    end = next((end for end in COMPANIONS if name.endswith(end)), "")
    return name.removesuffix(end)


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
            stream=base.stream + kind,
            module=module,
            page=base.page,
        )
    )


def _defaults(name: str) -> dict[str, Any]:
    return {key: parameter.default for key, parameter in get(name).parameters.items()}


def _keys(name: str) -> list[dict]:
    return get(name).units(_defaults(name), "paper")


def _parameters(name: str, params: Mapping[str, Any], changed: Mapping[str, Any]) -> dict:
    own = {key: params[key] for key in ("profile", "seed") if key in params}
    return _defaults(name) | own | dict(changed)


def other_options(name: str) -> dict[tuple[str, str], dict[str, Any]]:
    """Parameters that each option of an experiment's open choices changes, by choice and option.

    Left out are options that change none of its defaults, and those that its own parameters do not
    admit.
    """
    base = get(name)
    return {
        (choice, option): dict(found.run)
        for choice in base.open_choices
        for option, found in open_choices(base.paper)[choice].options.items()
        if any(base.defaults[p] != value for p, value in found.run.items())
        and all(base.parameters[p].admits(value) for p, value in found.run.items())
    }


def runs_option(name: str, choice: str, option: str) -> str | None:
    """The companion of an experiment that runs an option, whether it is recorded or not."""
    companion = all_experiments().get(name + OPTIONS)
    keys = companion.unit_keys(companion.defaults, "paper") if companion else []
    ran = any((key["choice"], key["option"]) == (choice, option) for key in keys)
    return name + OPTIONS if ran else None


def options(name: str, keep: Callable[[dict], bool] | None = None) -> None:
    """Register ``<name>_options``: units under each other option of the experiment's open choices.

    Parameters
    ----------
    name : str
        The experiment, registered before.
    keep : callable, optional
        ``keep(key)`` returns whether a unit is run; by default all of the paper's tier are. The
        key has ``choice`` and ``option``, too.
    """

    def units():
        pairs = [{"choice": c, "option": o} for c, o in other_options(name)]
        own = _keys(name)
        keys = [pair | key for pair in pairs for key in own]
        return [key for key in keys if keep is None or keep(key)]

    run_unit = partial(_run_option, name)
    module = sys._getframe(1).f_globals["__name__"]
    _declare(name, OPTIONS, "other options", run_unit, units, module)


def _run_option(name, key, params, data, rng):
    base = get(name)
    choice, option = key["choice"], key["option"]
    own = {k: v for k, v in key.items() if k not in ("choice", "option")}
    # the random stream was named when an open choice was called an interpretation
    named = {"interpretation": choice, "option": option} | own
    rng = unit_rng(base.stream + OPTIONS, params["seed"], named)
    changed = other_options(name)[choice, option]
    return base.rows_of(own, _parameters(name, params, changed), data, rng)


def groups(name: str, keep: Callable[[dict], bool] | None = None, n_groups: int = N_GROUPS) -> None:
    """Register ``<name>_groups``: units without each group of the cases of its data sets.

    The groups are drawn once for all units; the group's cases are removed from tables with ``y``
    and from data sets with ``documents``.

    Parameters
    ----------
    name : str
        The experiment, registered before.
    keep : callable, optional
        ``keep(key)`` returns whether a unit is run for each group.
    n_groups : int, default 20
        Number of groups of cases.
    """

    def units():
        kept = [key for key in _keys(name) if keep is None or keep(key)]
        return [{"left_out": g} | key for g in range(n_groups) for key in kept]

    run_unit = partial(_run_without, name, n_groups)
    module = sys._getframe(1).f_globals["__name__"]
    _declare(name, GROUPS, "without groups of cases", run_unit, units, module)


def case_groups(n: int, n_groups: int = N_GROUPS) -> np.ndarray:
    """Group of each of `n` cases; sizes differ by at most one, and the random order is fixed."""
    return np.random.default_rng([2026, n]).permutation(n) % n_groups


def restricted(table: Any, rows: np.ndarray) -> Any:
    """A data set with some of its cases; arrays and tuples with a value for each case are cut."""
    n, cut = len(rows), {}
    for name in (f.name for f in fields(table) if f.init):
        values = getattr(table, name)
        if getattr(values, "shape", ())[:1] == (n,):
            cut[name] = values[rows]
        elif isinstance(values, tuple) and len(values) == n:
            cut[name] = tuple(compress(values, rows))
    return replace(table, **cut)


def _n_cases(table: Any) -> int:
    return len(table.y if hasattr(table, "y") else table.documents)


def _run_without(name, n_groups, key, params, data, rng):
    kept = {
        dataset: restricted(table, case_groups(_n_cases(table), n_groups) != key["left_out"])
        for dataset, table in data.items()
    }
    own = {k: v for k, v in key.items() if k != "left_out"}
    return get(name).rows_of(own, _parameters(name, params, {}), kept, rng)
