import io
import os
import signal
import subprocess
import sys
import tarfile
import time
from dataclasses import dataclass
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest
import toy_experiments
from threadpoolctl import threadpool_limits
from toy_experiments import blas_threads, die, hold, logged, run_unit, toy, units

from transductive_compendium import datasets
from transductive_compendium.runner import (
    ExperimentError,
    Parameter,
    ParameterError,
    UnitError,
    provenance,
    run,
)
from transductive_compendium.runner import (
    execution as runner,
)
from transductive_compendium.runner.unit_store import UnitStore


def same(a, b):
    pd.testing.assert_frame_equal(a, b, check_exact=True)


def test_a_worker_whose_units_cache_much_is_not_ended():
    rows = run(toy(run_unit=hold), "full", jobs=2, progress=False).rows
    assert rows.process.nunique() <= 2


def test_rows_have_the_key_first_and_keep_the_units_order():
    rows = run(toy(), "paper", progress=False).rows
    assert list(rows)[:3] == ["split", "half", "theta"]
    assert rows["split"].tolist() == [s for s in range(6) for _ in range(2)]
    assert rows["hits"].dtype == "int64" and rows["sure"].dtype == bool


def test_same_rows_for_any_number_of_workers_and_any_order(tmp_path):
    def backwards(params, profile):
        return units(params, profile)[::-1] if profile == "paper" else []

    one = run(toy(), "paper", progress=False, store=tmp_path / "1").rows
    two = run(toy(), "paper", jobs=2, progress=False, store=tmp_path / "2").rows
    with joblib.parallel_config(backend="threading", n_jobs=2):
        threads = run(toy(), "paper", progress=False, store=tmp_path / "3").rows
    order = run(toy(units=backwards), "paper", progress=False, store=tmp_path / "4").rows
    same(one, two)
    same(one, threads)
    assert order["split"].tolist()[0] == 5
    same(one, order.sort_values(["split", "theta"], ignore_index=True))
    assert one["error"].nunique() == len(one)


def test_smoke_is_the_beginning_of_paper_and_paper_of_full(tmp_path):
    smoke, paper, full = (
        run(toy(), p, progress=False, store=tmp_path / p).rows for p in ("smoke", "paper", "full")
    )
    same(smoke, paper.iloc[: len(smoke)])
    same(paper, full.iloc[: len(paper)])


def test_seed_parameters_and_name_change_the_draws():
    base = run(toy(), progress=False).rows["error"].to_numpy()
    assert (base != run(toy(), seed=8, progress=False).rows["error"].to_numpy()).all()
    assert (base != run(toy("toy/other"), progress=False).rows["error"].to_numpy()).all()
    doubled = run(toy(), params={"scale": 2.0}, progress=False).rows["error"].to_numpy()
    np.testing.assert_array_equal(doubled, 2 * base)  # common random numbers


def test_finished_units_are_not_repeated():
    first = run(toy(), "smoke", progress=False).rows
    run(toy(), "paper", progress=False)
    assert sorted(logged()) == list(range(6))
    same(first, run(toy(), "smoke", progress=False).rows)
    assert len(logged()) == 6
    run(toy(version=2), "smoke", progress=False)
    assert len(logged()) == 8
    run(toy(), "smoke", progress=False, fresh=True)
    assert len(logged()) == 10


def test_torn_units_are_computed_again_with_a_warning(tmp_path):
    rows = run(toy(), "paper", progress=False).rows
    victim = sorted(UnitStore("toy/walk").folder.glob("*.unit"))[0]
    victim.write_bytes(victim.read_bytes()[:-20])
    with pytest.warns(RuntimeWarning, match="torn"):
        again = run(toy(), "paper", progress=False).rows
    same(rows, again)
    assert len(logged()) == 7


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from toy_experiments import toy
from transductive_compendium.runner import run
if __name__ == "__main__":
    run(toy(), "full", params={"nap": 0.25}, jobs=2, progress=False)
