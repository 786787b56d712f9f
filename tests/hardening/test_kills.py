"""Runs and recorders killed dead: no unit lost or torn, no record torn."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.runner import (
    RecordError,
    load_recorded,
    record,
    records,
    rows_file,
    run,
)
from transductive_compendium.runner import unit_store as store
from transductive_compendium.runner.unit_store import UnitStore

PART = "kills"
NAME, SEED, KILLS = "kernel_gibbs_sampler/queries", 20261122, 50
COMMAND = [sys.executable, "-m", "transductive_compendium.cli", "run"]


def start(folder, out):
    """A run of `NAME` by two workers at the paper's size."""
    environment = {**os.environ, "TRANSDUCTIVE_STORE": str(folder)}
    return subprocess.Popen(
        [*COMMAND, NAME, "--profile", "paper", "--jobs", "2", "--out", str(out)],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=open(out.with_suffix(".log"), "w"),
        start_new_session=True,
    )


def whole_units(folder):
    """Contents of a store by address; every one of its files must be a whole unit or a scrap."""
    units = UnitStore(NAME, folder)
    found = {}
    for path in units.folder.glob("*"):
        if path.suffix == ".tmp":  # of the writer that was killed; no reader looks at it
            continue
        unit, note = units.read(path.stem)
        assert path.suffix == ".unit" and unit is not None, note
        found[path.stem] = path.read_bytes()
    return found


def test_runs_killed_at_random_moments_lose_nothing(tmp_path, tally):
    began = time.monotonic()
    assert start(tmp_path / "undisturbed", tmp_path / "undisturbed.csv").wait() == 0
    whole = time.monotonic() - began
    total = len(whole_units(tmp_path / "undisturbed"))
    moments, kills, before = random.Random(SEED), 0, {}
    folder, out = tmp_path / "store", tmp_path / "rows.csv"
    while kills < KILLS:
        process = start(folder, out)
        try:
            code = process.wait(timeout=moments.uniform(0, whole))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # its workers with it
            assert process.wait() == -signal.SIGKILL
            kills += 1
            tally("runs with two workers killed")
            after = whole_units(folder)
            assert before.items() <= after.items()  # what was finished is there, byte for byte
            tally("of them while they computed units", before.keys() != after.keys())
            tally("stored units checked after a kill", len(after))
            before = after
        else:
            assert code == 0, out.with_suffix(".log").read_text()
            assert len(whole_units(folder)) == total
            assert out.read_bytes() == (tmp_path / "undisturbed.csv").read_bytes()
            tally("runs taken up to the end between the kills, with the rows of an undisturbed one")
            shutil.rmtree(folder)  # and from the beginning
            before = {}
    assert start(folder, out).wait() == 0
    assert out.read_bytes() == (tmp_path / "undisturbed.csv").read_bytes()
    assert len(whole_units(folder)) == total


def test_a_worker_killed_alone_stops_its_run_and_loses_nothing(tmp_path, tally):
    moments = random.Random(SEED + 1)
    folder, out = tmp_path / "store", tmp_path / "rows.csv"
    for _ in range(5):
        known = len(whole_units(folder))
        process = start(folder, out)
        while len(list(UnitStore(NAME, folder).folder.glob("*.unit"))) < known + 4:
            assert process.poll() is None
            time.sleep(0.01)
        time.sleep(moments.uniform(0, 0.2))
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        if not children.exists():
            os.killpg(process.pid, signal.SIGKILL)
            pytest.skip("this system does not tell a process's children")
        workers = [
            int(child)
            for child in children.read_text().split()
            if b"popen_loky" in Path(f"/proc/{child}/cmdline").read_bytes()
        ]
        os.kill(moments.choice(workers), signal.SIGKILL)
        assert process.wait(timeout=60) == 1
        assert len(whole_units(folder)) >= known + 4
        tally("workers killed alone")


def killed(line, files, act):
    """Status of a child that acts until it is killed at this line, counted, of these files."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    left = line

    def trace(frame, event, _):
        nonlocal left
        if frame.f_code.co_filename not in files:
            return None
        left -= event == "line"
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return trace

    sys.settrace(trace)
    act()
    os._exit(0)


def test_a_writer_killed_at_any_line_leaves_the_old_file_or_the_new_one(tmp_path, tally):
    path, old = tmp_path / "rows.csv", pd.DataFrame({"x": np.zeros(50_000)})
    rows_file.write_rows(old, str(path))
    before, files = path.read_bytes(), {rows_file.__file__, store.__file__}
    for line in range(1, 1000):
        status = killed(line, files, partial(rows_file.write_rows, old + 1.0, str(path)))
        if os.WIFEXITED(status):
            break
        assert path.read_bytes() in (before, before.replace(b"0.0", b"1.0"))
        tally("writers of rows killed, one at each line")
    assert path.read_bytes() == before.replace(b"0.0", b"1.0") and line > 5


def test_a_recorder_killed_at_any_line_leaves_a_record_or_says_what_to_do(
    tmp_path, monkeypatch, tally
):
    monkeypatch.setenv("TRANSDUCTIVE_RESULTS", str(tmp_path))
    done = run(NAME, "paper", progress=False)
    column = next(c for c in done.rows if done.rows[c].dtype.kind == "f")
    old = None
    files = {records.__file__, store.__file__}
    for line in range(1, 10_000):
        changed = type(done)(**{**vars(done), "rows": done.rows.assign(**{column: float(line)})})
        if old is None:
            record(done)
            old = load_recorded(NAME)[0]
        status = killed(line, files, partial(record, changed))
        try:
            rows, facts = load_recorded(NAME)
        except RecordError as error:  # between the two renames: never read as one record
            assert f"transductive run {NAME} --profile paper --record" in str(error)
            record(changed)
            rows, facts = load_recorded(NAME)
        assert facts["rows"] == len(rows)
        assert rows.equals(old) or rows.equals(changed.rows)
        if os.WIFEXITED(status):
            assert rows.equals(changed.rows)
            break
        old = rows
        tally("recorders killed, one at each line that writes a record")
    assert line > 50
