"""Small ridges: rounding errors by route against their bound, and where digits are lost."""

import numpy as np

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics
from .small_ridge import N_POINTS

ITEM = "transductive_regression/small_ridge"

FACTOR = "factor of K"
_EPS = np.finfo(float).eps


def residual_bound(rows):
    """Bound on `error_of_complement`, with ``4 sqrt(n) eps |K|`` for the rounding of K."""
    eta = 4.0 * np.sqrt(N_POINTS) * _EPS * rows["norm"] / np.sqrt(rows["gamma"])
    factor = ((eta + np.hypot(eta, 2.0)) / 2.0) ** 2
    return (factor**2 - 1.0) / 2.0


def digits_table(rows, route):
    """Errors of a route for each data set and width (rows) and gamma (columns).

    Refused cases are missing.
    """
    part = rows[rows["route"] == route]
    return part.pivot(index=["dataset", "wider", "split"], columns="gamma", values="error")


@measure
def factor_within_bound(frames):
    """Whether the error is always within its bound, and nothing is refused where eta is below 1."""
    rows = frames[ITEM]
    rows = rows[rows["route"] == FACTOR]
    share = (rows["error_of_complement"] / residual_bound(rows))[~rows["refused"]]
    needless = rows["refused"] & (
        4.0 * np.sqrt(N_POINTS) * _EPS * rows["norm"] < np.sqrt(rows["gamma"])
    )
    return Mathematics(
        true=len(rows) - int((share > 1).sum()) - int(needless.sum()),
        cases=len(rows),
        shown=f"at most {share.max():.1%} of the bound; smallest gamma accepted "
        f"{rows.loc[~rows['refused'], 'gamma'].min():.0e}",
    )


@measure
def digits_lost(frames, route, lost, kept, other=FACTOR, singular=False):
    """Whether `route` errs by `lost` or more where `other` errs by no more than `kept`.

    Parameters
    ----------
    frames : dict
    route, other : str
    lost, kept : float
        As shares of the largest residual. Numbers that are not finite count as lost.
    singular : bool, default False
        Whether to use only cases in which K is nearly singular.
    """
    rows = frames[ITEM]
    kept_errors, lost_errors = digits_table(rows, other), digits_table(rows, route)
    if singular:
        kept_errors, lost_errors = (
            table[table.index.get_level_values("wider") > 0] for table in (kept_errors, lost_errors)
        )
    shown = (lost_errors.fillna(np.inf) >= lost) & (kept_errors <= kept)
    first = [
        f"{name}, {lost_errors.columns[shown.loc[key]].max():.0e}"
        if shown.loc[key].any()
        else f"{name}: at none"
        for key, name in _names(shown.index)
    ]
    return Mathematics(
        true=int(shown.any(axis=1).sum()),
        cases=len(shown),
        shown=f"largest such gamma: {'; '.join(first)}",
    )


def _names(index):
    for key in index:
        name, wider, _ = key
        yield key, f"{name} ({'nearly singular' if wider else 'published width'})"
