"""Version space: volumes, the kernel billiard, and the estimators that use them."""

from .bayes_point import BayesPointMachine
from .bayesian_transduction import BayesianTransduction, Diagnosis
from .billiard import BilliardEscapeError, KernelBilliard, hoeffding_bounces
from .feature_span import FeatureSpan, NotPositiveSemidefiniteError
from .start import EmptyVersionSpaceError, IllConditionedError
from .trajectory import FlightTimes, Trajectory

__all__ = [
    "BayesPointMachine",
    "BayesianTransduction",
    "BilliardEscapeError",
    "Diagnosis",
    "EmptyVersionSpaceError",
    "FeatureSpan",
    "FlightTimes",
    "IllConditionedError",
    "KernelBilliard",
    "NotPositiveSemidefiniteError",
    "Trajectory",
    "hoeffding_bounces",
]
