"""Files that state the metadata of this work agree with CITATION.cff and follow their schemas."""

import json
import re
import tomllib
from pathlib import Path

import check_jsonschema
import pytest
import yaml
from click.testing import CliRunner

import transductive

ROOT = Path(__file__).resolve().parents[2]
FACTS = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CODEMETA, ZENODO = (
    json.loads((ROOT / name).read_text(encoding="utf-8"))
    for name in ("codemeta.json", ".zenodo.json")
)
AUTHORS = [author["name"] for author in FACTS["authors"]]
RELEASED = str(FACTS["date-released"])
#: By name of the file. The two of our own list what a reader of such files needs, no more.
SCHEMAS = {
    "CITATION.cff": ["--builtin-schema", "vendor.citation-file-format"],
    "codemeta.json": ["--schemafile", str(ROOT / "tests/tools/schemas/codemeta.json")],
    ".zenodo.json": ["--schemafile", str(ROOT / "tests/tools/schemas/zenodo.json")],
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_files_follow_their_schemas(name):
    done = CliRunner().invoke(check_jsonschema.main, [*SCHEMAS[name], str(ROOT / name)])
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    ("stated", "fact"),
    [
        (transductive.__version__, FACTS["version"]),
        (PROJECT["dynamic"], ["version"]),  # meson.build's; see tests/tools/test_toolchain.py
        ([author["name"] for author in PROJECT["authors"]], AUTHORS),
        (PROJECT["keywords"], FACTS["keywords"]),
        (PROJECT["license"], FACTS["license"][0]),
        (FACTS["abstract"].partition(".")[0], PROJECT["description"]),
        (CODEMETA["name"], FACTS["title"]),
        (CODEMETA["version"], FACTS["version"]),
        (CODEMETA["description"], FACTS["abstract"]),
        (CODEMETA["keywords"], FACTS["keywords"]),
        (CODEMETA["license"], [f"https://spdx.org/licenses/{name}" for name in FACTS["license"]]),
        ([author["name"] for author in CODEMETA["author"]], AUTHORS),
        (CODEMETA["datePublished"], RELEASED),
        (CODEMETA["runtimePlatform"], f"Python {PROJECT['requires-python']}"),
        (CODEMETA.get("codeRepository"), FACTS.get("repository-code")),
        ([w["name"] for w in CODEMETA["citation"]], [w["title"] for w in FACTS["references"]]),
        (ZENODO["title"], FACTS["title"]),
        (ZENODO["version"], FACTS["version"]),
        (ZENODO["description"], f"<p>{FACTS['abstract']}</p>"),
        (ZENODO["keywords"], FACTS["keywords"]),
        (ZENODO["license"], FACTS["license"][0]),
        ([author["name"] for author in ZENODO["creators"]], AUTHORS),
        (ZENODO["publication_date"], RELEASED),
        (PROJECT.get("urls", {}).get("Source"), FACTS.get("repository-code")),
    ],
)
def test_each_statement_is_that_of_the_citation_file(stated, fact):
    assert stated == fact


def test_the_papers_are_the_same_in_every_file():
    bibliography = (ROOT / "book/references.bib").read_text(encoding="utf-8")
    page = (ROOT / "book/how_to_cite.md").read_text(encoding="utf-8")
    for work, line in zip(FACTS["references"], ZENODO["references"], strict=True):
        words = [w for w in re.findall(r"\w+", work["title"].lower()) if w not in ("the", "a")]
        key = f"{work['authors'][0]['family-names'].lower()}{work['year']}{words[0]}"
        entry = re.search(rf"@inproceedings{{{key},.*?\n}}", bibliography, re.S)
        assert entry and f"`{key}`" in page, key
        assert f"pages     = {{{work['start']}--{work['end']}}}" in entry[0]
        assert f"year      = {{{work['year']}}}" in entry[0]
        assert f"({work['year']}). {work['title']}. " in line
        assert f"pp. {work['start']}-{work['end']}. " in line and work.get("doi", "") in line


def test_the_page_on_citing_has_version_and_year_of_the_release():
    page = (ROOT / "book/how_to_cite.md").read_text(encoding="utf-8")
    entries = re.findall(r"^@\w+\{.*?^\}", page, re.M | re.S)
    assert len(entries) == 4
    for entry in entries:
        assert f"author = {{{{{AUTHORS[0]}}}}}" in entry and entry.count("{") == entry.count("}")
        assert f"version {FACTS['version']}" in entry or f"{{{FACTS['version']}}}" in entry
        assert f"year = {{{RELEASED[:4]}}}" in entry
    assert FACTS["preferred-citation"]["title"] in page
