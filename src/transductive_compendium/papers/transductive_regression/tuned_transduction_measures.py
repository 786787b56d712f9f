"""Transduction with gamma* chosen by leave-one-out, compared with ridge regression."""

import numpy as np
import pandas as pd

from ...verdicts import overlapping_splits
from .printed_setting import N_TEST, PUBLISHED
from .tuned_transduction import OWN_SIZES, SINE

#: Rows of each table.
N_ROWS = {"boston": 506, "kin32fh": 8192, "diabetes": 442, "usps": 9298}


def choice(frame):
    """For each split, the row with the least leave-one-out error of the transduction.

    Index: the split. `frame` has one data set and one setting.
    """
    return frame.loc[frame.groupby("split")["loo"].idxmin()].set_index("split")


def ridge(frame):
    """For each split, the row of ridge regression itself, gamma* infinite."""
    return frame[np.isinf(frame["alpha_star"])].set_index("split")


def overlap(dataset):
    """Overlap of splits that shared rows add to 1/n.

    It is 0 for the sine, generated for each split, and for a substitute, with which nothing is
    compared. If a split has all rows it is the ratio of test to training rows (Nadeau and Bengio).
    """
    if dataset in SINE or dataset not in N_ROWS:
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
        function of its own at each working point, with those of all working points; test errors at
        the gamma* chosen split by split, and at the single gamma* that is best in hindsight; the
        leave-one-out error of ridge regression; the places in the grid of the least mean test error
        and of the least mean leave-one-out error.
    """
    found = {}
    for key, frame in rows.groupby(["dataset", "setting"], sort=False):
        chosen, base = choice(frame).mean(numeric_only=True), ridge(frame).mean(numeric_only=True)
        means = frame.groupby("alpha_star")[["mse", "loo"]].mean()
        found[key] = {
            "ridge": base["mse"],
            "own": base["rr_own_mse"],
            "joint": base["rr_joint_mse"],
            "chosen": chosen["mse"],
            "hindsight": means["mse"].min(),
            "ridge_loo": base["loo"],
            "least_test": means["mse"].idxmin(),
            "least_loo": means["loo"].idxmin(),
        }
    table = pd.DataFrame(found).T
    return table.rename_axis(["dataset", "setting"])
