"""Declare experiments; run, store and record their units."""

from .agreement import Agreement, compare
from .declaration import (
    PROFILES,
    Experiment,
    all_experiments,
    crossed,
    experiment,
    get,
    register,
)
from .execution import Run, UnitError, run
from .parameters import ExperimentError, Parameter, ParameterError
from .records import (
    RecordError,
    RecordMissingError,
    load_recorded,
    record,
    results_folder,
)

__all__ = [
    "PROFILES",
    "Agreement",
    "Experiment",
    "ExperimentError",
    "Parameter",
    "ParameterError",
    "RecordError",
    "RecordMissingError",
    "Run",
    "UnitError",
    "all_experiments",
    "compare",
    "crossed",
    "experiment",
    "get",
    "load_recorded",
    "record",
    "register",
    "results_folder",
    "run",
]
