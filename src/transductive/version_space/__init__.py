"""Version space and label noise: billiards, the Gibbs sampler, the estimators that use them."""

from ..kernels import NotPositiveSemidefiniteError as NotPositiveSemidefiniteError
from .active_learning import binary_entropy, query_loop, query_points
from .bayes_point import BayesPointMachine
from .bayesian_transduction import BayesianTransduction, Diagnosis
from .billiard import BilliardEscapeError, KernelBilliard
from .feature_span import FeatureSpan
from .gibbs import GibbsChains, GibbsSamples, inverse_temperature
from .kernel_gibbs_sampler import KernelGibbsSampler
from .mixing import Mixing
from .posterior_sampler import PosteriorSampler as PosteriorSampler
from .refracting_billiard import FlightSamples, RefractingBilliard
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
    "FlightSamples",
    "FlightTimes",
    "GibbsChains",
    "GibbsSamples",
    "IllConditionedError",
    "KernelBilliard",
    "KernelGibbsSampler",
    "Mixing",
    "RefractingBilliard",
    "Trajectory",
    "WhitenedPoints",
    "binary_entropy",
    "inverse_temperature",
    "query_loop",
    "query_points",
]
