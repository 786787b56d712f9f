"""The class of experiments, and the register of all experiments."""

import math
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any, Literal

from ..rooms import import_room, room_folders, source_file
from .open_choices import open_choices, open_parameters
from .parameters import ExperimentError, Parameter, unknown

PROFILES = ("smoke", "paper", "full")

_REGISTER: dict[str, "Experiment"] = {}


_SCALARS = {int, float, str, bool}
#: Rule for a column's agreement with the record.
Rule = float | Literal["chaotic", "ignore"]


@dataclass(frozen=True)
class Experiment:
    """A list of independent units of work behind one published figure or table.

    Parameters
    ----------
    name : str
        ``<paper>/<item>``: also the path of the recorded result.
    version : int
        Raise it whenever a unit's rows change.
    title : str
        One line for the reader.
    datasets : tuple of str
        Names for `transductive_compendium.datasets.load`; empty when everything is generated.
    parameters : dict of str to Parameter
        In addition to ``profile`` and ``seed``, which every experiment has.
    units : callable
        ``units(params, profile)`` returns the ordered list of unit keys: flat dicts of scalars,
        all with the same names. Each profile's list begins with the previous profile's list.
    run_unit : callable
        ``run_unit(key, params, data, rng)`` returns the unit's rows: a list of flat dicts. `data`
        maps the names in `datasets` to the loaded data. All randomness comes from `rng`, the
        unit's own generator; randomness shared by units comes from ``params["seed"]``.
    agreement : dict of str to float or str
        Rules by column for a rerun on a machine that rounds in another way than the one that made
        the record (see `sentinel`): an absolute tolerance where rounding is only magnified, no more
        than a third of any effect that a claim finds in the column; ``"chaotic"`` where it changes
        the path of a sampler or a solver, so that the column is not compared there. On a machine
        that rounds alike, and in all other columns, numbers agree to 1e-9, absolute and relative,
        and all else exactly. ``"ignore"`` is for times, which no two runs share.
    seed : int, default 0
        Seed of the recorded run.
    open_choices : tuple of str
        What the paper leaves open and the experiment can run, by the names in the room's
        ``open_choices.yml``; their parameters are added to `parameters`.
    stream : str
        Name of the random stream; by default `name`. A renamed experiment keeps its old one, so
        that its rows stay.
    module : str
        Module that declares the experiment.
    page : str
        Name of the notebook that shows it; by default the item's. A page may show several.
    """

    name: str
    version: int
    title: str
    units: Callable[[dict, str], list[dict]]
    run_unit: Callable[..., list[dict]]
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    datasets: tuple[str, ...] = ()
    agreement: Mapping[str, Rule] = field(default_factory=dict)
    seed: int = 0
    open_choices: tuple[str, ...] = ()
    stream: str = ""
    module: str = ""
    page: str = ""

    def __post_init__(self):
        object.__setattr__(self, "stream", self.stream or self.name)
        object.__setattr__(self, "page", self.page or self.name.partition("/")[2])
        if not re.fullmatch(r"[a-z0-9_]+/[a-z0-9_]+", self.name):
            raise ExperimentError(f"{self.name!r} is not of the form paper/item, in a-z, 0-9, _")
        taken = {"profile", "seed"} & set(self.parameters)
        if taken:
            raise ExperimentError(f"{self.name}: {taken.pop()!r} is taken; rename your parameter")
        for column, rule in self.agreement.items():
            number = isinstance(rule, int | float) and not isinstance(rule, bool)
            if not (0 <= rule < math.inf if number else rule in ("chaotic", "ignore")):
                raise ExperimentError(
                    f"{self.name}: agreement of {column!r} is {rule!r}; give an absolute tolerance "
                    f"(a finite number >= 0), 'chaotic' or 'ignore'"
                )
        if not self.module:
            function = getattr(self.run_unit, "func", self.run_unit)  # of functools.partial
            object.__setattr__(self, "module", function.__module__)
        if self.open_choices:
            found = open_parameters(open_choices(self.paper), self.open_choices, self.parameters)
            object.__setattr__(self, "parameters", found)

    @property
    def paper(self) -> str:
        """Name of the paper, the first half of `name`."""
        return self.name.partition("/")[0]

    @property
    def function(self) -> Callable:
        """The function that makes the rows of a unit; of a companion, that of its experiment."""
        if not isinstance(self.run_unit, partial):
            return self.run_unit
        of_companion = self.run_unit.func.__module__.endswith(".companions")
        return get(self.run_unit.args[0]).function if of_companion else self.run_unit.func

    @property
    def defaults(self) -> dict[str, Any]:
        """Default of each parameter."""
        return {name: parameter.default for name, parameter in self.parameters.items()}

    def rows_of(self, key: dict, params: dict, data: dict, rng: Any) -> list[dict]:
        """Rows of one unit.

        Raises
        ------
        ExperimentError
            If its function does not know the value of an option.
        """
        try:
            return list(self.run_unit(key, params, data, rng))
        except (KeyError, ValueError) as error:
            if why := self._unknown_option(params, f"{type(error).__name__}: {error}"):
                raise ExperimentError(why) from error
            raise

    def _unknown_option(self, params: Mapping[str, Any], said: str) -> str:
        """Which option's value an error names, and the remedy; empty if none."""
        function = getattr(self.run_unit, "func", self.run_unit)
        for choice in self.open_choices:
            for option, made in open_choices(self.paper)[choice].options.items():
                for name, value in made.run.items():
                    new = value == params[name] != self.defaults[name]
                    if new and isinstance(value, str) and repr(value) in said:
                        return (
                            f"{function.__name__} in {source_file(self.module)} does not know "
                            f"{name} = {value!r} ({said}), which {option} of {choice} sets in the "
                            f"open_choices.yml of {self.paper}. Teach it the value, or correct the "
                            f"option; declared: {self.parameters[name].describe()}"
                        )
        return ""

    def unit_keys(self, params: Mapping[str, Any], profile: str) -> list[dict]:
        """Unit keys of a profile, checked: scalars, all alike, no repeats, a prefix of the next.

        Raises
        ------
        ExperimentError
            If the experiment's `units` breaks one of these rules.
        """
        if profile not in PROFILES:
            raise ExperimentError(unknown("profile", profile, PROFILES))
        return self._unit_lists(params, PROFILES[: PROFILES.index(profile) + 1])[-1]

    @property
    def unit_counts(self) -> tuple[int, ...]:
        """Number of units in each of `PROFILES`, with the default parameters."""
        counts = tuple(map(len, self._unit_lists(self.defaults, PROFILES)))
        if 0 in counts:
            raise ExperimentError(f"{self.name}: profile {PROFILES[counts.index(0)]} has no units")
        return counts

    def _unit_lists(self, params, profiles):
        lists = [self.units(dict(params), p) for p in profiles]
        for p, short, long in zip(profiles, lists, lists[1:], strict=False):
            if long[: len(short)] != short:
                raise ExperimentError(f"{self.name}: the units of {p} do not begin the next tier's")
        names = list(lists[-1][0]) if lists[-1] else []
        for key in lists[-1]:
            named = names and list(key) == names
            if not (named and _SCALARS.issuperset(map(type, key.values()))):
                raise ExperimentError(
                    f"{self.name}: unit key {key!r} must map the same names as the other keys, at "
                    f"least one, to plain int, float, str or bool"
                )
        if len({tuple(key.values()) for key in lists[-1]}) < max(len(lists[-1]), 1):
            raise ExperimentError(
                f"{self.name}: profile {profiles[-1]} has no units or repeats a key"
            )
        return lists


