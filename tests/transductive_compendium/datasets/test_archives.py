import bz2
import gzip
import lzma
import tarfile
import tracemalloc

import numpy as np
import pytest

from transductive_compendium.datasets import archives
from transductive_compendium.datasets.archives import gunzip, tar_folders, tar_members, zip_member


def test_zip_members_are_found_by_path_or_unique_name(zipped):
    raw = zipped(a__x="1", b__x="2", y="3")
    assert [zip_member(raw, name) for name in ("a/x", "b/x", "y")] == [b"1", b"2", b"3"]
    assert zip_member(zipped(deep__er__x="4"), "x") == b"4"
    for name in ("x", "z"):
        with pytest.raises(ValueError, match=f"holds '{name}' [02] times"):
            zip_member(raw, name)


def test_a_damaged_zip_archive_gives_the_member_or_a_value_error(zipped):
    content = "".join(f"{value}\n" for value in np.random.default_rng(0).random(40))
    sound, refused = zipped(x=content), 0
    for position in range(len(sound)):
        raw = bytearray(sound)
        raw[position] ^= 0xFF
        try:
            assert zip_member(bytes(raw), "x") == content.encode()  # bytes that do not matter
        except ValueError:
            refused += 1
    assert refused > len(sound) / 2
    for length in range(len(sound)):
        with pytest.raises(ValueError):
            zip_member(sound[:length], "x")


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_tar_members_are_found_by_their_last_names(tarred, mode):
    raw = tarred(
        {"x": b"1", "repository-1f/deep/er/y": b"2", "._x": b"?", "z": (tarfile.DIRTYPE, "")}, mode
    )
    assert tar_members(raw, ["x", "y"]) == {"x": b"1", "y": b"2"}
    for names, reason in ((["z"], "lacks 'z'$"), (["x", "a", "b", "c"], "lacks 'a' and 2 more")):
        with pytest.raises(ValueError, match=reason):
            tar_members(raw, names)


def test_two_members_of_one_name_must_be_equal(tarred):
    assert tar_members(tarred([("a/x", b"1"), ("b/x", b"1")]), ["x"]) == {"x": b"1"}
    with pytest.raises(ValueError, match="two different 'x'"):
        tar_members(tarred([("a/x", b"1"), ("b/x", b"2")]), ["x"])


@pytest.mark.parametrize("path", ["../x", "a/../../x", "/etc/x", "/x"])
def test_a_path_that_leads_out_of_a_tar_archive_is_refused(tarred, path):
    with pytest.raises(ValueError, match="leads out of it"):
        tar_members(tarred([(path, b"1")]), ["x"])
    assert tar_members(tarred([(path, b"1"), ("y", b"2")]), ["y"]) == {"y": b"2"}  # not asked for


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.CHRTYPE]
)
def test_only_plain_files_are_members(tarred, tmp_path, kind):
    (tmp_path / "secret").write_text("not for the archive")
    with pytest.raises(ValueError, match="lacks 'x'"):
        tar_members(tarred([("x", (kind, str(tmp_path / "secret")))]), ["x"])


def test_damage_to_a_tar_archive_is_a_value_error_or_left_to_the_content_hash(tarred):
    content = "".join(f"{value}\n" for value in np.random.default_rng(0).random(40)).encode()
    sound, plain, refused = tarred({"x": content}), tarred({"x": content}, "w"), 0
    flipped = []
    for position in range(len(sound)):
        raw = bytearray(sound)
        raw[position] ^= 0xFF
        flipped.append(bytes(raw))
    cut = [sound[:length] for length in range(0, len(sound) - 100)]
    for raw in [*flipped, *cut]:
        try:
            found = tar_members(raw, ["x"])
        except ValueError:
            refused += 1
        else:
            assert list(found) == ["x"]
    assert refused > len(sound)
    for raw in (plain[:900], b"<html>", b""):
        with pytest.raises(ValueError):
            tar_members(raw, ["x"])


def test_gzip_files_are_unpacked_and_others_left_alone():
    content = np.random.default_rng(0).bytes(300)
    packed = gzip.compress(content)
    assert gunzip(packed) == content and gunzip(b"plain") == b"plain" and gunzip(b"") == b""
    for length in range(2, len(packed)):
        with pytest.raises(ValueError, match="not a sound gzip file"):
            gunzip(packed[:length])
    for position in range(10, len(packed)):
        raw = bytearray(packed)
        raw[position] ^= 0xFF
        with pytest.raises(ValueError, match="not a sound gzip file"):
            gunzip(bytes(raw))


def test_what_unpacks_to_too_much_is_refused(tarred, zipped, monkeypatch):
    monkeypatch.setattr(archives, "UNPACKED_BYTES_MAX", 100)
    big = b"0" * 101
    for read in (
        lambda: gunzip(gzip.compress(big)),
        lambda: tar_members(tarred({"x": big}), ["x"]),
        lambda: zip_member(zipped(x=big), "x"),
    ):
        with pytest.raises(ValueError, match="more than a gigabyte"):
            read()
    assert gunzip(gzip.compress(big[1:])) == big[1:]
    several = tarred({"a/1": b"0" * 60, "a/2": b"1" * 60}, "w")  # which count together
    assert len(tar_members(several, ["1"])) == 1
    for read in (
        lambda: tar_members(several, ["1", "2"]),
        lambda: list(tar_folders(several, ["a"])),
    ):
        with pytest.raises(ValueError, match="more than a gigabyte"):
            read()


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_tar_archive_is_refused_as_a_whole_before_a_header_is_believed(pack, monkeypatch):
    header = tarfile.TarInfo("pax")
    header.type, header.size = tarfile.XHDTYPE, 10**7
    raw = pack(header.tobuf(tarfile.USTAR_FORMAT) + bytes(10**7))
    monkeypatch.setattr(archives, "UNPACKED_BYTES_MAX", 10**6)
    with pytest.raises(ValueError, match="more than a gigabyte"):
        tar_members(raw, ["x"])


def test_a_zip_archive_that_lies_about_a_size_is_not_believed(zipped):
    raw, size = bytearray(zipped(x="0" * 10**7)), (10**7).to_bytes(4, "little")
    while (place := raw.find(size)) >= 0:
        raw[place : place + 4] = (10).to_bytes(4, "little")
    tracemalloc.start()
    with pytest.raises(ValueError):
        zip_member(bytes(raw), "x")
    assert tracemalloc.get_traced_memory()[1] < 10**6
    tracemalloc.stop()
