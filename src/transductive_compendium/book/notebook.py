"""Functions that notebooks call: check parameters, run, load the record, check the agreement.

The cell after the one tagged ``parameters`` says::

    from transductive_compendium.book import notebook
    session = notebook.begin("bayesian_transduction/figure_2a", globals())
"""

import html
import types
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from transductive import __version__

from ..rooms import source_file
from ..runner import (
    PROFILES,
    Agreement,
    Experiment,
    ExperimentError,
    ParameterError,
    RecordMissingError,
    Run,
    compare,
    get,
    load_recorded,
    own_data,
)
from ..runner import run as run_experiment
from ..runner.parameters import Parameter, resolve, unknown
from .citation_of_run import bibtex
from .readers_figure import clear, leave_out_published, mark_recorded, name_panels
from .templating import render

_IPYTHON = {"In", "Out", "exit", "quit", "open", "get_ipython"}
_PAPERMILL = {"PAPERMILL_INPUT_PATH", "PAPERMILL_OUTPUT_PATH"}  # by its --inject-paths
_SEEN = "_transductive_parameters"


class DisagreementError(ExperimentError, AssertionError):
    """A rerun disagrees with the recorded result."""


class Note(str):
    """HTML that a notebook displays."""

    def _repr_html_(self) -> str:
        return str(self)


def schema(experiment: Experiment) -> dict[str, Parameter]:
    """Parameters that a notebook's ``parameters`` cell may set: profile, seed, the experiment's."""
    return {
        "profile": Parameter("smoke", str, "tier: smoke, paper or full", choices=PROFILES),
        "seed": Parameter(experiment.seed, int, "seed of all randomness", minimum=0),
        **own_data.schema(experiment),
    }


def _mark_beside(other: Experiment, shown: Experiment) -> None:
    """Mark what bears the data set or item of the record of an experiment beside the shown."""
    mark_recorded({other.name.partition("/")[2], *other.datasets} - set(shown.datasets))


def _shell() -> Any:
    """IPython's shell that runs the notebook, or None."""
    try:
        from IPython import get_ipython
    except ImportError:
        return None
    return get_ipython()


def _show(text: str, handle: Any = None, html: str | None = None) -> Any:
    """Show `text` in the notebook, in place of what `handle` showed; print it elsewhere."""
    if _shell() is None:
        if handle is None:
            print(text)
        return None
    from IPython.display import display

    shown = {"text/plain": text} | ({"text/html": html} if html else {})
    if handle is None:
        return display(shown, raw=True, display_id=True)
    handle.update(shown, raw=True)
    return handle


