"""What is measured of several processes, on one machine."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

import joblib
import numpy as np
from measuring import table_row
from pandas.testing import assert_frame_equal

from transductive_compendium.runner import get, run

ROUNDS = 2
CASES = {
    "long": ("kernel_gibbs_sampler/figure_4", "a tenth of a second"),
    "short": ("bayesian_transduction/svm_labelling", "a hundredth of a second"),
}
METHOD = (
    f"{os.cpu_count()} processors; by the clock; workers are up beforehand; contenders take turns; "
    f"best of {ROUNDS} rounds; one BLAS thread each; every unit computed and stored"
)
TITLE = "One process, joblib's processes, and a Dask cluster on the same machine"
GROUPS = {group: f"Units of {size}: {name}" for group, (name, size) in CASES.items()}


def seconds(name, jobs=1):
    """Of a run of the paper tier into an empty store."""
    with tempfile.TemporaryDirectory() as store:
        begin = perf_counter()
        done = run(name, "paper", jobs=jobs, progress=False, store=store)
        return perf_counter() - begin, done.rows


@contextmanager
def dask(workers):
    """Runs go to a cluster of so many processes."""
    from distributed import Client, LocalCluster

    cluster = LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None
    )
    with cluster, Client(cluster), joblib.parallel_config(backend="dask"):
        yield


def agree(ours, theirs):
    """Whether two runs have the same rows, floats but for the last digits of another process."""
    try:
        assert_frame_equal(ours, theirs, rtol=1e-9, atol=1e-9)
    except AssertionError:
        return False
    return True


def measure() -> Iterator[dict]:
    """All rows of the table, one by one."""
    for group, (name, _) in CASES.items():
        least, rows = {}, {}
        units = len(
            get(name).unit_keys({k: p.default for k, p in get(name).parameters.items()}, "paper")
        )
        for _ in range(ROUNDS):
            for what in ("one process", "2 processes", "Dask, 1 worker", "Dask, 2 workers"):
                if what.startswith("Dask"):
                    with dask(int(what.split()[1])):
                        run(name, progress=False, fresh=True)  # imports, on the workers, too
                        took, rows[what] = seconds(name)
                else:
                    jobs = 2 if what.startswith("2") else 1
                    run(name, jobs=jobs, progress=False, fresh=True)
                    took, rows[what] = seconds(name, jobs)
                least[what] = min(least.get(what, np.inf), took)
        for what, took in least.items():
            place = group, f"{units} units", {"units": units}
            yield table_row(*place, what, "seconds", took)
            if what != "one process":
                yield table_row(
                    *place, f"one process / {what}", "times", least["one process"] / took
                )
        same = sum(agree(frame, rows["one process"]) for frame in rows.values())
        yield table_row(*place, "contenders with the same rows", "of 4", same, at_least=4)
