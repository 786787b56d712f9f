"""Evidence on the billiard: long runs, and runs of 1000 bounces."""

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats

#: Ends of the columns' names, by option of the open choices `estimator` and `flight`.
ENDS_BY_ESTIMATOR = {"time_ratio": "", "mean_of_fractions": "_fraction"}
ENDS_BY_FLIGHT = {"as_printed": "", "great_circles": "_circles"}
#: Parts of the columns' names, by option of the open choices `sidedness` and `estimator`.
MISSES = {"two_sided": "missed", "one_sided": "too_high"}
RULES = {"time_ratio": "ratio", "mean_of_fractions": "fraction"}


def _by_set(rows, column):
    """A column by split, one column for each data set."""
    table = rows.pivot(index="split", columns="dataset", values=column)
    return table[["thyroid", "heart"]].dropna()


def _shown(table, what, scale=1.0, unit=""):
    thyroid, heart = (f"{scale * table[n].mean():#.2g}".rstrip(".") for n in ("thyroid", "heart"))
    return f"{what} {thyroid}{unit} on thyroid, {heart}{unit} on heart"


@measure("bayesian_transduction/long_runs")
def long_run_deviation(rows, estimator="time_ratio", flight="as_printed"):
    """Deviation of p+ from that of the uniform law, leaving out one point in a hundred."""
    column = f"farthest{ENDS_BY_ESTIMATOR[estimator]}{ENDS_BY_FLIGHT[flight]}"
    table = _by_set(rows, column)
    return Repeats(table.to_numpy(), shown=_shown(table, "farthest p+ off by"))


@measure("bayesian_transduction/long_runs")
def long_run_escapes(rows):
    """Mean deviation of p+ minus that of the same ball on great circles."""
    own, circles = (_by_set(rows, name) for name in ("mean", "mean_circles"))
    shown = f"{_shown(own, 'mean deviation')}; {_shown(circles, 'on great circles')}"
    return Repeats((own - circles).to_numpy(), shown=shown)


@measure("bayesian_transduction/thousand_bounces")
def coverage_in_setting(rows, eta, n_bounces=1000, estimator="time_ratio", sidedness="two_sided"):
    """eta minus the share of test points whose p+ is off by epsilon or more, by run."""
    column = f"{MISSES[sidedness]}_{RULES[estimator]}_{n_bounces}"
    table = _by_set(rows, column)
    return Repeats(eta - table.to_numpy(), shown=_shown(table, "misses", 100, " %"))
