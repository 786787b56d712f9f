"""Figure 1: gains of transductive on ridge regression, paired by split."""

import numpy as np
import pandas as pd

from ...verdicts.claims import measure
from ...verdicts.rules import OrderingEvidence, ShapeEvidence, corrected_t, half_width
from .regression_setting import ALPHA_STAR, DATASET_OF_FIGURE, PUBLISHED, settings
from .split_overlap_measures import overlap

#: Half of the range of log sigma, about the published one, over which the curves are compared.
HALF_RANGE = {"boston": 0.7, "kin32fh": 1.0}


def _rows(frames, item):
    return frames[f"transductive_regression/{item}"]


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
    half = [half_width(gain[at], overlap(DATASET_OF_FIGURE[item])) for at in gain.columns]
    return pd.DataFrame({"mean": gain.mean(), "half": half}, gain.columns)


def _evidence(item, differences):
    return OrderingEvidence(
        differences=differences, test_train_ratio=overlap(DATASET_OF_FIGURE[item])
    )


def in_range(item, table):
    """The columns of log sigma over which the curves are compared."""
    name = DATASET_OF_FIGURE[item]
    near = np.abs(table.columns - PUBLISHED[name][2]) <= HALF_RANGE[name] + 1e-9
    return table.loc[:, near]


@measure
def below_at(frames, item, at=None, reading="norm"):
    """Gain at one log sigma or number of test points; by default at ridge's best log sigma."""
    frame = _rows(frames, item)
    if at is None:
        at = gains(frame, reading, column="").mean().idxmin()
    return _evidence(item, gains(frame, reading)[at])


@measure
def below_over_sigma(frames, item, each=False):
    """Gain on average over log sigma, or at the one where it is least clear."""
    gain = in_range(item, gains(_rows(frames, item)))
    if each:
        return _evidence(item, gain[(gain.mean() / gain.sem()).idxmin()])
    return _evidence(item, gain.mean(axis=1))


@measure
def most_at_minimum(frames, item, reading="norm"):
    """Gain where ridge regression's mean error is smallest less the mean gain elsewhere."""
    frame = _rows(frames, item)
    gain = in_range(item, gains(frame, reading))
    best = in_range(item, gains(frame, reading, column="")).mean().idxmin()
    return _evidence(item, gain[best] - gain.drop(columns=best).mean(axis=1))


@measure
def best_below_best(frames, item):
    """Ridge at its best log sigma less transductive regression at its own, by their means."""
    frame = _rows(frames, item)
    ridge = gains(frame, column="")
    transductive = ridge - gains(frame)
    return _evidence(
        item, ridge[ridge.mean().idxmin()] - transductive[transductive.mean().idxmin()]
    )


@measure
def lowest_at(frames, item, at):
    """Whether the transductive curve has its lowest point at a given log sigma."""
    frame = _rows(frames, item)
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
    gain = gains(_rows(frames, item), column=column)
    x = np.log(gain.columns.to_numpy(dtype=float))
    x -= x.mean()
    return _evidence(item, gain.to_numpy() @ x / (x @ x))


@measure
def ahead_in_every_reading(frames, item):
    """Whether each interpretation has a positive mean gain: at ridge's best sigma, all points."""
    frame, details, holds = _rows(frames, item), [], True
    for reading, source in dict.fromkeys(zip(frame["reading"], frame["source"], strict=True)):
        ridge = gains(frame, reading, source, column="").mean()
        best = ridge.idxmin() if ridge.index.name == "log_sigma" else ridge.index.max()
        gain = gains(frame, reading, source)[best]
        mean, error, _ = corrected_t(gain, overlap(DATASET_OF_FIGURE[item]))
        holds &= mean > 0
        details.append(f"{reading}, {source}: {mean:.2g} ± {error:.1g} of {ridge[best]:.3g}")
    return ShapeEvidence(bool(holds), "ridge less transductive: " + "; ".join(details))


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
