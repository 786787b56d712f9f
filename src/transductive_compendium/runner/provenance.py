"""Provenance of rows: code, versions, computer, and the command that makes them again."""

import os
import platform
import resource
import shlex
import subprocess
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from .declaration import Experiment

PACKAGE = Path(__file__).resolve().parents[1]
#: Has the commit in a package that was built from an archive, and elsewhere a placeholder.
COMMIT = Path(__file__).with_name("commit.txt")
#: Set by git in its hooks, and perhaps for another repository.
_GIT_PLACES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX")
_PARTS = ("transductive", "numpy", "scipy", "scikit-learn", "pandas")


def source_checkout() -> Path | None:
    """Root of the checkout that the package runs from, or None when it is installed."""
    root = PACKAGE.parents[1]
    return root if (root / "pyproject.toml").is_file() and PACKAGE.parent.name == "src" else None


def _git(*arguments: str) -> str | None:
    root = source_checkout()
    if root is None:
        return None
    environment = {name: value for name, value in os.environ.items() if name not in _GIT_PLACES}
    # nor is a checkout around an unpacked source distribution meant
    environment["GIT_CEILING_DIRECTORIES"] = str(root.parent)
    try:
        answer = subprocess.run(
            ["git", "-C", str(root), *arguments],
            capture_output=True,
            text=True,
            timeout=20,
            check=True,
            env=environment,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return answer.stdout.strip()


def git_state() -> dict[str, Any]:
    """Commit of the code and whether its sources differ from that commit; None if unknown.

    Without git it is the commit that `git archive` wrote, and who unpacked that may have changes.
    """
    commit = _git("rev-parse", "HEAD")
    changes = _git("status", "--porcelain", "--", "src") if commit else None
    written = COMMIT.read_text(encoding="utf-8").strip()
    if not commit and not written.startswith("$"):
        commit = written
    return {"commit": commit, "dirty": None if changes is None else bool(changes)}


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that the numbers depend on."""
    found = {"python": platform.python_version()}
    for part in _PARTS:
        try:
            found[part] = version(part)
        except PackageNotFoundError:
            found[part] = "unknown"
    return found


def machine() -> dict[str, str]:
    """Operating system and processor."""
    cpu = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                cpu = line.partition(":")[2].strip()
                break
    except OSError:
        pass
    return {"system": platform.system(), "machine": platform.machine(), "cpu": cpu}


def peak_memory() -> int:
    """Peak resident memory of this process so far, in bytes.

    For a worker it is an upper bound, since it includes the parent's memory at the worker's start.
    """
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def command(experiment: Experiment, profile: str, params: Mapping[str, Any], seed: int) -> str:
    """The command line that runs this again, without arguments that have their default value."""
    words = ["transductive", "run", experiment.name, "--profile", profile]
    for name, value in params.items():
        if value != experiment.parameters[name].default:
            words += ["-p", f"{name}={value}"]
    if seed != experiment.seed:
        words += ["--seed", str(seed)]
    return shlex.join(words)
