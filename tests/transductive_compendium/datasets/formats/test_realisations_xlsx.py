"""Published divisions that are stacked in spreadsheets, one block of rows below the other."""

import hashlib
import io

import numpy as np
import pytest
from openpyxl import Workbook

from transductive_compendium.datasets import (
    archives,
    load,
    load_realisation,
    verify,
)
from transductive_compendium.datasets.formats.realisations_xlsx import spreadsheet

ROWS, TRAIN, BLOCKS = 20, 12, 3


def xlsx(table, extra=None):
    book = Workbook()
    for row in table:
        book.active.append(list(row))
    if extra is not None:
        book.create_sheet("Sheet2").append([extra])
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


@pytest.fixture
def divisions():
    """Three divisions of one set of 20 rows, 13 of class -1; the second has a wrong label."""
    rng = np.random.default_rng(3)
    labels = np.repeat([-1.0, 1.0], [13, 7])
    rows = np.column_stack([rng.normal(size=(ROWS, 5)).round(6), labels])
    tables = [rows[rng.permutation(ROWS)] for _ in range(BLOCKS)]
    tables[1][4, -1] *= -1
    return tables


@pytest.fixture
def sheets(divisions):
    """What the four files hold."""
    return [
        np.vstack([table[part, columns] for table in divisions])
        for part in (slice(TRAIN), slice(TRAIN, None))
        for columns in (slice(5), slice(5, None))
    ]


@pytest.fixture
def entry(made_up, sheets):
    return made_up(
        "ida_thyroid",
        [xlsx(sheet) for sheet in sheets],
        sheets,
        blocks=BLOCKS,
        left_out=(2,),
        rows=ROWS,
        training_rows=TRAIN,
        classes={-1: 13, 1: 7},
    )


def test_each_block_is_a_division_but_those_left_out(entry, divisions, tmp_path):
    assert entry.divisions == (1, 3)
    for number in entry.divisions:
        table = divisions[number - 1]
        X_train, y_train, X_test, y_test = load_realisation("ida_thyroid", number, tmp_path)
        np.testing.assert_array_equal(np.column_stack([X_train, y_train]), table[:TRAIN])
        np.testing.assert_array_equal(np.column_stack([X_test, y_test]), table[TRAIN:])
    for number in (0, 2, 4):
        with pytest.raises(ValueError, match="take one of 1 to 3 but 2"):
            load_realisation("ida_thyroid", number, tmp_path)


def test_the_whole_set_and_its_partitions(entry, divisions, tmp_path):
    data = load("ida_thyroid", tmp_path)
    np.testing.assert_array_equal(np.column_stack([data.X, data.y]), divisions[0])
    assert data.partitions.shape == (2, TRAIN)
    for part, table in zip(data.partitions, divisions[::2], strict=True):
        np.testing.assert_array_equal(data.X[part], table[:TRAIN, :5])


def test_a_workbook_saved_again_verifies(entry, sheets, tmp_path):
    assert verify("ida_thyroid", tmp_path).detail == "same bytes"
    raw = xlsx(sheets[1].astype(int), extra="about the data")
    assert hashlib.sha256(raw).hexdigest() != entry.files[1].sha256
    (tmp_path / entry.files[1].path).write_bytes(raw)
    assert verify("ida_thyroid", tmp_path).detail == "same content"


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize(
    "damage", ["truncated", "a digit", "a row less", "text", "empty cell", "CSV", "no sheet"]
)
def test_a_damaged_workbook_is_refused(entry, sheets, number, damage, tmp_path, refused):
    sheet, path = sheets[number], tmp_path / entry.files[number].path

    def changed(value):
        cells = sheet.astype(object)
        cells[2, 0] = value
        return xlsx(cells)

    raw = {
        "truncated": lambda: xlsx(sheet)[:-200],
        "a digit": lambda: changed(sheet[2, 0] + 1),
        "a row less": lambda: xlsx(sheet[:-1]),
        "text": lambda: changed("n/a"),
        "empty cell": lambda: changed(None),
        "CSV": lambda: b"1,2\n",
        "no sheet": lambda: xlsx(sheet[:0]),
    }[damage]()
    refused("ida_thyroid", path, raw, folder=tmp_path)


def test_no_flipped_bit_changes_the_numbers_unnoticed(sheets):
    sound, refused = xlsx(sheets[1]), 0
    for position in range(0, len(sound), 41):
        raw = bytearray(sound)
        raw[position] ^= 0x10
        try:
            table = spreadsheet(bytes(raw))
        except ValueError:
            refused += 1
        else:
            assert table.ndim == 2 and np.isfinite(table).all()
    assert refused > 20


def test_a_workbook_that_unpacks_to_too_much_is_refused(sheets, monkeypatch):
    raw = xlsx(sheets[0])
    monkeypatch.setattr(archives, "UNPACKED_BYTES_MAX", 500)
    with pytest.raises(ValueError, match="more than a gigabyte"):
        spreadsheet(raw)


def test_two_cells_that_span_a_whole_sheet_are_refused(monkeypatch):
    far = Workbook()
    far.active["A1"], far.active["ZZ9999"] = 1, 2  # seven million cells, as the file says
    buffer = io.BytesIO()
    far.save(buffer)
    monkeypatch.setattr(archives, "UNPACKED_BYTES_MAX", 10**5)
    with pytest.raises(ValueError, match="more than a gigabyte"):
        spreadsheet(buffer.getvalue())
