"""Units on the processes of a Dask cluster: the same rows, whoever dies meanwhile."""

import os
import signal
import threading
import time
from contextlib import contextmanager

import joblib
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from toy_experiments import die, logged, toy

from transductive.kernels import gram_matrix
from transductive_compendium.cli import main
from transductive_compendium.runner import UnitError, register, run
from transductive_compendium.runner import execution as runner
from transductive_compendium.runner.unit_store import UnitStore

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")

NAP = {"nap": 0.3}  # more than a batch of joblib's lasts, so that a batch is one unit


@contextmanager
def cluster(workers, **settings):
    with (
        dask.config.set(settings),
        distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            silence_logs=50,
        ) as local,
        distributed.Client(local) as client,
    ):
        yield client


def same(a, b):
    pd.testing.assert_frame_equal(a, b, check_exact=True)


def stored():
    return len(list(UnitStore("toy/walk").folder.glob("*.unit")))


def test_a_cluster_that_loses_a_worker_gives_the_rows_of_one_process(tmp_path):
    serial = run(toy(), "full", params=NAP, progress=False, store=tmp_path / "serial").rows
    before, killed = len(logged()), []

    with cluster(2) as client:
        victim = client.run(os.getpid)

        def kill_one():
            while stored() < 2:
                time.sleep(0.01)
            time.sleep(0.1)  # into the middle of the units that follow
            killed.append(next(iter(victim.values())))
            os.kill(killed[0], signal.SIGKILL)

        killer = threading.Thread(target=kill_one, daemon=True)
        killer.start()
        with joblib.parallel_config(backend="dask"):
            same(run(toy(), "full", params=NAP, progress=False).rows, serial)
        killer.join()
        assert killed[0] not in client.run(os.getpid).values()

    started = logged()[before:]
    assert set(started) == set(range(8)) and stored() == 8
    assert 8 <= len(started) <= 10  # the dead one's: what it computed and what it had just done
    run(toy(), "full", params=NAP, progress=False)
    assert len(logged()) == before + len(started)  # all of them were stored


def test_a_unit_that_kills_its_workers_stops_the_run_with_a_word():
    settings = {"distributed.scheduler.allowed-failures": 0}
    with (
        cluster(1, **settings),
        joblib.parallel_config(backend="dask"),
        pytest.raises(UnitError, match=r"workers stopped \(KilledWorker.*--jobs 1"),
    ):
        run(toy(run_unit=die), progress=False)


def test_a_gram_matrix_has_the_same_bits_in_a_worker():
    X = np.random.default_rng(5).standard_normal((150, 20))
    with cluster(1), joblib.parallel_config(backend="dask"):
        (K,) = joblib.Parallel()([joblib.delayed(gram_matrix)(X)])
    np.testing.assert_array_equal(K, gram_matrix(X))


def test_what_workers_store_elsewhere_is_stored_here_too(monkeypatch):
    """Workers of another machine, whose disk has the same names but is another one."""
    there = runner._Task.keep

    def elsewhere(task, unit):
        note = there(task, unit)
        if unit.get("moved") is None:
            unit["moved"] = True
            task.store.path(task.address).unlink()
        return note

    with monkeypatch.context() as patch:
        patch.setattr(runner._Task, "keep", elsewhere)
        rows = run(toy(), "paper", progress=False).rows
    assert stored() == 6
    same(run(toy(), "paper", progress=False).rows, rows)
    assert len(logged()) == 6


def test_a_worker_with_other_source_code_is_refused(monkeypatch):
    monkeypatch.setattr(runner, "fingerprint", lambda experiment: "newer")
    with pytest.raises(UnitError, match=r"has other source code.*install the same version"):
        run(toy(), jobs=2, progress=False)


def test_the_command_line_takes_the_address_of_a_scheduler(empty_register):
    register(toy())
    with cluster(1) as client:
        words = ["run", "toy/walk", "--scheduler", client.scheduler.address, "--seed", "5"]
        done = CliRunner().invoke(main, words)
        workers = set(client.run(os.getpid).values())
    assert done.exit_code == 0 and "2 units, 4 rows" in done.output
    assert workers and os.getpid() not in workers and sorted(logged()) == [0, 1]
    with dask.config.set({"distributed.comm.timeouts.connect": "1s"}):
        done = CliRunner().invoke(main, ["run", "toy/walk", "--scheduler", "tcp://127.0.0.1:9"])
    assert done.exit_code == 1 and "no Dask scheduler answers at tcp://127.0.0.1:9" in done.output
