"""The package finds its own data files."""

from pathlib import Path

import pytest

from transductive._paths import data_file, data_files

DATA = Path(__file__).resolve().parents[1] / "data"


def test_the_registry_is_found():
    assert data_file("registry.yml").read_bytes() == (DATA / "registry.yml").read_bytes()


def test_all_claims_are_found():
    assert [p.name for p in data_files("claims")] == sorted(
        p.name for p in (DATA / "claims").glob("*.yml")
    )


def test_a_missing_file_is_an_error_with_a_way_out():
    with pytest.raises(FileNotFoundError, match=r"no data file 'nowhere.yml'.*pip install"):
        data_file("nowhere.yml")


def test_a_missing_folder_is_empty():
    assert data_files("nowhere") == []
