"""Scores of labels, probabilities and the order of confidences."""

import numpy as np

#: Probabilities closer to 0 or 1 count as these in the log loss.
LOG_LOSS_CLIP = 0.005
#: Upper ends of the classes of confidence max(p, 1 - p).
CONFIDENCE_ENDS = (0.6, 0.7, 0.8, 0.9, 1.0)
#: Share of the working points that is rejected.
REJECTED = 0.2


def expected_hits(values, hit):
    """Expected number of hits among the k largest values, k from 1 on; ties in random order.

    Parameters
    ----------
    values : ndarray of shape (m,)
    hit : ndarray of bool, shape (m,)

    Returns
    -------
    ndarray of shape (m,)
    """
    _, place, counts = np.unique(-np.asarray(values), return_inverse=True, return_counts=True)
    rates = np.bincount(place, weights=hit) / counts
    return np.cumsum(np.repeat(rates, counts))


def error_told(values, truth):
    """Error if the number of positives is given, and that many largest values are labelled +1.

    It judges an order of the working points independently of a threshold.

    Parameters
    ----------
    values : ndarray of shape (m,)
    truth : ndarray of bool, shape (m,)

    Returns
    -------
    float
    """
    number = int(truth.sum())
    found = expected_hits(values, truth)[number - 1] if number else 0.0
    return float(2.0 * (number - found) / len(truth))


def errors(answer, truth):
    """Error of the labels, and of the order of the values.

    Parameters
    ----------
    answer : Answer
    truth : ndarray of bool, shape (m,)

    Returns
    -------
    dict of str to float
        ``error``, and ``error_told`` of the function of that name.
    """
    return {
        "error": float(np.mean(answer.positive != truth)),
        "error_told": error_told(answer.value, truth),
    }


def rejection(confidence, wrong):
    """Errors among the points that are kept when the least sure ones are rejected.

    Parameters
    ----------
    confidence : ndarray of shape (m,)
    wrong : ndarray of bool, shape (m,)

    Returns
    -------
    dict of str to float
        ``error_kept``, the error with a fifth rejected; ``risk_area``, the mean error over all
        numbers of kept points: the area under the risk-coverage curve.
    """
    m = len(wrong)
    risk = expected_hits(confidence, wrong) / np.arange(1, m + 1)
    kept = int(np.ceil((1.0 - REJECTED) * m))
    return {"error_kept": float(risk[kept - 1]), "risk_area": float(risk.mean())}


def calibration(p, truth):
    """Brier score, log loss, mean confidence; points and right labels by class of confidence.

    Parameters
    ----------
    p : ndarray of shape (m,), or None
        Probability of +1. None gives missing values.
    truth : ndarray of bool, shape (m,)

    Returns
    -------
    dict of str to float
    """
    names = [f"{what}_{round(100 * b)}" for b in CONFIDENCE_ENDS for what in ("points", "right")]
    if p is None:
        return dict.fromkeys(("brier", "log_loss", "claimed", *names), np.nan)
    sure = np.maximum(p, 1.0 - p)
    right = (p >= 0.5) == truth
    which = np.minimum(np.digitize(sure, CONFIDENCE_ENDS), len(CONFIDENCE_ENDS) - 1)
    counts = [np.bincount(which, w, len(CONFIDENCE_ENDS)) for w in (np.ones(len(p)), right)]
    of_truth = np.clip(np.where(truth, p, 1.0 - p), LOG_LOSS_CLIP, 1.0 - LOG_LOSS_CLIP)
    return {
        "brier": float(np.mean((p - truth) ** 2)),
        "log_loss": float(-np.mean(np.log(of_truth))),
        "claimed": float(sure.mean()),
        **dict(zip(names, np.column_stack(counts).ravel().tolist(), strict=True)),
    }
