"""Build the book: run stale notebooks, write the generated pages, call Jupyter Book.

    python tools/build_book.py [--jobs 2]

Jupyter Book reads ``_build/source``, a folder of links that looks like the checkout, but has pages
of the executed notebooks, in a reader's order, in ``notebooks/`` and the computed pages in
``generated/``. So the sources contain nothing generated. If any input changed, the whole book is
built again, with warnings as errors: an incremental build would miss the warnings of pages that it
does not read again.
"""

import argparse
import base64
import doctest
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import execute_notebooks as notebooks
import order_pages
import yaml
from execute_notebooks import EXECUTED, ROOT

from transductive_compendium.book import pages, repository
from transductive_compendium.book.figure_style import DRAWN, STACKED
from transductive_compendium.book.templating import render
from transductive_compendium.book.titles import paper_of
from transductive_compendium.rooms import chapter_pictures
from transductive_compendium.runner import all_experiments, results_folder
from transductive_compendium.runner.records import notebook_of
from transductive_compendium.verdicts import decide_findings, load_statements, verify

BUILD = ROOT / "_build"
SOURCE = BUILD / "source"
GENERATED = BUILD / "generated"
FIGURES = GENERATED / "figures"
PAGES = BUILD / "pages"
HTML = BUILD / "html"
LOOKS = BUILD / "html.looks"

#: Inputs of the book in the checkout.
LINKED = (
    "_toc.yml",
    "book",
    "src",
    "data",
    "results",
    "benchmarks",
    "LICENSE",
    "LICENSE-TEXT",
)
OTHER_INPUTS = (
    "_config.yml",
    "requirements.lock",
    "requirements.in",
    "pyproject.toml",
    "CITATION.cff",
    "tools/build_book.py",
    "tools/order_pages.py",
)


def configuration(text: str) -> str:
    """Configuration of the book: its version stands below each page, its buttons lead somewhere.

    With an address, they lead to source, issue and Binder.
    """
    facts = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    text = text.replace("{version}", str(facts["version"]))
    if not repository.address():
        return text
    facts = yaml.safe_load(text)
    facts["repository"] = {"url": repository.address(), "branch": repository.revision()}
    facts["html"] |= {"use_repository_button": True, "use_issues_button": True}
    binder = {"binderhub_url": "https://mybinder.org", "notebook_interface": "jupyterlab"}
    facts["launch_buttons"] |= binder
    return yaml.safe_dump(facts, sort_keys=False, allow_unicode=True)


def stage() -> None:
    """Make the folder of links, and the pages of the notebooks."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    SOURCE.mkdir(parents=True)
    shutil.rmtree(PAGES, ignore_errors=True)
    PAGES.mkdir(parents=True)
    order_pages.write_pages(EXECUTED, GENERATED / "verdicts", PAGES)
    for name in LINKED:
        if (ROOT / name).exists():
            (SOURCE / name).symlink_to(Path("../..") / name)
    (SOURCE / "_config.yml").write_text(configuration((ROOT / "_config.yml").read_text()))
    (SOURCE / "notebooks").symlink_to(Path("../pages"))
    (SOURCE / "generated").symlink_to(Path("../generated"))


def write_report() -> None:
    """Everything that states verdicts: the reproduction report, and the table of the README."""
    claims = verify()
    pages.write_pages(GENERATED, verdicts=claims)
    pages.write_readme(ROOT, (found[0] for found in decide_findings(None, claims).values()))


def write_costs() -> None:
    """``generated/costs.md``: core time, memory and data of every recorded experiment."""
    costs: dict[str, dict] = {}
    for name in all_experiments():
        path = results_folder() / f"{name}.json"
        if path.is_file():
            facts = json.loads(path.read_text(encoding="utf-8"))
            facts["memory"] = facts.get("peak_memory_bytes") or 0  # not measured everywhere
            costs.setdefault(name.split("/")[0], {})[name] = facts
    total = sum(facts["seconds"] for records in costs.values() for facts in records.values())
    about = {"title": lambda paper: paper_of(paper).title, "notebook_of": notebook_of}
    text = render("artifact/experiments.md", costs=costs, total=total, **about)
    (GENERATED / "costs.md").write_text(text)


def write_benchmarks() -> None:
    """``generated/benchmarks/``: the recorded tables, by ``python benchmarks``; figures of them."""
    command: list[str | Path] = [sys.executable, ROOT / "benchmarks", "--pages", GENERATED]
    if subprocess.run(command, cwd=ROOT).returncode:
        sys.exit("the tables of the benchmarks could not be written; see above")


def links() -> str:
    """Changes with the address and the revision that pages link to; empty without an address."""
    return repository.lines("CITATION.cff", 1, 1)


def looks() -> str:
    """Names, sizes and dates of all inputs: they show in a second that nothing was touched."""
    found = [sys.version, links(), *notebooks.data_at_hand()]
    for name in (*LINKED, *OTHER_INPUTS, "notebooks", "tools", "environment.yml"):
        path = ROOT / name
        inside = path.rglob("*") if path.is_dir() else [path]
        for file in sorted(f for f in inside if f.is_file() and "__pycache__" not in f.parts):
            facts = file.stat()
            found.append(f"{file.relative_to(ROOT)} {facts.st_size} {facts.st_mtime_ns}")
    return hashlib.sha256("\n".join(found).encode()).hexdigest()


def draw(name: str) -> None:
    """Draw one of the chapters' own pictures."""
    chapter_pictures()[name](FIGURES / name)


