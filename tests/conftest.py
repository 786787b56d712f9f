"""What tests of several folders share."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """Path of a wheel built from the checkout, once for all processes of a run."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "wheel"
    words = ["pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    quiet = ["--disable-pip-version-check", "--wheel-dir", str(folder), str(ROOT)]
    folder.mkdir(exist_ok=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not list(folder.glob("*.whl")):
            subprocess.run([sys.executable, "-m", *words, *quiet], check=True, timeout=300)
    (path,) = folder.glob("*.whl")
    return path
