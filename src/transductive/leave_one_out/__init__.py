"""Ridge regression's leave-one-out error in closed form, and transduction that minimises it."""

from .loo_form import LooForm
from .low_rank_form import LowRankLooForm, LowRankRidge
from .ridge_loo import RidgeLOO
from .spectrum import LeverageError, RidgeSpectrum
from .transductive_linear_discriminant import TransductiveLinearDiscriminant
from .transductive_ridge import TransductiveRidge
from .tridiagonal import RidgeTridiagonal

__all__ = [
    "LeverageError",
    "LooForm",
    "LowRankLooForm",
    "LowRankRidge",
    "RidgeLOO",
    "RidgeSpectrum",
    "RidgeTridiagonal",
    "TransductiveLinearDiscriminant",
    "TransductiveRidge",
]
