"""Seconds measured side by side, and the rows of a table."""

from time import process_time

import numpy as np

ROUNDS, FEW_ROUNDS = 25, 5  # the few are for jobs that take long


def least_seconds(jobs, rounds=ROUNDS):
    """Least seconds of each job; the jobs take turns, so that all meet the same conditions.

    It is processor time, of all threads: what other programs take of the machine does not count,
    and neither would a second thread go unnoticed.
    """
    least = dict.fromkeys(jobs, np.inf)
    for _ in range(rounds):
        for name, work in jobs.items():
            begin = process_time()
            work()
            least[name] = min(least[name], process_time() - begin)
    return least


def table_row(group, case, sizes, quantity, unit, value, at_least=np.nan, at_most=np.nan):
    """One row of a table, held to its bar where it has one; `sizes` are columns, too."""
    decided = not (np.isnan(at_least) and np.isnan(at_most))
    missed = value < at_least or value > at_most or np.isnan(value)
    verdict = ("missed" if missed else "PASS") if decided else "-"
    bar = "-"
    if decided:
        bar = f"at least {at_least:g}" if at_most != at_most else f"at most {at_most:g}"
    return {
        "group": group, "case": case, **sizes, "quantity": quantity, "unit": unit,
        "value": float(value), "bar": bar, "verdict": verdict,
    }  # fmt: skip
