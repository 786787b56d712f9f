"""Write the metadata of authors and citation, all of it from CITATION.cff.

    python tools/write_metadata.py [--repository URL] [--release VERSION DATE]

It writes codemeta.json, .zenodo.json and the table [project.urls] of pyproject.toml. The address of
the repository, if given, is kept in CITATION.cff, where pages, buttons and metadata look for it.

The build of the book calls `write_pages`, for the BibTeX entries of the whole, of the papers,
of every figure, and of a claim as an example.
"""

import argparse
import html
import json
import re
import sys
import textwrap
import tomllib
from pathlib import Path

import yaml

from transductive_compendium.book.titles import paper_of
from transductive_compendium.runner import results_folder
from transductive_compendium.verdicts.claims import load_statements

ROOT = Path(__file__).resolve().parent.parent
#: The examples where the book shows how to cite a figure or a claim.
FIGURE, CLAIM = "fig-bt-2", "bt-fig2-whole-curve"
#: Words that a BibTeX key skips at the beginning of a title.
_ARTICLES = {"a", "an", "the"}


def citation(root: Path = ROOT) -> dict:
    """The facts of CITATION.cff."""
    return yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))


def full_name(author: dict) -> str:
    """``Family, Given`` of a person, the name of anything else."""
    return author.get("name") or f"{author['family-names']}, {author['given-names']}"


def _codemeta_author(author: dict) -> dict:
    if "name" in author:
        return {"@type": "Organization", "name": author["name"]}
    names = {"givenName": author["given-names"], "familyName": author["family-names"]}
    return {"@type": "Person", **names}


def _codemeta_reference(work: dict) -> dict:
    # The context of CodeMeta has no term for an article; its prefix for schema.org makes one.
    article = {"@type": "schema:ScholarlyArticle"}
    if doi := work.get("doi"):
        article["@id"] = f"https://doi.org/{doi}"
    return article | {
        "name": work["title"],
        "author": [_codemeta_author(author) for author in work["authors"]],
        "datePublished": str(work["year"]),
        "isPartOf": {"@type": "schema:PublicationVolume", "name": work["collection-title"]},
    }


def codemeta(facts: dict, project: dict) -> dict:
    """CodeMeta 3.0; `project` is that table of pyproject.toml, for the programming languages."""
    prefix = "Programming Language :: "
    languages = [c.removeprefix(prefix) for c in project["classifiers"] if c.startswith(prefix)]
    described = {
        "@context": "https://w3id.org/codemeta/3.0",
        "@type": "SoftwareSourceCode",
        "name": facts["title"],
        "description": facts["abstract"],
        "version": facts["version"],
        "license": [f"https://spdx.org/licenses/{name}" for name in facts["license"]],
        "author": [_codemeta_author(author) for author in facts["authors"]],
        "keywords": facts["keywords"],
        "programmingLanguage": list(dict.fromkeys(name.split(" :: ")[0] for name in languages)),
        "runtimePlatform": f"Python {project['requires-python']}",
        "citation": [_codemeta_reference(work) for work in facts["references"]],
    }
    if url := facts.get("repository-code"):
        described |= {"codeRepository": url, "issueTracker": f"{url}/issues"}
    if released := facts.get("date-released"):
        described["datePublished"] = str(released)
    return described


def reference(work: dict) -> str:
    """A reproduced paper as one line of text."""
    names = "; ".join(full_name(author) for author in work["authors"])
    place = f"{work['collection-title']}, pp. {work['start']}-{work['end']}"
    line = f"{names} ({work['year']}). {work['title']}. {place}. {work['publisher']['name']}."
    return line + (f" https://doi.org/{work['doi']}" if "doi" in work else "")


def zenodo(facts: dict) -> dict:
    """Metadata of a Zenodo deposit; where a paper has a DOI, it is a related identifier, too."""
    # Zenodo takes one licence; the description names what the second one is for.
    deposit = {
        "upload_type": "software",
        "title": facts["title"],
        "creators": [{"name": full_name(author)} for author in facts["authors"]],
        "description": f"<p>{html.escape(facts['abstract'], quote=False)}</p>",
        "version": facts["version"],
        "access_right": "open",
        "license": facts["license"][0],
        "keywords": facts["keywords"],
        "related_identifiers": [
            {"identifier": work["doi"], "scheme": "doi", "relation": "references"}
            for work in facts["references"]
            if "doi" in work
        ],
        "references": [reference(work) for work in facts["references"]],
    }
    if url := facts.get("repository-code"):
        here = {"identifier": url, "scheme": "url", "relation": "isSupplementTo"}
        deposit["related_identifiers"].append(here)
    if released := facts.get("date-released"):
        deposit["publication_date"] = str(released)
    return deposit


