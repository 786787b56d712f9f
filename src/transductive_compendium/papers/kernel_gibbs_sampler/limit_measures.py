"""Numbers of points at which the chains mix, and the error of their Bayes point."""

import numpy as np

from transductive.version_space.mixing import ESS, R_HAT

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats
from .difference_measures import yes_or_no
from .limit import OWN_NOISE

UNIT_KEY = ["dataset", "m", "rank", "q", "thin"]

# The worst R-hat of fifty outputs is above 1.01 even for independent draws; of 400 independent
# draws it stays below this in 99 % of all cases.
WORST_R_HAT = 1.04


def at_the_end(frame, start="both"):
    """Rows after all steps, one for each unit, of the chains from one start or of both."""
    frame = frame[frame["start"] == start]
    return frame[frame["steps"] == frame.groupby(UNIT_KEY)["steps"].transform("max")]


def at_own_noise(frame):
    """Rows whose q is the noise assumed for the data set, not a larger one."""
    return frame[frame["q"] == frame["dataset"].map(OWN_NOISE)]


def has_mixed(frame):
    """Whether the chains of each row have mixed.

    R-hat of the training errors is at most 1.01, the worst of fifty outputs at most
    `WORST_R_HAT`, and both effective sample sizes are at least 400.
    """
    return (
        (frame["r_hat_errors"] <= R_HAT)
        & (frame["r_hat_outputs"] <= WORST_R_HAT)
        & (frame[["ess_errors", "ess_outputs"]].min(axis=1) >= ESS)
    )


def _whole_span(frames, start="both"):
    end = at_own_noise(at_the_end(frames["kernel_gibbs_sampler/limit"], start))
    return end[end["rank"] == 0]


@measure
def low_rank_mixes(frames, m):
    """Whether every set with a low-rank span has one in which the chains mix."""
    end = at_own_noise(at_the_end(frames["kernel_gibbs_sampler/limit"]))
    end = end[end["m"] == m]
    low = end[end["rank"] > 0]
    details = [
        f"{name}: "
        + ", ".join(
            f"{row.r_hat_outputs:.2f} at {f'rank {row.rank}' if row.rank else 'the whole span'}"
            for row in rows.itertuples()
        )
        for name, rows in end[end["dataset"].isin(low["dataset"])].groupby("dataset", sort=False)
    ]
    return yes_or_no(
        bool(len(low) and has_mixed(low).groupby(low["dataset"]).any().all()),
        "worst R-hat of the outputs: " + "; ".join(details),
    )


@measure
def bayes_point_less_svm(frames, m):
    """Test error of the Bayes point minus that of the SVM, in percentage points, set by set."""
    end = _whole_span(frames)
    end = end[end["m"] == m]
    return Repeats((100.0 * (end["error_bayes_point"] - end["error_svm"])).to_numpy())


@measure
def bayes_point_less_start(frames, m):
    """Test error of the Bayes point of the chains from a solution minus that of this solution."""
    end = _whole_span(frames, "regularised")
    end = end[end["m"] == m]
    return Repeats((100.0 * (end["error_bayes_point"] - end["error_start"])).to_numpy())


@measure
def start_decides(frames, m):
    """Test errors of the Bayes point from the prior minus those from a solution, all sets."""
    counts = []
    for start in ("prior", "regularised"):
        end = _whole_span(frames, start)
        end = end[end["m"] == m]
        counts.append(int((end["error_bayes_point"] * end["n_test"]).round().sum()))
    return Repeats(np.array([counts[0] - counts[1]]))
