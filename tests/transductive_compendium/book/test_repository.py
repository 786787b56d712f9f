"""Links into the repository, where CITATION.cff names one."""

import re
import subprocess
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml

from transductive_compendium.book import repository

ROOT = Path(__file__).resolve().parents[3]
URL = "https://example.org/owner/name"


@pytest.fixture
def hosted(monkeypatch):
    monkeypatch.setattr(repository, "address", lambda root=None: URL)


def test_the_address_is_read_from_the_citation_file(tmp_path):
    for text, found in (("title: x\n", ""), (f"repository-code: {URL}/\n", URL)):
        folder = tmp_path / f"case{len(text)}"
        folder.mkdir()
        (folder / "CITATION.cff").write_text(text)
        assert repository.address(folder) == found
    assert repository.address(tmp_path) == ""


def test_an_issue_has_the_claim_filled_in_where_the_form_asks_for_it(hosted):
    found = urlsplit(repository.contest("bt-fig2-whole-curve"))
    asked = parse_qs(found.query)
    form = ROOT / ".github/ISSUE_TEMPLATE" / asked["template"][0]
    fields = {part.get("id") for part in yaml.safe_load(form.read_text())["body"]}
    assert found.path == "/owner/name/issues/new" and "claim" in fields
    assert asked["claim"] == ["bt-fig2-whole-curve"]


def test_lines_are_those_of_the_commit(hosted):
    commit = subprocess.run(
        ["git", "-C", ROOT, "rev-parse", "HEAD"], capture_output=True, text=True
    ).stdout.strip()
    if not commit:
        pytest.skip("no git checkout")
    assert re.fullmatch(f"{URL}/blob/{commit}/src/a.py#L3-L9", repository.lines("src/a.py", 3, 9))