def generated(root: Path = ROOT) -> dict[str, str]:
    """File name -> text of the generated files that are committed."""
    facts = citation(root)
    settings = (root / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(settings)["project"]
    made = {"codemeta.json": codemeta(facts, project), ".zenodo.json": zenodo(facts)}
    texts = {
        name: json.dumps(content, indent=2, ensure_ascii=False) + "\n"
        for name, content in made.items()
    }
    return texts | {"pyproject.toml": with_urls(settings, facts.get("repository-code"))}


def with_urls(settings: str, url: str | None) -> str:
    """The text of pyproject.toml with addresses of the repository, or without any."""
    settings = re.sub(r"\[project\.urls\]\n(?:.+\n)*\n", "", settings)
    if not url:
        return settings
    table = f'[project.urls]\nSource = "{url}"\nIssues = "{url}/issues"\n'
    table += f'Changelog = "{url}/blob/HEAD/CHANGELOG.md"\n\n'
    return settings.replace("[project.scripts]\n", f"{table}[project.scripts]\n")


#: Where the version and the date of a release stand: file, pattern, text.
RELEASED = (
    ("CITATION.cff", r"(?m)^version: .*$", "version: {0}"),
    ("CITATION.cff", r"(?m)^date-released: .*$", "date-released: {1}"),
    ("meson.build", r"(?m)^  version: '.*'", "  version: '{0}'"),
    ("src/transductive/__init__.py", r'(?m)^__version__ = ".*"', '__version__ = "{0}"'),
    ("CHANGELOG.md", r"(?m)^## .* \(in preparation\)$", "## {0} - {1}"),
)


def set_release(version: str, date: str, root: Path = ROOT) -> None:
    """Write version and date of a release wherever they stand; the newest changes get its head."""
    texts = {name: (root / name).read_text(encoding="utf-8") for name, *_ in RELEASED}
    for name, pattern, text in RELEASED:
        texts[name], count = re.subn(pattern, text.format(version, date), texts[name], count=1)
        if not count:
            raise SystemExit(f"{root / name} has no line {pattern}")
    for name, text in texts.items():
        (root / name).write_text(text, encoding="utf-8")


def with_repository(citation_file: str, url: str) -> str:
    """The text of CITATION.cff with the address of the repository."""
    line = f"repository-code: {url.rstrip('/')}"
    return re.sub(r"(?m)^(# )?repository-code:.*$", line, citation_file)


def stale(root: Path = ROOT) -> list[str]:
    """Names of the generated files that differ from the text generated now."""
    return [
        name
        for name, text in generated(root).items()
        if not (root / name).is_file() or (root / name).read_text(encoding="utf-8") != text
    ]


def _bibtex(kind: str, key: str, **fields) -> str:
    """One entry; fields that are None or empty are left out, long ones are broken."""
    lines = [f"@{kind}{{{key},"]
    for name, value in fields.items():
        if value:
            start = f"  {name} = {{"
            body = textwrap.wrap(
                f"{start}{value}}},",
                76,
                subsequent_indent=" " * 4,
                break_long_words=False,
                break_on_hyphens=False,
            )
            lines += body
    return "\n".join([*lines, "}"])


def _authors(work: dict) -> str:
    return " and ".join(
        f"{{{a['name']}}}" if "name" in a else full_name(a) for a in work["authors"]
    )


def _year(facts: dict) -> str | None:
    """Year of the release; before it, that of `recorded`, the newest recorded result."""
    date = facts.get("date-released") or facts.get("recorded")
    return str(date)[:4] if date else None


def _plain(text: str) -> str:
    """Prose of pages for BibTeX: without roles, links or code marks."""
    text = re.sub(r"\{\w+\}`([^`<]*?)(?:\s*<[^>]*>)?`", r"\1", " ".join(text.split()))
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text).replace("`", "")
    return re.sub(r"(?<!\\)([%&#])", r"\\\1", text)


def whole_entry(facts: dict) -> str:
    """BibTeX of this work."""
    return _bibtex(
        "software",
        facts["title"].removeprefix("The ").lower().replace(" ", "-"),
        author=_authors(facts),
        title=f"{{{facts['title']}}}",
        version=facts["version"],
        year=_year(facts),
        doi=facts.get("doi"),
        note=None if "date-released" in facts else "Not yet released; name the commit",
    )


def article_entry(facts: dict) -> str:
    """BibTeX of the article."""
    article = facts["preferred-citation"]
    return _bibtex(
        "misc",
        "five-papers",
        author=_authors(article),
        title=f"{{{article['title']}}}",
        year=str(article["year"]),
        howpublished=f"Article of {facts['title']}, version {facts['version']}",
    )


