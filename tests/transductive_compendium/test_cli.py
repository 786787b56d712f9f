import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest
import toy_experiments
from click.testing import CliRunner
from toy_experiments import toy

from transductive_compendium.cli import main
from transductive_compendium.runner import register
from transductive_compendium.verdicts.claims import measure
from transductive_compendium.verdicts.rules import NotTestable, ShapeEvidence

CLAIM = """
- id: toy-falls
  item: Figure 1
  statement: The error falls.
  source: section 4
  kind: shape
  results: [toy/walk]
  measure: toy_falls
  tried: more splits
"""


@measure
def toy_falls(frames):
    return ShapeEvidence(bool(frames["toy/walk"]["error"].is_monotonic_decreasing), "by eye")


@measure
def toy_private(frames):
    return NotTestable("the mail is private")


@pytest.fixture
def cli(claims_folder):
    (claims_folder / "toy.yml").write_text(CLAIM)
    register(toy())
    runner = CliRunner()
    return lambda *words: runner.invoke(main, [str(w) for w in words])


def test_list(cli):
    out = cli("list")
    assert out.exit_code == 0 and "toy/walk" in out.output and "units 2/6/8" in out.output
    out = cli("list", "toy/walk")
    assert "scale = 1.0  scale of the noise (float > 0)" in out.output
    assert "profile = 'smoke'" in out.output
    out = cli("list", "toy")
    assert "toy/walk" in out.output and "bayesian_transduction" not in out.output


def test_run_writes_what_it_computed(cli, tmp_path):
    out = cli("run", "toy/walk", "-p", "scale=2", "--seed", 5, "--out", tmp_path / "x.csv")
    assert out.exit_code == 0, out.output
    assert "2 units, 4 rows, profile smoke, seed 5" in out.output
    assert "scale=2.0, seed=5 differs from the recorded run" in out.output
    assert len(pd.read_csv(tmp_path / "x.csv")) == 4


def test_record_then_agree_then_find_a_stale_row(cli, tmp_path):
    assert cli("run", "toy/walk", "--profile", "paper", "--record").exit_code == 0
    out = cli("run", "toy/walk")
    assert out.exit_code == 0 and "4 rows agree" in out.output
    register(toy(run_unit=lambda key, params, data, rng: [{"error": 1.0}]))
    out = cli("run", "toy/walk", "--fresh")
    assert out.exit_code == 1 and "does not agree" in out.output
    assert cli("run", "toy/walk", "--record").exit_code == 1  # smoke is never recorded


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run", "toy/wlak"], "did you mean 'toy/walk'"),
        (["run", "toy/walk", "-p", "sclae=3"], "did you mean 'scale'"),
        (["run", "toy/walk", "-p", "scale=x"], "must be float > 0"),
        (["run", "toy/walk", "--profile", "papre"], "did you mean 'paper'"),
        (["run", "toy/walk", "--jobs", "0"], "jobs = 0"),
        (["vrify"], "did you mean 'verify'"),
        (["verify", "tyo"], "did you mean 'toy'"),
    ],
)
def test_errors_are_one_message_with_the_remedy(cli, words, message):
    out = cli(*words)
    assert out.exit_code != 0 and message in out.output and "Traceback" not in out.output


def test_verify_exits_0_when_all_is_decided_and_1_when_results_are_missing(cli):
    out = cli("verify")
    assert out.exit_code == 1 and "UNDECIDED" in out.output
    assert "transductive run toy/walk --profile paper --record" in out.output
    cli("run", "toy/walk", "--profile", "paper", "--record")
    out = cli("verify")
    assert out.exit_code == 0 and "NOT REPRODUCED" in out.output
    assert "tried: more splits" in out.output and "1 claims: 1 not reproduced" in out.output
    out = cli("verify", "--json", "--strict")
    assert out.exit_code == 0 and json.loads(out.output)[0]["outcome"] == "not reproduced"


def test_verify_marks_other_roles_and_counts_them_apart(cli, tmp_path):
    cli("run", "toy/walk", "--profile", "paper", "--record")
    assert "(our own check)" not in cli("verify").output and "besides" not in cli("verify").output

    def entry(name, **keys):
        return CLAIM.replace("toy-falls", name) + "".join(f"  {k}: {v}\n" for k, v in keys.items())

    (tmp_path / "claims" / "toy.yml").write_text(
        CLAIM
        + entry("toy-check", role="check")
        + entry("toy-second", role="check").replace("toy_falls", "toy_private")
        + entry("toy-chosen", role="calibration")
    )
    out = cli("verify")
    assert out.exit_code == 0, out.output
    assert "toy-falls (Figure 1)\n" in out.output
    assert "toy-check (our own check) (Figure 1)\n" in out.output
    assert "toy-chosen (used to choose an interpretation) (Figure 1)\n" in out.output
    assert out.output.splitlines()[-1] == (
        "1 claims: 1 not reproduced; besides: 2 checks of our own (1 not reproduced, 1 not "
        "testable here), 1 number used to choose an interpretation (1 not reproduced)"
    )
    roles = {v["id"]: v["role"] for v in json.loads(cli("verify", "--json").output)}
    assert roles == {
        "toy-falls": "claim",
        "toy-check": "check",
        "toy-second": "check",
        "toy-chosen": "calibration",
    }
    (tmp_path / "claims" / "toy.yml").write_text(entry("toy-check", role="check"))
    last = cli("verify").output.splitlines()[-1]
    assert last == "0 claims; besides: 1 check of our own (1 not reproduced)"


