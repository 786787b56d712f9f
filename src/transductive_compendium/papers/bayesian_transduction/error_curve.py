"""Error against rejection as a function of how often each split counts: figure 2, resampled."""

from __future__ import annotations

import numpy as np

#: Value of a gap that is not defined; the statement then does not come out.
UNDEFINED = -1.0


class ErrorCurve:
    """Mean rejection and error over splits at each threshold.

    Parameters
    ----------
    confidence, wrong : arrays of shape (splits, points)
    thresholds : increasing array
        A point is rejected if its confidence is below the threshold.
    pooled : bool
        Divide all errors by all kept points, instead of averaging each split's share.
    """

    def __init__(self, confidence, wrong, thresholds, pooled=False):
        n, size = confidence.shape
        kept, errors = np.empty((n, len(thresholds))), np.empty((n, len(thresholds)))
        for i in range(n):
            order = np.argsort(confidence[i])
            rejected = np.searchsorted(confidence[i][order], thresholds)
            rest = np.r_[0.0, np.cumsum(wrong[i][order][::-1])]
            kept[i], errors[i] = size - rejected, rest[size - rejected]
        some, share = (kept > 0).astype(float), errors / np.maximum(kept, 1.0)
        rejection = 1.0 - kept / size
        above, below = (errors, kept) if pooled else (share, some)
        # all quantities to be summed over splits, side by side: one product sums them
        self._means = np.hstack([rejection, above, below])
        self._squares = np.hstack([rejection**2, share, share**2, some])

    def means(self, weights):
        """Rejection and error at each threshold; NaN where no point is kept."""
        rejection, above, below = (weights @ self._means).reshape(3, -1)
        error = np.divide(above, below, out=np.full(len(above), np.nan), where=below > 0)
        return rejection / weights.sum(), error

    def spreads(self, weights, rates):
        """Standard deviations over splits of rejection and error, at mean rejection rates."""
        squares, share, share_squares, some = (weights @ self._squares).reshape(4, -1)
        total = weights.sum()
        rejection = (weights @ self._means).reshape(3, -1)[0] / total
        some = np.where(some > 0, some, np.nan)
        variances = squares / total - rejection**2, share_squares / some - (share / some) ** 2
        found = (np.sqrt(np.maximum(variance, 0.0)) for variance in variances)
        return tuple(np.interp(rates, rejection, spread) for spread in found)


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
