"""Lines and cells of a table in a text file, as spreadsheets and statistics programs write it."""

import bz2
import codecs
import csv
import gzip
import io
import lzma
import re
import zlib
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

__all__ = ["is_number", "read_lines", "with_decimal_points"]

#: How compressed files begin.
_UNPACK = {b"\x1f\x8b": gzip.decompress, b"BZh": bz2.decompress, b"\xfd7zXZ\0": lzma.decompress}
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?", re.ASCII)
_PERHAPS_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}", re.ASCII)

Lines = list[tuple[int, list[str]]]


def read_lines(path: Path) -> tuple[Lines, str]:
    """Lines of a table that are not blank, with their numbers, and its separator.

    UTF-8, or UTF-16 with a byte order mark; compressed by gzip, bzip2 or xz, whatever the file is
    called. The separator, of comma, semicolon and tab, is the one that finds most columns in the
    first line.

    Parameters
    ----------
    path : Path

    Returns
    -------
    lines : list of (int, list of str)
        Number of a line, from 1, and its cells, without blanks around them.
    separator : str

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it is no text, is damaged, or no table.
    """
    content = path.read_bytes()
    for mark, unpack in _UNPACK.items():
        if content.startswith(mark):
            try:
                content = unpack(content)
            except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
                raise ValueError(f"unpacking it fails: {error}") from error
    text = content.decode("utf-16" if content.startswith(_UTF_16) else "utf-8-sig")
    if "\0" in text:
        raise ValueError("it has null characters, as no text in UTF-8 has")
    separator = max(SEPARATORS, key=partial(_columns, text))
    try:
        return list(_lines(text, separator)), separator
    except csv.Error as error:
        raise ValueError(str(error)) from error


def _lines(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    for row in reader:
        cells = [cell.strip() for cell in row]
        if any(cells):
            yield reader.line_num, cells


def _columns(text: str, separator: str) -> int:
    try:
        return next((len(cells) for _, cells in _lines(text, separator)), 0)
    except csv.Error:
        # a long line is one field by a wrong separator
        return 0


def is_number(text: str) -> bool:
    """Whether a cell is a number; Python would also take 1_02 for 102, which is a code."""
    try:
        float(text)
    except ValueError:
        return False
    return text.isascii() and "_" not in text


def with_decimal_points(lines: Lines) -> tuple[Lines, bool]:
    """The lines with points in place of decimal commas, and whether there were any.

    Raises
    ------
    ValueError
        If commas may as well separate thousands: other numbers have points, or every comma stands
        before three last digits.
    """
    commas = [cell for cell in _cells(lines) if _DECIMAL_COMMA.fullmatch(cell)]
    if not commas:
        return lines, False
    if any("." in cell and is_number(cell) for cell in _cells(lines)):
        raise ValueError(f"numbers with commas, such as {commas[0]!r}, and numbers with points")
    if all(map(_PERHAPS_THOUSANDS.fullmatch, commas)):
        raise ValueError(f"the comma in {commas[0]!r} may be a decimal one or separate thousands")
    return [
        (
            line,
            [c.replace(",", ".") if _DECIMAL_COMMA.fullmatch(c) else c for c in cells],
        )
        for line, cells in lines
    ], True


def _cells(lines: Lines) -> Iterable[str]:
    return (cell for _, cells in lines for cell in cells)
