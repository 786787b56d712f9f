"""CITATION.cff is the one source of metadata: whatever else states a fact of it agrees."""

import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import check_jsonschema
import pytest
import write_metadata
import yaml
from click.testing import CliRunner
from write_metadata import codemeta, figure_entry, paper_entry, stale, whole_entry, zenodo

import transductive
from transductive_compendium.book.repository import address
from transductive_compendium.verdicts.claims import Claim

ROOT = Path(__file__).resolve().parents[2]
FACTS = write_metadata.citation()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

RELEASED = {**FACTS, "date-released": "2031-02-03"}
RELEASED.pop("repository-code", None)  # which a test sets itself
UNRELEASED = {name: fact for name, fact in FACTS.items() if name != "date-released"}


def test_what_is_committed_is_what_the_citation_file_makes():
    assert stale() == [], "run: python tools/write_metadata.py"


@pytest.mark.parametrize("key", ["version", "title", "abstract", "keywords", "license", "authors"])
def test_a_change_of_any_fact_makes_both_files_stale(tmp_path, key):
    changed = dict(FACTS)
    changed[key] = {
        "keywords": ["magic"],
        "license": ["MIT"],
        "authors": [{"name": "Nobody"}],
    }.get(key, "9.9.9")
    for name in ("pyproject.toml", "codemeta.json", ".zenodo.json"):
        (tmp_path / name).write_text((ROOT / name).read_text())
    (tmp_path / "CITATION.cff").write_text(yaml.safe_dump(changed))
    assert stale(tmp_path) == ["codemeta.json", ".zenodo.json"]


def test_package_metadata_agree():
    assert transductive.__version__ == FACTS["version"]
    assert PROJECT["dynamic"] == ["version"]  # meson.build's; see tests/tools/test_toolchain.py
    assert [a["name"] for a in PROJECT["authors"]] == [a["name"] for a in FACTS["authors"]]
    assert PROJECT["keywords"] == FACTS["keywords"]
    assert PROJECT["license"] == FACTS["license"][0]
    assert FACTS["abstract"].startswith(PROJECT["description"] + ".")
    book = yaml.safe_load((ROOT / "_config.yml").read_text())
    assert (book["title"], book["author"]) == (FACTS["title"], FACTS["authors"][0]["name"])


def test_licences_are_those_of_the_licence_files():
    assert [name in FACTS["abstract"] for name in FACTS["license"]] == [True, True]
    assert "BSD 3-Clause" in (ROOT / "LICENSE").read_text()
    assert "Creative Commons Attribution 4.0" in (ROOT / "LICENSE-TEXT").read_text()


def test_codemeta_is_of_version_3_and_has_its_terms():
    made = codemeta(RELEASED, PROJECT)
    assert made["@context"] == "https://w3id.org/codemeta/3.0"
    assert made["@type"] == "SoftwareSourceCode"
    assert made["license"] == [f"https://spdx.org/licenses/{name}" for name in FACTS["license"]]
    assert made["author"] == [{"@type": "Organization", "name": FACTS["authors"][0]["name"]}]
    assert made["programmingLanguage"] == ["Cython", "Python"]
    assert made["datePublished"] == "2031-02-03"
    assert "datePublished" not in codemeta(UNRELEASED, PROJECT)
    cited = made["citation"]
    assert [work["name"] for work in cited] == [work["title"] for work in FACTS["references"]]
    assert [a["familyName"] for a in cited[0]["author"]] == ["Graepel", "Herbrich", "Obermayer"]


def test_zenodo_gets_what_a_deposit_needs():
    made = zenodo(RELEASED)
    assert {"upload_type", "title", "creators", "description", "license"} <= set(made)
    assert made["upload_type"] == "software" and made["access_right"] == "open"
    assert made["publication_date"] == "2031-02-03" and made["version"] == FACTS["version"]
    dois = [work["doi"] for work in FACTS["references"] if "doi" in work]
    assert [r["identifier"] for r in made["related_identifiers"]] == dois
    assert all(re.fullmatch(r"10\.\d{4,9}/\S+", doi) for doi in dois)
    assert len(made["references"]) == len(FACTS["references"]) == 5
    assert made["references"][0].startswith(
        "Graepel, Thore; Herbrich, Ralf; Obermayer, Klaus (2000)"
    )