def write_generated(jobs: int) -> None:
    """Everything in ``generated``; what takes long in so many processes."""
    shutil.rmtree(GENERATED, ignore_errors=True)
    FIGURES.mkdir(parents=True)
    with notebooks.workers(jobs) as pool:
        parts = [pool.submit(write_report), pool.submit(write_benchmarks)]
        parts += [pool.submit(draw, name) for name in chapter_pictures()]
        for part in parts:
            part.result()
    write_costs()
    write_figures()
    order_pages.write_fragments(EXECUTED, GENERATED / "hundred")
    write_thumbnails()
    write_listings()


def write_figures() -> None:
    """``generated/figures/<name of the figure>``: ``.csv`` with the drawn numbers, and ``.png``.

    Chapters show a notebook's figure by its ``.png``. Narrow screens show ``-stacked.png``.
    """
    for path in sorted(EXECUTED.glob("*/*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            name = cell["metadata"].get("mystnb", {}).get("figure", {}).get("name")
            for output in cell.get("outputs", ()) if name else ():
                if DRAWN in output.get("metadata", {}):
                    (FIGURES / f"{name}.csv").write_text(output["metadata"][DRAWN])
                if STACKED in output.get("metadata", {}):
                    picture = base64.b64decode(output["metadata"][STACKED])
                    (FIGURES / f"{name}-stacked.png").write_bytes(picture)
                if "image/png" in output.get("data", {}):
                    picture = base64.b64decode(output["data"]["image/png"])
                    (FIGURES / f"{name}.png").write_bytes(picture)


def write_thumbnails() -> None:
    """``generated/thumbnails/<paper>.png``: the first figure of the headline finding's notebook."""
    folder = GENERATED / "thumbnails"
    folder.mkdir(parents=True, exist_ok=True)
    for paper, found in load_statements().items():
        for finding in found.findings[:1]:
            path = EXECUTED / paper / f"{finding.figure}.ipynb"
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
            names = [c["metadata"].get("mystnb", {}).get("figure", {}).get("name") for c in cells]
            pictures = [FIGURES / f"{name}.png" for name in names if name]
            if not pictures or not pictures[0].is_file():
                sys.exit(f"{path.relative_to(ROOT)} draws no figure for the front page")
            shutil.copyfile(pictures[0], folder / f"{paper}.png")


def write_listings() -> None:
    """``generated/listings/<chapter>.ipynb``: the code of a chapter up to its exercises, to run."""
    folder = GENERATED / "listings"
    folder.mkdir(parents=True, exist_ok=True)
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    for path in sorted((ROOT / "book").glob("*.md")):
        text = path.read_text(encoding="utf-8").split("\n## Exercises")[0]
        cells: list[dict] = []
        for found in re.finditer(r"^(##+ [^\n]+)$|^`{3,}pycon\n(.*?)^`{3,}$", text, re.M | re.S):
            heading, listing = found.groups()
            code = "".join(e.source for e in doctest.DocTestParser().get_examples(listing or ""))
            kind, source = ("markdown", heading) if heading else ("code", code.rstrip())
            run: dict = {} if heading else {"execution_count": None, "outputs": []}
            cells.append({"cell_type": kind, "metadata": {}, "source": source, **run})
        if any(cell["cell_type"] == "code" for cell in cells):
            facts: dict = {"cells": cells, "metadata": {"kernelspec": kernel}}
            facts |= {"nbformat": 4, "nbformat_minor": 4}
            (folder / f"{path.stem}.ipynb").write_text(json.dumps(facts, indent=1))


def write_front_door(index: Path) -> None:
    """Write `index` again, which leads on to the first page, with a title and a link to follow."""
    (first,) = re.findall(r'url=([^"]+)"', index.read_text(encoding="utf-8"))
    title = yaml.safe_load((ROOT / "_config.yml").read_text())["title"]
    index.write_text(
        f'''<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url={first}">
<title>{title}</title>
<p><a href="{first}">{title}</a></p>
</html>
''',
        encoding="utf-8",
    )


def build() -> int:
    """Run Jupyter Book on the staged sources; returns its exit code."""
    for leftover in (HTML, BUILD / ".doctrees", BUILD / "jupyter_execute", LOOKS):
        if leftover.is_dir():
            shutil.rmtree(leftover)
        else:
            leftover.unlink(missing_ok=True)
    program = Path(sys.executable).with_name("jupyter-book")
    print("book: pages, a minute", flush=True)
    done = subprocess.run(
        [program, "build", SOURCE, "--path-output", ROOT, "-W", "--keep-going", "--quiet"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "0"},
    )
    if not done.returncode:
        write_front_door(HTML / "index.html")
    return done.returncode


def main(arguments=None) -> int:
    """Command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--jobs", type=int, default=2, help="number of notebooks to run at a time")
    given = parser.parse_args(arguments)
    index, seen = HTML / "index.html", looks()
    if index.is_file() and LOOKS.is_file() and LOOKS.read_text() == seen:
        print(f"book: up to date, {index.relative_to(ROOT)}")
        return 0
    if code := notebooks.main(["--jobs", str(given.jobs)]):
        return code
    print("book: verdicts, tables and figures, a minute", flush=True)
    write_generated(given.jobs)
    stage()
    if code := build():
        print("book: the build failed; warnings count as errors", file=sys.stderr)
        return code
    LOOKS.write_text(seen)
    print(f"book: built, {index.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
