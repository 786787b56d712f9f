"""Notebooks and results from the files of a release: whole and of this version, or not at all."""

import hashlib
import io
import tarfile

import pytest
from click.testing import CliRunner

from transductive import __version__
from transductive_compendium.cli import main
from transductive_compendium.runner.released_results import unpack_release

NAME = f"transduction-compendium-{__version__}-notebooks.tar.gz"
FILES = {"notebooks/toy/walk.ipynb": b"{}", "results/toy/walk.csv": b"a\n1\n", "_config.yml": b""}


@pytest.fixture
def release(tmp_path):
    """Folder with the files of a release; called, writes an archive of other files."""
    folder = tmp_path / "a release"
    folder.mkdir()

    def write(files):
        with tarfile.open(folder / NAME, "w:gz") as tar:
            for name, content in files.items():
                entry = tarfile.TarInfo(f"top/{name}")
                entry.size = len(content)
                tar.addfile(entry, io.BytesIO(content))
        digest = hashlib.sha256((folder / NAME).read_bytes()).hexdigest()
        (folder / "SHA256SUMS").write_text(f"{'0' * 64}  other\n{digest}  {NAME}\n")
        return folder

    write(FILES)
    return write


def fetch(folder, release):
    return CliRunner().invoke(main, ["notebooks", str(folder), "--from", str(release)])


def written(folder):
    paths = folder.rglob("*") if folder.exists() else ()
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in paths if p.is_file()}


@pytest.mark.parametrize("place", [str, lambda folder: folder.as_uri() + "/"])
def test_the_files_are_unpacked_from_a_folder_or_an_address(release, tmp_path, place):
    done = fetch(tmp_path / "mine", place(release(FILES)))
    assert done.exit_code == 0 and "3 files" in done.output
    assert written(tmp_path / "mine") == FILES


def test_a_folder_with_files_is_left_as_it_is(release, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.txt").write_text("x")
    done = fetch(tmp_path / "mine", release(FILES))
    assert done.exit_code == 1 and "name a new folder" in done.output
    assert written(tmp_path / "mine") == {"thesis.txt": b"x"}


def test_a_folder_that_cannot_be_looked_at_is_named(release, tmp_path):
    done = fetch(tmp_path / ("x" * 300), release(FILES))
    assert done.exit_code == 1 and "cannot be written (File name too long)" in done.output


def test_damage_another_version_and_no_release_are_named(release, tmp_path):
    folder, mine = release(FILES), tmp_path / "mine"
    with open(folder / NAME, "ab") as file:
        file.write(b"x")
    assert "is damaged" in fetch(mine, folder).output
    (folder / NAME).unlink()
    assert f"{NAME} cannot be read" in fetch(mine, folder).output
    with pytest.raises(Exception, match="install the version of the release"):
        unpack_release(release(FILES), mine, version="9.9.9")
    nowhere = fetch(mine, tmp_path / "nowhere").output
    assert "SHA256SUMS cannot be read" in nowhere and "No such file or directory" in nowhere
    assert not mine.exists()


def test_nothing_is_written_outside_the_folder(release, tmp_path):
    done = fetch(tmp_path / "mine", release(FILES | {"../../secret": b"x"}))
    assert done.exit_code == 1 and "outside" in done.output
    assert not (tmp_path / "mine").exists() and not (tmp_path / "secret").exists()
