"""Full and read-only disks: a clear word, and nothing lost that was computed.

The disks are small file systems in memory, mounted in a namespace of the test's own, where they
vanish with it; so they hold for root, too, whom permissions do not.
"""

import os
import shutil
import subprocess
import sys

import pandas as pd
import pytest
from click.testing import CliRunner

from transductive_compendium.cli import main
from transductive_compendium.runner import records
from transductive_compendium.runner.unit_store import UnitStore

PART = "disks"
NAME, UNITS = "transductive_svm/equivalence_classes", 150
RUN = [sys.executable, "-m", "transductive_compendium.cli", "run", NAME, "--profile", "paper"]
NAMESPACE = ["unshare", "--user", "--map-root-user", "--mount"]


def namespaces():
    probe = [*NAMESPACE, "mount", "-t", "tmpfs", "-o", "size=64k", "none", "/mnt"]
    return shutil.which("unshare") and not subprocess.run(probe, capture_output=True).returncode


needs_namespaces = pytest.mark.skipif(not namespaces(), reason="this system lets no one mount")


def on_disk(script, folder, **environment):
    """Run a shell script in which ``disk`` is a small file system, with a copy of it in the end."""
    head = f"set -u; disk={folder}/disk; mkdir -p $disk; mount -t tmpfs -o size=96k none $disk\n"
    tail = f"\ncode=$?; cp -r $disk {folder}/copy; exit $code"
    return subprocess.run(
        [*NAMESPACE, "sh", "-c", head + script + tail],
        env={**os.environ, "RUN": " ".join(RUN), **environment},
        capture_output=True,
        text=True,
        timeout=400,
    )


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """CSV of an undisturbed run, and the store that it filled."""
    folder = tmp_path_factory.mktemp("undisturbed")
    done = subprocess.run(
        [*RUN, "--out", str(folder / "rows.csv")],
        env={**os.environ, "TRANSDUCTIVE_STORE": str(folder / "store")},
        capture_output=True,
    )
    assert done.returncode == 0
    return folder


def whole(store):
    units = UnitStore(NAME, store)
    for path in units.folder.iterdir():
        assert path.suffix == ".unit" and units.read(path.stem)[0] is not None, path
    return len(list(units.folder.iterdir()))


@needs_namespaces
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_disk_full_of_units_costs_none_of_them(jobs, rows, tmp_path, tally):
    done = on_disk(
        f"""
        TRANSDUCTIVE_STORE=$disk $RUN --jobs {jobs} --out $disk/../first.csv || exit
        cp -r $disk $disk/../full
        mount -o remount,size=64m $disk
        echo AGAIN >&2
        TRANSDUCTIVE_STORE=$disk $RUN --jobs {jobs} --out $disk/../again.csv
        """,
        tmp_path,
    )
    assert done.returncode == 0, done.stderr
    said, again = done.stderr.split("AGAIN")
    kept = whole(tmp_path / "full")
    assert 0 < kept < UNITS and whole(tmp_path / "copy") == UNITS
    assert f"{UNITS - kept} units of {NAME} could not be stored in {tmp_path}/disk/" in said
    assert "No space left on device" in said and "TRANSDUCTIVE_STORE" in said
    assert "could not be stored" not in again and "torn" not in again
    for name in ("first.csv", "again.csv"):
        assert (tmp_path / name).read_bytes() == (rows / "rows.csv").read_bytes()
    tally("runs on a disk that fills with units")
    tally("units on full disks, each whole", kept)
    tally("units that found no room, each computed again with the same rows", UNITS - kept)


@needs_namespaces
@pytest.mark.parametrize("state", ["full", "read-only"])
def test_a_record_on_such_a_disk_is_the_old_one_and_the_next_command_records(
    state, rows, tmp_path, tally
):
    spoil = {
        "full": "dd if=/dev/zero of=$disk/ballast bs=1k 2>/dev/null; true",
        "read-only": "mount -o remount,ro $disk",
    }[state]
    remedy = {"full": "rm $disk/ballast", "read-only": "mount -o remount,rw $disk"}[state]
    done = on_disk(
        f"""
        $RUN --record >/dev/null || exit
        cp -r $disk $disk/../old
        {spoil}
        $RUN --record && exit 9
        cp -r $disk $disk/../spoilt
        {remedy}
        echo AGAIN >&2
        $RUN --record
        """,
        tmp_path,
        TRANSDUCTIVE_RESULTS=str(tmp_path / "disk"),
        TRANSDUCTIVE_STORE=str(rows / "store"),
    )
    assert done.returncode == 0, done.stderr
    said, again = done.stderr.split("AGAIN")
    paper = NAME.split("/")[0]
    assert f"{tmp_path}/disk/{paper} cannot be written" in said
    assert "TRANSDUCTIVE_RESULTS" in said and "Traceback" not in said
    assert "units/s" not in again  # nothing was computed again
    for end in ("csv", "json"):
        old, spoilt = (tmp_path / name / f"{NAME}.{end}" for name in ("old", "spoilt"))
        assert old.read_bytes() == spoilt.read_bytes()
    tally(f"records on a {state} disk, the old one kept")


