"""The Kernel Gibbs Sampler: modes of the posterior, a step, diversity, votes and rejection."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ...rejection_curves import TEST_TRAIN, error_at_rejection, error_curves, outcomes
from ...verdicts.claims import measure
from ...verdicts.rules import (
    EquivalenceEvidence,
    IdentityEvidence,
    OrderingEvidence,
    ShapeEvidence,
    half_width,
)
from . import votes
from .label_noise_measures import DOCUMENT, least_clear

__all__ = [
    "bayes_point_outcomes",
    "disagreement",
    "mode_table",
    "overlap",
    "rejection_fall",
    "vote_table",
]


def overlap(dataset):
    """Test over training points where the samples are splits of one data set, 0 where drawn."""
    return 0.0 if dataset == "crescents" else TEST_TRAIN


# ---- figure 1: modes ----------------------------------------------------------------------------


def mode_table(frame):
    """What figure 1 shows, over draws: a row for each flip rate, kind of points and size.

    Parameters
    ----------
    frame : DataFrame
        Rows of the modes.

    Returns
    -------
    DataFrame
        Median number of modes, of modes that a picture shows, and of pieces of the smallest set
        of levels with 95 % of the mass; the share of draws with more than one of each; median
        angles from the teacher, in degrees, of the highest mode and of the posterior's mean.
    """
    counts = ["modes", "modes_visible", "pieces"]
    angles = {f"{name}_degrees": np.degrees(frame[f"{name}_angle"]) for name in ("top", "mean")}
    more = {f"several_{name}": frame[name] > 1 for name in counts}
    groups = frame.assign(**angles, **more).groupby(["flip_rate", "points", "m"])
    medians = groups[[*counts, *angles]].median()
    return pd.concat([groups.size().rename("draws"), medians, groups[[*more]].mean()], axis=1)


def _flipped(frames):
    frame = frames[f"{DOCUMENT}/modes"]
    return frame[frame["flip_rate"] > 0.0]


@measure
def several_modes(frames, m):
    """Draws with more than one mode, and with one, of the kind of points with fewer of the first.

    The tally is a sign test of "in most draws"; it is shown for both kinds as soon as for this one.
    """
    frame = _flipped(frames)
    several = (frame["modes"] > 1)[frame["m"] == m].groupby(frame["points"])
    counts = several.agg(["sum", "size"])
    wins, size = counts.loc[(counts["sum"] / counts["size"]).idxmin()]
    return OrderingEvidence(wins=int(wins), losses=int(size - wins))


@measure
def one_mode_without_noise(frames):
    """Whether no posterior on unflipped labels has a second mode."""
    frame = frames[f"{DOCUMENT}/modes"]
    most = frame[frame["flip_rate"] == 0.0].groupby(["points", "m"])["modes"].agg(["size", "max"])
    return ShapeEvidence(
        bool((most["max"] == 1).all()) and len(most) > 0,
        "most modes of a posterior: "
        + "; ".join(
            f"{most:.0f} ({points}, m = {m}, {size:.0f} draws)"
            for (points, m), size, most in most.itertuples()
        ),
    )


@measure
def one_mode_of_many_points(frames, column, m):
    """Whether there is one mode in each draw of `m` points, modes counted as `column` does."""
    counts = _flipped(frames).groupby(["points", "m"])[column]
    largest = counts.max().xs(m, level="m")
    return ShapeEvidence(
        bool((largest == 1).all()),
        "median number of modes: "
        + "; ".join(
            f"{points}: " + ", ".join(f"{n:g} at m = {m}" for (_, m), n in rows.items())
            for points, rows in counts.median().groupby(level="points")
        ),
    )


@measure
def teacher_at_highest_mode(frames, m, degrees):
    """Whether the teacher is within some degrees of the highest mode in half of the draws."""
    frame = _flipped(frames)
    angle = np.degrees(frame["top_angle"][frame["m"] == m]).groupby(frame["points"])
    table = angle.agg(["median", "max"])
    return ShapeEvidence(
        bool((table["median"] < degrees).all()),
        f"angle between them at m = {m}: "
        + "; ".join(
            f"{points}: median {median:.2f} degrees, at most {most:.2f}"
            for points, median, most in table.itertuples()
        ),
    )


# ---- figure 2: steps ----------------------------------------------------------------------------


@measure
def errors_by_increments(frames):
    """Largest difference of the kernel's error counts from a recount, over all arcs."""
    return IdentityEvidence(float(frames[f"{DOCUMENT}/steps"]["largest_difference"].max()))


@measure
def step_6_as_printed(frames):
    """Whether half the difference of two neighbouring angles gives the errors of their arc."""
    wrong = frames[f"{DOCUMENT}/steps"].groupby("m")[["printed_wrong", "printed_difference"]].mean()
    return ShapeEvidence(
        bool((wrong["printed_wrong"] == 0).all()),
        "arcs with a wrong count: "
        + "; ".join(
            f"{100 * share:.1f} % at m = {m}, off by {off:.1f} on average"
            for m, share, off in wrong.itertuples()
        ),
    )