def test_keys_of_the_papers_are_those_of_the_bibliography():
    bibliography = (ROOT / "book/references.bib").read_text()
    for work in FACTS["references"]:
        entry = paper_entry(work)
        key = re.match(r"@inproceedings\{(\S+),", entry)[1]
        ours = re.search(rf"@inproceedings{{{key},.*?\n}}", bibliography, re.S)
        assert ours, key
        assert f"pages     = {{{work['start']}--{work['end']}}}" in ours[0]
        assert f"year      = {{{work['year']}}}" in ours[0]


def test_the_year_is_that_of_the_release_or_else_of_the_newest_record():
    assert "year = {2031}" in whole_entry(RELEASED) and "note" not in whole_entry(RELEASED)
    assert "year = {2031}" in whole_entry(RELEASED | {"recorded": "2040-01-01"})
    entry = whole_entry(UNRELEASED | {"recorded": "2040-01-01"})
    assert "year = {2040}" in entry and "Not yet released" in entry


# Schemas


#: By name of the file. The two of our own list what a reader of such files needs, no more.
SCHEMAS = {
    "CITATION.cff": ["--builtin-schema", "vendor.citation-file-format"],
    "codemeta.json": ["--schemafile", str(ROOT / "tests/tools/schemas/codemeta.json")],
    ".zenodo.json": ["--schemafile", str(ROOT / "tests/tools/schemas/zenodo.json")],
}


def validate(name, path):
    return CliRunner().invoke(check_jsonschema.main, [*SCHEMAS[name], str(path)])


@pytest.fixture
def released(tmp_path):
    """Folder with the three files as they will be for version 1.0.0."""
    text = re.sub(r"(?m)^(version|date-released): .*\n", "", (ROOT / "CITATION.cff").read_text())
    text = re.sub(r"(?m)^repository-code:", "# repository-code:", text)
    (tmp_path / "CITATION.cff").write_text(text + "version: 1.0.0\ndate-released: 2031-02-03\n")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for name, made in write_metadata.generated(tmp_path).items():
        (tmp_path / name).write_text(made)
    return tmp_path


@pytest.mark.parametrize("name", SCHEMAS)
def test_files_follow_their_schemas_now_and_for_a_release(name, released):
    for path in (ROOT / name, released / name):
        done = validate(name, path)
        assert done.exit_code == 0, done.output
    text = (released / name).read_text()
    assert "1.0.0" in text and "2031-02-03" in text


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("CITATION.cff", "cff-version: 1.2.0", "cff-version: 9"),
        ("CITATION.cff", "date-released: 2031-02-03", "date-released: soon"),
        ("CITATION.cff", "  - BSD-3-Clause", "  - BSD-like"),
        ("codemeta.json", '"@type": "SoftwareSourceCode"', '"@type": "Book"'),
        ("codemeta.json", '"version": "1.0.0"', '"version": 1'),
        (".zenodo.json", '"creators"', '"authors"'),
        (".zenodo.json", '"2031-02-03"', '"3.2.2031"'),
    ],
)
def test_a_file_that_does_not_follow_its_schema_is_refused(name, before, after, released):
    text = (released / name).read_text()
    assert before in text
    (released / name).write_text(text.replace(before, after))
    assert validate(name, released / name).exit_code == 1


def test_one_line_sets_version_and_date_wherever_they_stand(tmp_path):
    (tmp_path / "src/transductive").mkdir(parents=True)
    files = {name for name, *_ in write_metadata.RELEASED}
    for name in files:
        shutil.copy(ROOT / name, tmp_path / name)
    # that of a release has no such head
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 9.8 (in preparation)\n")
    write_metadata.set_release("9.8.7", "2031-02-03", tmp_path)
    for name in files:
        assert (tmp_path / name).read_text().count("9.8.7") == 1, name
    assert write_metadata.citation(tmp_path)["version"] == "9.8.7"
    head = re.search(r"^## .*$", (tmp_path / "CHANGELOG.md").read_text(), re.M)[0]
    assert head == "## 9.8.7 - 2031-02-03"
    before = {name: (tmp_path / name).read_text() for name in files}
    with pytest.raises(SystemExit, match="in preparation"):  # no older head is written over
        write_metadata.set_release("9.9.0", "2031-03-04", tmp_path)
    assert {name: (tmp_path / name).read_text() for name in files} == before


