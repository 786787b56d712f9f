"""Transduction with gamma* chosen by leave-one-out, compared with ridge regression."""

import numpy as np
import pandas as pd

from ...verdicts import overlapping_splits
from ...verdicts.claims import measure
from ...verdicts.rules import Repeats
from .regression_setting import N_ROWS, N_TEST, PUBLISHED
from .tuned_transduction import OWN_SIZES, SINE

ITEM = "transductive_regression/inductive"


def _rows(frame, dataset, setting):
    return frame[(frame["dataset"] == dataset) & (frame["setting"] == setting)]


def choice(frame):
    """For each split, the row with the least leave-one-out error of the transduction.

    Index: the split. `frame` has one data set and one setting.
    """
    return frame.loc[frame.groupby("split")["loo"].idxmin()].set_index("split")


def ridge(frame):
    """For each split, the row of ridge regression itself, gamma* infinite."""
    return frame[np.isinf(frame["alpha_star"])].set_index("split")


def overlap(dataset):
    """Overlap of splits that shared rows add to 1/n; 0 for the sine, generated for each split.

    If a split has all rows it is the ratio of test to training rows (Nadeau and Bengio).
    """
    if dataset in SINE:
        return 0.0
    if dataset in OWN_SIZES:
        n_train, n_test = OWN_SIZES[dataset]
    else:
        n_train, n_test = PUBLISHED[dataset][0], N_TEST[dataset]
    used, n_rows = n_train + n_test, N_ROWS[dataset]
    return overlapping_splits.overlap(used, n_rows) if used < n_rows else n_test / n_train


def summary(rows):
    """Mean errors by data set and setting: ridge regression, its controls, transduction.

    Returns
    -------
    DataFrame
        Index: data set and setting. Columns: test errors of ridge regression, with a basis
        function of its own at each working point, with those of all working points, with gamma
        chosen again; test errors at the gamma* chosen split by split, and at the single gamma* that
        is best in hindsight; leave-one-out errors of ridge regression and of the choice; the places
        in the grid of the least mean test error and of the least mean leave-one-out error.
    """
    found = {}
    for key, frame in rows.groupby(["dataset", "setting"], sort=False):
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
    return table.rename_axis(["dataset", "setting"])


@measure(ITEM)
def choice_no_worse(rows, dataset, setting):
    """Error at the chosen gamma* minus ridge regression's, in percent of the latter's mean."""
    frame = _rows(rows, dataset, setting)
    other = ridge(frame)["mse"]
    return Repeats(100.0 * (choice(frame)["mse"] - other) / other.mean())


@measure(ITEM)
def own_basis_helps(rows, dataset, setting):
    """Error of ridge regression minus that with a basis function of its own at each point."""
    base = ridge(_rows(rows, dataset, setting))
    return Repeats(base["mse"] - base["rr_own_mse"])
