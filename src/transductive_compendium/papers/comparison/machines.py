"""The documents' methods, each on a `Sample`: labels of the working points, and how sure it is.

None looks at the working points' labels, but for one that is told how many are positive.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC

from transductive.leave_one_out import RidgeLOO, TransductiveLinearDiscriminant
from transductive.margin import MeanOfPairs, TransductiveSVC, UniversumSVC
from transductive.version_space import BayesianTransduction, BayesPointMachine, KernelGibbsSampler

#: Weights gamma* that the transductive leave-one-out error chooses from.
ALPHAS_STAR = tuple(10.0**k for k in range(-2, 3))
#: Decimals of a margin that count: what the solver's tolerance leaves of equal ones.
DECIMALS = 2
N_UNIVERSUM = 100
FLIGHT = {"n_bounces": 1000, "n_starts": 4, "refresh": np.pi}
#: The label noise is the estimator's default: see the chapter.
CHAINS = {"q": 0.05, "n_samples": 500, "n_chains": 4, "burn_in": 1000, "thin": 20}


class Answer(NamedTuple):
    """What a method says of the working points.

    Attributes
    ----------
    positive : ndarray of bool, shape (m,)
        Whether the label is +1.
    value : ndarray of shape (m,)
        Larger for points that are more likely to be positive; 0 where the method is least sure.
    probability : ndarray of shape (m,), or None
        That the label is +1, from methods that have one.
    """

    positive: np.ndarray
    value: np.ndarray
    probability: np.ndarray | None = None

    @property
    def confidence(self):
        """Larger where the method is more sure of its label; below 0 if the value is against it."""
        return np.where(self.positive, self.value, -self.value)


def _by_value(values):
    return Answer(values > 0, values)


def _by_probability(p):
    return Answer(p >= 0.5, p - 0.5, p)


def _seed(rng):
    return int(rng.integers(2**31))


# ---- margins -------------------------------------------------------------------------------------


def _cost(sample):
    # |w|^2 / 2 + C sum xi weighs slacks much as ridge |w|^2 + sum xi^2 does
    return 1.0 / sample.ridge


def svm(sample, rng):
    """The support vector machine."""
    machine = TransductiveSVC(_cost(sample), **sample.kernel_options).fit(sample.X, sample.y)
    return _by_value(np.round(machine.decision_function(sample.X_working), DECIMALS))


def tsvm(sample, rng, number=None):
    """The transductive SVM, by default with the labelled points' share of positives."""
    cost = _cost(sample)
    machine = TransductiveSVC(
        cost, cost, n_positive=number, first_costs="balanced", **sample.kernel_options
    ).fit(sample.X, sample.y, sample.X_working)
    return Answer(machine.transduction_ > 0, np.round(machine.working_values_, DECIMALS))


def tsvm_told(sample, rng):
    """The transductive SVM that is told the number of positives, which nobody knows."""
    return tsvm(sample, rng, int(np.sum(sample.truth > 0)))


def usvm(sample, rng):
    """The SVM with a universum, means of pairs of labelled points; as a whole it weighs as they."""
    cost = _cost(sample)
    machine = UniversumSVC(
        cost,
        cost * len(sample.y) / N_UNIVERSUM,
        universum=MeanOfPairs(N_UNIVERSUM, random_state=_seed(rng)),
        **sample.kernel_options,
    ).fit(sample.X, sample.y)
    return _by_value(np.round(machine.decision_function(sample.X_working), DECIMALS))


def platt(sample, rng):
    """The SVM's values made probabilities by Platt's sigmoid, which folds of the labels fit."""
    folds = int(min(5, np.sum(sample.y > 0), np.sum(sample.y < 0)))
    machine = CalibratedClassifierCV(
        SVC(C=_cost(sample), **sample.kernel_options),
        method="sigmoid",
        ensemble=False,
        cv=StratifiedKFold(folds, shuffle=True, random_state=_seed(rng)),
    ).fit(sample.X, sample.y)
    return _by_probability(machine.predict_proba(sample.X_working)[:, 1])


# ---- leave-one-out -------------------------------------------------------------------------------


def _with_own_ridge(sample):
    # the document's penalty is another than the one that chose the kernel
    return RidgeLOO(**sample.kernel_options).fit(sample.X, sample.y)


def ridge(sample, rng):
    """The linear discriminant: ridge regression on labels."""
    return _by_value(_with_own_ridge(sample).predict(sample.X_working))


def tld(sample, rng):
    """The transductive linear discriminant."""
    machine = TransductiveLinearDiscriminant(
        _with_own_ridge(sample).alpha_, ALPHAS_STAR, **sample.kernel_options
    ).fit(sample.X, sample.y, sample.X_working)
    return _by_value(machine.ridge_.transduction_)


# ---- version space -------------------------------------------------------------------------------


def _fly(estimator, sample, rng):
    machine = estimator(
        ridge=sample.ridge, random_state=_seed(rng), **FLIGHT, **sample.kernel_options
    )
    return machine.fit(sample.X, sample.y)


def bpm(sample, rng):
    """The Bayes point machine: the centre of version space."""
    return _by_value(_fly(BayesPointMachine, sample, rng).decision_function(sample.X_working))


def bt(sample, rng):
    """Bayesian transduction: the volume of version space at each working point by itself."""
    machine = _fly(BayesianTransduction, sample, rng)
    return _by_probability(machine.predict_proba(sample.X_working)[:, 1])


def kgs(sample, rng):
    """The vote of kernel Gibbs samples; its probability is of a label with the same noise."""
    q = CHAINS["q"]
    machine = KernelGibbsSampler(random_state=_seed(rng), **CHAINS, **sample.kernel_options)
    p = machine.fit(sample.X, sample.y).predict_proba(sample.X_working)[:, 1]
    return _by_probability(q + (1.0 - 2.0 * q) * p)


#: By their names in the rows.
METHODS = {
    "svm": svm,
    "tsvm": tsvm,
    "tsvm, true number": tsvm_told,
    "usvm": usvm,
    "platt": platt,
    "ridge": ridge,
    "tld": tld,
    "bpm": bpm,
    "bt": bt,
    "kgs": kgs,
}
