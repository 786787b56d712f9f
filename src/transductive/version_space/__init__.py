"""Version space: volumes, the billiard, the Gibbs sampler, and the estimators that use them."""

from .bayes_point import BayesPointMachine
from .bayesian_transduction import BayesianTransduction, Diagnosis
from .billiard import BilliardEscapeError, KernelBilliard, hoeffding_bounces
from .feature_span import FeatureSpan, NotPositiveSemidefiniteError
from .gibbs import GibbsChains, GibbsSamples, inverse_temperature
from .kernel_gibbs_sampler import KernelGibbsSampler
from .mixing import Mixing
from .start import EmptyVersionSpaceError, IllConditionedError
from .trajectory import FlightTimes, Trajectory
from .whitening import WhitenedPoints

__all__ = [
    "BayesPointMachine",
    "BayesianTransduction",
    "BilliardEscapeError",
    "Diagnosis",
    "EmptyVersionSpaceError",
    "FeatureSpan",
    "FlightTimes",
    "GibbsChains",
    "GibbsSamples",
    "IllConditionedError",
    "KernelBilliard",
    "KernelGibbsSampler",
    "Mixing",
    "NotPositiveSemidefiniteError",
    "Trajectory",
    "WhitenedPoints",
    "hoeffding_bounces",
    "inverse_temperature",
]
