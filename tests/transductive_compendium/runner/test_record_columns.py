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


def test_what_is_missing_is_named_with_the_lines_to_add(folder):
    (folder / "toy/walk.csv").write_text("split,steps,seconds\n")
    (fault,) = [f for f in found_in(folder) if f.startswith("toy/walk")]
    assert "steps, seconds not described" in fault and "- of: [toy/walk]" in fault
    assert "steps: {unit: ..., meaning: ...}" in fault


def test_what_is_too_much_is_named(folder):
    (folder / columns.FILE).write_text(
        TOY.replace("split:", "q: {unit: share, meaning: noise}\n  split:")
        + "    steps: {unit: count, meaning: steps}\n"
        "- of: [toy/gone]\n  columns: {x: {unit: m, meaning: length}}\n"
    )
    text = "\n".join(found_in(folder))
    assert "toy/curve: steps described, but no column" in text
    assert "toy/gone: described, but there is no such record" in text
    assert "shared: no record has q;" in text


def test_two_entries_of_one_column_and_wrong_fields_are_refused(folder):
    (folder / columns.FILE).write_text(
        TOY + "- of: [toy/curve]\n  columns: {error: {unit: m, meaning: length}}\n"
    )
    with pytest.raises(SchemaError, match="toy/curve has error in two entries"):
        found_in(folder)
    (folder / columns.FILE).write_text(TOY.replace("unit: share", "units: share"))
    with pytest.raises(SchemaError, match=r"columns.yml, line 6.*units"):
        found_in(folder)
