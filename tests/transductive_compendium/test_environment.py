"""Variables and paths as users write them, and folders that may not be searched."""

import os
import pwd
import shutil
import subprocess
import sys

import pytest
from click.testing import CliRunner
from toy_experiments import toy

from transductive_compendium import environment
from transductive_compendium.cli import main
from transductive_compendium.datasets import (
    DataError,
    DataMissingError,
    available,
    load,
)
from transductive_compendium.datasets import download as store
from transductive_compendium.runner import (
    RecordError,
    RecordMissingError,
    get,
    load_recorded,
    own_data,
    register,
    results_folder,
    run,
)
from transductive_compendium.runner.unit_store import UnitStore, store_folder, sweep

#: The system refuses to look such a name up, as it does in a folder that may not be searched.
LONG = "x" * 300
FIGURE = "bayesian_transduction/figure_2b"


@pytest.fixture
def cli(room, folders):
    register(toy())
    return lambda *words: CliRunner().invoke(main, [str(word) for word in words])


@pytest.mark.parametrize("text", ["1", "true", "yes", "on", "anything"])
def test_a_switch_is_on(text, monkeypatch):
    monkeypatch.setenv(environment.OFFLINE, text)
    assert environment.is_on(environment.OFFLINE)


@pytest.mark.parametrize("text", ["", " ", "0", "false", "No", "OFF", None])
def test_a_switch_is_off_and_data_are_fetched(text, monkeypatch, tmp_path):
    if text is None:
        monkeypatch.delenv(environment.OFFLINE, raising=False)
    else:
        monkeypatch.setenv(environment.OFFLINE, text)
    monkeypatch.setenv(environment.DATA, str(tmp_path))
    monkeypatch.setattr(store, "cache_folder", lambda: tmp_path)
    fetched = []
    monkeypatch.setattr(store, "fetch", fetched.append)
    with pytest.raises(DataMissingError):
        load("heart")
    assert fetched == ["heart"]


