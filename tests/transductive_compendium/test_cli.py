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


@pytest.fixture
def cli(room):
    register(toy())
    runner = CliRunner()
    return lambda *words: runner.invoke(main, [str(w) for w in words])


@pytest.fixture
def all_decided(cli, room):
    """The same with recorded results, and without the claim that nothing decides yet."""
    assert cli("run", "toy/draws", "--profile", "paper", "--record").exit_code == 0
    room.edit("toy-later", kind="untestable", why="no clock")
    return cli


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


PAPER = """\
[Re] Toy
  findings: 1 holds, 1 does not hold
  claims: 5 reproduced, 1 not reproduced, 1 undecided, 1 holds, 1 not testable here, \
2 that no experiment can decide
HOLDS          toy/better: A errs less than B.
    reproduced, 100 of 100  toy-gain  published gain 2 points; \
reproduced 2.00 (1.82, 2.18) (n = 120)
    reproduced  toy-theta  published 2.0 margin |f|; reproduced 2.000 (1.982, 2.018) (n = 120)
DOES NOT HOLD  toy/worse: B errs less than A | on mail.
    not reproduced, 0 of 100  toy-loss  published in words; \
reproduced -0.50 (-0.68, -0.32) (n = 120)
BESIDE THE FINDINGS
"""


def test_verify_shows_a_paper_by_findings_and_claims(all_decided):
    for words in ((), ("toy",)):
        out = all_decided("verify", *words)
        assert out.exit_code == 0 and out.output.startswith(PAPER)
        beside = out.output.removeprefix(PAPER).splitlines()
        assert [line.split("  ")[3] for line in beside] == [
            *("toy-open", "toy-same", "toy-column", "toy-identity"),
            *("toy-count", "toy-zip"),
        ]


def test_verify_exits_1_with_the_reasons_when_something_could_not_be_decided(cli, room):
    out = cli("verify")
    assert out.exit_code == 1 and "[open] Toy" in out.stdout
    assert "    undecided  toy-gain  toy/draws is not recorded yet (" in out.stdout
    assert "9 of 10 could not be decided; the reasons stand above." in out.stderr
    assert out.stderr.count("transductive run toy/draws --profile paper --record") == 8
    cli("run", "toy/draws", "--profile", "paper", "--record")
    out = cli("verify")
    assert out.exit_code == 1
    assert out.stderr.startswith("toy-later: no test in ")
    assert cli("verify", "toy-gain").exit_code == 0  # it was not asked for
    assert cli("verify", "toy-later").exit_code == 1


def test_verify_explains_what_is_named(all_decided):
    out = all_decided("verify", "toy-gain")
    assert out.exit_code == 0 and out.output.startswith("REPRODUCED  toy-gain\n")
    assert "toy-theta" not in out.output
    finding = all_decided("verify", "toy/better")
    assert finding.exit_code == 0 and finding.output.startswith("HOLDS  toy/better\n")
    both = all_decided("verify", "toy-loss", "toy/better").output
    assert both.startswith("NOT REPRODUCED  toy-loss\n") and "\n\nHOLDS  toy/better\n" in both
    paper = all_decided("verify", "toy-loss", "toy").output
    assert paper.startswith("NOT REPRODUCED  toy-loss\n") and PAPER in paper
    wrong = all_decided("verify", "toy-gian")
    assert wrong.exit_code == 1 and "did you mean 'toy-gain'?" in wrong.output


def test_verify_as_json(all_decided):
    def ids(*words):
        out = all_decided("verify", *words, "--json")
        assert out.exit_code == 0
        return [verdict["id"] for verdict in json.loads(out.stdout)]

    assert len(ids()) == len(ids("toy")) == 9
    assert ids("toy-gain") == ["toy-gain"]
    assert ids("toy/better") == ["toy-gain", "toy-theta"]
    assert ids("toy-mail") == []
    (gain,) = json.loads(all_decided("verify", "toy-gain", "--json").stdout)
    assert (gain["outcome"], gain["share"]) == ("reproduced", 1.0)


def environment(tmp_path):
    (tmp_path / "results").mkdir()
    return {
        **os.environ,
        "TRANSDUCTIVE_STORE": str(tmp_path / "store"),
        "TRANSDUCTIVE_RESULTS": str(tmp_path / "results"),
        "TOY_LOG": str(tmp_path / "log"),
        "PYTHONPATH": str(Path(toy_experiments.__file__).parent),
    }


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_under_the_output_is_one_message(tmp_path, unbuffered):
    command = [sys.executable, "-m", "transductive_compendium.cli", "data", "list"]
    settings = environment(tmp_path) | {"PYTHONUNBUFFERED": unbuffered}
    with open("/dev/full", "w") as full:
        out = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, env=settings)
    assert out.returncode == 1 and out.stderr.startswith("Error: the output cannot be written (No")
    assert out.stderr.count("\n") == 1


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
    deadline = time.monotonic() + 600
    while len(list(store.glob("*.unit"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130 and "goes on from there" in errors
    assert "Traceback" not in errors
    assert 2 <= len(list(store.glob("*.unit"))) < 8
