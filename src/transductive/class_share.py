"""The share of a class among the working points, from outputs of cross-validation on the sample.

The share may differ from that in the sample as long as points of a class are distributed alike in
both. An output's probability then is one of the sample's times the ratio of the shares, and the
working points' share is the one that these probabilities confirm.
"""

from __future__ import annotations

from math import ceil

import numpy as np
from scipy.special import expit, logit

__all__ = [
    "MIN_LABELS",
    "CrossFittedOutputs",
    "RidgeMachine",
    "doubted_share",
    "fewest_labels",
    "some_labels",
]

N_FOLDS = 5
MAX_ROUNDS, SHARE_TOL = 50, 1e-5
# Below this, probabilities hardly depend on the share.
MIN_SHARE = 0.01
# Fewer labels of a class determine no sigmoid, and the estimated share may be 0 or 1.
MIN_LABELS = 10
# Use a subset of more labels: the cubic cost of ridge machines would exceed that of the estimator.
MAX_LABELS = 2000
N_RESAMPLES = 200
# More points hardly change an interval from few labels.
RESAMPLE_MAX_POINTS = 2000
# Standard errors at which a difference of shares is examined, and at which `fit` warns.
NOTICED, SUSPICIOUS = 2.0, 3.0


class CrossFittedOutputs:
    """Outputs of support vector machines that did not see a point's label.

    Parameters
    ----------
    make : callable
        ``make(costs)`` is a `JointSVM` without labels of working points, or a `RidgeMachine`; a
        cost of 0 leaves a training point out.
    signs : ndarray of shape (l,)
        -1.0 and 1.0.
    costs : float or ndarray of shape (l,)
        Points whose cost is 0 do not count.

    Attributes
    ----------
    signs : ndarray of shape (n,)
        Of the n points that count.
    held_out : ndarray of shape (n,)
        Their outputs, each by the machine without its fold.
    working : ndarray of shape (n_folds, m)
        Outputs at the working points, by all machines.
    """

    def __init__(self, make, signs, costs):
        costs = np.broadcast_to(costs, signs.shape)
        fold = np.zeros(len(signs), dtype=np.intp)
        for sign in (-1.0, 1.0):
            points = np.flatnonzero((signs == sign) & (costs > 0))
            fold[points] = np.arange(len(points)) % N_FOLDS
        held_out, working = np.empty(len(signs)), []
        for k in range(N_FOLDS):
            svm = make(np.where(fold == k, 0.0, costs))
            svm.solve()
            values = svm.decision_values()
            held_out[fold == k] = values[: len(signs)][fold == k]
            working.append(values[len(signs) :])
        self.signs, self.held_out = signs[costs > 0], held_out[costs > 0]
        self.working = np.array(working)

    def share(self):
        """Share of positive working points; NaN if outputs do not rise with the labels."""
        return _share(self.held_out, self.signs > 0, self.working)

    def interval(self):
        """Its 95 % interval: percentiles over resampled labels and working points."""
        rng, shares = np.random.default_rng(0), []
        m = self.working.shape[1]
        classes = [np.flatnonzero(self.signs == sign) for sign in (-1.0, 1.0)]
        for _ in range(N_RESAMPLES):
            some = np.concatenate([rng.choice(points, len(points)) for points in classes])
            others = rng.integers(0, m, min(m, RESAMPLE_MAX_POINTS))
            shares.append(
                _share(self.held_out[some], self.signs[some] > 0, self.working[:, others])
            )
        # NaN may be any share
        low = np.quantile(np.nan_to_num(shares, nan=0.0), 0.025)
        return float(low), float(np.quantile(np.nan_to_num(shares, nan=1.0), 0.975))

    def disagreement(self, weight):
        """How many standard errors the shares of the sample and of the working points differ.

        If they agree, held-out and working points have probabilities of one mean, whatever the
        sigmoid is, and of one variance. The larger of its two estimates counts: that of a few
        points, which may all be of one class, is often about 0. Of labels drawn by lot, a class of
        5 % included, fewer than 1 % of samples then have more than three standard errors.

        Parameters
        ----------
        weight : ndarray of shape (n,)
        """
        slope, offset = _sigmoid(self.held_out, self.signs > 0)
        if not slope > 0:
            return 0.0
        held_out = expit(slope * self.held_out + offset)
        working = expit(slope * self.working + offset).mean(axis=0)
        mean, n = np.average(held_out, weights=weight), weight.sum() ** 2 / (weight @ weight)
        variance = max(np.average((held_out - mean) ** 2, weights=weight), working.var())
        error = np.sqrt(variance * (1 / n + 1 / len(working)))
        return float(abs(mean - working.mean()) / error) if error > 0 else 0.0


class RidgeMachine:
    """Kernel ridge regression on signs, with the methods that `CrossFittedOutputs` calls.

    Parameters
    ----------
    gram : array of shape (l, l)
    cross : array of shape (m, l)
        Kernel values of the working points with the training points.
    signs, costs : arrays of shape (l,)
        Points whose cost is 0 do not count.
    """

    def __init__(self, gram, cross, signs, costs):
        self._given = gram, cross, signs, costs > 0

    def solve(self):
        gram, cross, signs, used = self._given
        ridge = (np.diagonal(gram).mean() or 1.0) * np.eye(used.sum())
        dual = np.linalg.solve(gram[np.ix_(used, used)] + ridge, signs[used])
        self._values = np.r_[gram[:, used] @ dual, cross[:, used] @ dual]

    def decision_values(self):
        return self._values


