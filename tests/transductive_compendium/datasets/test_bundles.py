"""Bundles: the same bytes, what is left out, and files that are no whole bundle."""

import hashlib
import json
import os
import time
import zipfile
from dataclasses import replace

import pytest
from click.testing import CliRunner

from transductive_compendium.data_commands import data
from transductive_compendium.datasets import (
    DataDamagedError,
    DataError,
    DataMissingError,
    UnknownDatasetError,
    fetch,
    verify,
)
from transductive_compendium.datasets import download as store
from transductive_compendium.datasets.bundles import MANIFEST, Bundle, write
from transductive_compendium.datasets.registry import registry


@pytest.fixture
def call():
    return lambda *arguments: CliRunner().invoke(data, list(map(str, arguments)))


@pytest.fixture
def sets(thyroid, text, monkeypatch, tmp_path):
    """Three registered sets: two at hand in the folder `here`, of which one is for use only."""
    for name in set(registry()) - {"thyroid"}:
        monkeypatch.delitem(registry(), name)
    for name, redistribution in (("kept", "use only"), ("absent", "allowed"), ("twin", "unstated")):
        file = replace(thyroid.files[0], path=f"{name}/{name}.data")
        entry = replace(thyroid, name=name, files=(file,), redistribution=redistribution)
        monkeypatch.setitem(registry(), name, entry)
    here = tmp_path / "here"
    for name in ("thyroid", "kept", "twin"):
        path = here / registry()[name].path
        path.parent.mkdir(parents=True)
        path.write_text(text)
    return here


@pytest.fixture
def bundle(sets, tmp_path):
    path = tmp_path / "bundle.zip"
    write(path, folder=sets)
    return path


