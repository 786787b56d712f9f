"""Figure 1: gains of transductive regression over ridge regression, paired by split."""

import numpy as np
import pandas as pd

from ...verdicts import overlapping_splits
from ...verdicts.claims import measure
from ...verdicts.overlapping_splits import half_width
from ...verdicts.rules import Repeats
from .figure_1_printed_measures import DIGITS
from .regression_setting import ALPHA_STAR, DATASET_OF_FIGURE, N_ROWS, N_TEST, PUBLISHED, settings
from .tuned_transduction_design import OWN_SIZES, SINE
from .working_sets_design import N_JUDGED

#: Share of its rows that a shifted split of kin-32fh has in common with another: more than
#: uniform splits have, since rows of large weight come again and again.
SHARED = {"mild": 0.043, "strong": 0.205, "strong, aside": 0.210}


def splits_overlap(n_train, n_test, n_rows):
    """Ratio of test to training rows if a split has all rows (Nadeau and Bengio); else by share."""
    used = n_train + n_test
    return overlapping_splits.overlap(used, n_rows) if used < n_rows else n_test / n_train


def overlap(dataset, m=None, shift="none"):
    """Overlap that shared rows add to 1/n; 0 for the sine, which is generated for each split.

    Parameters
    ----------
    dataset : str
    m : int, optional
        Size of the working sets; by default that of the data set's test parts.
    shift : str
        Shift of the working sets; the overlap is that of 256 working points, and about right for
        fewer.
    """
    if dataset in SINE:
        return 0.0
    if shift in SHARED:
        return overlapping_splits.overlap(SHARED[shift], 1.0)
    if dataset in OWN_SIZES:
        n_train, n_test = OWN_SIZES[dataset]
    else:
        n_train, n_test = PUBLISHED[dataset][0], N_TEST[dataset]
    n_test = n_test if m is None else max(m, N_JUDGED)
    return splits_overlap(n_train, n_test, N_ROWS[dataset])


def _rows(frames, item):
    return frames[f"transductive_regression/{item}"]


def gains(frame, reading="norm", source="published", column="transductive"):
    """Ridge regression's mean squared error minus that of transductive regression, paired.

    Parameters
    ----------
    frame : DataFrame
        Rows of one of the figures.
    reading, source : str
        As in the rows.
    column : str, default "transductive"
        Column whose error is subtracted, or "" for nothing.

    Returns
    -------
    DataFrame
        A row for each split, a column for each log sigma or number of test points.
    """
    rows = frame[(frame["reading"] == reading) & (frame["source"] == source)]
    error = rows["ridge"] - rows[column] if column else rows["ridge"]
    axis = "size" if "size" in rows else "log_sigma"
    return rows.assign(error=error).pivot(index="split", columns=axis, values="error")


def mean_gain(item, gain):
    """Mean of each column, and half its 90 % interval, corrected for overlapping splits."""
    half = [half_width(gain[at], overlap(DATASET_OF_FIGURE[item])) for at in gain.columns]
    return pd.DataFrame({"mean": gain.mean(), "half": half}, gain.columns)


@measure
def best_below_best(frames, item):
    """Ridge at its best log sigma minus transductive regression at its own, by their means."""
    frame = _rows(frames, item)
    ridge = gains(frame, column="").to_numpy()
    transductive = ridge - gains(frame).to_numpy()

    def gaps(pick):
        return ridge[pick].mean(axis=0).min() - transductive[pick].mean(axis=0).min()

    least, ridge_least = transductive.mean(axis=0).min(), ridge.mean(axis=0).min()
    digits = DIGITS[item]
    shown = f"lowest MSE {least:.{digits}f}, ridge regression {ridge_least:.{digits}f}"
    return Repeats(gaps, len(ridge), shown=shown)


@measure
def lowest_at(frames, item, at):
    """Whether the lowest point of the transductive curve is at log sigma `at`: gap 0.5 or -0.5."""
    frame = _rows(frames, item)
    curve = gains(frame, column="") - gains(frame)
    axis, errors = curve.columns.to_numpy(), curve.to_numpy()

    def gaps(pick):
        return 0.5 if np.isclose(axis[errors[pick].mean(axis=0).argmin()], at) else -0.5

    shown = f"lowest at log sigma = {axis[errors.mean(axis=0).argmin()]:g}"
    return Repeats(gaps, len(errors), shown=shown)


@measure
def falls_with_size(frames, item, column="transductive"):
    """Slope of the gain on ln m, split by split; ridge regression's error does not depend on m."""
    gain = gains(_rows(frames, item), column=column)
    x = np.log(gain.columns.to_numpy(dtype=float))
    x -= x.mean()
    return Repeats(gain.to_numpy() @ x / (x @ x))


@measure
def ahead_in_every_reading(frames, item):
    """Gain in each interpretation: at ridge's best sigma, or with all points."""
    frame, found = _rows(frames, item), []
    for reading, source in dict.fromkeys(zip(frame["reading"], frame["source"], strict=True)):
        ridge = gains(frame, reading, source, column="").mean()
        best = ridge.idxmin() if ridge.index.name == "log_sigma" else ridge.index.max()
        found.append(gains(frame, reading, source)[best].to_numpy())
    return Repeats(np.column_stack(found))


def table_over_sigma(rows, item, decimals):
    """Best log sigma, error and gain of each interpretation and source of the parameters."""
    table = []
    for reading, source, gamma, _ in settings(DATASET_OF_FIGURE[item]):
        ridge = gains(rows, reading, source, column="")
        gain = gains(rows, reading, source)
        found, curve = mean_gain(item, gain), (ridge - gain).mean()
        at = ridge.mean().idxmin()
        table.append(
            {
                "reading": reading,
                "parameters": source,
                "gamma": f"{gamma:.2g}",
                "ridge: best log sigma": at,
                "its error": f"{ridge[at].mean():.{decimals}f}",
                "gain there (90 %)": _with_half(found.loc[at], decimals),
                "transductive: best log sigma": curve.idxmin(),
                "its error ": f"{curve.min():.{decimals}f}",
            }
        )
    return pd.DataFrame(table).set_index(["reading", "parameters"])


def _with_half(row, decimals):
    return f"{row['mean']:.{decimals}f} ± {row['half']:.{decimals}f}"


def table_over_sizes(rows, item, shrinking, decimals):
    """Gains by the number of test points, and errors at the first of them alone.

    Parameters
    ----------
    rows : DataFrame
    item : {"figure_1b", "figure_1d"}
    shrinking : str
        gamma* as a function of m, in words.
    decimals : int
    """
    fixed = f"{ALPHA_STAR[DATASET_OF_FIGURE[item]]:g}"
    columns = {
        shrinking: gains(rows),
        fixed: gains(rows, column="transductive_fixed"),
        f"own search, {shrinking}": gains(rows, source="leave-one-out"),
        f"own search, {fixed}": gains(rows, source="leave-one-out", column="transductive_fixed"),
    }
    table = {
        f"gain, gamma* = {name}": [
            _with_half(row, decimals) for _, row in mean_gain(item, gain).iterrows()
        ]
        for name, gain in columns.items()
    }
    first = rows[(rows["reading"] == "norm") & (rows["source"] == "published")].groupby("size")
    for method in ("ridge", "transductive"):
        means = first[f"{method}_first"].mean()
        table[f"first m: {method}"] = means.map(f"{{:.{decimals}f}}".format).to_numpy()
    return pd.DataFrame(table, index=means.index.rename("m"))