@dataclass
class Session:
    """A notebook's experiment with the parameters that its cells set."""

    experiment: Experiment
    profile: str
    seed: int
    params: dict[str, Any]
    own_data: str = ""
    substitute: str | None = field(default=None, init=False)
    _own: Run | None = field(default=None, init=False, repr=False)
    _other_data: bool = field(default=False, init=False, repr=False)
    _missing: str = field(default="", init=False, repr=False)
    _beside: list["Session"] = field(default_factory=list, init=False, repr=False)

    def run(self, jobs: int = 1, fresh: bool = False) -> Run:
        """Run, or continue, the notebook's tier. The progress display leaves one line."""
        name = self.experiment.name
        handle = _show(f"{name}: starting")
        done = run_experiment(
            self.experiment,
            self.profile,
            self.params | ({"data": self.own_data} if self.own_data else {}),
            self.seed,
            jobs,
            fresh=fresh,
            progress=(lambda text: _show(text, handle)) if handle is not None else False,
        )
        _show(
            f"{name}: {done.provenance['units']} units of profile {self.profile}, seed {self.seed}",
            handle,
        )
        self.substitute = done.substitute
        self._other_data = done.substitute is not None and not self._shows_record(done)
        leave_out_published(self._other_data)
        if self._other_data:
            name_panels({k: d["used"] for k, d in done.provenance["data"].items()})
        if done.own_data:
            note = (
                f"{done.substitute} Figures and tables of this run show your rows; captions, text, "
                "links to data, and what a cell takes from another record stay the paper's."
            )
            if self.profile == "smoke":
                note += " This was the smallest run: profile paper has as many units as the paper."
            _show(note, html=f'<p class="substitute"><b>Note.</b> {html.escape(note)}</p>')
        elif done.substitute:
            self._missing = self._missing_data(done)
            _show(self._missing)
        return done

    def _missing_data(self, run: Run) -> str:
        """What a page says at its foot of a run on substitutes."""
        others = {k: d["used"] for k, d in run.provenance["data"].items() if d["used"] != k}
        shown = f"this run on {', '.join(dict.fromkeys(others.values()))}, without published values"
        if self._shows_record(run):
            shown = "the record"
        return (
            f"Without {', '.join(others)} (transductive data fetch {' '.join(others)}) the live "
            f"check ran on {', '.join(dict.fromkeys(others.values()))}; figures and tables show "
            f"{shown}."
        )

    def recorded(self) -> tuple[pd.DataFrame, dict] | None:
        """Recorded rows and provenance, or None when nothing is recorded."""
        try:
            return load_recorded(self.experiment.name)
        except RecordMissingError:
            return None

    def check(self, run: Run) -> Agreement:
        """Compare `run` with the record and show the result; `DisagreementError` if they differ."""
        agreement = compare(run)
        if not agreement.ok:
            raise DisagreementError(agreement.describe())
        if not run.substitute:
            _show(agreement.describe())
        return agreement

    def _shows_record(self, run: Run) -> bool:
        """Whether the notebook shows the recorded rows, and runs only to check them."""
        return self.profile == "smoke" and not run.departures and self.recorded() is not None

    def shown(self, run: Run) -> pd.DataFrame:
        """Rows for the notebook's figure: the recorded ones, or the reader's own run.

        A smoke run with the recorded parameters only checks the record: the recorded rows are
        shown. For any other run, or if nothing is recorded, the run's own rows are shown.
        """
        if self._shows_record(run):
            return self.recorded()[0]
        if not run.own_data:  # else the note of the run says so
            _show(f"The figure shows this run: profile {self.profile}, not the recorded result.")
        self._own = run
        return run.rows

    def beside(self, name: str) -> pd.DataFrame:
        """Rows of another experiment of the page, at the page's tier.

        The page's seed and parameters apply to it, too, if they were changed and it has them.
        Beside a reader's own data, the rows are the record's.
        """
        experiment = get(name)
        if self.own_data:
            _show(f"{name}: the record, which is of the paper's data.")
            _mark_beside(experiment, self.experiment)
            return load_recorded(name)[0]
        known, defaults = experiment.parameters, self.experiment.defaults
        changed = {k: v for k, v in self.params.items() if v != defaults[k]}
        shared = {k: v for k, v in changed.items() if k in known and known[k].admits(v)}
        seed = experiment.seed if self.seed == self.experiment.seed else self.seed
        other = Session(experiment, self.profile, seed, experiment.defaults | shared)
        self._beside.append(other)
        run = other.run()
        other.check(run)
        leave_out_published(self._other_data or other._other_data)
        rows = other.shown(run)
        if self._own and not other._own:
            _show(f"{name}: the record is shown.")
            _mark_beside(experiment, self.experiment)
        return rows

    def record(self, name: str, *titles: str) -> pd.DataFrame:
        """Rows of a record; panels and entries of legends of these `titles` are named as its."""
        if self._own:
            mark_recorded(titles)
        return load_recorded(name)[0]

    def draw_recorded(self, draw: Callable, name: str, *arguments: Any) -> None:
        """Draw the record of another experiment, unless this run is of other data."""
        if self._other_data:
            _show(f"A figure of the record {name} is left out here: it is of other runs.")
        else:
            draw(load_recorded(name)[0], *arguments)

    def provenance_note(self) -> Note:
        """Provenance strips of the rows of `shown` and `beside`: of records or the reader's run.

        Below them a line tells which data are missing.
        """
        sessions = [self, *self._beside]
        if line := " ".join(dict.fromkeys(s._missing for s in sessions if s._missing)):
            _show(line, html=f'<p class="substitute">{html.escape(line)}</p>')
        return Note("".join(s._provenance() for s in sessions))

    def _provenance(self) -> str:
        facts = self._own.provenance if self._own else (self.recorded() or (None, None))[1]
        if facts is None:
            name = self.experiment.name
            return (
                f"<p>Nothing is recorded yet: <code>transductive run {name} "
                f"--profile paper --record</code></p>"
            )
        units_file = source_file(self.experiment.module)
        strip = render("provenance.html", **facts, units_file=units_file, current=__version__)
        if self._own is None:
            return strip
        entry = html.escape(bibtex(self._own))
        return f"{strip}<details><summary>To cite this run</summary><pre>{entry}</pre></details>"


def begin(name: str, namespace: MutableMapping[str, Any]) -> Session:
    """Check the variables that the ``parameters`` cell and papermill left, and open a session.

    Parameters
    ----------
    name : str
        ``<paper>/<item>``.
    namespace : dict
        The notebook's ``globals()``. Modules, functions, classes, names with a leading underscore,
        the paths that papermill injects, and what start-up files of IPython left are ignored; every
        other name must be a parameter. If the cell is run again in the same kernel, names that
        later cells defined are ignored, too.

    Raises
    ------
    ParameterError
        For a name that is not a parameter (the message names the nearest one), and for a wrong type
        or value.
    """
    experiment = get(name)
    known = schema(experiment)
    clear()
    code = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type, Session)
    given = {
        key: value
        for key, value in namespace.items()
        if not key.startswith("_")
        and key not in _IPYTHON | _PAPERMILL
        and not isinstance(value, code)
    }
    again = _SEEN in namespace
    before = getattr(_shell(), "user_ns_hidden", {})  # what IPython found before the first cell
    for key, value in given.items():
        if key not in known and not again and before.get(key, given) is not value:
            raise ParameterError(
                f"{unknown('parameter', key, known)} Other variables of the notebook belong below "
                f"the cell that calls begin()."
            )
    values = resolve(known, {key: value for key, value in given.items() if key in known})
    namespace[_SEEN] = sorted(values)
    profile, seed = values.pop("profile"), values.pop("seed")
    params, own = own_data.taken_out(experiment, values)
    return Session(experiment, profile, seed, params, own)
