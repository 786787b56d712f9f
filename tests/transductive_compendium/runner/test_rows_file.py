"""Rows go to what the name is, and are what the name says."""

import bz2
import gzip
import lzma
import os
import stat
import threading
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner
from toy_experiments import toy

from transductive_compendium.cli import main
from transductive_compendium.runner import ParameterError, register
from transductive_compendium.runner.rows_file import check_name, packed, write_rows

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


def test_all_names_of_a_file_get_the_rows(tmp_path):
    one, other = tmp_path / "one.csv", tmp_path / "other.csv"
    one.write_text("old")
    other.hardlink_to(one)
    write_rows(ROWS, str(one))
    assert other.read_bytes() == TEXT


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


def test_a_file_keeps_its_mode_and_one_that_is_read_only_its_content(tmp_path, monkeypatch):
    path = tmp_path / "rows.csv"
    path.write_text("old")
    path.chmod(0o604)
    write_rows(ROWS, str(path))
    assert path.read_bytes() == TEXT and stat.S_IMODE(path.stat().st_mode) == 0o604
    path.chmod(0o400)
    new = ROWS * 2
    if os.geteuid() == 0:  # who may write everywhere
        write_rows(new, str(path))
        assert path.read_bytes() == packed(new, "x.csv")
    else:
        with pytest.raises(PermissionError):
            write_rows(new, str(path))
        assert path.read_bytes() == TEXT
    assert stat.S_IMODE(path.stat().st_mode) == 0o400


@pytest.mark.parametrize("ending, unpack", [("gz", gzip), ("bz2", bz2), ("XZ", lzma)])
def test_the_name_says_how_rows_are_packed(tmp_path, ending, unpack):
    path = tmp_path / f"rows.csv.{ending}"
    write_rows(ROWS, str(path))
    assert unpack.decompress(path.read_bytes()) == TEXT
    assert packed(ROWS, path.name) == path.read_bytes()
    pd.testing.assert_frame_equal(pd.read_csv(path, compression="infer"), ROWS)


@pytest.mark.parametrize("name", ["rows.csv.zip", "rows.xlsx", "rows.parquet", "rows.tar.zst"])
def test_a_name_that_promises_something_else_is_refused(name):
    with pytest.raises(ParameterError, match=r"let the name end in \.csv, or in \.csv\.gz"):
        check_name(name)


@pytest.fixture
def run(room, tmp_path, monkeypatch):
    register(toy())
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(main, ["run", "toy/walk", *words])


def test_the_command_puts_rows_alone_on_the_output(run):
    out, file = run("--out", "-"), run("--out", "rows.csv")
    assert out.exit_code == file.exit_code == 0
    assert out.stdout == open("rows.csv").read() and not os.path.exists("-")
    assert "2 units, 4 rows" in out.stderr and "not compared" in out.stderr


def test_the_command_asks_before_it_computes(run):
    for name in ("rows.zip", "."):
        refused = run("--out", name)
        assert refused.exit_code > 0 and "units" not in refused.output and name in refused.output
    assert not os.path.exists("rows.zip")


def test_a_home_folder_is_found_where_the_shell_does_not_look_for_it(run, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert run("--out=~/rows.csv").exit_code == 0
    assert (tmp_path / "home/rows.csv").is_file() and not os.path.exists("~")


def test_a_closed_folder_is_told_before_anything_is_computed(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path)
    with pytest.raises(ParameterError, match=f"rows.csv: nothing can be written to {tmp_path};"):
        check_name(str(tmp_path / "new/rows.csv"))
    (tmp_path / "rows.csv").touch()
    assert check_name(str(tmp_path / "rows.csv"))
