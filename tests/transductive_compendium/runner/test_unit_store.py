import json
import os

import pytest

from transductive_compendium.runner.unit_store import (
    UnitStore,
    canonical,
    sweep,
    unit_address,
    write_atomically,
)

UNIT = {
    "key": {"split": 1},
    "rows": [{"error": 0.1 + 0.2, "name": "ü", "nan": float("nan")}],
    "seconds": 0.5,
    "code": "abc",
}
PARTS = dict(
    name="toy/walk",
    version=1,
    data={"thyroid": "00"},
    params={"sigma": 3.0},
    seed=0,
    key={"split": 1},
)


def test_what_is_written_is_read_bit_for_bit(tmp_path):
    store = UnitStore("toy/walk", tmp_path)
    store.write("aa", UNIT)
    unit, note = store.read("aa")
    assert note is None
    assert unit["rows"][0]["error"] == 0.1 + 0.2 and unit["rows"][0]["name"] == "ü"
    assert unit["rows"][0]["nan"] != unit["rows"][0]["nan"]
    assert store.read("bb") == (None, None)


def test_a_unit_file_torn_anywhere_is_noticed(tmp_path):
    store = UnitStore("toy/walk", tmp_path)
    store.write("aa", UNIT)
    path = store.path("aa")
    whole = path.read_bytes()
    for length in range(len(whole) - 1):  # all but the last line feed
        path.write_bytes(whole[:length])
        unit, note = store.read("aa")
        assert unit is None and "torn" in note, length
    for place in range(0, len(whole) - 1, 7):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert store.read("aa")[0] is None, place


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"hello\nworld\n"])
def test_foreign_files_are_noticed(tmp_path, content):
    store = UnitStore("toy/walk", tmp_path)
    store.folder.mkdir(parents=True)
    store.path("aa").write_bytes(content)
    unit, note = store.read("aa")
    assert unit is None and "computed again" in note


def test_a_unit_under_another_address_is_noticed(tmp_path):
    store = UnitStore("toy/walk", tmp_path)
    store.write("aa", UNIT)
    os.rename(store.path("aa"), store.path("bb"))
    unit, note = store.read("bb")
    assert unit is None and "another unit" in note
    store.path("cc").mkdir()
    assert "cannot be read" in store.read("cc")[1]


def test_the_address_depends_on_everything_that_matters():
    changes = [
        {},
        {"name": "toy/run"},
        {"version": 2},
        {"data": {"thyroid": "01"}},
        {"params": {"sigma": 3.5}},
        {"seed": 1},
        {"key": {"split": 2}},
    ]
    addresses = {unit_address(**{**PARTS, **change}) for change in changes}
    assert len(addresses) == len(changes)
    assert canonical({"a": 1, "b": 2}) == canonical({"b": 2, "a": 1})


def test_a_failed_write_leaves_the_old_file_and_no_scraps(tmp_path, monkeypatch):
    path = tmp_path / "own" / "file"
    write_atomically(path, "old")

    def full(descriptor):
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        write_atomically(path, "new")
    assert path.read_text() == "old" and os.listdir(path.parent) == ["file"]


def test_a_reader_of_the_old_file_keeps_it_whole(tmp_path):
    path = tmp_path / "file"
    write_atomically(path, "old")
    with open(path) as reader:
        write_atomically(path, "new")
        assert reader.read() == "old" and path.read_text() == "new"


def test_scraps_of_killed_writers_are_swept_once_they_are_old(tmp_path):
    store = UnitStore("toy/walk", tmp_path)
    store.write("aa", UNIT)
    for name, age in (("old.tmp", 7200), ("new.tmp", 0)):
        scrap = store.folder / name
        scrap.write_text(json.dumps({}))
        os.utime(scrap, (os.stat(scrap).st_mtime - age,) * 2)
    sweep(store.folder)
    assert sorted(os.listdir(store.folder)) == ["aa.unit", "new.tmp"]
