"""Does a statement carry over to new patients, images, documents? Asked of the five headlines only.

References
----------
Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 11: the jackknife that leaves
out groups.
"""

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import stdtrit

from .rules import LEVEL, EvidenceError, Repeats, number

CARRIES, NOT_SHOWN, REVERSED = "carries over", "not shown to carry over", "reversed on new cases"


def carries_over(
    whole: Repeats, left_out: Sequence[Repeats], margin: float | None = None
) -> tuple[str, str]:
    """Whether every gap stays above zero on new cases: jackknife over groups of cases.

    Parameters
    ----------
    whole : Repeats
        Evidence from all cases.
    left_out : sequence of Repeats
        One for each group, with everything refitted without its cases.
    margin : float, optional
        Margin of an equivalence.

    Returns
    -------
    mark, detail : str

    Notes
    -----
    With G groups the variance is (G - 1)/G times the sum of squared deviations of the G estimates,
    minus their Monte Carlo variance, (G - 1)^2/G times its mean over groups, plus the Monte Carlo
    variance of the whole. The limit is one-sided, at 5 %, by Student's t with G - 1 degrees of
    freedom.
    """
    G = len(left_out)
    if G < 2:
        raise EvidenceError("a jackknife needs at least two groups")
    if not all(isinstance(found, Repeats) for found in (whole, *left_out)):
        raise EvidenceError("a jackknife needs Repeats of the whole and without each group")
    means, found = whole.estimate, [group.estimate for group in left_out]
    if any(estimate.shape != means.shape for estimate in found):
        raise EvidenceError("without a group there are other quantities than of all cases")
    estimates = np.array(found)
    own = np.mean([group.mean_variance() for group in left_out], axis=0)
    variance = (G - 1) / G * ((estimates - estimates.mean(axis=0)) ** 2).sum(axis=0)
    variance = np.maximum(variance - (G - 1) ** 2 / G * own, 0.0) + whole.mean_variance()
    reach = stdtrit(G - 1, 1 - LEVEL) * np.sqrt(variance)
    return _mark(means, reach, margin, f"jackknife over {G} groups of cases")


def carries_over_disjoint(
    by_group: Sequence[Repeats], margin: float | None = None
) -> tuple[str, str]:
    """Whether every gap stays above zero on new cases, from disjoint training sets.

    Parameters
    ----------
    by_group : sequence of Repeats
        One for each group of test cases; its draws are training sets that share no case.
    margin : float, optional
        Margin of an equivalence.

    Returns
    -------
    mark, detail : str

    Notes
    -----
    The variance of a gap's mean is the variance between training sets (of means over test cases)
    divided by the number of sets, plus the variance between groups (of means over sets) divided by
    the number of groups; remaining variance is counted twice. The limit is one-sided, at 5 %, by
    Student's t; its degrees of freedom are the smaller of the two numbers minus one.
    """
    if len(by_group) < 2:
        raise EvidenceError("disjoint training sets need at least two groups of test cases")
    gaps = np.stack([group.gaps for group in by_group])  # groups, sets, quantities
    means, reach, sets = [], [], []
    for cells in np.moveaxis(gaps, 2, 0):
        cells = cells[:, ~np.isnan(cells).any(axis=0)]
        T, S = cells.shape
        if S < 2:
            raise EvidenceError("every quantity needs at least two disjoint training sets")
        variance = cells.mean(axis=0).var(ddof=1) / S + cells.mean(axis=1).var(ddof=1) / T
        means.append(cells.mean())
        reach.append(stdtrit(min(S, T) - 1, 1 - LEVEL) * math.sqrt(variance))
        sets.append(S)
    numbers = " to ".join(map(str, sorted({min(sets), max(sets)})))
    what = f"{numbers} disjoint training sets, {len(gaps)} groups of test cases"
    return _mark(np.array(means), np.array(reach), margin, what)


def _mark(means, reach, margin, what):
    """The mark of all gaps together, by the smallest lower limit."""
    if margin is not None:
        means = margin - np.abs(means)
    least = int(np.argmin(means - reach))
    detail = (
        f"{what}: smallest lower limit {number(means[least] - reach[least])} "
        f"(estimate {number(means[least])})"
    )
    if (means - reach > 0).all():
        return CARRIES, detail
    return (REVERSED if (means + reach < 0).any() else NOT_SHOWN), detail
