"""Error against rejection as a function of how often each split counts: figure 2, resampled."""

from __future__ import annotations

import numpy as np

#: A gap that is not defined: the statement does not come out.
UNDEFINED = -1.0


class ErrorCurve:
    """Mean rejection and error over splits at each threshold.

    Parameters
    ----------
    confidence, wrong : arrays of shape (splits, points)
    thresholds : increasing array
        A point is rejected if its confidence is below.
    pooled : bool
        All errors over all kept, in the place of the mean of each split's share.
    """

    def __init__(self, confidence, wrong, thresholds, pooled=False):
        n, size = confidence.shape
        self.pooled = pooled
        self.kept = np.empty((n, len(thresholds)))
        self.errors = np.empty((n, len(thresholds)))
        for i in range(n):
            order = np.argsort(confidence[i])
            rejected = np.searchsorted(confidence[i][order], thresholds)
            rest = np.r_[0.0, np.cumsum(wrong[i][order][::-1])]
            self.kept[i], self.errors[i] = size - rejected, rest[size - rejected]
        self.rejection = 1.0 - self.kept / size
        self.some = (self.kept > 0).astype(float)
        self.share = self.errors / np.maximum(self.kept, 1.0)

    def means(self, weights):
        """Rejection and error at each threshold; nan where nothing is kept."""
        rejection = weights @ self.rejection / weights.sum()
        with np.errstate(invalid="ignore", divide="ignore"):
            if self.pooled:
                return rejection, (weights @ self.errors) / (weights @ self.kept)
            return rejection, (weights @ self.share) / (weights @ self.some)

    def _near(self, weights, rate):
        """Thresholds around a mean rejection rate, and the part of the second."""
        rejection = weights @ self.rejection / weights.sum()
        after = min(int(np.searchsorted(rejection, rate)), len(rejection) - 1)
        before = max(after - 1, 0)
        width = rejection[after] - rejection[before]
        part = (rate - rejection[before]) / width if width > 0 else 1.0
        return before, after, float(np.clip(part, 0.0, 1.0))

    def error_spread(self, weights, rate):
        """Standard deviation over splits of the error at a mean rejection rate."""
        before, after, part = self._near(weights, rate)
        error = (1.0 - part) * self.share[:, before] + part * self.share[:, after]
        here = weights * self.some[:, after]
        total = here.sum()
        if not total:
            return np.nan
        mean = here @ error / total
        return float(np.sqrt(max(here @ error**2 / total - mean**2, 0.0)))

    def rejection_spread(self, weights, rate):
        """Standard deviation over splits of the rejection rate where its mean is `rate`."""
        before, after, part = self._near(weights, rate)
        found = (1.0 - part) * self.rejection[:, before] + part * self.rejection[:, after]
        mean = weights @ found / weights.sum()
        return float(np.sqrt(max(weights @ found**2 / weights.sum() - mean**2, 0.0)))


def bar_at(curve, weights, rate):
    """Horizontal error bar of a curve: one standard deviation of the mean rejection."""
    return curve.rejection_spread(weights, rate) / np.sqrt(weights.sum())


def rejection_at_error(rejection, error, level):
    """Mean rejection at the first threshold at which the mean error is at most `level`."""
    below = np.flatnonzero(error <= level)
    if not len(below):
        return np.nan
    i = below[0]
    if i == 0:
        return rejection[0]
    part = (error[i - 1] - level) / (error[i - 1] - error[i])
    return rejection[i - 1] + part * (rejection[i] - rejection[i - 1])


def ranks(x):
    """Ranks, the mean of them among equals."""
    _, group, count = np.unique(x, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count - 1) / 2.0)[group]
