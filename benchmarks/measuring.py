"""Seconds measured side by side, the rows of a table, and what outlasts a run that was stopped."""

import hashlib
import resource
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import cache, wraps
from multiprocessing import get_context
from pathlib import Path
from time import process_time

import numpy as np

import transductive
from transductive_compendium.runner.provenance import machine, versions
from transductive_compendium.runner.unit_store import UnitStore, unit_address

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


def alone(function, *arguments):
    """Result of a function in a process of its own, so that its peak memory is the function's."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(function, *arguments).result()


def peak_memory():
    """Peak memory of this process in GiB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # in kilobytes, but in bytes on macOS
    return peak / (2**30 if sys.platform == "darwin" else 2**20)


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


def stored(name, *files):
    """Decorator of a function whose JSON-able answers are kept in the store of units.

    They are found again while the programs, the library, the packages' versions and the machine
    stay the same. So a recording that was stopped goes on.

    Parameters
    ----------
    name : str
        Name of the table.
    *files : str
        The programs.
    """

    @cache
    def maker():
        sources = Path(transductive.__file__).parent.rglob("*.py*")
        code = {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in (*map(Path, files), *sources)
            if path.suffix in (".py", ".pyx", ".pxd")
        }
        return code, versions() | machine()

    def keep(compute):
        @cache
        @wraps(compute)
        def answer(*arguments):
            key = {"function": compute.__name__, "arguments": arguments}
            address = unit_address(f"benchmarks/{name}", 1, *maker(), 0, key)
            store = UnitStore(f"benchmarks/{name}")
            unit, _ = store.read(address)
            if unit is None:
                unit = {"answer": compute(*arguments)}
                store.write(address, unit)
            return unit["answer"]

        return answer

    return keep
