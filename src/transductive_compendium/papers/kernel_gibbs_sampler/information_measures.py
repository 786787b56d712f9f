"""Rank correlations of a label's entropy with the label's information, and closed forms."""

import numpy as np

from transductive.version_space.active_learning import binary_entropy

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics

# A rank correlation of fewer candidates than this is meaningless.
MIN_CANDIDATES = 5


def as_expected(p_plus, flip_rate):
    """Expected information in a label, in bits: ``H(q + (1 - 2 q) p) - H(q)``, from p and q."""
    p = np.asarray(p_plus, dtype=float)
    observed = np.clip(p + flip_rate - 2.0 * flip_rate * p, 0.0, 1.0)
    return binary_entropy(observed) - binary_entropy(flip_rate)


def rank_correlations(frame, indicator, outcome):
    """Spearman's rank correlation over the candidates of each training sample.

    Parameters
    ----------
    frame : DataFrame
        Rows of the information experiment.
    indicator : str
        "entropy", "entropy_sampled" or "margin", whose sign is turned.
    outcome : str
        "gain" (in bits, of the label that the truth gives), "gain_expected" (by the posterior),
        "risk_drop" or "error_drop".

    Returns
    -------
    DataFrame
        A row for each replication, a column for each (law, flip rate, number of points). 0 where
        indicator or outcome is equal for all candidates.
    """
    sign = -1.0 if indicator == "margin" else 1.0

    def rho(rows):
        if len(rows) < MIN_CANDIDATES:
            return np.nan
        if rows[indicator].nunique() == 1 or rows[outcome].nunique() == 1:
            return 0.0
        return sign * rows[indicator].rank().corr(rows[outcome].rank())

    groups = frame.groupby(["law", "flip_rate", "m", "replication"])[[indicator, outcome]]
    return groups.apply(rho).unstack(["law", "flip_rate", "m"])


@measure("kernel_gibbs_sampler/information")
def information_expected(rows):
    """Entropy lost by exact posteriors, on average over labels, against its closed form."""
    closed = as_expected(rows["p_plus"], rows["flip_rate"])
    return Mathematics(float((rows["gain_expected"] - closed).abs().max()))