@needs_namespaces
def test_a_read_only_store_costs_no_rows(rows, tmp_path, tally):
    done = on_disk(
        f"""
        mount -o remount,size=64m $disk
        cp -r {rows}/store/. $disk
        rm $(find $disk -name '*.unit' | head -n 5)
        mount -o remount,ro $disk
        TRANSDUCTIVE_STORE=$disk $RUN --out $disk/../rows.csv
        """,
        tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert f"5 units of {NAME} could not be stored in {tmp_path}/disk/" in done.stderr
    assert "Read-only file system" in done.stderr
    assert (tmp_path / "rows.csv").read_bytes() == (rows / "rows.csv").read_bytes()
    assert whole(tmp_path / "copy") == UNITS - 5
    tally("runs on a read-only store")


def test_every_call_that_writes_a_record_may_find_the_disk_full(tmp_path, monkeypatch, tally):
    """The same without a mount: each call fails in turn."""
    monkeypatch.setenv("TRANSDUCTIVE_RESULTS", str(tmp_path))
    csv, old = tmp_path / "toy/walk.csv", pd.DataFrame({"x": [1.0, 2.0]})
    records.write_pair(csv, old, {"profile": "paper"})
    for name in ("fsync", "replace"):
        for turn in range(1, 3):
            calls = iter(range(1, 9))
            real = getattr(os, name)

            def full(*arguments, real=real, calls=calls, turn=turn):
                if next(calls) == turn:
                    raise OSError(28, "No space left on device")
                return real(*arguments)

            with monkeypatch.context() as patch:
                patch.setattr(os, name, full)
                with pytest.raises(records.RecordError, match="No space left"):
                    records.write_pair(csv, old + turn, {"profile": "paper"})
            if (name, turn) == ("replace", 2):  # new rows beside old provenance: told, not read
                with pytest.raises(records.RecordError, match="--profile paper --record"):
                    records.load_recorded("toy/walk")
                records.write_pair(csv, old, {"profile": "paper"})
            assert records.load_recorded("toy/walk")[0].equals(old)
            assert sorted(path.name for path in csv.parent.iterdir()) == ["walk.csv", "walk.json"]
            tally("calls of the system that failed for want of room, one by one")


@needs_namespaces
def test_a_full_disk_for_the_rows_is_named(rows, tmp_path, tally):
    done = on_disk(
        """
        dd if=/dev/zero of=$disk/ballast bs=1k 2>/dev/null
        $RUN --out $disk/rows.csv && exit 9
        true
        """,
        tmp_path,
        TRANSDUCTIVE_STORE=str(rows / "store"),
    )
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    assert (
        "disk/rows.csv cannot be written" in done.stderr and "another name of a file" in done.stderr
    )
    tally("rows to a full disk, refused with the way out")


@needs_namespaces
def test_a_read_only_disk_for_rows_and_downloads_is_named(rows, tmp_path, tally):
    done = on_disk(
        f"""
        mount -o remount,ro $disk
        $RUN --out $disk/rows.csv && exit 9
        {sys.executable} -m transductive_compendium.cli data fetch thyroid --folder $disk && exit 9
        true
        """,
        tmp_path,
        TRANSDUCTIVE_STORE=str(rows / "store"),
    )
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    assert (
        "disk/rows.csv: nothing can be written to" in done.stderr
        and "name another folder" in done.stderr
    )
    assert "/disk/uci cannot be written" in done.stderr and "--folder FOLDER" in done.stderr
    tally("rows and downloads to a read-only disk, refused with the way out", 2)


def test_a_results_folder_in_the_way_is_named(tmp_path, monkeypatch, tally):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("TRANSDUCTIVE_RESULTS", str(tmp_path / "file"))
    done = CliRunner().invoke(main, [*RUN[3:], "--record"])
    assert done.exit_code == 1
    assert f"TRANSDUCTIVE_RESULTS names {tmp_path / 'file'}" in done.output
    assert "Not a directory" in done.output and "units" not in done.output
    tally("results folders that are files")