def test_verify_explains_a_claim_that_is_named(cli, tmp_path):
    (tmp_path / "claims" / "toy.yml").write_text(
        CLAIM + CLAIM.replace("toy-falls", "toy-second").replace("toy_falls", "toy_private")
    )
    out = cli("verify", "toy-falls")
    assert out.exit_code == 1 and "UNDECIDED  toy-falls" in out.output
    assert "1 of 1 could not be decided" in out.output
    assert "transductive run toy/walk --profile paper --record" in " ".join(out.output.split())
    cli("run", "toy/walk", "--profile", "paper", "--record")
    out = cli("verify", "toy-falls")
    assert out.exit_code == 0 and "toy-second" not in out.output
    assert out.output.startswith("NOT REPRODUCED  toy-falls\n")
    for line in (
        "claim      The error falls.",
        "published  pattern",
        "reproduced does not hold",
        "decided by by eye",
        "rerun      transductive run toy/walk --profile paper",
        "read       notebooks/toy/walk.ipynb",
        "tried      more splits",
    ):
        assert f"\n  {line}\n" in out.output
    rule = (
        "pattern: A named pattern. (decide_shape in src/transductive_compendium/verdicts/rules.py)"
    )
    assert rule in " ".join(out.output.split())
    assert "toy_falls()" in out.output and "12 rows of 6 units, recorded" in out.output
    assert [v["id"] for v in json.loads(cli("verify", "toy-second", "--json").output)] == [
        "toy-second"
    ]
    both = cli("verify", "toy-second", "toy").output  # a paper among the names: one line each
    assert "toy-falls (Figure 1)" in both and "toy-second (Figure 1)" in both
    wrong = cli("verify", "toy-fall")
    assert wrong.exit_code == 1 and "did you mean 'toy-falls'?" in wrong.output


def test_report_writes_the_pages(cli, tmp_path):
    cli("run", "toy/walk", "--profile", "paper", "--record")
    out = cli("report", tmp_path / "pages")
    assert out.exit_code == 0 and len(out.output.splitlines()) == 11
    assert "/notebooks/toy/walk.ipynb" in (tmp_path / "pages" / "claims" / "toy.md").read_text()


def test_help_names_every_command(cli):
    out = cli("--help")
    for command in ("data", "list", "report", "run", "verify"):
        assert f"\n  {command} " in out.output
    assert cli("data", "--help").exit_code == 0


def environment(tmp_path):
    return {
        **os.environ,
        "TRANSDUCTIVE_STORE": str(tmp_path / "store"),
        "TRANSDUCTIVE_RESULTS": str(tmp_path / "results"),
        "TOY_LOG": str(tmp_path / "log"),
        "PYTHONPATH": str(Path(toy_experiments.__file__).parent),
    }


def test_the_installed_command_runs(tmp_path):
    command = [sys.executable, "-m", "transductive_compendium.cli", "run", "toy/none"]
    out = subprocess.run(command, capture_output=True, text=True, env=environment(tmp_path))
    assert out.returncode == 1 and "unknown experiment 'toy/none'" in out.stderr
    assert "Traceback" not in out.stderr


def test_ctrl_c_loses_nothing_finished(tmp_path):
    script = tmp_path / "script.py"
    # a test run in the background of a shell ignores interrupts, and its children inherit that
    script.write_text(
        "import signal\n"
        "from toy_experiments import toy\n"
        "from transductive_compendium.cli import main\n"
        "from transductive_compendium.runner import register\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "register(toy())\n"
        "main()\n"
    )
    command = [sys.executable, str(script), *"run toy/walk --profile full -p nap=0.3".split()]
    store = tmp_path / "store" / "toy" / "walk"
    process = subprocess.Popen(
        command, env=environment(tmp_path), stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 60
    while len(list(store.glob("*.unit"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130 and "goes on from there" in errors
    assert "Traceback" not in errors
    assert 2 <= len(list(store.glob("*.unit"))) < 8
