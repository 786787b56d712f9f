"""The papers' methods, each on a `Sample`: labels of the working points, and confidences.

No method uses the working points' labels, except one that is given the true number of positives.
"""

from typing import NamedTuple

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC

from transductive.kernels import gram_matrix
from transductive.leave_one_out import RidgeLOO, TransductiveLinearDiscriminant
from transductive.margin import MeanOfPairs, TransductiveSVC, UniversumSVC
from transductive.version_space import KernelBilliard, KernelGibbsSampler

from .scores import errors

#: Weights gamma* that the transductive leave-one-out error chooses from.
ALPHAS_STAR = tuple(10.0**k for k in range(-2, 3))
#: Decimals of a margin that count; the solver's tolerance blurs the others.
DECIMALS = 2
N_UNIVERSUM = 100
#: Of a billiard, the events of each ball among them, and of Gibbs chains: see the chapter.
FLIGHT, N_EVENTS = {"n_chains": 4, "refresh": np.pi}, 1000
CHAINS = {
    "sampler": "hit_and_run",
    "q": 0.05,
    "n_samples": 500,
    "n_chains": 4,
    "burn_in": 1000,
    "thin": 20,
}


class Answer(NamedTuple):
    """A method's results for the working points.

    Attributes
    ----------
    positive : ndarray of bool, shape (m,)
        Whether the label is +1.
    value : ndarray of shape (m,)
        Larger for points that are more likely to be positive; 0 where the method is least sure.
    probability : ndarray of shape (m,), or None
        Probability that the label is +1; None for methods without probabilities.
    """

    positive: np.ndarray
    value: np.ndarray
    probability: np.ndarray | None = None

    @property
    def confidence(self):
        """Larger if the method is more sure of its label; below 0 if the value contradicts it."""
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
    classifier = TransductiveSVC(_cost(sample), **sample.kernel_options).fit(sample.X, sample.y)
    return _by_value(np.round(classifier.decision_function(sample.X_working), DECIMALS))


def tsvm(sample, rng, number="sample"):
    """The transductive SVM, by default with the labelled points' share of positives."""
    cost = _cost(sample)
    classifier = TransductiveSVC(
        cost,
        cost,
        n_positive=number,
        manifold=0.0,
        first_costs="balanced",
        **sample.kernel_options,
    ).fit(sample.X, sample.y, sample.X_working)
    return Answer(classifier.transduction_ > 0, np.round(classifier.working_values_, DECIMALS))


def tsvm_with_true_number(sample, rng):
    """The transductive SVM, given the true number of positives, which is unknown in practice."""
    return tsvm(sample, rng, int(np.sum(sample.truth > 0)))


def usvm(sample, rng):
    """The SVM with a universum of means of pairs; in total it weighs as the labelled points do."""
    cost = _cost(sample)
    classifier = UniversumSVC(
        cost,
        cost * len(sample.y) / N_UNIVERSUM,
        universum=MeanOfPairs(N_UNIVERSUM, random_state=_seed(rng)),
        **sample.kernel_options,
    ).fit(sample.X, sample.y)
    return _by_value(np.round(classifier.decision_function(sample.X_working), DECIMALS))


def platt(sample, rng):
    """Probabilities from the SVM's values by Platt's sigmoid, fitted by cross-validation."""
    folds = int(min(5, np.sum(sample.y > 0), np.sum(sample.y < 0)))
    classifier = CalibratedClassifierCV(
        SVC(C=_cost(sample), **sample.kernel_options),
        method="sigmoid",
        ensemble=False,
        cv=StratifiedKFold(folds, shuffle=True, random_state=_seed(rng)),
    ).fit(sample.X, sample.y)
    return _by_probability(classifier.predict_proba(sample.X_working)[:, 1])


# ---- leave-one-out -------------------------------------------------------------------------------


def _with_own_ridge(sample):
    # the paper's penalty differs from the one that chose the kernel
    return RidgeLOO(**sample.kernel_options).fit(sample.X, sample.y)


def ridge(sample, rng):
    """The linear discriminant: ridge regression on labels."""
    return _by_value(_with_own_ridge(sample).predict(sample.X_working))


def tld(sample, rng):
    """The transductive linear discriminant."""
    classifier = TransductiveLinearDiscriminant(
        _with_own_ridge(sample).alpha_, ALPHAS_STAR, **sample.kernel_options
    ).fit(sample.X, sample.y, sample.X_working)
    return _by_value(classifier.ridge_.transduction_)


# ---- version space -------------------------------------------------------------------------------


def _fly(sample, rng):
    """A trajectory in version space, and the label-signed kernel values of the working points."""
    signs = np.where(sample.y > 0, 1.0, -1.0)
    gram = gram_matrix(sample.X, **sample.kernel_options)
    gram[np.diag_indices_from(gram)] += sample.ridge
    gram *= signs
    gram *= signs[:, None]
    billiard = KernelBilliard(gram, random_state=_seed(rng), **FLIGHT)
    rows = gram_matrix(sample.X_working, sample.X, **sample.kernel_options)
    return billiard, billiard.run(N_EVENTS), np.ascontiguousarray(rows.T * signs[:, None])


def bpm(sample, rng):
    """The Bayes point machine: the centre of version space."""
    billiard, trajectory, cross = _fly(sample, rng)
    centre = trajectory.centre_of_mass()
    return _by_value(cross.T @ (centre / billiard.span.norm(centre)))


def bt(sample, rng):
    """Bayesian transduction: the volume of version space at each working point by itself."""
    _, trajectory, cross = _fly(sample, rng)
    return _by_probability(trajectory.flight_times(cross).probability)


def kgs(sample, rng):
    """The vote of kernel Gibbs samples; its probability is that of a label with the same noise."""
    q = CHAINS["q"]
    classifier = KernelGibbsSampler(random_state=_seed(rng), **CHAINS, **sample.kernel_options)
    p = classifier.fit(sample.X, sample.y).predict_proba(sample.X_working)[:, 1]
    return _by_probability(q + (1.0 - 2.0 * q) * p)


#: By their names in the rows.
METHODS = {
    "svm": svm,
    "tsvm": tsvm,
    "tsvm, true number": tsvm_with_true_number,
    "usvm": usvm,
    "platt": platt,
    "ridge": ridge,
    "tld": tld,
    "bpm": bpm,
    "bt": bt,
    "kgs": kgs,
}
#: Where the labels or the working points vary: methods and their counterparts.
COMPARED = ("svm", "tsvm", "tsvm, true number", "usvm", "ridge", "tld")


def compared(seen, rng, judged=slice(None)):
    """Rows of the errors of `COMPARED` methods, at all working points or at some of them."""
    truth, rows = seen.truth[judged] > 0, []
    for name in COMPARED:
        answer = METHODS[name](seen, rng)
        part = answer._replace(positive=answer.positive[judged], value=answer.value[judged])
        rows.append({"method": name} | errors(part, truth))
    return rows