def test_every_folder_is_found_at_home_or_from_here(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    here = [tmp_path / "home/a", tmp_path / "b"]
    for path in here:
        path.mkdir(parents=True)
    for text, path in zip(("~/a", "b"), here, strict=True):
        for name in environment.FOLDERS:
            monkeypatch.setenv(name, text)
        assert store.folders()[0] == (environment.DATA, path)
        assert store_folder() == results_folder() == path
        assert set(environment.in_full().values()) == {str(path)}
    assert UnitStore("toy/walk", "~/a").folder == here[0] / "toy/walk"
    assert store.folders("~/a")[0] == ("folder", here[0])


def test_without_a_home_folder_nothing_is_made_here(tmp_path, monkeypatch):
    for name in ("HOME", "XDG_CACHE_HOME", *environment.FOLDERS):
        monkeypatch.delenv(name, raising=False)

    def nobody(user):
        raise KeyError(user)

    monkeypatch.setattr(pwd, "getpwuid", nobody)
    monkeypatch.chdir(tmp_path)
    for folder in (store_folder(), store.cache_folder()):
        assert folder.is_absolute() and not folder.is_relative_to(tmp_path)
    assert not available("heart")


@pytest.mark.parametrize("name", ["typo", LONG, "file/inside"])
def test_a_wrong_folder_of_results_stops_before_the_work(cli, tmp_path, monkeypatch, name):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(environment.RESULTS, str(tmp_path / name))
    for words in (
        ["run", "toy/walk"],
        ["verify"],
        ["list", "toy/walk"],
        ["report", tmp_path / "r"],
    ):
        said = cli(*words)
        assert said.exit_code == 1 and "Traceback" not in said.output
        assert f"TRANSDUCTIVE_RESULTS names {tmp_path / name}" in said.output
        assert "unset TRANSDUCTIVE_RESULTS" in said.output and "2 units" not in said.output


def test_no_folder_of_results_is_no_fault_and_a_damaged_record_is_one(cli, tmp_path, monkeypatch):
    assert cli("run", "toy/walk", "--profile", "paper", "--record").exit_code == 0
    (tmp_path / "results/toy/walk.json").write_text("{")
    said = cli("run", "toy/walk")
    assert said.exit_code == 1 and "is damaged" in said.output
    monkeypatch.setattr("transductive_compendium.runner.records.source_checkout", lambda: None)
    monkeypatch.delenv(environment.RESULTS)
    monkeypatch.chdir(tmp_path)
    shutil.rmtree(tmp_path / "results")
    with pytest.raises(RecordMissingError):
        load_recorded("toy/walk")
    said = cli("run", "toy/walk")
    assert said.exit_code == 0 and "no folder of recorded results" in said.output
    assert "unpack the archive of notebooks" in said.output
    said = cli("list", "toy/walk")
    assert said.exit_code == 0 and "scale = 1.0  scale of the noise" in said.output


def test_places_that_cannot_be_looked_at_are_errors_that_name_them(tmp_path, monkeypatch):
    monkeypatch.delenv(environment.DATA, raising=False)
    with pytest.raises(DataError, match=r"cannot be looked at.*File name too long"):
        available("heart", tmp_path / LONG)
    with pytest.raises(own_data.OwnDataError, match=r"cannot be read .*File name too long"):
        own_data.load(get(FIGURE), LONG)
    (tmp_path / "toy").mkdir()
    monkeypatch.setenv(environment.RESULTS, str(tmp_path))
    with pytest.raises(RecordError, match="File name too long"):
        load_recorded(f"toy/{LONG}")


def test_a_store_that_cannot_be_looked_at_costs_one_warning_and_no_rows(cli, tmp_path):
    sweep(tmp_path / LONG)
    with pytest.warns(RuntimeWarning) as told:
        rows = run("toy/walk", store=tmp_path / LONG, progress=False).rows
    assert len(rows) == 4
    first, last = (str(warning.message) for warning in told)
    assert "cannot be read" in first and "(and 1 more)" in first
    assert "2 units of toy/walk could not be stored" in last and "TRANSDUCTIVE_STORE" in last


@pytest.mark.skipif(
    os.geteuid() == 0 and not shutil.which("setpriv"), reason="root may search every folder"
)
def test_folders_of_others_end_in_one_line(tmp_path):
    """With the system's own refusal, also for root, whose right to search all is taken away."""
    program = f"""
import os, sys
from transductive_compendium.cli import main
os.chmod("locked", 0)
def say(variables, *words):
    for name, value in variables.items():
        os.environ[name] = value
    try:
        main(words, standalone_mode=True)
    except SystemExit as end:
        print("EXIT", end.code, file=sys.stderr, flush=True)
    for name in variables:
        os.environ.pop(name)
say({{"HOME": os.path.abspath("locked")}}, "data", "list")
say({{"TRANSDUCTIVE_DATA": "locked"}}, "data", "list")
say({{"TRANSDUCTIVE_DATA": "locked/data"}}, "data", "list")
say({{"TRANSDUCTIVE_RESULTS": "locked"}}, "verify")
say({{}}, "run", "{FIGURE}", "-p", "data=locked/mine.csv")
"""
    (tmp_path / "locked/data").mkdir(parents=True)
    words = [sys.executable, "-c", program]
    if os.geteuid() == 0:
        words = ["setpriv", "--inh-caps=-all", "--bounding-set=-all", *words]
    hidden = (*environment.FOLDERS, "XDG_CACHE_HOME")
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    done = subprocess.run(words, cwd=tmp_path, env=kept, capture_output=True, text=True)
    (tmp_path / "locked").chmod(0o700)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    home, data, inside, results, table = done.stderr.split("EXIT ")[:-1]
    assert not home
    for told in (data, inside):
        assert "TRANSDUCTIVE_DATA names" in told and "(Permission denied)" in told
    assert "TRANSDUCTIVE_RESULTS names" in results and "(Permission denied)" in results
    assert "locked/mine.csv' cannot be read as a table ([Errno 13] Permission denied" in table
    assert [line[0] for line in done.stderr.split("EXIT ")[1:]] == list("01111")