"""


def test_a_run_killed_dead_repeats_only_what_was_in_flight(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    process = subprocess.Popen(
        [sys.executable, str(script), str(Path(toy_experiments.__file__).parent)],
        start_new_session=True,
    )
    deadline = time.monotonic() + 600
    while len(logged("end")) < 4 and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.1)  # into the middle of the units that follow
    os.killpg(process.pid, signal.SIGKILL)  # the workers too: what a power cut does
    assert process.wait() == -signal.SIGKILL
    started = logged()
    stored = len(list(UnitStore("toy/walk").folder.glob("*.unit")))
    assert 4 <= stored < 8 and len(started) > stored

    again = run(toy(), "full", params={"nap": 0.25}, progress=False).rows
    repeated = logged()[len(started) :]
    assert len(repeated) == 8 - stored
    assert len(set(repeated) & set(started)) <= 2  # two workers, two units in flight
    same(
        again,
        run(
            toy(), "full", params={"nap": 0.25}, jobs=2, progress=False, store=tmp_path / "other"
        ).rows,
    )


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_failing_unit_does_not_lose_the_others(jobs):
    with pytest.raises(UnitError) as caught:
        run(toy(), "paper", params={"fails": True}, jobs=jobs, progress=False)
    text = str(caught.value)
    assert [key["split"] for key in caught.value.keys] == [1, 3]
    assert '"split":1' in text and '"split":3' in text
    assert "split 1 has one class only" in text and "Traceback" in text
    assert "transductive run toy/walk --profile paper -p fails=True" in text
    assert sorted(logged()) == list(range(6))
    with pytest.raises(UnitError):
        run(toy(), "paper", params={"fails": True}, progress=False)
    assert sorted(logged()[6:]) == [1, 3]


def test_a_worker_that_dies_is_named():
    with pytest.raises(UnitError, match=r"workers stopped.*terminated.*--jobs 1"):
        run(toy(run_unit=die), "paper", jobs=2, progress=False)


def interrupted(key, params, data, rng):
    if key["split"] == 4:
        raise KeyboardInterrupt
    return run_unit(key, params, data, rng)


def test_an_interrupt_passes_and_keeps_what_is_finished(monkeypatch):
    monkeypatch.setattr(runner, "fingerprint", lambda experiment: "the same")
    with pytest.raises(KeyboardInterrupt):
        run(toy(run_unit=interrupted), "paper", progress=False)
    run(toy(), "paper", progress=False)
    assert sorted(logged()) == list(range(6))


def test_a_store_that_cannot_be_written_costs_no_rows(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    with pytest.warns(RuntimeWarning) as warned:
        rows = run(toy(), progress=False, store=tmp_path / "file").rows
    assert len(rows) == 4
    assert any("could not be stored" in str(w.message) for w in warned)


@pytest.mark.parametrize("jobs", [1, 2])
def test_one_blas_thread_per_worker(jobs, monkeypatch):
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.setenv(name, "2")  # what new worker processes would use
    with threadpool_limits(limits=2):  # what this process would use
        rows = run(toy(run_unit=blas_threads, agreement={}), jobs=jobs, progress=False).rows
    assert rows["threads"].tolist() == [1, 1]


@dataclass
class Data:
    name: str
    sha256: str


def with_data(key, params, data, rng):
    return [{"used": data["thyroid"].name, "draw": rng.random()}]


def data_units(params, profile):
    return [{"dataset": "thyroid", "split": i} for i in range(2)]


def test_substitutes_are_named_and_have_their_own_units(monkeypatch):
    present = set()

    def load(name):
        if name in ("thyroid", "nowhere") and name not in present:
            raise datasets.DataMissingError(f"no {name} here\nand more")
        return Data(name, f"sha of {name}")

    monkeypatch.setattr(datasets, "load", load)
    experiment = toy(
        run_unit=with_data,
        units=data_units,
        datasets=("thyroid",),
        agreement={},
    )
    stood = run(experiment, progress=False)
    assert "breast_cancer replaces thyroid" in stood.substitute
    assert "no thyroid" in stood.substitute
    assert "nothing is compared" in stood.substitute and "and more" not in stood.substitute
    assert set(stood.rows["dataset"]) == {"breast_cancer"} == set(stood.rows["used"])
    assert stood.provenance["data"] == {
        "thyroid": {"used": "breast_cancer", "sha256": "sha of breast_cancer"}
    }
    present.add("thyroid")
    real = run(experiment, progress=False)
    assert real.substitute is None
    assert set(real.rows["dataset"]) == {"thyroid"} == set(real.rows["used"])
    with pytest.raises(datasets.DataMissingError):
        run(toy(datasets=("nowhere",)), progress=False)


def test_damaged_data_are_never_replaced(monkeypatch):
    def load(name):
        raise datasets.DataDamagedError(f"{name} is damaged")

    monkeypatch.setattr(datasets, "load", load)
    with pytest.raises(datasets.DataDamagedError):
        run(toy(datasets=("thyroid",)), progress=False)


@pytest.mark.parametrize("profile", ["smoke", "paper"])
def test_units_of_other_code_are_computed_again(monkeypatch, profile):
    run(toy(), profile, progress=False)
    n_units = len(logged())
    run(toy(), profile, progress=False)
    assert len(logged()) == n_units
    monkeypatch.setattr(runner, "fingerprint", lambda experiment: "other")
    facts = run(toy(), profile, progress=False).provenance
    assert facts["code"]["fingerprint"] == "other" and len(logged()) == 2 * n_units


def test_the_commit_is_that_of_this_checkout(tmp_path, monkeypatch):
    if provenance.source_checkout() is None:
        pytest.skip("needs a checkout")
    alone = provenance.git_state()
    git = ["git", "-C", str(tmp_path), "-c", "user.email=a@b", "-c", "user.name=n"]
    for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "another"]):
        subprocess.run([*git, *words], check=True)
    monkeypatch.setenv("GIT_DIR", str(tmp_path / ".git"))
    assert provenance.git_state() == alone
    monkeypatch.undo()
    # an unpacked source distribution that lies inside another repository
    (tmp_path / "unpacked").mkdir()
    (tmp_path / "commit.txt").write_text("$Format:%H$")
    monkeypatch.setattr(provenance, "COMMIT", tmp_path / "commit.txt")
    monkeypatch.setattr(provenance, "source_checkout", lambda: tmp_path / "unpacked")
    assert provenance.git_state() == {"commit": None, "dirty": None}


def test_a_package_knows_the_commit_of_the_archive_that_it_was_built_from(tmp_path, monkeypatch):
    head = provenance.git_state()["commit"]
    if not head or "Format" not in provenance.COMMIT.read_text():
        pytest.skip("needs a checkout")
    name = provenance.COMMIT.relative_to(provenance.source_checkout())
    archive = ["git", "-C", provenance.source_checkout(), "archive", head, name]
    with tarfile.open(fileobj=io.BytesIO(subprocess.check_output(archive))) as tar:
        (tmp_path / name.name).write_bytes(tar.extractfile(str(name)).read())
    monkeypatch.setattr(provenance, "COMMIT", tmp_path / name.name)
    assert provenance.git_state()["dirty"] is not None  # a checkout asks git
    monkeypatch.setattr(provenance, "source_checkout", lambda: None)
    assert provenance.git_state() == {"commit": head, "dirty": None}


def test_seconds_are_those_of_the_units_however_often_the_run_was_stopped():
    first = run(toy(), params={"nap": 0.02}, progress=False).provenance["seconds"]
    again = run(toy(), params={"nap": 0.02}, progress=False).provenance["seconds"]
    assert first == again >= 0.04


def test_provenance_says_where_the_rows_come_from():
    params = {"scale": 2, "sampler": "gibbs"}
    facts = run(toy(), "paper", params=params, seed=9, progress=False).provenance
    assert facts["experiment"] == "toy/walk" and facts["version"] == 1 and facts["units"] == 6
    assert facts["parameters"].items() >= params.items() and len(facts["parameters"]) == 5
    assert facts["command"] == (
        "transductive run toy/walk --profile paper -p scale=2.0 -p sampler=gibbs --seed 9"
    )
    assert facts["versions"]["numpy"] == np.__version__
    assert set(facts["code"]) == {"commit", "dirty", "fingerprint"}
    assert facts["machine"]["cpu"] and len(facts["date"]) == 10


def rows_of(row):
    return {"run_unit": lambda key, params, data, rng: [row]}


@pytest.mark.parametrize(
    ("change", "arguments", "error", "words"),
    [
        ({"units": lambda params, profile: []}, {}, ExperimentError, "no units"),
        ({"units": lambda p, profile: [{"a": 1}] * 2}, {}, ExperimentError, "repeats a key"),
        ({"units": lambda p, profile: [{"a": 1}, {"b": 1}]}, {}, ExperimentError, "same names"),
        ({"units": lambda p, profile: [{"a": [1]}]}, {}, ExperimentError, "plain int"),
        ({"units": lambda p, profile: [{"a": profile}]}, {}, ExperimentError, "do not begin"),
        (rows_of({"split": 1}), {}, UnitError, "drop it"),
        (rows_of({"x": np.zeros(2)}), {}, UnitError, "one row per element"),
        ({"name": "walk"}, {}, ExperimentError, "paper/item"),
        ({"parameters": {"seed": Parameter(1, int, "seed")}}, {}, ExperimentError, "taken"),
        ({}, {"params": {"scael": 1.0}}, ParameterError, "did you mean 'scale'"),
        ({}, {"profile": "papre"}, ExperimentError, "did you mean 'paper'"),
        ({}, {"seed": -1}, ParameterError, "seed"),
        ({}, {"seed": True}, ParameterError, "seed"),
        ({}, {"jobs": 0}, ParameterError, "jobs"),
    ],
)
def test_wrong_declarations_and_arguments_are_errors(change, arguments, error, words):
    with pytest.raises(error, match=words):
        run(toy(**change), **{"profile": "paper", "progress": False} | arguments)
    assert logged() == []
