"""Beyond the poster: what tells a universum's gain in advance, controls, and projection."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ...verdicts.claims import measure
from ...verdicts.rules import (
    LEVEL,
    EquivalenceEvidence,
    IdentityEvidence,
    OrderingEvidence,
    ShapeEvidence,
    half_width,
)
from . import ranks
from .beyond import N_TRAIN
from .images_measures import overlap

__all__ = ["PREDICTORS", "control_errors", "gains", "rank_correlations", "reliability", "summary"]

DOCUMENT = "universum"
WHICH, CONTROLS, PROJECTION = (
    f"{DOCUMENT}/{item}" for item in ("which_universum", "controls", "projection")
)
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
    """What the chosen U-SVM gains on the SVM, in points of a per cent.

    Parameters
    ----------
    rows : DataFrame
        Rows of the experiment.
    at : {"unseen", "test", "unused"}
        At the test images, at training images that took no part, or at both.

    Returns
    -------
    Series
        In the order of the rows.
    """
    column = {"unseen": "error_unseen", "test": "error", "unused": "error_unused"}[at]
    return 100.0 * (rows[f"{column}_svm"] - rows[column])


def _spearman(rows, left, right):
    """Rank correlation over universa, by draw; a constant has none, and counts as 0."""
    table = pd.DataFrame({"draw": rows["draw"], "left": left, "right": right})
    found = {
        draw: ranks.mean_correlation(part["left"], part["right"])
        for draw, part in table.groupby("draw")
    }
    return pd.Series(found, name="correlation")


def rank_correlations(rows, n_train, predictor):
    """Spearman's rank correlation over universa of a predictor and the gain, by draw.

    Parameters
    ----------
    rows : DataFrame
        Rows of the experiment.
    n_train : int
    predictor : str
        Of `PREDICTORS`.

    Returns
    -------
    Series
        Index: draw.
    """
    rows = rows[rows["n_train"] == n_train]
    return _spearman(rows, PREDICTORS[predictor](rows), gains(rows))


def reliability(rows, n_train):
    """Rank correlation, by draw, of the gains at the test images and at the unused ones."""
    rows = rows[rows["n_train"] == n_train]
    return _spearman(rows, gains(rows, "test"), gains(rows, "unused"))


def summary(rows, n_train):
    """Rank correlations with the gain: mean over draws, its 90 % interval, and of means.

    The interval is over draws of images; it says nothing about other universa.

    Returns
    -------
    DataFrame
        Index: predictor; columns mean, half (of the interval's width, NaN for one draw) and
        of_means, the rank correlation of predictor and gain when both are means over draws.
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


def _told(frames, n_train, *predictors):
    """Gains, and numbers of each predictor: arrays of shape (draws, universa)."""
    rows = frames[WHICH]
    rows = rows[rows["n_train"] == n_train]
    columns = {"gain": gains(rows)} | {name: PREDICTORS[name](rows) for name in predictors}
    table = rows[["draw", "universum"]].assign(**columns)
    return [table.pivot(index="draw", columns="universum", values=c).to_numpy() for c in columns]


@measure
def gain_foretold(frames, predictor, n_train):
    """Rank correlation of a predictor and the gain, over universa: above chance or not."""
    gain, values = _told(frames, n_train, predictor)
    p = ranks.permutation_p(gain, values)
    words = f"mean over draws {ranks.mean_correlation(gain, values):.2f}"
    return ShapeEvidence(p < LEVEL, f"{words}; permutations of the universa: p = {p:.2g}")


@measure
def gain_foretold_better(frames, better, worse, n_train):
    """Whether one predictor's rank correlation with the gain is larger than another's."""
    gain, *pair = _told(frames, n_train, better, worse)
    p = ranks.swap_p(gain, *pair)
    words = " and ".join(f"{ranks.mean_correlation(gain, values):.2f}" for values in pair)
    return ShapeEvidence(
        p < LEVEL, f"means over draws {words}; exchanges of their ranks by universum: p = {p:.2g}"
    )


def _which(frames, universa, n_train):
    """Columns that are numbers, by draw, mean over universa."""
    rows = frames[WHICH]
    rows = rows[rows["universum"].isin(universa) & (rows["n_train"] == n_train)]
    return rows.groupby("draw").mean(numeric_only=True)


@measure
def leak_flatters(frames, universa, n_train):
    """Cross-validation error with a universum of each part less that with one of all points."""
    rows = _which(frames, universa, n_train)
    gap = 100.0 * (rows["cv_error_all"] - rows["cv_error_leaking"])
    return OrderingEvidence(differences=gap, test_train_ratio=overlap(n_train))


@measure
def projected_gains(frames, universa, n_train):
    """Error of the SVM less that of the projected-kernel SVM, in points of a per cent."""
    rows = _which(frames, universa, n_train)
    gap = 100.0 * (rows["error_unseen_svm"] - rows["error_unseen_projected"])
    return OrderingEvidence(differences=gap, test_train_ratio=overlap(n_train))


@measure
def projected_beats_chosen(frames, universa, n_train):
    """Error of the chosen U-SVM less that of the projected-kernel SVM."""
    rows = _which(frames, universa, n_train)
    gap = 100.0 * (rows["error_unseen"] - rows["error_unseen_projected"])
    return OrderingEvidence(differences=gap, test_train_ratio=overlap(n_train))


# ---- controls -----------------------------------------------------------------------------------


def control_errors(rows):
    """Errors in per cent: index draw, columns universum and method."""
    return 100.0 * rows.pivot(index="draw", columns=["universum", "method"], values="error_unseen")


@measure
def control_gain(frames, universum, method):
    """Error of the SVM less that with a universum, in points of a per cent."""
    table = control_errors(frames[CONTROLS])[universum]
    return OrderingEvidence(
        differences=table["SVM"] - table[method], test_train_ratio=overlap(max(N_TRAIN))
    )


@measure
def control_loss(frames, universum, method):
    """The same the other way round: above 0 where the universum does harm."""
    found = control_gain(frames, universum, method)
    return OrderingEvidence(-np.asarray(found.differences), found.test_train_ratio)


@measure
def control_equal(frames, universum, method):
    """Error of the SVM less that with a universum, said to be negligible."""
    found = control_gain(frames, universum, method)
    return EquivalenceEvidence(found.differences, found.test_train_ratio)


# ---- the limit ----------------------------------------------------------------------------------


@measure
def limit_reached(frames):
    """Largest distance between U-SVM and projected-kernel SVM above the threshold."""
    rows = frames[PROJECTION]
    rows = rows[(rows["loss"] == "epsilon_insensitive") & (rows["ratio"] > 1.0)]
    return IdentityEvidence(error=float(rows["distance"].max()))


@measure
def limit_not_before(frames):
    """Below the threshold, with the RBF kernel, the two machines are not the same."""
    rows = frames[PROJECTION]
    part = rows[(rows["loss"] == "epsilon_insensitive") & (rows["kernel"] == "rbf")]
    below, above = (
        part.loc[keep, "distance"] for keep in (part["ratio"] == 0.9, part["ratio"] == 1.1)
    )
    return ShapeEvidence(
        below.min() > 100.0 * above.max(),
        f"distance at least {below.min():.2g} at 0.9 of the threshold, at most {above.max():.2g} "
        "at 1.1",
    )


@measure
def squared_limit(frames):
    """Squared loss: ratio times the largest universum value less a half, where the ratio is 1000.

    f at a universum point is its signed dual over 2 C_universum.
    """
    rows = frames[PROJECTION]
    rows = rows[(rows["loss"] == "squared") & (rows["ratio"] == rows["ratio"].max())]
    rows = rows[rows["kernel"] == "rbf"]
    return IdentityEvidence(
        error=float((rows["ratio"] * rows["largest"] - 0.5).abs().max()), scale=0.5
    )


@measure
def limit_hurts(frames, kernel, universum):
    """Test error in the limit less that of the SVM, in points of a per cent."""
    rows = frames[PROJECTION]
    rows = rows[(rows["kernel"] == kernel) & (rows["universum"] == universum)]
    rows = rows[(rows["loss"] == "squared") & (rows["ratio"] == 0.0)].sort_values("draw")
    return OrderingEvidence(
        differences=100.0 * (rows["error_projected"] - rows["error"]).to_numpy(),
        test_train_ratio=overlap(max(N_TRAIN)),
    )