def paper_entry(work: dict) -> str:
    """BibTeX of a reproduced paper, with its key in the book's bibliography."""
    words = [w for w in re.findall(r"\w+", work["title"].lower()) if w not in _ARTICLES]
    return _bibtex(
        "inproceedings",
        f"{work['authors'][0]['family-names'].lower()}{work['year']}{words[0]}",
        author=_authors(work),
        title=f"{{{work['title']}}}",
        booktitle=f"{{{work['collection-title']}}}",
        pages=f"{work['start']}--{work['end']}",
        publisher=work["publisher"]["name"],
        year=str(work["year"]),
        doi=work.get("doi"),
    )


def figure_entry(facts: dict, anchor: str, title: str, provenance: dict) -> str:
    """BibTeX of one figure: its title and the recorded run."""
    commit = (provenance["code"]["commit"] or "unknown")[:12]
    return _bibtex(
        "misc",
        anchor,
        author=_authors(facts),
        title=f"{{{_plain(title)}}}",
        year=provenance["date"][:4],
        howpublished=f"Figure {anchor} of {facts['title']}, version {facts['version']}",
        note=(
            f"Experiment {provenance['experiment']}, version {provenance['version']}, seed "
            f"{provenance['seed']}, commit {commit}"
        ).replace("_", r"\_"),
    )


def claim_entry(facts: dict, paper: str, claim) -> str:
    """BibTeX of one claim and its verdict."""
    return _bibtex(
        "misc",
        f"claim-{claim.id}",
        author=_authors(facts),
        title=f"{{{paper_of(paper).title}, {_plain(claim.place)}: a claim decided}}",
        year=_year(facts),
        howpublished=f"Claim {claim.id} of {facts['title']}, version {facts['version']}",
        note=f"Decided again by: transductive verify {claim.id}",
    )


def figures(root: Path = ROOT) -> list[tuple[str, str, str]]:
    """Anchor, page's title and first experiment of every figure, in the order of the notebooks."""
    found = []
    for path in sorted((root / "notebooks").glob("*/*.ipynb")):
        text = path.read_text(encoding="utf-8")
        cells, name = json.loads(text)["cells"], re.search(r'begin\(\\"(\w+/\w+)', text)[1]
        title = "".join(cells[0]["source"]).split("\n")[0].removeprefix("# ")
        for cell in cells:
            if anchor := cell["metadata"].get("mystnb", {}).get("figure", {}).get("name"):
                found.append((anchor, title, name))
    return found


def write_pages(folder: Path, root: Path = ROOT) -> None:
    """``citation/*.bib`` below `folder`: article, whole, papers, all figures, a figure, a claim."""
    facts, drawn, dates = citation(root), {}, set()
    for anchor, title, name in figures(root):
        record = results_folder() / f"{name}.json"
        if not record.is_file():  # its page says so already
            continue
        provenance = json.loads(record.read_text(encoding="utf-8"))
        drawn[anchor] = figure_entry(facts, anchor, title, provenance)
        dates.add(provenance["date"])
    if FIGURE not in drawn:
        raise SystemExit(
            f"the page on citing shows {FIGURE}, which has no record; "
            f"transductive run bayesian_transduction/figure_2a --profile paper --record"
        )
    facts["recorded"] = max(dates)
    claims = {
        claim.id: (paper, claim)
        for paper, found in load_statements().items()
        for claim in found.claims
    }
    entries = {
        "article": [article_entry(facts)],
        "whole": [whole_entry(facts)],
        "documents": [paper_entry(work) for work in facts["references"]],
        "figures": list(drawn.values()),
        "figure": [drawn[FIGURE]],
        "claim": [claim_entry(facts, *claims[CLAIM])],
    }
    target = folder / "citation"
    target.mkdir(parents=True, exist_ok=True)
    for name, texts in entries.items():
        (target / f"{name}.bib").write_text("\n\n".join(texts) + "\n", encoding="utf-8")


def main(arguments=None) -> int:
    """Command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repository", metavar="URL", help="address to keep in CITATION.cff")
    parser.add_argument("--release", nargs=2, metavar=("VERSION", "DATE"), help="2.0.0 2027-01-31")
    given = parser.parse_args(arguments)
    if given.release:
        set_release(*given.release)
    if url := given.repository:
        path = ROOT / "CITATION.cff"
        text = with_repository(path.read_text(encoding="utf-8"), url)
        path.write_text(text, encoding="utf-8")
    for name, text in generated().items():
        (ROOT / name).write_text(text, encoding="utf-8")
        print(name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
