"""Figure 1: the reading of its parameters, and ridge against transductive regression."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

from transductive.leave_one_out.spectrum import PENALTIES

from ...verdicts import overlapping_splits as draws
from ...verdicts.claims import measure
from ...verdicts.rules import OrderingEvidence, ShapeEvidence, corrected_t, half_width
from .scaling_search import BASES, KERNELS, N_TEST, PUBLISHED, SCALINGS, TARGETS

__all__ = ["gains", "in_range", "mean_gain", "overlap", "reading_name", "reading_table"]

DOCUMENT = "transductive_regression"
DATASET = {"figure_1a": "boston", "figure_1b": "boston"}
DATASET |= {"figure_1c": "kin32fh", "figure_1d": "kin32fh"}
N_ROWS = {"boston": 506, "kin32fh": 8192}
#: Half of the range of log sigma, about the published one, over which the curves are compared.
HALF_RANGE = {"boston": 0.7, "kin32fh": 1.0}

# ---- the search ---------------------------------------------------------------------------------

READING = ["scaling", "target", "penalty", "kernel", "base", "gamma_times"]


def reading_table(search):
    """How well each reading of gamma and log sigma fits what the document says its search found.

    Parameters
    ----------
    search : DataFrame
        Rows of the parameter search.

    Returns
    -------
    DataFrame
        A row for each reading, the best fitting first, with columns for each data set:
        ``excess``, the leave-one-out error at the published point over the smallest, less 1;
        ``log_sigma`` and ``gamma``, where it is smallest, in the reading's own terms; ``edge``,
        whether that is on the edge of the grid, and ``worst``, the largest excess.
    """
    readings = [
        (scaling, target, penalty, kernel, *rest)
        for scaling, target, penalty, kernel, *rest in product(
            SCALINGS, TARGETS, PENALTIES, KERNELS, BASES, ("1", "l")
        )
        if (scaling, kernel) != ("[0, 1]", "sigma^2")  # is [-1, 1] over 4 sigma^2
    ]
    table = pd.DataFrame(readings, columns=READING)
    for name, rows in search.groupby("dataset", sort=False):
        n_train, gamma, log_sigma = PUBLISHED[name]
        surfaces = {
            (scaling, target, penalty): part.pivot(
                index="log_sigma", columns="gamma", values=f"{penalty}_{target}"
            )
            for scaling, part in rows.groupby("scaling")
            for target in TARGETS
            for penalty in PENALTIES
        }
        found = []
        for scaling, target, penalty, kernel, base, times in readings:
            family, shift = SCALINGS[scaling]
            shift += KERNELS[kernel]
            surface = surfaces[family, target, penalty]
            i, j = np.unravel_index(surface.to_numpy().argmin(), surface.shape)
            factor = n_train if times == "l" else 1
            there = surface.iat[
                np.abs(surface.index - (log_sigma * BASES[base] + shift)).argmin(),
                np.abs(surface.columns - gamma * factor).argmin(),
            ]
            found.append(
                {
                    "excess": there / surface.iat[i, j] - 1.0,
                    "log_sigma": (surface.index[i] - shift) / BASES[base],
                    "gamma": surface.columns[j] / factor,
                    "edge": i in (0, len(surface) - 1) or j in (0, surface.shape[1] - 1),
                }
            )
        table = table.join(pd.DataFrame(found).add_suffix(f"_{name}"))
    worst = table.filter(like="excess_").max(axis=1)
    return table.assign(worst=worst).sort_values("worst", kind="stable", ignore_index=True)


def reading_name(row):
    """A row of `reading_table` in words."""
    gamma = "gamma" if row["gamma_times"] == "1" else "gamma l"
    ridge = f"K + {gamma} I" if row["penalty"] == "norm" else f"K'K + {gamma} I"
    return (
        f"{ridge}, features {row['scaling']}, targets {row['target']}, kernel over "
        f"{row['kernel']}, logarithm to base {row['base']}"
    )


def _search(frames):
    return reading_table(frames[f"{DOCUMENT}/parameter_search"])


@measure
def published_point_fits(frames, dataset, within):
    """Whether the published point is nearly the best, in the reading that fits both sets best."""
    table = _search(frames)
    best = table.iloc[0]
    excess, fit = best[f"excess_{dataset}"], table["worst"] <= within
    return ShapeEvidence(
        bool(excess <= within),
        f"{excess:.1%} above the smallest error ({reading_name(best)}); {fit.sum()} of the "
        f"{len(table)} readings are within {within:.0%} on both data sets",
    )


@measure
def published_point_near(frames, dataset, factor, step):
    """Whether the smallest error is at the published point, in the same reading."""
    best = _search(frames).iloc[0]
    _, gamma, log_sigma = PUBLISHED[dataset]
    ours = best[f"gamma_{dataset}"], best[f"log_sigma_{dataset}"]
    near = abs(np.log(ours[0] / gamma)) <= np.log(factor) + 1e-9
    return ShapeEvidence(
        bool(near and abs(ours[1] - log_sigma) <= step + 1e-9),
        f"smallest at gamma = {ours[0]:g}, log sigma = {ours[1]:.2f}",
    )


@measure
def some_reading_fits(frames, within, **fixed):
    """Whether any reading with the `fixed` choices fits both data sets."""
    table = _search(frames)
    for name, value in fixed.items():
        table = table[table[name] == value]
    best = table.iloc[0]
    each = ", ".join(f"{best[f'excess_{name}']:.1%} on {name}" for name in PUBLISHED)
    return ShapeEvidence(
        bool(best["worst"] <= within),
        f"the best of {len(table)}: {each} above the smallest error ({reading_name(best)})",
    )


# ---- the figures --------------------------------------------------------------------------------


def overlap(dataset):
    """What the splits add to 1/n as they share rows: `splits_overlap` at the published sizes."""
    return splits_overlap(PUBLISHED[dataset][0], N_TEST[dataset], N_ROWS[dataset])


def splits_overlap(n_train, n_test, n_rows):
    """Test over training rows where each split has all rows (Nadeau and Bengio), else by share."""
    used = n_train + n_test
    return draws.overlap(used, n_rows) if used < n_rows else n_test / n_train


def gains(frame, reading="norm", source="published", column="transductive"):
    """Ridge regression's mean squared error less that of transductive regression, paired.

    Parameters
    ----------
    frame : DataFrame
        Rows of one of the figures.
    reading, source : str
        As in the rows.
    column : str, default "transductive"
        Whose error is subtracted: another column of the rows, or "" for nothing.

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
    """Mean of each column, and half of its 90 % interval with the overlap of the splits."""
    half = [half_width(gain[at], overlap(DATASET[item])) for at in gain.columns]
    return pd.DataFrame({"mean": gain.mean(), "half": half}, gain.columns)


