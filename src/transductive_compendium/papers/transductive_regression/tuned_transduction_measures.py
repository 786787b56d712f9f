"""gamma* chosen by leave-one-out: compared with ridge regression and with a fixed gamma*."""

import numpy as np
import pandas as pd

from ...verdicts import overlapping_splits
from ...verdicts.claims import measure
from ...verdicts.rules import Repeats
from .regression_setting import N_ROWS, N_TEST, PUBLISHED
from .tuned_transduction import OWN_SIZES, SINE


def _rows(frames, item, dataset, setting):
    frame = frames[f"transductive_regression/{item}"]
    return frame[(frame["dataset"] == dataset) & (frame["setting"] == setting)]


def choice(frame):
    """For each split, the row with the least leave-one-out error of the transduction.

    Index: the split. `frame` has one data set and one setting.
    """
    return frame.loc[frame.groupby("split")["loo"].idxmin()].set_index("split")


def at(frame, alpha_star):
    """For each split, the row at the gamma* nearest to the given one, which may be infinite."""
    grid = frame["alpha_star"].unique()
    nearest = np.inf if np.isinf(alpha_star) else grid[np.abs(np.log(grid / alpha_star)).argmin()]
    return frame[frame["alpha_star"] == nearest].set_index("split")


def ridge(frame):
    """For each split, the row of ridge regression itself, gamma* infinite."""
    return at(frame, np.inf)


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


@measure
def choice_no_worse(frames, item, dataset, setting, than=None):
    """Error at the chosen gamma* minus that at a fixed one (by default ridge regression's).

    In percent of the mean error of ridge regression.
    """
    frame = _rows(frames, item, dataset, setting)
    other = at(frame, np.inf if than is None else than)["mse"]
    gap = 100.0 * (choice(frame)["mse"] - other) / ridge(frame)["mse"].mean()
    return Repeats(gap)


@measure
def choice_better(frames, item, dataset, setting):
    """Error of ridge regression minus that at the chosen gamma*."""
    frame = _rows(frames, item, dataset, setting)
    gap = ridge(frame)["mse"] - choice(frame)["mse"]
    return Repeats(gap)


@measure
def own_basis_helps(frames, item, dataset, setting):
    """Error of ridge regression minus that with a basis function of its own at each point."""
    base = ridge(_rows(frames, item, dataset, setting))
    gap = base["mse"] - base["rr_own_mse"]
    return Repeats(gap)


@measure
def own_basis_share(frames, item, dataset, setting, than, share):
    """Gain of own basis functions over ridge regression minus a share of a fixed gamma*'s gain."""
    frame = _rows(frames, item, dataset, setting)
    base = ridge(frame)
    gap = base["mse"] - base["rr_own_mse"] - share * (base["mse"] - at(frame, than)["mse"])
    return Repeats(gap)


@measure
def promise_broken(frames, item, dataset, setting):
    """Gain over ridge regression by leave-one-out, minus the gain on the test part."""
    frame = _rows(frames, item, dataset, setting)
    chosen, base = choice(frame), ridge(frame)
    promised = 1.0 - chosen["loo"] / base["loo"]
    kept = (base["mse"] - chosen["mse"]) / base["mse"].mean()
    return Repeats(promised - kept)


@measure
def own_basis_optimism(frames, item, dataset, setting):
    """Test error of ridge regression minus its leave-one-out error (15)."""
    base = ridge(_rows(frames, item, dataset, setting))
    return Repeats(base["mse"] - base["loo"])


@measure
def own_basis_restored(frames, item, dataset, setting, column):
    """Error in a column minus the leave-one-out error (15), in percent of the latter's mean."""
    base = ridge(_rows(frames, item, dataset, setting))
    gap = 100.0 * (base[column] - base["loo"]) / base["loo"].mean()
    return Repeats(gap)
