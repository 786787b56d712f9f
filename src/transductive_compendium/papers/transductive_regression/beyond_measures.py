"""Transductive regression beyond the document: working sets, the choice of gamma*, tuned ridge."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ...verdicts import overlapping_splits as draws
from ...verdicts.claims import measure
from ...verdicts.rules import EquivalenceEvidence, OrderingEvidence
from .beyond import N_JUDGED, ROWS, SINE
from .regression_measures import N_ROWS, splits_overlap
from .scaling_search import N_TEST, PUBLISHED

__all__ = ["at", "choice", "errors", "overlap", "ridge", "summary"]

DOCUMENT = "transductive_regression"
# rows of each table; the sizes of its splits are those of the experiments
_N_ROWS = {**N_ROWS, "diabetes": 442, "usps": 9298}


#: Share of its rows that a shifted draw of kin-32fh has in common with another: more than
#: uniform draws have, since rows where the weight is large come again and again.
SHARED = {"mild": 0.043, "strong": 0.205, "strong, aside": 0.210}


def overlap(dataset, m=None, shift="none"):
    """The ratio by which the variance of a mean over splits grows, as they share rows.

    As `regression.overlap`; nothing is shared by draws of the sine.

    Parameters
    ----------
    dataset : str
    m : int, optional
        Size of the working sets, if it is not the one of the data set's splits.
    shift : str
        Which shift of the working sets; of 256 working points, and about right for fewer.
    """
    if dataset in SINE:
        return 0.0
    if shift in SHARED:
        return draws.overlap(SHARED[shift], 1.0)
    if dataset in ROWS:
        n_train, n_test = ROWS[dataset]
    else:
        n_train, n_test = PUBLISHED[dataset][0], N_TEST[dataset]
    n_test = n_test if m is None else max(m, N_JUDGED)
    return splits_overlap(n_train, n_test, _N_ROWS[dataset])


# ---- working sets -------------------------------------------------------------------------------


def errors(frames, method, m, reading, place="chosen", shift="none"):
    """Mean squared errors by split.

    Parameters
    ----------
    frames : dict of str to DataFrame
    method : str
        A column without its ``_mse``.
    m : int
        Size of the working set.

    Returns
    -------
    Series
        Index: the unit's key.
    """
    frame = frames[f"{DOCUMENT}/working_sets"]
    frame = frame[(frame["reading"] == reading) & (frame["place"] == place) & (frame["m"] == m)]
    frame = frame[frame["shift"] == shift]
    return frame.set_index(["largest", "split"])[f"{method}_mse"]


@measure
def lower_error(frames, better, worse, m, reading, place="chosen", shift="none", worse_m=None):
    """Error of `worse` less that of `better`, where working sets of both sizes were tried."""
    gap = errors(frames, worse, worse_m or m, reading, place, shift) - errors(
        frames, better, m, reading, place, shift
    )
    return OrderingEvidence(
        differences=gap.dropna(), test_train_ratio=overlap("kin32fh", max(m, worse_m or m), shift)
    )


@measure
def same_error(frames, one, other, m, reading):
    """Error of `one` less that of `other`, in percent of the mean error of ridge regression."""
    gap = errors(frames, one, m, reading) - errors(frames, other, m, reading)
    scale = errors(frames, "rr", m, reading).mean()
    return EquivalenceEvidence(100.0 * gap / scale, overlap("kin32fh", m))


@measure
def share_of_gain(frames, part, whole, share, reading, place="chosen", shift="none"):
    """What `part` gains on ridge regression, less a share of what `whole` gains.

    Parameters
    ----------
    part, whole : list
        Method and size of the working set.
    """
    gains = []
    for method, m in (part, whole):
        of = {"m": m, "reading": reading, "place": place, "shift": shift}
        gains.append(errors(frames, "rr", **of) - errors(frames, method, **of))
    gap = (gains[0] - share * gains[1]).dropna()
    ratio = overlap("kin32fh", max(part[1], whole[1]), shift)
    return OrderingEvidence(differences=gap, test_train_ratio=ratio)


# ---- gamma* by leave-one-out --------------------------------------------------------------------


def _rows(frames, item, dataset, reading):
    frame = frames[f"{DOCUMENT}/{item}"]
    return frame[(frame["dataset"] == dataset) & (frame["reading"] == reading)]


def choice(frame):
    """The row of each split whose leave-one-out error of the transduction is least.

    Index: the split. `frame` has one data set and one reading.
    """
    return frame.loc[frame.groupby("split")["loo"].idxmin()].set_index("split")


def at(frame, alpha_star):
    """The row of each split at the gamma* nearest to one of the grid, which may be infinite."""
    grid = frame["alpha_star"].unique()
    nearest = np.inf if np.isinf(alpha_star) else grid[np.abs(np.log(grid / alpha_star)).argmin()]
    return frame[frame["alpha_star"] == nearest].set_index("split")


def ridge(frame):
    """The row of each split of ridge regression itself, gamma* infinite."""
    return at(frame, np.inf)


def summary(rows):
    """Mean errors of each data set and reading: ridge regression, its controls, transduction.

    Returns
    -------
    DataFrame
        Index: data set and reading. Test errors: of ridge regression, with a basis function of
        its own at each working point, with those of all working points, with gamma chosen again;
        at the gamma* chosen split by split, and at the one gamma* that is best in hindsight. The
        leave-one-out errors of ridge regression and of the choice. Where in the grid the mean
        test and the mean leave-one-out error are least.
    """
    found = {}
    for key, frame in rows.groupby(["dataset", "reading"], sort=False):
        chosen, base = choice(frame).mean(numeric_only=True), ridge(frame).mean(numeric_only=True)
        means = frame.groupby("alpha_star")[["mse", "loo"]].mean()
        found[key] = {
            "ridge": base["mse"],
            "own": base["rr_own_mse"],
            "joint": base["rr_joint_mse"],
            "retuned": base["rr_retuned_mse"],
            "chosen": chosen["mse"],
            "hindsight": means["mse"].min(),
            "ridge_loo": base["loo"],
            "chosen_loo": chosen["loo"],
            "least_test": means["mse"].idxmin(),
            "least_loo": means["loo"].idxmin(),
        }
    table = pd.DataFrame(found).T
    return table.rename_axis(["dataset", "reading"])


@measure
def choice_no_worse(frames, item, dataset, reading, than=None):
    """Error at the chosen gamma* less that at a fixed one (by default ridge regression's).

    In percent of the mean error of ridge regression.
    """
    frame = _rows(frames, item, dataset, reading)
    other = at(frame, np.inf if than is None else than)["mse"]
    gap = 100.0 * (choice(frame)["mse"] - other) / ridge(frame)["mse"].mean()
    return EquivalenceEvidence(gap, overlap(dataset))


@measure
def choice_better(frames, item, dataset, reading):
    """Error of ridge regression less that at the chosen gamma*."""
    frame = _rows(frames, item, dataset, reading)
    gap = ridge(frame)["mse"] - choice(frame)["mse"]
    return OrderingEvidence(differences=gap, test_train_ratio=overlap(dataset))


@measure
def own_basis_helps(frames, item, dataset, reading):
    """Error of ridge regression less that with a basis function of its own at each point."""
    base = ridge(_rows(frames, item, dataset, reading))
    gap = base["mse"] - base["rr_own_mse"]
    return OrderingEvidence(differences=gap, test_train_ratio=overlap(dataset))


@measure
def own_basis_share(frames, item, dataset, reading, than, share):
    """What own basis functions gain on ridge regression less a share of a fixed gamma*'s gain."""
    frame = _rows(frames, item, dataset, reading)
    base = ridge(frame)
    gap = base["mse"] - base["rr_own_mse"] - share * (base["mse"] - at(frame, than)["mse"])
    return OrderingEvidence(differences=gap, test_train_ratio=overlap(dataset))


@measure
def promise_broken(frames, item, dataset, reading):
    """Gain on ridge regression that leave-one-out promises, less the gain on the test part."""
    frame = _rows(frames, item, dataset, reading)
    chosen, base = choice(frame), ridge(frame)
    promised = 1.0 - chosen["loo"] / base["loo"]
    kept = (base["mse"] - chosen["mse"]) / base["mse"].mean()
    return OrderingEvidence(differences=promised - kept, test_train_ratio=overlap(dataset))


@measure
def own_basis_optimism(frames, item, dataset, reading):
    """Test error of ridge regression less its leave-one-out error (15)."""
    base = ridge(_rows(frames, item, dataset, reading))
    return OrderingEvidence(
        differences=base["mse"] - base["loo"], test_train_ratio=overlap(dataset)
    )


@measure
def own_basis_restored(frames, item, dataset, reading, column):
    """Error of a control less the leave-one-out error (15), in percent of the latter's mean."""
    base = ridge(_rows(frames, item, dataset, reading))
    gap = 100.0 * (base[column] - base["loo"]) / base["loo"].mean()
    return EquivalenceEvidence(gap, overlap(dataset))
