"""Damaged and hostile files: the registered table or a clear error, and nothing written."""

import gzip
import io
import os
import random
import tarfile
import tracemalloc
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from transductive_compendium.datasets import DataDamagedError, DataError, archives
from transductive_compendium.datasets import download as store
from transductive_compendium.datasets.contents import check
from transductive_compendium.datasets.formats.realisations_xlsx import spreadsheet
from transductive_compendium.datasets.registry import registry

PART, MOST = "archives", 32 << 20
#: One set of each format, the smallest.
SETS = {
    "table": "thyroid",
    "realisations": "ida_breast_cancer",
    "realisations_xlsx": "ida_thyroid",
    "hdf5": "usps",
    "mat": "kin32fh",
    "idx": "mnist",
    "sgml": "reuters21578",
    "newsgroups": "winmac",
    "npz": "unipen",
    "arff": "rcv1_k500",
}
COSTLY = {"sgml", "newsgroups", "npz", "idx"}  # seconds to read, so damaged less often
WEB_PAGE = b"<html><body>Service unavailable</body></html>"


def damaged(raw, rng):
    """Pairs of a kind of damage and the bytes that it leaves."""
    place = rng.randrange(len(raw))
    other = rng.randrange(len(raw))
    size = min(512, len(raw) - place)
    low, high = sorted((place, other))
    yield "cut off", raw[:place]
    yield (
        "one bit flipped",
        raw[:place] + bytes([raw[place] ^ 1 << rng.randrange(8)]) + raw[place + 1 :],
    )
    yield "a block of zeros", raw[:place] + bytes(size) + raw[place + size :]
    yield "a block of chance", raw[:place] + rng.randbytes(size) + raw[place + size :]
    yield "a part left out", raw[:low] + raw[high:]
    yield "a part said twice", raw[:high] + raw[low:]
    yield "bytes put in", raw[:place] + rng.randbytes(7) + raw[place:]


def same(found, truth):
    """Whether two results of `check` say the same, whatever the format."""
    if isinstance(found, np.ndarray):
        return np.array_equal(found, truth)
    if isinstance(found, dict):
        return found == truth
    if isinstance(found, list | tuple):
        return len(found) == len(truth) and all(map(same, found, truth))
    return (found != truth).nnz == 0 if hasattr(found, "nnz") else found == truth


def original(entry):
    found = store.find(entry)
    if found is None:
        pytest.skip(f"the data of {entry.name} are not here")
    return found[1]


def listing(folder):
    return sorted((str(path), path.lstat().st_size) for path in folder.rglob("*"))


@pytest.mark.parametrize("kind", SETS)
def test_no_damage_passes_unnoticed(kind, tmp_path, tally):
    entry, rng = registry()[SETS[kind]], random.Random(f"{PART} {kind}")
    file = min(entry.files, key=lambda file: file.bytes)
    raw = (original(entry) / file.path).read_bytes()
    truth = check(entry, file, raw)
    one = replace(entry, files=(file,))
    path = tmp_path / file.path
    path.parent.mkdir(parents=True)
    rounds = 1 if kind in COSTLY and len(raw) > 10**6 else 10
    cases = [pair for _ in range(rounds) for pair in damaged(raw, rng)]
    for what, bad in [
        *cases,
        ("empty", b""),
        ("a web page", WEB_PAGE),
        ("noise", rng.randbytes(999)),
    ]:
        path.write_bytes(bad)
        try:
            (found,) = store.read(one, tmp_path)
        except DataDamagedError as error:
            assert str(path) in str(error) and "To fix it" in str(error)
            tally(f"{kind}: damaged files refused")
        else:
            assert same(found, truth), what
            tally(f"{kind}: damaged files that still say the same")
        assert listing(tmp_path) == listing(path.parent.parent) and path.read_bytes() == bad


def tar(members, mode="w:gz"):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        for name, kind, content in members:
            info = tarfile.TarInfo(name)
            info.type = kind
            if kind == tarfile.REGTYPE:
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
            else:
                info.linkname = content
                archive.addfile(info)
    return buffer.getvalue()


