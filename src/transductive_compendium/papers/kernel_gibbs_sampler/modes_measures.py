"""Modes of the posterior by sample size: how many, and how far from the teacher."""

import numpy as np
import pandas as pd

from ...verdicts.claims import measure
from ...verdicts.rules import OrderingEvidence, ShapeEvidence


def mode_table(frame):
    """What figure 1 shows, over training sets: a row for each flip rate, law and size.

    Parameters
    ----------
    frame : DataFrame
        Rows of the modes.

    Returns
    -------
    DataFrame
        Median number of modes, of modes that a picture shows, and of pieces of the smallest set
        of levels with 95 % of the mass; the share of training sets with more than one of each;
        median angles from the teacher, in degrees, of the highest mode and of the posterior's mean.
    """
    counts = ["modes", "modes_visible", "pieces"]
    angles = {f"{name}_degrees": np.degrees(frame[f"{name}_angle"]) for name in ("top", "mean")}
    more = {f"several_{name}": frame[name] > 1 for name in counts}
    groups = frame.assign(**angles, **more).groupby(["flip_rate", "points", "m"])
    medians = groups[[*counts, *angles]].median()
    return pd.concat([groups.size().rename("draws"), medians, groups[[*more]].mean()], axis=1)


def _flipped(frames):
    frame = frames["kernel_gibbs_sampler/modes"]
    return frame[frame["flip_rate"] > 0.0]


@measure
def several_modes(frames, m):
    """Training sets with more than one mode, and with one, under the law with fewer of the former.

    A sign test of "in most training sets"; what holds under this law holds under the other, too.
    """
    frame = _flipped(frames)
    several = (frame["modes"] > 1)[frame["m"] == m].groupby(frame["points"])
    counts = several.agg(["sum", "size"])
    wins, size = counts.loc[(counts["sum"] / counts["size"]).idxmin()]
    return OrderingEvidence(wins=int(wins), losses=int(size - wins))


@measure
def one_mode_without_noise(frames):
    """Whether no posterior on unflipped labels has a second mode."""
    frame = frames["kernel_gibbs_sampler/modes"]
    most = frame[frame["flip_rate"] == 0.0].groupby(["points", "m"])["modes"].agg(["size", "max"])
    return ShapeEvidence(
        bool((most["max"] == 1).all()) and len(most) > 0,
        "most modes of a posterior: "
        + "; ".join(
            f"{most:.0f} ({points}, m = {m}, {size:.0f} training sets)"
            for (points, m), size, most in most.itertuples()
        ),
    )


@measure
def one_mode_of_many_points(frames, column, m):
    """Whether every training set of `m` points has one mode, modes counted as `column` does."""
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
    """Whether the teacher is near the highest mode in half of the training sets, in degrees."""
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
