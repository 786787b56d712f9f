"""Active learning: from recorded rows to areas and rank correlations, and to evidence."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from transductive.version_space.active_learning import binary_entropy

from ...rejection_curves import TEST_TRAIN
from ...verdicts.claims import measure
from ...verdicts.rules import (
    EquivalenceEvidence,
    IdentityEvidence,
    OrderingEvidence,
    ShapeEvidence,
)
from .label_noise_measures import DOCUMENT, furthest, half_width, least_clear
from .queries import WHOLE

__all__ = [
    "areas",
    "areas_above_entropy",
    "as_expected",
    "error_curves",
    "rank_correlations",
    "reach",
]

# Points of the sphere are drawn anew each time; heart and thyroid are split again and again.
_TEST_TRAIN = {"uniform": 0.0, "beta": 0.0, "heart": TEST_TRAIN, "thyroid": TEST_TRAIN}
# A rank correlation of fewer candidates than this says nothing.
_LEAST_CANDIDATES = 5


def reach(differences):
    """Half of the 90 % interval of each problem's mean, widened where its splits overlap."""
    overlap = differences.columns.map(_TEST_TRAIN).to_numpy(dtype=float)
    return half_width(differences) * np.sqrt(1.0 + differences.count() * overlap)


# ---- learning curves ----------------------------------------------------------------------------


def _of(frame, noise):
    """Rows with or without flips where the rate of flips was assumed correctly."""
    return frame[(frame["q"] == frame["flip_rate"]) & ((frame["flip_rate"] > 0) == noise)]


def error_curves(frame, noise, column="error"):
    """Errors in per cent: a row for each problem, strategy and replication, a column a number.

    Parameters
    ----------
    frame : DataFrame
        Rows of the active learning experiment.
    noise : bool
        Those with flipped labels, or those without.
    column : str, default "error"
        Of the Bayes point; "error_vote" of the vote; "error_svm" of a support vector machine that
        learns from the same labels.
    """
    index = ["problem", "strategy", "replication"]
    return 100.0 * _of(frame, noise).pivot(index=index, columns="labels", values=column)


def areas(frame, noise, column="error"):
    """Area under each learning curve, as mean error from first to last number of labels.

    Trapezoids; a row for each replication, columns (problem, strategy). The data sets have fewer
    replications than the toys; what they lack is NaN.
    """
    errors = error_curves(frame, noise, column)
    labels = errors.columns.to_numpy(dtype=float)
    area = np.trapezoid(errors.to_numpy(), labels, axis=1) / np.ptp(labels)
    return pd.Series(area, errors.index).unstack(["problem", "strategy"])


def areas_above_entropy(frame, strategy, noise, column="error"):
    """Area of a strategy less that of queries by entropy, a column for each problem."""
    area = areas(frame, noise, column)
    return area.xs(strategy, axis=1, level="strategy") - area.xs(
        "entropy", axis=1, level="strategy"
    )


def _decided(differences, problems, choose):
    chosen = choose(differences[list(problems)])
    return dict(differences=chosen.dropna().to_numpy(), test_train_ratio=_TEST_TRAIN[chosen.name])


def _curves(frames):
    return frames[f"{DOCUMENT}/active_learning"]


@measure
def queries_beat(frames, strategy, problems, noise):
    """Area of another strategy less that of the entropy, on the problem where it is least clear.

    `noise` lists with which labels: flipped or not; of both, the mean counts.
    """
    gaps = [areas_above_entropy(_curves(frames), strategy, kind) for kind in noise]
    gap = sum(gaps) / len(gaps)
    return OrderingEvidence(**_decided(gap, problems, least_clear))


@measure
def queries_alike(frames, strategy, problems, noise):
    """The same, to be shown negligible on the problem where it may be furthest off."""
    gap = areas_above_entropy(_curves(frames), strategy, noise)
    return EquivalenceEvidence(**_decided(gap, problems, furthest))


@measure
def queries_end_below(frames, labels, problems):
    """Whether, in the mean over these splits, the entropy ends below random queries.

    Both of them do where there are two: of the span of the labelled points, and of all space.
    """
    details, holds = [], True
    for noise in (False, True):
        errors = error_curves(_curves(frames), noise)[labels].groupby(["problem", "strategy"])
        mean = errors.mean().unstack()
        for problem in problems:
            ours = mean.loc[problem, ["entropy", WHOLE]].dropna()
            theirs = mean.loc[problem, "random"]
            holds &= bool((ours < theirs).all())
            what = "flipped labels" if noise else "labels as they are"
            details.append(
                f"{problem}, {what}: {' and '.join(f'{e:.1f} %' for e in ours)} against "
                f"{theirs:.1f} %"
            )
    return ShapeEvidence(holds, f"after {labels} labels " + "; ".join(details))


# ---- information --------------------------------------------------------------------------------


def as_expected(p_plus, flip_rate):
    """What a label is expected to tell, in bits: ``H(q + (1 - 2 q) p) - H(q)``, from p and q."""
    p = np.asarray(p_plus, dtype=float)
    return binary_entropy(np.clip(p + flip_rate - 2.0 * flip_rate * p, 0.0, 1.0)) - binary_entropy(
        flip_rate
    )


def rank_correlations(frame, indicator, outcome):
    """Spearman's rank correlation over the candidates of each training sample.

    Parameters
    ----------
    frame : DataFrame
        Rows of the information experiment.
    indicator : str
        "entropy", "entropy_sampled" or "margin", whose sign is turned.
    outcome : str
        "gain" (in bits, of the label that the truth gives), "gain_expected" (by the posterior),
        "risk_drop" or "error_drop".

    Returns
    -------
    DataFrame
        A row for each replication, a column for each (law, flip rate, number of points). Where
        indicator or outcome is the same for all candidates, 0.
    """
    sign = -1.0 if indicator == "margin" else 1.0

    def rho(rows):
        if len(rows) < _LEAST_CANDIDATES:
            return np.nan
        if rows[indicator].nunique() == 1 or rows[outcome].nunique() == 1:
            return 0.0
        return sign * spearmanr(rows[indicator], rows[outcome]).statistic

    groups = frame.groupby(["law", "flip_rate", "m", "replication"])[[indicator, outcome]]
    return groups.apply(rho).unstack(["law", "flip_rate", "m"])


def _information(frames):
    return frames[f"{DOCUMENT}/information"]


@measure
def entropy_indicates(frames, indicator, outcome):
    """Rank correlation with an outcome, by sample, in the setting where it is least clear."""
    rho = rank_correlations(_information(frames), indicator, outcome)
    return OrderingEvidence(differences=least_clear(rho).dropna().to_numpy())


@measure
def entropy_beats_margin(frames, outcome):
    """The entropy's rank correlation less that of the distance from the Bayes point's plane."""
    rho, by_margin = (
        rank_correlations(_information(frames), name, outcome) for name in ("entropy", "margin")
    )
    return OrderingEvidence(differences=least_clear(rho - by_margin).dropna().to_numpy())


@measure
def information_expected(frames):
    """Entropy lost by exact posteriors, in the mean over labels, against its closed form."""
    rows = _information(frames)
    closed = as_expected(rows["p_plus"], rows["flip_rate"])
    return IdentityEvidence(float((rows["gain_expected"] - closed).abs().max()))


@measure
def entropy_estimated(frames):
    """Largest deviation of the entropy from samples, in bits."""
    rows = _information(frames)
    return IdentityEvidence(float((rows["entropy_sampled"] - rows["entropy"]).abs().max()))