def some_labels(signs):
    """Indices, rising, of at most `MAX_LABELS` points, of which each class has its share.

    There are more if the rarer class would have fewer than `MIN_LABELS`.
    """
    every = np.arange(len(signs))
    few = max(fewest_labels(signs, np.ones(len(signs))), 1)
    number = max(MAX_LABELS, ceil(MIN_LABELS * len(signs) / few))
    if number >= len(signs):
        return every
    by_class = np.argsort(signs, kind="stable")
    return np.sort(by_class[every[:number] * len(signs) // number])


def fewest_labels(signs, costs):
    """Number of labels of the rarer class, without those that cost nothing."""
    return int(min((signs[costs > 0] < 0).sum(), (signs[costs > 0] > 0).sum()))


def doubted_share(make, signs, costs, weight, positive, label):
    """Words on a share in the working points that is not that in the sample; "" without doubt.

    Parameters
    ----------
    make, signs, costs
        As for `CrossFittedOutputs`, which is only asked where `positive` gives reason to.
    weight : ndarray of shape (l,) or None
    positive : ndarray of bool, shape (m,)
        Working points that the estimator takes for positive.
    label : object
        The positive class.
    """
    # one working point is of a class of 10 % in a tenth of all cases
    if min(fewest_labels(signs, costs), len(positive)) < MIN_LABELS:
        return ""
    counted = costs > 0
    weight = np.ones(counted.sum()) if weight is None else weight[counted]
    weight = weight / weight.max()
    share, size = (
        np.average(signs[counted] > 0, weights=weight),
        weight.sum() ** 2 / (weight @ weight),
    )
    # most samples need no cross-validation
    if abs(np.mean(positive) - share) <= NOTICED * np.sqrt(share * (1 - share) / size):
        return ""
    outputs = CrossFittedOutputs(make, signs, costs)
    if not (distance := outputs.disagreement(weight)) > SUSPICIOUS:
        return ""
    return (
        f"the share of class {label} in the sample is {share:.2g}, that in the working points "
        f"seems to be {outputs.share():.2g}, {distance:.1f} standard errors away"
    )


def _share(outputs, positive, working):
    """Share of positive points among those of the outputs `working`.

    The probability of an output, under a share of positive points, is that of the sample times a
    ratio (Saerens, Latinne, Decaestecker 2002). Their iteration, EM, takes the mean of these
    probabilities for the next share. From few labels probabilities are too cautious, and so is
    that share. So the mean is compared with its means among the held-out points of either class
    (Bella et al. 2010): the share found is right on average whatever the sigmoid is.

    References
    ----------
    Saerens, Latinne, Decaestecker, Adjusting the Outputs of a Classifier to New a Priori
    Probabilities, Neural Computation 14 (2002). Bella, Ferri, Hernandez-Orallo, Ramirez-Quintana,
    Quantification via Probability Estimators, ICDM (2010).
    """
    slope, offset = _sigmoid(outputs, positive)
    if not slope > 0:
        return np.nan
    share = in_sample = positive.mean()
    for _ in range(MAX_ROUNDS):
        shift = offset + logit(np.clip(share, MIN_SHARE, 1 - MIN_SHARE)) - logit(in_sample)
        likely = expit(slope * outputs + shift)
        low, high = likely[~positive].mean(), likely[positive].mean()
        if not high > low:
            return np.nan
        before, mean = share, expit(slope * working + shift).mean()
        share = float(np.clip((mean - low) / (high - low), 0.0, 1.0))
        if abs(share - before) < SHARE_TOL:
            break
    return share


def _sigmoid(outputs, positive):
    """Slope and offset of the log odds of the positive class as a function of the output.

    References
    ----------
    Platt, Probabilistic Outputs for Support Vector Machines (1999), with his targets.
    """
    n_positive, n_negative = positive.sum(), (~positive).sum()
    target = np.where(positive, (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2))
    scale = outputs.std() or 1.0
    features = np.column_stack([outputs / scale, np.ones(len(outputs))])
    theta = np.array([0.0, np.log((n_positive + 1) / (n_negative + 1))])

    def loss(parameters):
        log_odds = features @ parameters
        return np.logaddexp(0.0, log_odds).sum() - target @ log_odds

    for _ in range(100):
        p = expit(features @ theta)
        slope = features.T @ (p - target)
        if np.abs(slope).max() < 1e-8 * len(outputs):
            break
        hessian = features.T @ (features * (p * (1 - p))[:, None])
        step = np.linalg.solve(hessian + 1e-10 * np.eye(2), slope)
        share = 1.0
        while loss(theta - share * step) > loss(theta) - 1e-4 * share * (slope @ step):
            share /= 2.0
            if share < 1e-8:
                return theta[0] / scale, theta[1]
        theta = theta - share * step
    return theta[0] / scale, theta[1]
