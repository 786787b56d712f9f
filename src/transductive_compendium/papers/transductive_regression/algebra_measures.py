"""Identities, rounding, low rank and whose basis function goes: measures and tables."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ...verdicts.claims import measure
from ...verdicts.rules import (
    EquivalenceEvidence,
    IdentityEvidence,
    OrderingEvidence,
    ShapeEvidence,
)
from .algebra import N_POINTS

__all__ = ["choices", "digits_table", "residual_bound"]

DOCUMENT = "transductive_regression"
IDENTITIES, SMALL_RIDGE = f"{DOCUMENT}/identities", f"{DOCUMENT}/small_ridge"
LOW_RANK, BASIS = f"{DOCUMENT}/low_rank", f"{DOCUMENT}/basis_functions"
FACTOR = "factor of K"
_EPS = np.finfo(float).eps

# ---- identities ---------------------------------------------------------------------------------


@measure
def largest_deviation(frames, columns):
    """The largest relative difference in any of the columns."""
    return IdentityEvidence(error=float(frames[IDENTITIES][columns].to_numpy().max()))


@measure
def printed_is_wrong(frames, excess):
    """Whether (34) as printed never conforms with l != m, and is worse by `excess` with l = m."""
    rows = frames[IDENTITIES]
    conforms, least = int(rows["printed_conforms"].sum()), rows["printed_excess"].min()
    return ShapeEvidence(
        bool(conforms == 0 and least >= excess),
        f"conforms in {conforms} of {len(rows)} cases with more training than working points; as "
        f"many of both: (30) exceeds its minimum by {least:.1%} to "
        f"{rows['printed_excess'].max():.3g} times",
    )


# ---- small ridges -------------------------------------------------------------------------------


def residual_bound(rows):
    """Bound on `error_of_complement`, with ``4 sqrt(n) eps |K|`` for the rounding of K."""
    eta = 4.0 * np.sqrt(N_POINTS) * _EPS * rows["norm"] / np.sqrt(rows["gamma"])
    factor = ((eta + np.hypot(eta, 2.0)) / 2.0) ** 2
    return (factor**2 - 1.0) / 2.0


def digits_table(rows, route):
    """Errors of a route for each data set and width (rows) and gamma (columns).

    What was refused is missing; a route that ended in numbers that are not finite is infinite.
    """
    part = rows[rows["route"] == route]
    return part.pivot(index=["dataset", "wider", "split"], columns="gamma", values="error")


@measure
def factor_within_bound(frames):
    """Whether the error never exceeds its bound, and nothing is refused where eta is below 1."""
    rows = frames[SMALL_RIDGE]
    rows = rows[rows["route"] == FACTOR]
    share = (rows["error_of_complement"] / residual_bound(rows))[~rows["refused"]].max()
    needless = rows["refused"] & (
        4.0 * np.sqrt(N_POINTS) * _EPS * rows["norm"] < np.sqrt(rows["gamma"])
    )
    return ShapeEvidence(
        bool(share <= 1 and not needless.any()),
        f"at most {share:.1%} of the bound over {len(rows)} cases; "
        f"{int(needless.sum())} refused without need, smallest gamma accepted "
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
        Of the largest residual. Numbers that are not finite are lost.
    singular : bool, default False
        Only where K is nearly singular.
    """
    rows = frames[SMALL_RIDGE]
    ours, theirs = digits_table(rows, other), digits_table(rows, route)
    if singular:
        ours, theirs = (
            table[table.index.get_level_values("wider") > 0] for table in (ours, theirs)
        )
    shown = (theirs.fillna(np.inf) >= lost) & (ours <= kept)
    first = [
        f"{name}, {theirs.columns[shown.loc[key]].max():.0e}"
        if shown.loc[key].any()
        else f"{name}: at none"
        for key, name in _names(shown.index)
    ]
    return ShapeEvidence(
        bool(shown.any(axis=1).all()),
        f"largest such gamma: {'; '.join(first)}",
    )


def _names(index):
    for key in index:
        name, wider, _ = key
        yield key, f"{name} ({'nearly singular' if wider else 'published width'})"


# ---- low rank -----------------------------------------------------------------------------------


@measure
def truncation_bounds(frames):
    """Whether the error of C is within its bound in every row."""
    rows = frames[LOW_RANK]
    # what rounding adds where nothing is left out
    holds = rows["complement"] <= rows["bound"] * (1 + 1e-6) + 1e-9
    share = rows["complement"] / rows["bound"]
    return ShapeEvidence(
        bool(holds.all()),
        f"{int((~holds).sum())} of {len(rows)} cases above; between {share.min():.2g} and "
        f"{share.max():.2g} of the bound",
    )


@measure
def values_within(frames, truncation, error):
    """Whether Y* is right to `error` standard deviations wherever the truncation is small."""
    rows = frames[LOW_RANK]
    rows = rows[rows["truncation"] <= truncation]
    worst = rows["transduction"].max()
    return ShapeEvidence(
        bool(len(rows) and worst <= error),
        f"largest error {worst:.1g} standard deviations in {len(rows)} cases",
    )


# ---- whose basis function goes ------------------------------------------------------------------


def choices(rows):
    """What each leave-one-out error chooses, and what comes of it.

    Parameters
    ----------
    rows : DataFrame
        Rows of ``basis_functions``.

    Returns
    -------
    DataFrame
        A row for each data set, split and `estimate` ("kept", "dropped", "norm", and "test", which
        chooses in hindsight), with the chosen gamma and log sigma, the estimate there and the test
        error.
    """
    found = []
    for (dataset, split), part in rows.groupby(["dataset", "split"], sort=False):
        for estimate in ("kept", "dropped", "norm", "test"):
            best = part.loc[part[estimate].idxmin()]
            test = "test_norm" if estimate == "norm" else "test"
            found.append(
                {
                    "dataset": dataset,
                    "split": split,
                    "estimate": estimate,
                    "gamma": best["gamma"],
                    "log_sigma": best["log_sigma"],
                    "loo_error": best[estimate],
                    "test_error": best[test],
                }
            )
    return pd.DataFrame(found)


# a quarter of all rows is the test part
_RATIO = 1 / 3


@measure
def choice_of_basis(frames, dataset):
    """Test error at the choice of (15) less that without the basis function, over the mean."""
    table = choices(frames[BASIS])
    errors = table[table["dataset"] == dataset].pivot(
        index="split", columns="estimate", values="test_error"
    )
    difference = (errors["kept"] - errors["dropped"]) / errors["dropped"].mean()
    return EquivalenceEvidence(difference, test_train_ratio=_RATIO)


@measure
def nearer_without_basis(frames, dataset, largest):
    """How much further (15) is from the test error, in logarithms, for gamma up to `largest`."""
    rows = frames[BASIS]
    rows = rows[(rows["dataset"] == dataset) & (rows["gamma"] <= largest * (1 + 1e-9))]
    logs = np.log(rows[["kept", "dropped"]]).sub(np.log(rows["test"]), axis=0).abs()
    return OrderingEvidence(
        differences=(logs["kept"] - logs["dropped"]).groupby(rows["split"]).mean(),
        test_train_ratio=_RATIO,
    )
