"""Error against rejection as a function of how often each split counts: figure 2, resampled."""

from __future__ import annotations

import numpy as np

#: Value of a gap that is not defined; the statement then does not come out.
UNDEFINED = -1.0


def interp(at, x, y):
    """`numpy.interp` row by row: `at` of shape (r, k), `x` and `y` of shape (r, t)."""
    return np.array([np.interp(*row) for row in zip(at, x, y, strict=True)])


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
        """Rejection and error at each threshold by row of weights; NaN where no point is kept."""
        rejection, above, below = np.split(weights @ self._means, 3, axis=-1)
        error = np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)
        return rejection / weights.sum(axis=-1, keepdims=True), error

    def spreads(self, weights, rates):
        """Standard deviations over splits of rejection and error, at mean rejection rates.

        There is a row of rates for each row of weights.
        """
        squares, share, share_squares, some = np.split(weights @ self._squares, 4, axis=-1)
        total, rejection = weights.sum(axis=-1, keepdims=True), self.means(weights)[0]
        some = np.where(some > 0, some, np.nan)
        variances = squares / total - rejection**2, share_squares / some - (share / some) ** 2
        found = (np.sqrt(np.maximum(variance, 0.0)) for variance in variances)
        return tuple(interp(rates, rejection, spread) for spread in found)


def rejection_at_error(rejection, error, levels):
    """Mean rejection at the first threshold at which the mean error is at most a level.

    All arguments have a row for each repetition, and so has the result; NaN where no error is.
    """
    below = error[:, None, :] <= levels[:, :, None]
    first = below.argmax(axis=-1)
    before = np.maximum(first - 1, 0)
    (r0, r1), (e0, e1) = (
        [np.take_along_axis(values, i, axis=1) for i in (before, first)]
        for values in (rejection, error)
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        found = np.where(first > 0, r0 + (e0 - levels) / (e0 - e1) * (r1 - r0), r1)
    return np.where(below.any(axis=-1), found, np.nan)
