"""Links into the repository of the sources; there are none while CITATION.cff names no address."""

import os
from functools import cache
from pathlib import Path
from urllib.parse import urlencode

import yaml

from ..environment import REVISION
from ..runner import results_folder
from ..runner.provenance import git_state


@cache
def address(root: Path | None = None) -> str:
    """``repository-code`` of the CITATION.cff in a checkout, or empty if it has none."""
    path = (root or results_folder().parent) / "CITATION.cff"
    facts = yaml.safe_load(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return str(facts.get("repository-code") or "").rstrip("/")


@cache
def revision() -> str:
    """Commit of the sources, by which links stay true; the newest one where it is not known."""
    return os.environ.get(REVISION) or git_state()["commit"] or "HEAD"


def contest(claim: str) -> str:
    """Address of a new issue that contests the verdict on a claim, or empty."""
    asked = urlencode({"template": "contest.yml", "title": f"Contested: {claim}", "claim": claim})
    return address() and f"{address()}/issues/new?{asked}"


def lines(file: str, first: int, last: int) -> str:
    """Address of lines of a file of the sources, or empty."""
    return address() and f"{address()}/blob/{revision()}/{file}#L{first}-L{last}"
