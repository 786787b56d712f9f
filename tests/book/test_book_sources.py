"""Notebooks and pages before they are built: what the build relies on."""

import json
import re
from pathlib import Path

import pytest
import yaml

import transductive

HUNDRED = "in_a_hundred_lines"
ROOT = Path(__file__).resolve().parents[2]
#: Pages. A notebook of a hundred lines is a part of its chapter.
NOTEBOOKS = [p for p in sorted((ROOT / "notebooks").glob("*/*.ipynb")) if p.stem != HUNDRED]
TOC = yaml.safe_load((ROOT / "_toc.yml").read_text())


def entries(node):
    """All files that a table of contents names."""
    if isinstance(node, list):
        for item in node:
            yield from entries(item)
    elif isinstance(node, dict):
        for key, value in node.items():
            if key in ("file", "root"):
                yield value
            else:
                yield from entries(value)


LISTED = list(entries(TOC))


@pytest.mark.parametrize("name", LISTED)
def test_each_entry_of_the_contents_exists(name):
    base = ROOT / name
    assert any(Path(f"{base}{end}").is_file() for end in ("", ".md", ".ipynb"))


def test_each_page_and_notebook_is_in_the_contents_once():
    listed = [re.sub(r"\.(md|ipynb)$", "", name) for name in LISTED]
    there = [
        p.relative_to(ROOT).with_suffix("").as_posix()
        for p in [*(ROOT / "book").rglob("*.md"), *NOTEBOOKS]
        if not any(part.startswith("_") for part in p.relative_to(ROOT).parts)
        and p.parent.name != "appendix"  # parts of one page
    ]
    assert sorted(listed) == sorted(there)


def test_the_appendix_has_its_parts_in_the_order_of_their_names():
    parts = sorted(path.name for path in (ROOT / "book" / "appendix").glob("*.md"))
    text = (ROOT / "book" / "appendix.md").read_text(encoding="utf-8")
    assert re.findall(r"\{include\} appendix/(\S+)", text) == parts


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_notebook_keeps_to_the_rules(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert "parameters" in code[0]["metadata"].get("tags", []), (
        "the first code cell sets parameters"
    )
    assert "".join(notebook["cells"][0]["source"]).startswith("# "), "it opens with its title"
    name = f"{path.parent.name}/{path.stem}"
    assert name in "".join(code[1]["source"]), f"the second code cell begins {name}"
    for number, cell in enumerate(code):
        assert not cell["outputs"] and cell["execution_count"] is None, (
            f"code cell {number} has outputs: jupyter nbconvert --clear-output --inplace {path}"
        )
        shown = cell["metadata"].get("mystnb", {})
        if "figure" in shown:
            assert {"caption", "name"} <= set(shown["figure"])
            assert len(shown.get("image", {}).get("alt", "").split()) >= 5, (
                f"code cell {number}: the alternative text states what the figure shows"
            )


def test_the_api_lists_what_the_package_exports():
    listed = re.findall(r"^   ~\w+\.(\w+)$", (ROOT / "book" / "api.md").read_text(), re.M)
    assert sorted(listed) == sorted(transductive.__all__)