def _evidence(item, differences):
    return OrderingEvidence(differences=differences, test_train_ratio=overlap(DATASET[item]))


def in_range(item, table):
    """The columns of log sigma that are compared."""
    name = DATASET[item]
    near = np.abs(table.columns - PUBLISHED[name][2]) <= HALF_RANGE[name] + 1e-9
    return table.loc[:, near]


@measure
def below_at(frames, item, at=None, reading="norm"):
    """Gain at one log sigma or number of test points; by default at ridge's best log sigma."""
    frame = frames[f"{DOCUMENT}/{item}"]
    if at is None:
        at = gains(frame, reading, column="").mean().idxmin()
    return _evidence(item, gains(frame, reading)[at])


@measure
def below_over_sigma(frames, item, each=False):
    """Gain in the mean over log sigma, or at the one where it is least clear."""
    gain = in_range(item, gains(frames[f"{DOCUMENT}/{item}"]))
    if each:
        return _evidence(item, gain[(gain.mean() / gain.sem()).idxmin()])
    return _evidence(item, gain.mean(axis=1))


@measure
def most_at_minimum(frames, item, reading="norm"):
    """Gain where ridge regression's mean error is smallest less the mean gain elsewhere."""
    frame = frames[f"{DOCUMENT}/{item}"]
    gain = in_range(item, gains(frame, reading))
    best = in_range(item, gains(frame, reading, column="")).mean().idxmin()
    return _evidence(item, gain[best] - gain.drop(columns=best).mean(axis=1))


@measure
def best_below_best(frames, item):
    """Ridge at its best log sigma less transductive regression at its own, by their means."""
    frame = frames[f"{DOCUMENT}/{item}"]
    ridge = gains(frame, column="")
    transductive = ridge - gains(frame)
    return _evidence(
        item, ridge[ridge.mean().idxmin()] - transductive[transductive.mean().idxmin()]
    )


@measure
def lowest_at(frames, item, at):
    """Whether the transductive curve has its lowest point at a given log sigma."""
    frame = frames[f"{DOCUMENT}/{item}"]
    lowest = {
        reading: (gains(frame, reading, column="") - gains(frame, reading)).mean().idxmin()
        for reading in frame["reading"].unique()
    }
    return ShapeEvidence(
        bool(np.isclose(lowest["norm"], at)),
        "lowest at log sigma = " + ", ".join(f"{at:g} ({name})" for name, at in lowest.items()),
    )


@measure
def falls_with_size(frames, item, column="transductive"):
    """Slope, split by split, of the gain on ln m; ridge regression's error has none."""
    gain = gains(frames[f"{DOCUMENT}/{item}"], column=column)
    x = np.log(gain.columns.to_numpy(dtype=float))
    x -= x.mean()
    return _evidence(item, gain.to_numpy() @ x / (x @ x))


@measure
def ahead_in_every_reading(frames, item):
    """Whether the mean gain is positive in all readings: at ridge's best sigma, or all points."""
    frame, details, holds = frames[f"{DOCUMENT}/{item}"], [], True
    for reading, source in dict.fromkeys(zip(frame["reading"], frame["source"], strict=True)):
        ridge = gains(frame, reading, source, column="").mean()
        best = ridge.idxmin() if ridge.index.name == "log_sigma" else ridge.index.max()
        gain = gains(frame, reading, source)[best]
        mean, error, _ = corrected_t(gain, overlap(DATASET[item]))
        holds &= mean > 0
        details.append(f"{reading}, {source}: {mean:.2g} ± {error:.1g} of {ridge[best]:.3g}")
    return ShapeEvidence(bool(holds), "ridge less transductive: " + "; ".join(details))