def crossed(
    *names: str, smoke: int | None = None, **axes: Any
) -> Callable[[dict, str], list[dict]]:
    """An experiment's `units`: all combinations of the axes; the last axis varies fastest.

    Parameters
    ----------
    *names : str
        Names of a key in their order; by default that of the axes.
    smoke : int, optional
        Number of units, the first ones, in the smoke tier; by default all of its combinations.
    **axes
        Values of each name in a key, or numbers of repetitions by profile, counted from 0.
    """

    def axis_by_profile(axis):
        return isinstance(axis, Mapping) and set(axis) == set(PROFILES)

    def units(params, profile):
        values = [range(axis[profile]) if axis_by_profile(axis) else axis for axis in axes.values()]
        keys = [dict(zip(axes, key, strict=True)) for key in product(*values)]
        keys = [{name: key[name] for name in names or axes} for key in keys]
        return keys[: smoke if profile == "smoke" else None]

    return units


def experiment(name: str, **facts: Any) -> Callable[[Callable], Callable]:
    """Register the function below as the units of the experiment `name`.

    Parameters
    ----------
    name : str
        ``<paper>/<item>``.
    **facts
        The other arguments of `Experiment`, except `run_unit`, which is the function.

    Returns
    -------
    callable
        A decorator that returns the function unchanged, so that it can serve several experiments.
    """
    module = sys._getframe(1).f_globals["__name__"]

    def declare(run_unit: Callable) -> Callable:
        register(Experiment(name=name, run_unit=run_unit, module=module, **facts))
        return run_unit

    return declare


def register(experiment: Experiment) -> Experiment:
    """Register `experiment` under its name; a later one of the same name replaces it."""
    _REGISTER[experiment.name] = experiment
    return experiment


def all_experiments() -> dict[str, Experiment]:
    """All experiments by name, in alphabetical order. Imports the papers' units."""
    for paper in room_folders():
        import_room(paper, measures=False)
    return dict(sorted(_REGISTER.items()))


def get(name: str) -> Experiment:
    """The experiment called `name`.

    Raises
    ------
    ExperimentError
        If there is none; the message names the nearest known one.
    """
    paper = str(name).partition("/")[0]
    if name not in _REGISTER and paper in room_folders():
        import_room(paper, measures=False)
    if name not in _REGISTER:
        raise ExperimentError(
            unknown("experiment", name, sorted(all_experiments())) + " See: transductive list"
        )
    return _REGISTER[name]
