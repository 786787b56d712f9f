"""What tests of several folders share."""

import fcntl
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

# Before NumPy is imported: on busy cores threads of BLAS spend tenfold processor time on waiting.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

ROOT = Path(__file__).resolve().parents[1]

settings.register_profile("untimed", deadline=None)  # a busy machine is no failure
settings.load_profile("untimed")


#: Mathematical claims whose marked tests passed in this session.
decided_claims = set()


def pytest_collection_modifyitems(items):
    for item in items:  # workers send properties with their reports
        item.user_properties += [("claim", mark.args[0]) for mark in item.iter_markers("claim")]


def pytest_runtest_logreport(report):
    if report.when == "call" and report.passed:
        decided_claims.update(value for name, value in report.user_properties if name == "claim")


def pytest_sessionfinish(session, exitstatus):
    """A session of all tests fails if no marked test of a mathematical claim passed."""
    config = session.config
    option = config.option
    asked = option.keyword or getattr(option, "lf", False) or option.deselect
    chosen = asked or option.markexpr not in config.getini("addopts")
    whole = config.args_source == pytest.Config.ArgsSource.TESTPATHS and not chosen
    if not whole or exitstatus or hasattr(config, "workerinput") or option.collectonly:
        return
    from transductive_compendium.verdicts import load_statements

    claims = [claim for found in load_statements().values() for claim in found.claims]
    if missing := {c.id for c in claims if c.kind == "mathematics"} - decided_claims:
        print(f"\nno marked test of these claims passed: {', '.join(sorted(missing))}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def once(tmp_path_factory):
    """``once(name, make)``: a folder that ``make(folder)`` fills, once in all processes."""
    base = tmp_path_factory.getbasetemp()
    common = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def filled(name, make):
        folder = common / name
        with open(common / f"{name}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not folder.is_dir():
                begun = common / f"{name} begun"
                begun.mkdir(exist_ok=True)
                make(begun)
                begun.rename(folder)
        return folder

    return filled


@pytest.fixture(scope="session")
def wheel(once):
    """Path of a wheel built from the checkout."""
    pytest.importorskip("mesonpy", reason="a wheel is built with what `make setup` installs")

    def build(folder):
        words = ["pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
        quiet = ["--disable-pip-version-check", "--wheel-dir", str(folder), str(ROOT)]
        # its tests ask what the wheel holds, not how fast that is: compiled in half of the time
        plain = ["--config-settings", "setup-args=-Doptimization=0"]
        command = [sys.executable, "-m", *words, *plain, *quiet]
        subprocess.run(command, check=True, timeout=300)

    (path,) = once("wheel", build).glob("*.whl")
    return path


@pytest.fixture(scope="session")
def verdicts(once):
    """Verdicts on all claims from the project's own records and marked tests."""
    from transductive_compendium.verdicts import verify

    def decide(folder):
        (folder / "verdicts").write_bytes(pickle.dumps(verify()))

    return pickle.loads((once("verdicts", decide) / "verdicts").read_bytes())
