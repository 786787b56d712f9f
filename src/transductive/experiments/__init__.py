"""Experiments: one module per document, and the machinery that runs, stores and records them."""

from .experiment import PROFILES, Experiment, UnitMean, all_experiments, get, register
from .parameters import ExperimentError, Parameter, ParameterError
from .records import (
    Agreement,
    RecordError,
    RecordMissingError,
    compare,
    load_recorded,
    record,
    results_folder,
)
from .runner import Run, UnitError, run

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
    "get",
    "load_recorded",
    "record",
    "register",
    "results_folder",
    "run",
]