def test_one_setting_fills_in_every_address_of_the_repository(released):
    url = "https://example.org/owner/name"
    settings = (released / "pyproject.toml").read_text()
    assert url not in settings and "urls" not in tomllib.loads(settings)["project"]
    cited = released / "CITATION.cff"
    cited.write_text(write_metadata.with_repository(cited.read_text(), f"{url}/"))
    assert stale(released) == ["codemeta.json", ".zenodo.json", "pyproject.toml"]
    for name, text in write_metadata.generated(released).items():
        (released / name).write_text(text)
    assert stale(released) == [] and address(released) == url
    for name in SCHEMAS:
        assert validate(name, released / name).exit_code == 0
        assert url in (released / name).read_text()
    urls = tomllib.loads((released / "pyproject.toml").read_text())["project"]["urls"]
    assert urls["Source"] == url and all(value.startswith(url) for value in urls.values())
    assert write_metadata.with_urls((released / "pyproject.toml").read_text(), None) == settings


def test_a_figure_is_cited_with_its_anchor_and_its_run():
    provenance = {
        "code": {"commit": "0123456789abcdef"},
        "date": "2030-01-01",
        "experiment": "toy/walk_on",
        "version": 3,
        "seed": 7,
    }
    entry = figure_entry(
        FACTS, "fig-toy", "Is 5 % enough for `p`? [Yes](page.md) $x_1$", provenance
    )
    assert entry.startswith("@misc{fig-toy,") and "year = {2030}" in entry
    assert r"Is 5 \% enough for p? Yes $x_1$" in entry
    assert r"toy/walk\_on, version 3, seed 7" in " ".join(entry.split())
    assert "0123456789ab" in entry and "0123456789abc" not in entry
    assert max(map(len, entry.splitlines())) <= 76


def test_a_claim_is_cited_with_its_place_and_how_it_is_decided_again():
    claim = Claim(
        id="toy-zip",
        statement="It works on zip codes.",
        kind="untestable",
        quote="zip",
        place="section 2, 5 % of [the codes](page.md)",
        why="lost",
    )
    entry = write_metadata.claim_entry(FACTS, "toy", claim)
    assert entry.startswith("@misc{claim-toy-zip,")
    assert r"title = {{Toy, section 2, 5 \% of the codes: a claim decided}}" in entry
    assert "note = {Decided again by: transductive verify toy-zip}" in entry
    assert f"version {FACTS['version']}" in " ".join(entry.split())


def test_pages_have_an_entry_for_every_figure_of_a_recorded_run(tmp_path):
    write_metadata.write_pages(tmp_path)
    figures = (tmp_path / "citation/figures.bib").read_text()
    keys = re.findall(r"^@misc\{(.+),$", figures, re.M)
    anchors = [anchor for anchor, _, name in write_metadata.figures() if recorded(name)]
    assert keys == anchors and len(set(keys)) == len(keys)
    figure = (tmp_path / "citation/figure.bib").read_text()
    assert figure.startswith(f"@misc{{{write_metadata.FIGURE},") and figure.strip() in figures
    for name in ("article", "whole", "documents", "figure", "claim"):
        text = (tmp_path / f"citation/{name}.bib").read_text()
        assert len(re.findall(r"^@", text, re.M)) == (5 if name == "documents" else 1)
        assert text.count("{") == text.count("}")
        assert len(re.findall(r"^  year = \{\d{4}\},$", text, re.M)) == text.count("\n@") + 1, name


def recorded(name):
    return (ROOT / "results" / f"{name}.json").is_file()


def test_json_files_are_readable_by_people():
    for name in ("codemeta.json", ".zenodo.json"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert text == json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n"
        assert "Léon" in text


# Binder


def test_binder_takes_the_environment_of_the_project():
    assert (ROOT / "binder/environment.yml").resolve() == ROOT / "environment.yml"
    named = yaml.safe_load((ROOT / "binder/environment.yml").read_text())["dependencies"]
    # what postBuild calls and needs without a build environment of pip's own
    assert {"pip", "c-compiler"} <= {item for item in named if isinstance(item, str)}
    conda = {item.split("=")[0] for item in named if isinstance(item, str)}
    assert {re.split("[><=]", text)[0] for text in build_requirements()} | {"ninja"} <= conda
    assert "ipykernel" in conda


def build_requirements():
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]


def test_post_build_is_executable_and_is_bash():
    script = ROOT / "binder/postBuild"
    assert os.access(script, os.X_OK)
    assert script.read_text().startswith("#!/usr/bin/env bash\n")
    subprocess.run(["bash", "-n", script], check=True)
