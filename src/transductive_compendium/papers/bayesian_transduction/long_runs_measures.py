"""Evidence on the billiard: what (8) says, long runs, 1000 bounces, and known volumes."""

import math

from scipy.stats import binom

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics, Repeats

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


@measure("bayesian_transduction/thousand_bounces")
def equation_8_bounces(rows, epsilon, eta, about):
    """Whether the formula gives about as many bounces, one-sided and two-sided."""
    n = [math.log(sides / eta) / (2.0 * epsilon**2) for sides in (1, 2)]
    return Mathematics(
        true=sum(abs(x / about - 1.0) <= 0.1 for x in n),
        cases=2,
        shown=f"{math.ceil(n[0])}; two-sided {math.ceil(n[1])}",
    )


@measure("bayesian_transduction/thousand_bounces")
def hoeffding_holds(rows):
    """Cases in which the exact tail of a binomial law is within Hoeffding's bound."""
    cases = [
        (n, p, epsilon)
        for n in (10, 30, 100, 300, 1000, 2000)
        for p in (0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95)
        for epsilon in (0.01, 0.05, 0.1, 0.2)
    ]
    true = sum(
        binom.sf(math.ceil(n * (p + epsilon) - 1e-9) - 1, n, p)
        <= math.exp(-2.0 * n * epsilon**2) + 1e-12
        for n, p, epsilon in cases
    )
    return Mathematics(true=true, cases=len(cases))


@measure("bayesian_transduction/ergodicity")
def billiard_in_general(frame, rule):
    """Number of runs whose p+ is within four standard errors of the exact value."""
    frame = frame[frame["rule"] == rule]
    close = (frame["time_ratio"] - frame["exact"]).abs() <= 4 * frame["error"]
    means = frame.groupby("geometry")[["exact", "time_ratio"]].mean()
    shown = "; ".join(f"{n}: {r.time_ratio:.3f}, exact {r.exact:.3f}" for n, r in means.iterrows())
    return Mathematics(true=int(close.sum()), cases=len(frame), shown=shown)
