"""The Kernel Gibbs Sampler past its limit: what has mixed, what a draw costs, what it is worth."""

from __future__ import annotations

import numpy as np

from transductive.version_space.mixing import ESS, R_HAT

from ...verdicts.claims import measure
from ...verdicts.rules import EquivalenceEvidence, OrderingEvidence, ShapeEvidence
from .limit import NOISE

__all__ = ["WORST_R_HAT", "at_own_noise", "at_the_end", "exponent", "has_mixed", "largest_mixed"]

DOCUMENT = "kernel_gibbs_sampler"
UNIT = ["dataset", "m", "rank", "q", "thin"]

# The worst R-hat of fifty outputs is above 1.01 even for independent draws; of 400 independent
# draws it stays below this in 99 % of all cases.
WORST_R_HAT = 1.04

# ---- real sets ----------------------------------------------------------------------------------


def at_the_end(frame, start="both"):
    """Rows after all steps, one for each unit, of the chains from one start or of both."""
    frame = frame[frame["start"] == start]
    return frame[frame["steps"] == frame.groupby(UNIT)["steps"].transform("max")]


def at_own_noise(frame):
    """Rows whose q is the noise taken for the data set, not a larger one."""
    return frame[frame["q"] == frame["dataset"].map(NOISE)]


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
    end = at_own_noise(at_the_end(frames[f"{DOCUMENT}/limit"], start))
    return end[end["rank"] == 0]


def _each(rows):
    return ", ".join(
        f"{row.dataset} {row.r_hat_outputs:.2f} and {min(row.ess_errors, row.ess_outputs):.0f}"
        for row in rows.itertuples()
    )


@measure
def limit_between(frames, mixes, fails):
    """Whether all sets mix at one number of points, and none of them at another."""
    end = _whole_span(frames)
    small, large = (end[end["m"] == m] for m in (mixes, fails))
    return ShapeEvidence(
        bool(len(small) and len(large) and has_mixed(small).all() and not has_mixed(large).any()),
        f"worst R-hat of the outputs (at most {WORST_R_HAT:g}) and effective sample size (at least "
        f"{ESS:g}) after {small['steps'].min():,} steps at m = {mixes}: {_each(small)}; after "
        f"{large['steps'].min():,} steps at m = {fails}: {_each(large)}",
    )


@measure
def low_rank_mixes(frames, m):
    """Whether every set with a low-rank span has one in which the chains mix."""
    end = at_own_noise(at_the_end(frames[f"{DOCUMENT}/limit"]))
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
    return ShapeEvidence(
        bool(len(low) and has_mixed(low).groupby(low["dataset"]).any().all()),
        "worst R-hat of the outputs: " + "; ".join(details),
    )


@measure
def bayes_point_less_svm(frames, m):
    """Test error of the Bayes point less that of the SVM, in points, set by set."""
    end = _whole_span(frames)
    end = end[end["m"] == m]
    return EquivalenceEvidence(100.0 * (end["error_bayes_point"] - end["error_svm"]))


@measure
def bayes_point_less_start(frames, m):
    """Test error of the Bayes point of the chains from a solution less that of this solution."""
    end = _whole_span(frames, "regularised")
    end = end[end["m"] == m]
    return EquivalenceEvidence(100.0 * (end["error_bayes_point"] - end["error_start"]))


@measure
def start_decides(frames, m):
    """Test errors of the Bayes point from the prior against those from a solution, all sets.

    Counted as if no test point were misclassified by both, which understates the evidence:
    the same lead over fewer discordant cases has a smaller p-value.
    """
    counts = []
    for start in ("prior", "regularised"):
        end = _whole_span(frames, start)
        end = end[end["m"] == m]
        counts.append(int((end["error_bayes_point"] * end["n_test"]).round().sum()))
    return OrderingEvidence(wins=counts[0], losses=counts[1])


# ---- steps for an independent draw --------------------------------------------------------------


def exponent(x, y):
    """Least-squares slope of ln y on ln x."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def _as_many_dimensions(frames):
    frame = frames[f"{DOCUMENT}/mixing"]
    return frame[frame["m"] == frame["r"]]


def largest_mixed(frame):
    """For each q, from the noisiest down, the largest m up to which every chain mixed (else 0)."""
    return {
        q: int(rows.sort_values("m")["m"].where(rows["mixed"].astype(bool).cummin(), 0).max())
        for q, rows in sorted(frame.sort_values("m").groupby("q"), reverse=True)
    }


@measure
def limit_falls_with_noise(frames):
    """Whether the largest number of points that mixes falls with the noise assumed."""
    frame = _as_many_dimensions(frames)
    limits = largest_mixed(frame[frame["q"] < 0.5])
    found = list(limits.values())
    return ShapeEvidence(
        found == sorted(found, reverse=True) and found[0] > found[-1],
        "largest number of points, as many dimensions, up to which the chains mixed: "
        + ", ".join(f"{m} at q = {q:g}" for q, m in limits.items())
        + f" (of {', '.join(map(str, sorted(frame['m'].unique())))})",
    )


@measure
def draw_costs_more(frames, levels):
    """Whether steps for an independent draw outgrow the number of points at every q given.

    Only runs that have mixed count; of the others the time is not known.
    """
    frame = _as_many_dimensions(frames)
    frame = frame[frame["mixed"].astype(bool)]
    slopes = {}
    for q in levels:
        rows = frame[frame["q"] == q]
        slopes[q] = exponent(rows["m"], rows["time_outputs"]) if len(rows) > 1 else np.nan
    return ShapeEvidence(
        all(slope > 1.0 for slope in slopes.values()),
        "steps for an independent draw grow with the number of points, as many dimensions, to the "
        "power "
        + ", ".join(
            f"{slope:.2f} at q = {q:g} (up to {frame.loc[frame['q'] == q, 'm'].max()} points)"
            for q, slope in slopes.items()
        )
        + "; a step takes two products with the Gram matrix, 2 m^2 multiplications",
    )


# ---- microseconds -------------------------------------------------------------------------------


@measure
def step_below_products(frames, least):
    """Whether the kernel's whole step takes less than the two Gram products of the document's."""
    rows = frames[f"{DOCUMENT}/step_cost"]
    rows = rows[rows["m"] >= least]
    ratio = rows["products"] / rows["kernel"]
    large = rows[rows["m"] >= 800]
    slopes = {name: exponent(large["m"], large[name]) for name in ("kernel", "products")}
    return ShapeEvidence(
        bool((ratio > 1.0).all()),
        "products over step: "
        + ", ".join(f"{r:.1f} at m = {m}" for m, r in zip(rows["m"], ratio, strict=True))
        + f"; from 800 points on the step grows with the power {slopes['kernel']:.2f} of m, the "
        f"products with {slopes['products']:.2f} (one processor and its caches)",
    )
