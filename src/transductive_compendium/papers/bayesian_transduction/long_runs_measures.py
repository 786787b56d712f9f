"""Evidence on the billiard: long runs, and their first 1000 bounces."""

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats
from .long_runs import N_LONG

#: Columns by option of the open choice `sidedness`.
MISSES = {"two_sided": "missed", "one_sided": "too_high"}


def _by_set(rows, column, flight="as_printed", bounces=N_LONG, estimator="time_ratio"):
    """A column by split, one column for each data set."""
    run = {"flight": flight, "bounces": bounces, "estimator": estimator}
    rows = rows[(rows[list(run)] == list(run.values())).all(axis=1)]
    return rows.pivot(index="split", columns="dataset", values=column)[["thyroid", "heart"]]


def _shown(table, what, scale=1.0, unit=""):
    thyroid, heart = (f"{scale * table[n].mean():#.2g}".rstrip(".") for n in ("thyroid", "heart"))
    return f"{what} {thyroid}{unit} on thyroid, {heart}{unit} on heart"


@measure("bayesian_transduction/long_runs")
def long_run_deviation(rows, estimator="time_ratio", flight="as_printed"):
    """Deviation of p+ from that of the uniform law, leaving out one point in a hundred."""
    table = _by_set(rows, "farthest", flight, N_LONG, estimator)
    return Repeats(table.to_numpy(), shown=_shown(table, "farthest p+ off by"))


@measure("bayesian_transduction/long_runs")
def long_run_escapes(rows):
    """Mean deviation of p+ minus that of the same ball on great circles."""
    own, circles = (_by_set(rows, "mean", flight) for flight in ("as_printed", "great_circles"))
    shown = f"{_shown(own, 'mean deviation')}; {_shown(circles, 'on great circles')}"
    return Repeats((own - circles).to_numpy(), shown=shown)


@measure("bayesian_transduction/long_runs")
def coverage_in_setting(
    rows,
    eta,
    n_bounces=1000,
    estimator="time_ratio",
    sidedness="two_sided",
    flight="as_printed",
):
    """eta minus the share of test points whose p+ is off by epsilon or more, by run."""
    table = _by_set(rows, MISSES[sidedness], flight, n_bounces, estimator)
    return Repeats(eta - table.to_numpy(), shown=_shown(table, "misses", 100, " %"))
