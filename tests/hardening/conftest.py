"""What `make harden` counts: each test tallies what it did, and the session records the sums."""

import json
import os
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest

from transductive_compendium.runner.provenance import git_state, machine, versions
from transductive_compendium.runner.unit_store import write_atomically

RECORD, KERNELS = "HARDENING_RECORD", "HARDENING_KERNELS"
OUTCOME = pytest.StashKey[str]()
ROWS = pytest.StashKey[list]()
START = pytest.StashKey[float]()


def pytest_configure(config):
    config.stash[ROWS], config.stash[START] = [], time.monotonic()


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("harden")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "call" or report.outcome != "passed":
        item.stash[OUTCOME] = report.outcome
    return report


@pytest.fixture
def tally(request):
    """Count what a test does: ``tally("runs killed")``, ``tally("units checked", 12)``."""
    counts = Counter()

    def add(what, number=1):
        counts[what] += int(number)

    yield add
    for what, number in counts.items():
        row = {"part": request.module.PART, "what": what, "count": number}
        request.config.stash[ROWS].append(row | {"outcome": request.node.stash[OUTCOME]})


def kernels(report):
    """Row of the kernels' tests on the build with bounds checks, from their JUnit report."""
    suite = ElementTree.parse(report).getroot().find("testsuite").attrib
    bad = int(suite["failures"]) + int(suite["errors"])
    return {
        "part": "kernels",
        "what": "tests with every array bound and address checked",
        "count": int(suite["tests"]) - int(suite["skipped"]),
        "outcome": "failed" if bad else "passed",
    }


def pytest_sessionfinish(session):
    rows = session.config.stash[ROWS]
    if not os.environ.get(RECORD) or not rows:
        return
    if report := os.environ.get(KERNELS):
        rows = [*rows, kernels(report)]
    facts = {
        "title": "Hardening",
        "command": "make harden",
        "date": datetime.now(UTC).date().isoformat(),
        "code": git_state(),
        "versions": versions(),
        "machine": machine(),
        "seconds": round(time.monotonic() - session.config.stash[START]),
        "tests": session.testscollected,
        "failed": session.testsfailed,
        "checks": rows,
    }
    write_atomically(Path(os.environ[RECORD]), json.dumps(facts, indent=2) + "\n")
