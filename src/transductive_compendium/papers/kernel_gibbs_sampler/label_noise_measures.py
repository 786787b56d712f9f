"""The Kernel Gibbs Sampler: from recorded rows to differences, and to evidence for each claim."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from ...verdicts.claims import measure
from ...verdicts.rules import LEVEL, EquivalenceEvidence, OrderingEvidence, ShapeEvidence
from .label_noise import FLIP_RATE, SHARED

__all__ = [
    "error_table",
    "half_width",
    "least_clear",
    "mean_with_error",
    "noise_free_gap",
    "other_q_less_right_q",
    "samples_less_exact",
    "svm_less_bpm",
]

DOCUMENT = "kernel_gibbs_sampler"

# ---- differences between columns, one row for each independent data set -------------------------


def half_width(differences):
    """Half of the 90 % interval of each column's mean: what two one-sided tests at 5 % look at."""
    return stdtrit(differences.count() - 1, 1 - LEVEL) * differences.sem()


def least_clear(differences):
    """The column with the smallest t statistic.

    That all columns have a positive mean is an intersection: it is shown at a level as soon as
    each of them is shown at this level, and so as soon as this one is. No adjustment for their
    number is needed.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        t = differences.mean() / differences.sem()
    return differences[t.fillna(0.0).idxmin()]  # 0 / 0: no set differs


def furthest(differences):
    """The column whose 90 % interval reaches furthest from 0: all are within what it is within."""
    return differences[(differences.mean().abs() + half_width(differences)).idxmax()]


def mean_with_error(differences, digits=2):
    """Mean and standard error of each column (or of a series), as text."""
    mean, error = differences.mean(), differences.sem()
    if np.ndim(mean) == 0:
        return f"{mean:.{digits}f} ± {error:.{digits}f}"
    return pd.Series(
        [f"{m:.{digits}f} ± {e:.{digits}f}" for m, e in zip(mean, error, strict=True)], mean.index
    )


# ---- section 5: label noise ---------------------------------------------------------------------


def error_table(frame, method, labels="flipped"):
    """Test errors in per cent: a row for each set, a column for each q or lambda.

    Parameters
    ----------
    frame : DataFrame
        Rows of figure 4, or those of the angles for one reading.
    method : str
        "bpm", "exact" (the Bayes point without sampling) or "svm".
    labels : str, default "flipped"
        Test labels as published, "flipped" at the rate of the training labels, or "unflipped".
    """
    column = {"flipped": f"{method}_error", "unflipped": f"{method}_true_error"}[labels]
    errors = 100.0 * frame.pivot(index="set", columns="value", values=column)
    return errors.dropna(axis=1, how="all")  # the BPM takes no q of 0.5 or more


def svm_less_bpm(frame, labels="flipped"):
    """SVM error at each lambda less that of the BPM at the true flip rate, in per cent."""
    bpm = error_table(frame, "bpm", labels)[FLIP_RATE]
    return error_table(frame, "svm", labels).sub(bpm, axis=0)


def other_q_less_right_q(frame, labels="flipped", method="bpm"):
    """Error of the Bayes point at each wrong q less that at the true flip rate, in per cent."""
    errors = error_table(frame, method, labels)
    return errors.drop(columns=FLIP_RATE).sub(errors[FLIP_RATE], axis=0)


def samples_less_exact(frame):
    """Error of the samples' mean less that of the exact Bayes point at each q, in per cent."""
    return error_table(frame, "bpm", "flipped") - error_table(frame, "exact", "flipped")


def noise_free_gap(frame, reading):
    """Error of the hard-margin SVM less that of the BPM at q = 0, per set, in per cent.

    Sets in which no margin was resolved have neither error and are left out.
    """
    rows = frame[(frame["reading"] == reading) & (frame["resolved"] == 1)]
    return 100.0 * (rows["svm_error"] - rows["bpm_error"])


@measure
def figure_4_below(frames, labels, beyond):
    """SVM less BPM at the lambda where it is least clear, of the shared abscissa or of all."""
    gap = svm_less_bpm(frames[f"{DOCUMENT}/figure_4"], labels)
    return OrderingEvidence(differences=least_clear(gap if beyond else gap[list(SHARED)]))


@measure
def figure_4_robust(frames):
    """Error at the wrong q that may be furthest off, less that at the true flip rate."""
    return EquivalenceEvidence(furthest(other_q_less_right_q(frames[f"{DOCUMENT}/figure_4"])))


@measure
def figure_4_samples(frames, q):
    """What the mean of the samples loses to the exact Bayes point."""
    return EquivalenceEvidence(samples_less_exact(frames[f"{DOCUMENT}/figure_4"])[q])


@measure
def figure_4_samples_lose(frames, q):
    """The same, to be shown positive."""
    return OrderingEvidence(differences=samples_less_exact(frames[f"{DOCUMENT}/figure_4"])[q])


@measure
def angles_below(frames):
    """Whether the mean error of the BPM is below the SVM's in every reading with two classes."""
    details, holds = [], True
    for reading, rows in frames[f"{DOCUMENT}/angles"].groupby("reading", sort=False):
        positive = 100.0 * rows["positive"].mean()
        if positive in (0.0, 100.0):
            details.append(f"{reading}: one class")
            continue
        gap = svm_less_bpm(rows, "unflipped")
        gap = gap[gap.columns[gap.columns < 0.5]]
        holds &= bool((gap.mean() > 0).all())
        details.append(f"{reading}: {mean_with_error(least_clear(gap))}")
    return ShapeEvidence(
        holds and any("±" in text for text in details),
        "SVM less BPM, in points of error on the labels before flipping, at the lambda where it is "
        "least clear: " + "; ".join(details),
    )


@measure
def noise_free_below(frames, reading):
    """Hard-margin SVM less BPM at q = 0, set by set, nothing flipped."""
    return OrderingEvidence(differences=noise_free_gap(frames[f"{DOCUMENT}/noise_free"], reading))


# ---- section 3: the sampler ---------------------------------------------------------------------


@measure
def law_is_posterior(frames, rule, false_alarms):
    """Whether no chain's frequencies of cells contradict the posterior.

    The smallest of the p-values counts, times their number, so that a sampler without fault fails
    with probability `false_alarms` at most.
    """
    rows = frames[f"{DOCUMENT}/law"]
    rows = rows[rows["rule"] == rule]
    smallest = rows["p_value"].min()
    by_q = rows.groupby("q")[["total_variation", "total_variation_of_draws"]].mean()
    return ShapeEvidence(
        bool(smallest * len(rows) >= false_alarms),
        f"{len(rows)} chains against exact cells: smallest p = {smallest:.2g} (a sampler without "
        f"fault falls below {false_alarms / len(rows):.2g} with probability {false_alarms:g} at "
        f"most); distance in total variation "
        + ", ".join(
            f"{ours:.3f} at q = {q:g} (independent draws {theirs:.3f})"
            for q, ours, theirs in by_q.itertuples()
        ),
    )
