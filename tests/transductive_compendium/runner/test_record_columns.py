"""Every column of every record is described, and nothing else."""

from pathlib import Path

import pytest
import record_columns as columns

from transductive_compendium.checked_yaml import SchemaError

RESULTS = Path(__file__).parents[3] / "results"

TOY = """\
shared:
  split: {unit: number, meaning: random split}
records:
- of: [toy/curve, toy/table]
  columns:
    error: {unit: share, meaning: "test points | wrong"}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "toy").mkdir()
    for name, header in {
        "curve": "split,error",
        "table": "error,split",
        "curve_options": "choice,option,split,error",
    }.items():
        (tmp_path / f"toy/{name}.csv").write_text(header + "\n1,2\n")
    (tmp_path / columns.FILE).write_text(TOY)
    monkeypatch.setenv("TRANSDUCTIVE_RESULTS", str(tmp_path))
    columns.load.cache_clear()
    return tmp_path


def found_in(folder):
    columns.load.cache_clear()
    return list(columns.faults(columns.load(folder / columns.FILE), columns.records(folder)))


def test_the_records_of_the_compendium_are_described_and_nothing_else():
    faults = found_in(RESULTS)
    assert not faults, "\n".join(faults)


def test_companions_need_no_entry(folder):
    text = (folder / columns.FILE).read_text()
    more = "".join(f"  {name}: {{unit: name, meaning: by rule}}\n" for name in columns.COLUMNS)
    (folder / columns.FILE).write_text(text.replace("records:", more + "records:"))
    assert found_in(folder) == []
    (folder / "toy/curve_options.csv").write_text("split,error\n")
    assert [
        "toy/curve_options: a companion without its columns; describe it by an entry"
    ] == found_in(folder)


def test_what_is_missing_and_what_is_too_much_are_named(folder):
    (folder / "toy/walk.csv").write_text("split,steps,seconds\n")
    more = "    steps: {unit: count, meaning: steps}\n"
    (folder / columns.FILE).write_text(TOY + more)
    text = "\n".join(found_in(folder))
    assert "toy/walk: steps, seconds not described" in text and "- of: [toy/walk]" in text
    assert "toy/curve: steps described, but no column" in text


def test_two_entries_of_one_column_and_wrong_fields_are_refused(folder):
    (folder / columns.FILE).write_text(
        TOY + "- of: [toy/curve]\n  columns: {error: {unit: m, meaning: length}}\n"
    )
    with pytest.raises(SchemaError, match="toy/curve has error in two entries"):
        found_in(folder)
    (folder / columns.FILE).write_text(TOY.replace("unit: share", "units: share"))
    with pytest.raises(SchemaError, match=r"columns.yml, line 6.*units"):
        found_in(folder)