@measure
def step_4_as_printed(frames):
    """Whether the printed angles lie within one turn, as sorting them needs."""
    turns = frames[f"{DOCUMENT}/steps"].groupby("m")["printed_turns"].max()
    return ShapeEvidence(
        bool((turns <= 1).all()),
        "from the first angle to the last: "
        + ", ".join(f"{n:.2f} turns at m = {m}" for m, n in turns.items()),
    )


# ---- figure 3: diversity ------------------------------------------------------------------------


def disagreement(frame, where):
    """Share of pairs of classifiers that differ at a point, in per cent: a row for each draw.

    Parameters
    ----------
    frame : DataFrame
        Rows of the diversity.
    where : str
        "training" points, or those of a grid in the "plane".
    """
    return 100.0 * frame.pivot(index="draw", columns="q", values=f"disagreement_{where}")


@measure
def diversity_grows(frames, where):
    """Growth from one q to the next, at the step where it is least clear."""
    steps = disagreement(frames[f"{DOCUMENT}/diversity"], where).diff(axis=1)
    return OrderingEvidence(differences=least_clear(steps.iloc[:, 1:]))


# ---- section 4: vote and Bayes point ------------------------------------------------------------


def vote_table(frame, dataset, value):
    """A value of each split in per cent: a column for each flip rate and q.

    Parameters
    ----------
    frame : DataFrame
        Rows of the vote.
    dataset : str
    value : str
        "apart" (share of test points where vote and Bayes point differ) or "gain" (error of the
        vote less that of the Bayes point).
    """
    rows = frame[(frame["dataset"] == dataset) & ~frame["empty"]]
    if value == "apart":
        rows = rows.assign(apart=1.0 - rows["agreement"])
    else:
        rows = rows.assign(gain=rows["vote_error"] - rows["point_error"])
    return 100.0 * rows.pivot(index="split", columns=["flip_rate", "q"], values=value)


@measure
def vote_as_bayes_point(frames, every_q):
    """Share of differing decisions, where its interval reaches furthest.

    Over the data sets and flip rates, and over all q or only the true one.
    """
    frame = frames[f"{DOCUMENT}/vote"]
    if not every_q:
        frame = frame[frame["q"] == frame["flip_rate"]]
    found = []
    for dataset in frame["dataset"].unique():
        ratio = overlap(dataset)
        for _, apart in vote_table(frame, dataset, "apart").items():
            found.append((apart.mean() + half_width(apart, ratio), apart, ratio))
    _, apart, ratio = max(found, key=lambda it: it[0])
    return EquivalenceEvidence(apart, ratio)


# ---- section 4: rejection -----------------------------------------------------------------------


def _rejection(frames, dataset, q):
    frame = frames[f"{DOCUMENT}/rejection"]
    return frame[(frame["dataset"] == dataset) & (frame["q"] == q)]


def bayes_point_outcomes(frame):
    """As `outcomes`, with the Bayes point in place of the SVM."""
    return outcomes(frame.assign(f=frame["bayes_point"]))


def rejection_fall(frame, rate):
    """How much of its error each split loses when the closest votes are rejected, in per cent.

    Relative to the error on all points, as the splits differ in how hard they are; splits without
    an error are left out.

    Parameters
    ----------
    frame : DataFrame
        Rows of the rejection for one data set and q.
    rate : float
    """
    o = outcomes(frame)
    error = error_at_rejection(o.confidence, o.wrong, [0.0, rate])
    error = error[error[:, 0] > 0]
    return 100.0 * (1.0 - error[:, 1] / error[:, 0])


@measure
def rejection_reduces(frames, dataset, rate):
    """Part of the error that goes with the closest votes, split by split, at the true flip rate."""
    fall = rejection_fall(_rejection(frames, dataset, votes.FLIP_RATE), rate)
    return OrderingEvidence(differences=fall, test_train_ratio=TEST_TRAIN)


@measure
def no_version_space(frames):
    """Whether no training sample has a classifier without error."""
    empty = frames[f"{DOCUMENT}/rejection"].groupby(["dataset", "split"])["empty"].all()
    counts = empty.groupby(level="dataset").agg(["sum", "size"])
    return ShapeEvidence(
        bool(empty.all()),
        "no version space in "
        + ", ".join(
            f"{some} of {size} splits ({name})" for name, some, size in counts.itertuples()
        ),
    )


@measure
def votes_against_margins(frames, dataset):
    """SVM error less the vote's at equal rejection, mean over rates up to 60 %, split by split."""
    _, vote, svm = error_curves(outcomes(_rejection(frames, dataset, votes.FLIP_RATE)))
    return OrderingEvidence(
        differences=100.0 * (svm - vote).mean(axis=1), test_train_ratio=TEST_TRAIN
    )
