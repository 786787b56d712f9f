"""Companions of experiments: ``<paper>/<item>_options``, under other options.

A companion has rows of some of the experiment's units under each option of the open choices that
the experiment declares.
"""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from .declaration import Experiment, all_experiments, get, register
from .open_choices import open_choices
from .seeding import unit_rng

#: End of a companion's name, and the columns that it has besides its experiment's.
OPTIONS, COLUMNS = "_options", ("choice", "option")
SMOKE_UNITS = 2


def base_of(name: str) -> str:
    """The experiment whose companion `name` is; `name` itself, if it is none."""
    return name.split(OPTIONS)[0]


def companions_of(name: str) -> list[str]:
    """Names of an experiment's companions, recorded or not."""
    apart = [other for other in all_experiments() if other.startswith(f"{name}{OPTIONS}_")]
    return [name + OPTIONS, *apart]


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
    for each in companions_of(name):
        companion = all_experiments().get(each)
        keys = companion.unit_keys(companion.defaults, "paper") if companion else []
        if any((key["choice"], key["option"]) == (choice, option) for key in keys):
            return each
    return None


def options(
    name: str, keep: Callable[[dict], bool] | None = None, apart: Sequence[str] = ()
) -> None:
    """Register ``<name>_options``: units under each other option of the experiment's open choices.

    Parameters
    ----------
    name : str
        The experiment, registered before.
    keep : callable, optional
        ``keep(key)`` returns whether a unit is run; by default all of the paper's tier are. The
        key has ``choice`` and ``option``, too.
    apart : sequence of str
        Choices with a companion of their own, ``<name>_options_<choice>``: others need not be
        computed again for them. The record's rows stand for units that `keep` leaves out and whose
        first key it has: no option of the choice may change them.
    """

    base = get(name)

    def units(alone, params, profile):
        pairs = [
            {"choice": c, "option": o}
            for c, o in other_options(name)
            if (c == alone if alone else c not in apart)
        ]
        own = base.units(base.defaults, "paper")
        keys = [pair | key for pair in pairs for key in own]
        kept = [key for key in keys if keep is None or keep(key)]
        return kept[: SMOKE_UNITS if profile == "smoke" else None]

    module = sys._getframe(1).f_globals["__name__"]
    for alone in ("", *apart):
        end = OPTIONS + f"_{alone}" * bool(alone)
        register(
            Experiment(
                name=name + end,
                version=base.version,
                title=f"{base.title}: other options",
                datasets=base.datasets,
                units=partial(units, alone),
                run_unit=partial(_run_option, name),
                agreement=base.agreement,
                seed=base.seed,
                stream=base.stream + end,
                module=module,
                page=base.page,
            )
        )


def _run_option(name, key, params, data, rng):
    base = get(name)
    choice, option = key["choice"], key["option"]
    own = {k: v for k, v in key.items() if k not in COLUMNS}
    # the random stream was named when an open choice was called an interpretation
    named = {"interpretation": choice, "option": option} | own
    rng = unit_rng(base.stream + OPTIONS, params["seed"], named)
    changed = other_options(name)[choice, option]
    return base.rows_of(own, base.defaults | {"seed": params["seed"]} | changed, data, rng)