def rewritten(path, change):
    """Write the archive again with its members changed, hashes of zip correct."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    with zipfile.ZipFile(path, "w") as archive:
        for name, raw in members.items():
            archive.writestr(name, raw)


def files_below(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_a_bundle_goes_to_another_machine(call, sets, tmp_path, text):
    path, there = tmp_path / "bundle.zip", tmp_path / "there"
    packed = call("bundle", path, "--folder", sets)
    assert packed.exit_code == 0 and packed.stdout.endswith(f"2 data sets: {path}\n")
    assert "left out  kept: its terms allow use, not handing on" in packed.stderr
    assert "kept/kept.data" in packed.stderr
    assert (
        "left out  absent: it is not at hand. Run `transductive data fetch absent`" in packed.stderr
    )
    fetched = call("fetch", "--from", path, "--folder", there)
    assert fetched.exit_code == 0
    assert fetched.stdout.splitlines() == [
        f"thyroid: {there / registry()['thyroid'].path}",
        f"twin: {there / 'twin' / 'twin.data'}",
    ]
    assert "kept is not in the bundle: its terms" in fetched.stderr
    assert [path.read_text() for path in files_below(there)] == [text, text]
    assert verify("twin", there).state == "ok"


def test_the_same_files_give_the_same_bytes(sets, tmp_path, monkeypatch):
    first, second = tmp_path / "1.zip", tmp_path / "elsewhere" / "2.zip"
    second.parent.mkdir()
    write(first, folder=sets)
    moved = sets.rename(tmp_path / "moved")
    for path in files_below(moved):
        os.utime(path, (1, 1))
        path.chmod(0o600)
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setattr(time, "time", lambda: 2e9)
    write(second, folder=moved)
    assert first.read_bytes() == second.read_bytes()


def test_the_manifest_has_terms_sizes_and_hashes(bundle, thyroid):
    with zipfile.ZipFile(bundle) as archive:
        facts = json.loads(archive.read(MANIFEST))
        assert archive.namelist() == [MANIFEST, "twin/twin.data", thyroid.path]
    assert set(facts["sets"]) == {"thyroid", "twin"}
    assert facts["sets"]["thyroid"]["terms"] == "CC BY 4.0"
    assert facts["sets"]["twin"]["redistribution"] == "unstated"
    (file,) = facts["sets"]["thyroid"]["files"]
    known = thyroid.files[0]
    assert file == {"path": known.path, "bytes": known.bytes, "sha256": known.sha256}


@pytest.mark.parametrize(
    ("name", "error", "reason"),
    [
        ("kept", DataError, "its terms allow use, not handing on"),
        ("absent", DataError, "it is not at hand"),
        ("thyriod", UnknownDatasetError, "Did you mean 'thyroid'"),
    ],
)
def test_a_set_asked_for_by_name_must_be_in_it(sets, tmp_path, name, error, reason):
    with pytest.raises(error, match=reason):
        write(tmp_path / "bundle.zip", ["thyroid", name], sets)
    assert not (tmp_path / "bundle.zip").exists()


def test_a_damaged_set_is_not_packed(sets, tmp_path):
    (sets / "twin" / "twin.data").write_text("1,2\n")
    with pytest.raises(DataDamagedError, match="transductive data fetch twin --folder"):
        write(tmp_path / "bundle.zip", folder=sets)
    assert not (tmp_path / "bundle.zip").exists()


def test_nothing_at_hand_or_a_place_that_is_taken(sets, bundle, tmp_path):
    kept = bundle.read_bytes()
    with pytest.raises(DataError, match="is there already"):
        write(bundle, folder=sets)
    assert bundle.read_bytes() == kept
    link = tmp_path / "link.zip"
    link.symlink_to(tmp_path / "not yet")
    with pytest.raises(DataError, match="there already"):
        write(link, folder=sets)
    for name in ("-", "bundle.tar.gz"):
        with pytest.raises(DataError, match=r"a bundle is a zip archive\. Name a file"):
            write(name, folder=sets)
    with pytest.raises(DataError, match="No bundle was written"):
        write(tmp_path / "none.zip", folder=tmp_path / "nowhere")
    with pytest.raises(DataError, match=r"cannot be written.*Name another file"):
        write(tmp_path / "no" / "folder.zip", folder=sets)
    with pytest.raises(DataError, match=r"cannot be written .*File name too long"):
        write(tmp_path / f"{'x' * 300}.zip", folder=sets)


def cut(path):
    path.write_bytes(path.read_bytes()[:-500])


def flipped(path):
    raw = bytearray(path.read_bytes())
    raw[raw.index(b"twin/twin.data") + 500] ^= 1  # in the file itself, which comes first
    path.write_bytes(raw)


def without_a_file(path):
    rewritten(path, lambda members: members.pop("twin/twin.data"))


def with_other_data(path):
    rewritten(path, lambda members: members.update({"twin/twin.data": b"1,2\n"}))


def with_other_data_and_their_hash(path):
    def change(members):
        facts = json.loads(members[MANIFEST])
        members["twin/twin.data"] = b"1,2\n"
        digest = hashlib.sha256(b"1,2\n").hexdigest()
        facts["sets"]["twin"]["files"][0]["sha256"] = digest
        members[MANIFEST] = json.dumps(facts).encode()

    rewritten(path, change)


def without_manifest(path):
    rewritten(path, lambda members: members.pop(MANIFEST))


def with_half_a_manifest(path):
    rewritten(path, lambda members: members.update({MANIFEST: members[MANIFEST][:99]}))


DAMAGES = {
    cut: "is no whole bundle of data sets",
    flipped: "is damaged at twin/twin.data of 'twin'",
    without_a_file: "is damaged at twin/twin.data of 'twin'.*no item",
    with_other_data: "is damaged at twin/twin.data of 'twin'.*not that of the manifest",
    with_other_data_and_their_hash: "is damaged at twin/twin.data of 'twin'.*1 rows",
    without_manifest: "is a zip archive, but no bundle",
    with_half_a_manifest: "is no whole bundle of data sets",
    lambda path: path.write_bytes(b""): "is no whole bundle of data sets",
    lambda path: path.write_text("<html>log in</html>"): "is no whole bundle of data sets",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_incomplete_or_foreign_file_changes_nothing(bundle, call, damage, tmp_path):
    damage(bundle)
    there = tmp_path / "there"
    old = there / registry()["thyroid"].path
    old.parent.mkdir(parents=True)
    old.write_text("damaged before")  # would be replaced by a sound one
    result = call("fetch", "--from", bundle, "--folder", there)
    assert result.exit_code == 1 and result.stderr.startswith(f"error: {bundle} ")
    assert "Nothing was changed. Copy the bundle here again, or make it anew" in result.stderr
    with pytest.raises(DataError, match=DAMAGES[damage]):
        Bundle(bundle).check()
    assert [path.read_text() for path in files_below(there)] == ["damaged before"]


def test_what_is_there_and_sound_is_kept_and_what_is_damaged_replaced(bundle, call, text, tmp_path):
    there = tmp_path / "there"
    sound, damaged = there / registry()["thyroid"].path, there / "twin" / "twin.data"
    for path in (sound, damaged):
        path.parent.mkdir(parents=True)
    sound.write_text(text.replace("\n", "\r\n"), newline="")
    damaged.write_text(text[:100])
    other = there / "twin" / "of my own.txt"
    other.write_text("mine")
    assert call("fetch", "--from", bundle, "--folder", there).exit_code == 0
    assert sound.read_bytes() == text.replace("\n", "\r\n").encode()
    assert damaged.read_text() == text and other.read_text() == "mine"
    assert len(files_below(there)) == 3


def test_a_set_that_is_not_in_it_is_named_with_the_reason(bundle, call, tmp_path):
    with pytest.raises(
        DataMissingError, match=r"'kept': its terms.*what it holds, thyroid, twin, or make"
    ):
        Bundle(bundle).check(["kept"])
    result = call("fetch", "kept", "digits", "--from", bundle, "--folder", tmp_path / "there")
    assert result.exit_code == 1 and "does not hold 'kept'" in result.stderr
    assert not (tmp_path / "there").exists()
    assert call("fetch", "digits", "--from", bundle).output == "digits: bundled with scikit-learn\n"


def test_bundles_of_other_versions(bundle, call, tmp_path, monkeypatch):
    monkeypatch.delitem(registry(), "twin")
    result = call("fetch", "--from", bundle, "--folder", tmp_path / "there")
    assert result.exit_code == 0
    assert "twin is in the bundle, but unknown to this version" in result.stderr
    rewritten(
        bundle,
        lambda members: members.update(
            {MANIFEST: members[MANIFEST].replace(b'"version": 1', b'"version": 2')}
        ),
    )
    with pytest.raises(DataError, match=r"bundle of version 2.*Install a newer one"):
        Bundle(bundle)


def test_a_file_that_is_not_there(tmp_path, call):
    result = call("fetch", "--from", tmp_path / "bundel.zip")
    assert result.exit_code == 1 and "Correct the name" in result.stderr


def test_a_bundle_touches_no_network(bundle, tmp_path, monkeypatch):
    def refuse(*_):
        raise AssertionError("asked the network")

    monkeypatch.setattr(store.pooch.HTTPDownloader, "__call__", refuse)
    assert fetch("twin", tmp_path / "there", Bundle(bundle)).is_file()
