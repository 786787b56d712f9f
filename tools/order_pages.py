"""Put the executed notebooks into a reader's order: findings first, then how they were computed.

A notebook has the order in which it runs: parameters, run, figures. Its page shows the title, the
finding (the first paragraph), the first figure, the claims that its results decide, and then the
rest. Cells that only ran (parameters, code without output, the check, the provenance) are folded
near the end, before the line that says what to read next. ``_build/executed/<paper>/<item>.ipynb``
becomes ``_build/pages/<paper>/<item>.ipynb``.
"""

import re
import shutil
from pathlib import Path

import nbformat
from nbformat.v4 import new_markdown_cell

#: A cell with such a call is machinery: its code and its printed output belong at the end.
_MACHINERY = re.compile(r"\bnotebook\.begin\(|\bsession\.(run|check|provenance_note)\(")
_LIVE = "The small version of the experiment runs here, live"
_DATA = "Data behind this page:"
_NEXT = "Next: "
#: The notebook with a paper's algorithm and headline in a hundred lines.
HUNDRED = "in_a_hundred_lines"
RESULTS = Path(__file__).resolve().parent.parent / "results"
#: Rows of a table, or lines of printed text, above which an output is folded.
LONG = 30


def tags(cell) -> set[str]:
    """Tags of a cell."""
    return set(cell.metadata.get("tags", []))


def is_machinery(cell) -> bool:
    """Whether a cell only sets up, runs or describes the run."""
    if cell.cell_type == "markdown":
        return cell.source.startswith((_LIVE, _DATA))
    setting = {"parameters", "injected-parameters"} & tags(cell)
    return bool(setting or _MACHINERY.search(cell.source) or not visible(cell))


def visible(cell) -> list:
    """Outputs of a code cell that a reader sees, without values glued for other pages."""
    return [
        output
        for output in cell.outputs
        if not output.get("metadata", {}).get("scrapbook", {}).get("mime_prefix")
    ]


def is_figure(cell) -> bool:
    """Whether a cell draws a figure with a caption."""
    return (
        cell.cell_type == "code"
        and "figure" in cell.metadata.get("mystnb", {})
        and any("image/png" in output.get("data", {}) for output in cell.outputs)
    )


def shown(cell) -> tuple[list[str], list[str]]:
    """What a cell shows as HTML, and what it prints as text."""
    html, texts = [], []
    for output in visible(cell):
        data = output.get("data", {})
        if "text/html" in data:
            html.append("".join(data["text/html"]))
        else:
            texts.append("".join(output.get("text") or data.get("text/plain", "")).rstrip())
    return html, [text for text in texts if text]


