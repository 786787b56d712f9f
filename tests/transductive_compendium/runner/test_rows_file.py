"""Rows go to the file, link, pipe or device that a user names."""

import os
import stat
import threading
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner
from toy_experiments import toy

from transductive_compendium.cli import main
from transductive_compendium.runner import ParameterError, register, unit_store
from transductive_compendium.runner.rows_file import check_name, write_rows

ROWS = pd.DataFrame({"split": [0, 1], "error": [0.1, 0.25]})
TEXT = b"split,error\n0,0.1\n1,0.25\n"


def test_a_link_leads_to_the_rows(tmp_path):
    there, link, dangling = (tmp_path / name for name in ("there.csv", "link.csv", "dangling.csv"))
    there.write_text("old")
    link.symlink_to(there)
    dangling.symlink_to(tmp_path / "new.csv")
    for path in (link, dangling):
        write_rows(ROWS, str(path))
        assert path.is_symlink() and path.read_bytes() == TEXT
    assert there.read_bytes() == TEXT


def test_a_pipe_passes_the_rows_on(tmp_path):
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write_rows(ROWS, str(pipe))
    reader.join(10)
    assert got == [TEXT] and stat.S_ISFIFO(pipe.lstat().st_mode)


def test_a_device_stays_one():
    descriptor, terminal = os.openpty()
    name = os.ttyname(terminal)
    write_rows(ROWS, name)
    assert os.read(descriptor, 100).replace(b"\r", b"") == TEXT
    assert stat.S_ISCHR(os.lstat(name).st_mode)


def test_a_file_that_cannot_be_written_stays_as_it_was(tmp_path, monkeypatch):
    old = tmp_path / "x.csv"
    old.write_text("old")

    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(unit_store.os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_rows(ROWS, str(old))
    assert old.read_text() == "old" and not list(tmp_path.glob("*.tmp"))


def test_names_that_cannot_be_used_are_refused_before_the_run(tmp_path, monkeypatch):
    for ending in (".xlsx", ".parquet", ".gz"):
        with pytest.raises(ParameterError, match="rows are written as CSV"):
            check_name(f"rows{ending}")
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path)
    with pytest.raises(ParameterError, match=r"nothing can be written to .*; name another"):
        check_name(str(tmp_path / "rows.csv"))


def test_the_output_has_the_rows_and_nothing_else(room):
    register(toy())
    done = CliRunner().invoke(main, ["run", "toy/walk", "--out", "-", "--cite"])
    assert done.exit_code == 0 and done.stdout.startswith("split,half,theta,error")
    assert done.stdout.count("\n") == 5 and "2 units, 4 rows" in done.stderr
