"""Declare experiments; run, store and record their units."""

from .declaration import (
    PROFILES,
    Experiment,
    UnitMean,
    all_experiments,
    crossed,
    experiment,
    get,
    register,
)
from .execution import Run, UnitError, run
from .parameters import ExperimentError, Parameter, ParameterError
from .records import (
    Agreement,
    RecordError,
    RecordMissingError,
    compare,
    extended,
    load_recorded,
    record,
    results_folder,
    store_recorded,
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
    "UnitMean",
    "all_experiments",
    "compare",
    "crossed",
    "experiment",
    "extended",
    "get",
    "load_recorded",
    "record",
    "register",
    "results_folder",
    "run",
    "store_recorded",
]
