"""Which universum helps: predictors of its gain, and the SVM with its axes projected out."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ...verdicts.claims import measure
from ...verdicts.overlapping_splits import half_width
from ...verdicts.rules import LEVEL, Repeats
from .mnist_universa_measures import overlap
from .rank_correlation import mean_correlation, permutation_p, swap_p

ITEM = "universum/which_universum"
#: From rows of the experiment, a number that is larger where more gain is expected. All but the
#: last need no U-SVM.
PREDICTORS = {
    "correlation": lambda rows: (rows["rho_5"] + rows["rho_8"]) / 2.0,
    "smaller correlation": lambda rows: rows[["rho_5", "rho_8"]].min(axis=1),
    "equal correlations": lambda rows: -(rows["rho_5"] - rows["rho_8"]).abs(),
    "10 axes projected out": lambda rows: -rows["cv_error_10"],
    "100 axes projected out": lambda rows: -rows["cv_error_100"],
    "all axes projected out": lambda rows: -rows["cv_error_all"],
    "spread of f": lambda rows: rows["f_sd"],
    "spread over offset of f": lambda rows: rows["f_sd"] / rows["f_mean"].abs(),
    "axes between classes": lambda rows: rows["between"],
    "axes within, not between": lambda rows: rows["within"] - rows["between"],
    "validation gain": lambda rows: rows["error_validation_svm"] - rows["error_validation"],
}


def gains(rows, at="unseen"):
    """Gain of the chosen U-SVM over the SVM, in percentage points.

    Parameters
    ----------
    rows : DataFrame
        Rows of the experiment.
    at : {"unseen", "test", "unused"}
        At the test images, at unused training images, or at both ("unseen").

    Returns
    -------
    Series
        In the order of the rows.
    """
    column = {"unseen": "error_unseen", "test": "error", "unused": "error_unused"}[at]
    return 100.0 * (rows[f"{column}_svm"] - rows[column])


def _spearman(rows, left, right):
    """Rank correlation over universa, by split; 0 for a constant."""
    table = pd.DataFrame({"draw": rows["draw"], "left": left, "right": right})
    found = {
        draw: mean_correlation(part["left"], part["right"]) for draw, part in table.groupby("draw")
    }
    return pd.Series(found, name="correlation")


def rank_correlations(rows, n_train, predictor):
    """Spearman's rank correlation over universa of a predictor and the gain, by split.

    Parameters
    ----------
    rows : DataFrame
        Rows of the experiment.
    n_train : int
    predictor : str
        A key of `PREDICTORS`.

    Returns
    -------
    Series
        Index: draw, the number of the split.
    """
    rows = rows[rows["n_train"] == n_train]
    return _spearman(rows, PREDICTORS[predictor](rows), gains(rows))


def reliability(rows, n_train):
    """Rank correlation, by split, of the gains at the test images and at the unused ones."""
    rows = rows[rows["n_train"] == n_train]
    return _spearman(rows, gains(rows, "test"), gains(rows, "unused"))


def summary(rows, n_train):
    """Rank correlations with the gain: mean over splits, its 90 % interval, and that of means.

    The interval is over random splits of the images; it does not extend to other universa.

    Returns
    -------
    DataFrame
        Index: predictor; columns mean, half (half the interval's width, NaN for one split) and
        of_means, the rank correlation of predictor and gain when both are means over splits.
    """
    part, found = rows[rows["n_train"] == n_train], {}
    for name, predictor in PREDICTORS.items():
        values = rank_correlations(rows, n_train, name)
        half = np.nan
        if len(values) > 1:
            half = half_width(values, overlap(n_train))
        means = pd.DataFrame(
            {"universum": part["universum"], "x": predictor(part), "gain": gains(part)}
        )
        means = means.groupby("universum").mean().rank()
        found[name] = (values.mean(), half, means["x"].corr(means["gain"]))
    return pd.DataFrame.from_dict(found, orient="index", columns=["mean", "half", "of_means"])


def _gain_and_predictors(frames, n_train, *predictors):
    """Gains, and numbers of each predictor: arrays of shape (splits, universa)."""
    rows = frames[ITEM]
    rows = rows[rows["n_train"] == n_train]
    columns = {"gain": gains(rows)} | {name: PREDICTORS[name](rows) for name in predictors}
    table = rows[["draw", "universum"]].assign(**columns)
    return [table.pivot(index="draw", columns="universum", values=c).to_numpy() for c in columns]


@measure
def gain_foretold(frames, predictor, n_train):
    """Level minus the p-value of a predictor's rank correlation with the gain, over universa."""
    gain, values = _gain_and_predictors(frames, n_train, predictor)
    p = permutation_p(gain, values)
    words = f"mean over splits {mean_correlation(gain, values):.2f}"
    return Repeats([LEVEL - p], shown=f"{words}; permutations of the universa: p = {p:.2g}")


@measure
def gain_foretold_better(frames, better, worse, n_train):
    """Level minus the p-value of a larger rank correlation of one predictor than of another."""
    gain, *pair = _gain_and_predictors(frames, n_train, better, worse)
    p = swap_p(gain, *pair)
    words = " and ".join(f"{mean_correlation(gain, values):.2f}" for values in pair)
    return Repeats(
        [LEVEL - p],
        shown=f"means over splits {words}; exchanges of their ranks by universum: p = {p:.2g}",
    )


def _which(frames, universa, n_train):
    """Numeric columns by split, mean over universa."""
    rows = frames[ITEM]
    rows = rows[rows["universum"].isin(universa) & (rows["n_train"] == n_train)]
    return rows.groupby("draw").mean(numeric_only=True)


@measure
def leak_flatters(frames, universa, n_train):
    """Cross-validation error with a universum of each part minus that with one of all points."""
    rows = _which(frames, universa, n_train)
    gap = 100.0 * (rows["cv_error_all"] - rows["cv_error_leaking"])
    return Repeats(gap)


@measure
def projected_gains(frames, universa, n_train):
    """Error of the SVM minus that of the projected-kernel SVM, in percentage points."""
    rows = _which(frames, universa, n_train)
    gap = 100.0 * (rows["error_unseen_svm"] - rows["error_unseen_projected"])
    return Repeats(gap)


@measure
def projected_beats_chosen(frames, universa, n_train):
    """Error of the chosen U-SVM minus that of the projected-kernel SVM."""
    rows = _which(frames, universa, n_train)
    gap = 100.0 * (rows["error_unseen"] - rows["error_unseen_projected"])
    return Repeats(gap)
