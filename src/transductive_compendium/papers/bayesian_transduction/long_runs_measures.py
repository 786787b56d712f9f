"""Evidence on the billiard in the paper's own setting: long runs, and runs of 1000 bounces."""

from __future__ import annotations

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats


def _by_set(rows, column):
    """A column by split, one column for each data set."""
    table = rows.pivot(index="split", columns="dataset", values=column)
    return table[["thyroid", "heart"]].dropna()


def _shown(table, what, scale=1.0, unit=""):
    thyroid, heart = (f"{scale * table[n].mean():#.2g}".rstrip(".") for n in ("thyroid", "heart"))
    return f"{what} {thyroid}{unit} on thyroid, {heart}{unit} on heart"


@measure
def long_run_deviation(frames, estimator="time_ratio", flight="as_printed"):
    """Deviation of p+ from that of the uniform law, leaving out one point in a hundred."""
    fraction = "_fraction" if estimator == "mean_of_fractions" else ""
    circles = "_circles" if flight == "great_circles" else ""
    table = _by_set(frames["bayesian_transduction/long_runs"], f"farthest{fraction}{circles}")
    return Repeats(table.to_numpy(), shown=_shown(table, "farthest p+ off by"))


@measure
def long_run_escapes(frames):
    """Mean deviation of p+ minus that of the same ball on great circles."""
    rows = frames["bayesian_transduction/long_runs"]
    own, circles = (_by_set(rows, name) for name in ("mean", "mean_circles"))
    shown = f"{_shown(own, 'mean deviation')}; {_shown(circles, 'on great circles')}"
    return Repeats((own - circles).to_numpy(), shown=shown)


@measure
def coverage_in_setting(frames, eta, n_bounces=1000, estimator="time_ratio", sidedness="two_sided"):
    """eta minus the share of test points whose p+ is off by epsilon or more, by run."""
    side = "too_high" if sidedness == "one_sided" else "missed"
    rule = "fraction" if estimator == "mean_of_fractions" else "ratio"
    table = _by_set(frames["bayesian_transduction/thousand_bounces"], f"{side}_{rule}_{n_bounces}")
    return Repeats(eta - table.to_numpy(), shown=_shown(table, "misses", 100, " %"))
