"""What tests of several folders share."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """Path of a wheel built from the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    words = ["pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    quiet = ["--disable-pip-version-check", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run([sys.executable, "-m", *words, *quiet], check=True, timeout=300)
    (path,) = folder.glob("*.whl")
    return path