def fenced(text: str, language: str) -> str:
    """Text as a block of code, whatever it contains."""
    fence = "`" * (max(map(len, re.findall("`{3,}", text)), default=2) + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def folded(cells) -> str:
    """One closed box with all that was run and is not shown where it stands."""
    provenance, prose, code = [], [], []
    for cell in cells:
        if cell.cell_type == "markdown":
            prose.append(cell.source)
            continue
        html, texts = shown(cell)
        strips = [text for text in html if "substitute" not in text]
        provenance += strips
        if not strips:
            code += [fenced(cell.source, "python"), *(fenced(text, "text") for text in texts)]
    inside = "\n\n".join([*provenance, *prose, *code])
    return (
        "::::::{admonition} Parameters, run, code, provenance and data\n"
        f":class: dropdown how-computed\n\n{inside}\n::::::"
    )


def fold_code(cell) -> None:
    """Fold the code of a cell whose output is shown, and an output that is long."""
    if cell.cell_type == "markdown":
        return
    added = set() if {"remove-input", "remove-cell"} & tags(cell) else {"hide-input"}
    if is_figure(cell):  # what it prints comes after what it draws
        cell.outputs.sort(key=lambda output: "image/png" not in output.get("data", {}))
    else:
        html, texts = shown(cell)
        rows, printed = "".join(html).count("<tr"), "\n".join(texts).count("\n") + 1
        added |= {"hide-output"} if max(rows, printed) > LONG else set()
    if added:
        cell.metadata["tags"] = sorted(tags(cell) | added)


def page_of(notebook, verdicts: str = ""):
    """The page that a reader gets of an executed notebook.

    Parameters
    ----------
    notebook : NotebookNode
        Not changed.
    verdicts : str
        The table of the claims that its results decide, as MyST.
    """
    page = nbformat.from_dict(notebook)
    opening, *cells = page.cells
    last = [cell for cell in cells if cell.source.startswith(_NEXT)]
    cells = [cell for cell in cells if cell not in last]
    title, _, body = opening.source.partition("\n")
    finding, _, rest = body.strip().partition("\n\n")
    code = [cell for cell in cells if cell.cell_type == "code"]
    notes = [text for cell in code for text in shown(cell)[0] if "substitute" in text]
    picture = next(filter(is_figure, cells), None)
    behind = list(filter(is_machinery, cells))
    front = [cell for cell in cells if cell is not picture and not is_machinery(cell)]
    glued = [nbformat.from_dict(c) for c in behind if c in code and c.outputs and not visible(c)]
    for cell in glued:
        cell.metadata["tags"] = ["remove-cell"]
    for cell in (*front, *filter(None, [picture])):
        fold_code(cell)
    texts = [f"{title}\n\n{finding}", verdicts, rest.strip(), folded(behind), *notes]
    head, table, more, foot, *lines = map(new_markdown_cell, texts)
    ordered = [head, picture, table, more, *front, *glued, foot, *lines, *last]
    page.cells = [c for c in ordered if c is not None and (c.cell_type == "code" or c.source)]
    for place, cell in enumerate(page.cells):
        cell.id = f"page-{place}"
    return page


def fragment_of(notebook, rows: str) -> str:
    """An executed notebook as a part of a chapter, without its title; its figure names `rows`."""
    parts = [notebook.cells[0].source.partition("\n")[2].strip()]
    for cell in notebook.cells[1:]:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
            continue
        if is_figure(cell):
            facts = cell.metadata["mystnb"]
            name, caption = facts["figure"]["name"], facts["figure"]["caption"]
            options = f":name: {name}\n:alt: {facts['image']['alt']}"
            path = f"/generated/figures/{name}.png"
            parts.append(f"```{{figure}} {path}\n{options}\n\n{caption} {rows}\n```")
            code = fenced(cell.source, "python")
            parts.append(f"::::{{dropdown}} The code of the picture\n{code}\n::::")
        elif "injected-parameters" not in tags(cell):
            parts.append(fenced(cell.source, "python"))
            parts += [fenced(text, "text") for text in shown(cell)[1]]
    return "\n\n".join(filter(None, parts)) + "\n"


def write_fragments(executed: Path, target: Path) -> None:
    """Of each paper's notebook of a hundred lines: ``<paper>.md`` and the notebook to download."""
    target.mkdir(parents=True, exist_ok=True)
    for path in sorted(executed.glob(f"*/{HUNDRED}.ipynb")):
        rows = target / f"{path.parent.name}_independent.csv"
        shutil.copyfile(RESULTS / path.parent.name / "independent.csv", rows)
        link = f"All recorded dots: {{download}}`independent.csv </generated/hundred/{rows.name}>`."
        text = fragment_of(nbformat.read(path, as_version=4), link)
        (target / f"{path.parent.name}.md").write_text(text, encoding="utf-8")
        shutil.copyfile(path, target / f"{path.parent.name}_{HUNDRED}.ipynb")


def write_pages(executed: Path, verdicts: Path, target: Path) -> None:
    """Write the page of every executed notebook; `verdicts` has ``<paper>/<item>.md``."""
    for path in sorted(executed.glob("*/*.ipynb")):
        if path.stem == HUNDRED:  # a part of its chapter
            continue
        table = verdicts / path.parent.name / f"{path.stem}.md"
        page = page_of(
            nbformat.read(path, as_version=4),
            table.read_text(encoding="utf-8") if table.is_file() else "",
        )
        place = target / path.parent.name / path.name
        place.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(page, place)