def zipped(members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


PATHS = [
    "../x",
    "a/../../x",
    "/tmp/x",
    "//x",
    "a/./../../x",
    "..\\x",
    "C:\\x",
    "~/x",
    "x\0y/../../x",
]


def test_no_member_gets_out_of_its_archive(tmp_path, monkeypatch, tally):
    secret = tmp_path / "secret"
    secret.write_bytes(b"not for the archive")
    inside = tmp_path / "inside"
    inside.mkdir()
    monkeypatch.chdir(inside)
    before = listing(tmp_path)
    hostile = {f"a path {path!r}": [(path, tarfile.REGTYPE, b"1")] for path in PATHS}
    for name, kind in (
        ("symbolic link", tarfile.SYMTYPE),
        ("hard link", tarfile.LNKTYPE),
        ("device", tarfile.CHRTYPE),
        ("pipe", tarfile.FIFOTYPE),
    ):
        hostile[name] = [("x", kind, str(secret))]
        hostile[f"{name} to a folder, then a file in it"] = [
            ("a", kind, str(tmp_path)),
            ("a/secret", tarfile.REGTYPE, b"1"),
            ("x", kind, "a/secret"),
        ]
    for members in hostile.values():
        for mode in ("w", "w:gz", "w:bz2", "w:xz"):
            for read in (
                lambda raw: archives.tar_members(raw, ["x"]),
                lambda raw: list(archives.tar_folders(raw, ["a"])),
            ):
                try:
                    found = read(tar(members, mode))
                except ValueError:
                    pass
                else:
                    assert "not for the archive" not in str(found)
                tally("tar archives with paths or links that lead out, read")
    for path in PATHS:
        try:
            archives.zip_member(zipped({path: "1"}), "x")
        except ValueError:
            pass
        tally("zip archives with paths that lead out, read")
    assert listing(tmp_path) == before and secret.read_bytes() == b"not for the archive"
    assert not os.path.lexists("/tmp/x")


def pax_bomb():
    """A tar archive whose first header announces a comment of more than a gigabyte."""
    info = tarfile.TarInfo("pax")
    info.type, info.size = tarfile.XHDTYPE, MOST + 512
    return info.tobuf(tarfile.USTAR_FORMAT)


def compressed(*pieces):
    """Bytes, and numbers of zeros, gzipped piece by piece."""
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=1) as file:
        for piece in pieces:
            if isinstance(piece, bytes):
                file.write(piece)
            else:
                block = bytes(1 << 20)
                for _ in range(piece >> 20):
                    file.write(block)
    return buffer.getvalue()


def member(name, size):
    info = tarfile.TarInfo(name)
    info.size = size
    return info.tobuf(tarfile.USTAR_FORMAT)


SHEET = (
    '<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    '<dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1"><v>1</v></c></row>'
    '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>'
)
LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE w [<!ENTITY a0 "ha">'
    + "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 12))
    + ']><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    '<row r="1"><c r="A1" t="str"><v>&a11;</v></c></row></sheetData></worksheet>'
)


def workbook(sheet):
    from openpyxl import Workbook

    book = Workbook()
    book.active.append([1.0])
    buffer = io.BytesIO()
    book.save(buffer)
    with zipfile.ZipFile(buffer) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    return zipped(parts | {"xl/worksheets/sheet1.xml": sheet})


def lying_zip():
    """A zip archive that announces 10 bytes and unpacks to 64 MB."""
    raw = bytearray(zipped({"x": bytes(64 << 20)}))
    size = (64 << 20).to_bytes(4, "little")
    while (place := raw.find(size)) >= 0:
        raw[place : place + 4] = (10).to_bytes(4, "little")
    return bytes(raw)


BOMBS = {
    "gzip": (lambda: compressed(MOST + (1 << 20)), archives.gunzip),
    "zip that lies about its size": (lying_zip, lambda raw: archives.zip_member(raw, "x")),
    "tar, one member": (
        lambda: compressed(member("x", MOST + 512), 1 << 20),
        lambda raw: archives.tar_members(raw, ["x"]),
    ),
    "tar, many members": (
        lambda: compressed(
            *(p for i in range(9) for p in (member(f"a/{i}", MOST // 8), MOST // 8))
        ),
        lambda raw: dict(archives.tar_folders(raw, ["a"])),
    ),
    "tar, header": (
        lambda: compressed(pax_bomb(), MOST + (1 << 20)),
        lambda raw: archives.tar_members(raw, ["x"]),
    ),
    "workbook of 17 billion cells": (lambda: workbook(SHEET), spreadsheet),
    "workbook of a billion laughs": (lambda: workbook(LAUGHS), spreadsheet),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_bombs_are_refused_before_they_fill_the_memory(bomb, monkeypatch, tally):
    """With a limit of 32 megabytes, to be quick."""
    monkeypatch.setattr(archives, "UNPACKED_BYTES_MAX", MOST)
    make, read = BOMBS[bomb]
    raw = make()
    assert len(raw) < MOST // 8
    tracemalloc.start()
    try:
        with pytest.raises(ValueError):
            read(raw)
        assert tracemalloc.get_traced_memory()[1] < 4 * MOST
    finally:
        tracemalloc.stop()
    tally("bombs that unpack to more than there may be, refused in time")


def test_a_hostile_download_leaves_nothing_but_an_error(tmp_path, monkeypatch, tally):
    """Whatever the server sends, only a verified file gets its name."""
    entry = registry()["thyroid"]
    for content in (WEB_PAGE, zipped({"../../new-thyroid.data": "1,2"}), b"", os.urandom(5000)):

        class Server:
            def __init__(self, **_):
                pass

            def __call__(self, url, target, _, content=content):
                with open(target, "wb") as file:
                    file.write(content)

        monkeypatch.setattr(store.pooch, "HTTPDownloader", Server)
        with pytest.raises(DataError):
            store.fetch("thyroid", tmp_path)
        assert not [path for path in tmp_path.rglob("*") if path.is_file()]
        tally("downloads of something else, refused", len(entry.files[0].sources))
