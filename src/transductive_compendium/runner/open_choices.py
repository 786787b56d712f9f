"""What a paper leaves open, declared once: ``open_choices.yml`` in the paper's room.

An option changes parameters of experiments (``run``), arguments of measures (``judge``); as a rule
those of the choice's name, whose value is its own name. From that follow the parameters and their
choices, the companion runs, which claims an option can touch, and the book's pages.
"""

from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr
from pydantic.dataclasses import dataclass

from ..checked_yaml import load_checked
from ..rooms import room_folders
from .parameters import ExperimentError, Parameter, unknown

FILE = "open_choices.yml"
REMEDY = f"The fields of {FILE} are described in CONTRIBUTING.md, 'Add an option'."
Value = StrictBool | StrictInt | StrictFloat | StrictStr

_checked = dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid"))


@_checked
class Option:
    """One way to read what the paper leaves open.

    Parameters
    ----------
    source : str
        Where it comes from: print, cited work, program, custom of the field, or nothing. Before it,
        ``baseline`` marks the option that the paper's printed baselines identify although it is not
        the default, ``variant`` the author's program where it contradicts the printed algorithm, or
        a sampler that is run until it has converged, where the paper stops before.
    text : str
        What it is, if its name does not tell enough.
    run : dict
        Values of an experiment's parameters.
    judge : dict
        Values of a measure's arguments. In the file an option with neither sets the parameter and
        the argument of the choice's name to its own name.
    """

    source: Annotated[
        str, Field(pattern="^((baseline|variant): )?(print|cited work|program|custom|nothing)")
    ]
    text: str = ""
    run: Mapping[str, Value] = field(default_factory=dict)
    judge: Mapping[str, Value] = field(default_factory=dict)

    @property
    def bare(self) -> bool:
        """Whether it does not say what it changes."""
        return not (self.run or self.judge)


@_checked
class OpenChoice:
    """What the paper leaves open.

    Parameters
    ----------
    question, words : str
        The words of the paper that leave it open.
    options : dict of str to Option
        The first is the default: the option whose source comes first of print, cited work that was
        read, program, custom of the field, nothing.
    """

    question: str
    words: str
    options: Mapping[str, Option]

    def __post_init__(self):
        if len(self.options) < 2:
            raise ValueError("needs at least two options; with one, nothing is left open")
        for name in {name for option in self.options.values() for name in option.run}:
            if name not in self.options[self.default].run:
                raise ValueError(f"its default, {self.default}, needs run: {{{name}: ...}}, too")
        for name, option in self.options.items():
            if option.bare and not self.options[self.default].bare:
                raise ValueError(f"{name} needs run or judge, as its default, {self.default}, has")

    @property
    def default(self) -> str:
        """The option that comes first."""
        return next(iter(self.options))

    @property
    def base(self) -> str:
        """The option under which experiments run: that which the baselines identify, if any.

        A test compares it with what they identify.
        """
        marked = (n for n, o in self.options.items() if o.source.startswith("baseline: "))
        return next(marked, self.default)

    @property
    def variants(self) -> bool:
        """Whether the printed algorithm and its author's program are both judged."""
        return any(option.source.startswith("variant: ") for option in self.options.values())

    @property
    def others(self) -> dict[str, Option]:
        """All options but the base."""
        return {name: o for name, o in self.options.items() if name != self.base}

    @property
    def parameters(self) -> dict[str, list]:
        """Values of each parameter that some option sets, the base's first."""
        base = self.options[self.base].run
        return {
            name: list(
                dict.fromkeys(
                    option.run.get(name, value)
                    for option in (self.options[self.base], *self.others.values())
                )
            )
            for name, value in self.options[self.default].run.items()
            for value in [base.get(name, value)]
        }


def load_open_choices(path: str | Path) -> dict[str, OpenChoice]:
    """Open choices of a file by name; none if there is no file.

    Raises
    ------
    SchemaError
        If an entry breaks the schema; the message gives the line.
    """
    path = Path(path)
    found = load_checked(path, dict[str, OpenChoice], REMEDY) if path.is_file() else {}
    for name, choice in found.items():
        for key, option in choice.options.items():
            if option.bare:
                for changed in ("run", "judge"):
                    object.__setattr__(option, changed, {name: key})
    return found


@cache
def open_choices(paper: str) -> dict[str, OpenChoice]:
    """Open choices of a paper's room by name."""
    return load_open_choices(room_folders()[paper] / FILE) if paper in room_folders() else {}


def open_parameters(
    choices: Mapping[str, OpenChoice], names: Iterable[str], own: Mapping[str, Parameter]
) -> dict[str, Parameter]:
    """Parameters of an experiment that leave the choices `names` open, and its `own`.

    An own parameter of the same name may admit more than the options, or fewer: the experiment
    cannot run the others.

    Raises
    ------
    ExperimentError
        For an unknown choice, or one without ``run``.
    """
    values: dict[str, list] = {}
    questions: dict[str, str] = {}
    for name in names:
        if name not in choices:
            raise ExperimentError(unknown("open choice", name, choices))
        if not (found := choices[name].parameters):
            raise ExperimentError(f"open choice {name} changes no parameter; it needs run: {{...}}")
        for parameter, admitted in found.items():  # which several choices may set
            values[parameter] = [*dict.fromkeys([*values.get(parameter, []), *admitted])]
            questions.setdefault(parameter, choices[name].question)
    made = {
        name: own.get(name)
        or Parameter(found[0], type(found[0]), questions[name], choices=tuple(found))
        for name, found in values.items()
    }
    return made | {name: p for name, p in own.items() if name not in made}
