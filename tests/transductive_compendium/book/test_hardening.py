import json

import pytest

from transductive_compendium.book.pages import hardening_table

FACTS = {
    "command": "make harden",
    "date": "2026-01-02",
    "code": {"commit": "0123456789abcdef", "dirty": False},
    "machine": {"cpu": "a processor"},
    "seconds": 600,
    "tests": 3,
    "failed": 0,
    "checks": [
        {"part": "chance", "what": "files | changed", "count": 1000, "outcome": "passed"},
        {"part": "kills", "what": "runs killed", "count": 50, "outcome": "passed"},
        {"part": "chance", "what": "files | changed", "count": 234, "outcome": "passed"},
    ],
}


@pytest.fixture
def table(tmp_path, monkeypatch):
    """Give the table of the recorded facts."""
    monkeypatch.setenv("TRANSDUCTIVE_RESULTS", str(tmp_path))

    def made(**changes):
        (tmp_path / "hardening.json").write_text(json.dumps(FACTS | changes))
        return hardening_table()

    return made


def test_counts_are_summed_and_the_parts_are_in_order(table):
    text = table()
    rows = [line for line in text.splitlines() if line.startswith("|")][2:]
    assert [row.split("|")[1].strip() for row in rows] == ["Killed dead", "Chance inputs"]
    assert "1,234" in rows[1] and r"files \| changed" in rows[1] and "held" in rows[1]
    assert "make harden" in text and "0123456789" in text and "failed" not in text


def test_a_failure_shows(table):
    failed = FACTS["checks"][2] | {"outcome": "failed"}
    text = table(checks=[*FACTS["checks"], failed], failed=1)
    assert text.count("**failed**") == 1 and "1 of 3 tests failed" in text
