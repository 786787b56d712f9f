"""Error against rejection: the error that remains when the least confident points get no label.

It compares Bayesian transduction and the kernel Gibbs sampler with the SVM on the recorded splits
of thyroid and heart; Graepel et al. (2000), section 4.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

#: A test point is unanimous, and kept at theta = 1, if p+ is 0 or 1 up to rounding.
UNANIMOUS = 1.0 - 1e-9


class Outcomes(NamedTuple):
    """Both methods' results at the test points: matrices of shape (splits, test points).

    ``confidence`` is (7) for Bayesian transduction, ``margin`` is |f| of the
    SVM; ``wrong`` and ``wrong_svm`` mark the wrong labels.
    """

    confidence: np.ndarray
    margin: np.ndarray
    wrong: np.ndarray
    wrong_svm: np.ndarray


def confidence_of(p_plus):
    """Confidence of the label that p+ gives, by equation (7): |2 p+ - 1|."""
    return 2.0 * np.maximum(p_plus, 1.0 - p_plus) - 1.0


def outcomes(frame):
    """Matrices from tidy rows with the columns split, label, p_plus and f.

    Raises
    ------
    ValueError
        If the splits' test samples have different sizes.
    """
    size = frame.groupby("split").size()
    if size.nunique() != 1:
        raise ValueError("the splits have test samples of different sizes")
    shape = len(size), int(size.iloc[0])
    label, p_plus, f = (
        frame[name].to_numpy(dtype=float).reshape(shape) for name in ("label", "p_plus", "f")
    )
    return Outcomes(
        confidence_of(p_plus), np.abs(f), (p_plus >= 0.5) != (label > 0), (f >= 0.0) != (label > 0)
    )


def theta_max(confidence, outputs):
    """SVM threshold with the same rejection rate as Bayesian transduction at theta = 1.

    Parameters
    ----------
    confidence, outputs : arrays of shape (splits, points)
        Confidence (7) and |f|.

    Returns
    -------
    theta : float
        Quantile of |f| over all splits and points.
    """
    return float(np.quantile(outputs, np.mean(confidence < UNANIMOUS)))


def curve(confidence, wrong, thresholds):
    """Error against rejection, linked by the threshold: how figure 2 is drawn.

    Points with confidence below the threshold are rejected; at the threshold
    of 1, points that are unanimous up to rounding are kept. A split without
    kept points is left out of the mean error at that threshold.

    Parameters
    ----------
    confidence, wrong : arrays of shape (splits, points)
    thresholds : array of shape (t,)

    Returns
    -------
    DataFrame
        Rejection and error, means over splits with one standard deviation of
        the mean, and the number of splits with kept points.
    """
    rows = []
    for theta in thresholds:
        kept = confidence >= (min(theta, UNANIMOUS) if theta <= 1.0 else theta)
        counts = kept.sum(axis=1)
        rejection = 1.0 - counts / kept.shape[1]
        some = counts > 0
        error = (wrong & kept).sum(axis=1)[some] / counts[some]
        rows.append(
            {
                "theta": theta,
                "rejection": rejection.mean(),
                "rejection_error": rejection.std(ddof=1) / np.sqrt(len(rejection)),
                "error": error.mean() if some.any() else np.nan,
                "error_error": error.std(ddof=1) / np.sqrt(some.sum())
                if some.sum() > 1
                else np.nan,
                "splits": int(some.sum()),
            }
        )
    return pd.DataFrame(rows)


def error_at_rejection(confidence, wrong, rates):
    """Error of each split when the given fractions of its points are rejected.

    For points of equal confidence it is the expectation over their orders, so
    ties favour no method.

    Parameters
    ----------
    confidence, wrong : arrays of shape (splits, points)
    rates : array of shape (r,)
        Rejection rates below 1.

    Returns
    -------
    error : ndarray of shape (splits, r)
    """
    rates = np.atleast_1d(rates)
    n_points = confidence.shape[1]
    kept = (1.0 - rates) * n_points
    result = np.empty((len(confidence), len(rates)))
    for i, (c, w) in enumerate(zip(confidence, wrong, strict=True)):
        # unanimous points tie, whatever their last bits
        _, group = np.unique(-np.minimum(c, UNANIMOUS), return_inverse=True)
        count = np.r_[0.0, np.cumsum(np.bincount(group))]
        errors = np.r_[0.0, np.cumsum(np.bincount(group, weights=w))]
        result[i] = np.interp(kept, count, errors) / kept
    return result
