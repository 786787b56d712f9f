"""Put the executed notebooks into a reader's order: findings first, then how they were computed.

A notebook has the order in which it runs: parameters, run, figures. Its page shows the title, the
finding (the first paragraph), the first figure, the claims that its results decide, and then the
rest. Cells that only ran (parameters, code without output, the check, the provenance) are folded
near the end, before the line that says what to read next. ``_build/executed/<paper>/<item>.ipynb``
becomes ``_build/pages/<paper>/<item>.ipynb``.
"""

import re
from pathlib import Path

import nbformat
from nbformat.v4 import new_markdown_cell

#: A cell with such a call is machinery: its code and its printed output belong at the end.
_MACHINERY = re.compile(r"\bnotebook\.begin\(|\bsession\.(run|check|provenance_note)\(")
_LIVE = "The small version of the experiment runs here, live"
_DATA = "Data behind this page:"
_NEXT = "Next: "
#: Rows of a table, or lines of printed text, above which an output is folded.
LONG = 30


def tags(cell) -> list[str]:
    """Tags of a cell."""
    return cell.metadata.get("tags", [])


def is_machinery(cell) -> bool:
    """Whether a cell only sets up, runs or describes the run."""
    if cell.cell_type == "markdown":
        return cell.source.startswith((_LIVE, _DATA))
    return bool(
        {"parameters", "injected-parameters"} & set(tags(cell)) or _MACHINERY.search(cell.source)
    )


def is_figure(cell) -> bool:
    """Whether a cell draws a figure with a caption."""
    return (
        cell.cell_type == "code"
        and "figure" in cell.metadata.get("mystnb", {})
        and any("image/png" in output.get("data", {}) for output in cell.outputs)
    )


def is_glued(output) -> bool:
    """Whether an output only keeps a value for other pages."""
    return bool(output.get("metadata", {}).get("scrapbook", {}).get("mime_prefix"))


def shows_something(cell) -> bool:
    """Whether a cell has an output that a reader sees."""
    return not all(map(is_glued, cell.outputs))


def texts(cell) -> list[str]:
    """What a cell printed, without what it shows as HTML."""
    found = []
    for output in cell.outputs:
        data = output.get("data", {})
        if output.output_type == "stream":
            found.append(output.text)
        elif "text/plain" in data and "text/html" not in data and not is_glued(output):
            found.append("".join(data["text/plain"]))
    return [text.rstrip() for text in found if text.strip()]


def html(cell) -> list[str]:
    """What a cell shows as HTML."""
    found = (output.get("data", {}).get("text/html", "") for output in cell.outputs)
    return ["".join(text) for text in found if text]


def fenced(text: str, language: str) -> str:
    """Text as a block of code, whatever it contains."""
    longest = max(map(len, re.findall("`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def split_opening(source: str) -> tuple[str, str, str]:
    """Title, finding and the rest of a notebook's first cell."""
    title, _, body = source.partition("\n")
    finding, _, rest = body.strip().partition("\n\n")
    return title, finding, rest.strip()


def long_output(cell) -> bool:
    """Whether what a cell shows besides figures is long."""
    if is_figure(cell):
        return False
    rows = sum(text.count("<tr") for text in html(cell))
    return rows > LONG or sum(text.count("\n") + 1 for text in texts(cell)) > LONG


def folded(cells) -> str:
    """One closed box with all that was run and is not shown where it stands."""
    parts, provenance, prose = [], [], []
    for cell in cells:
        if cell.cell_type == "markdown":
            prose.append(cell.source)
            continue
        strips = [text for text in html(cell) if "substitute" not in text]
        if strips:
            provenance += strips
            continue
        parts.append(fenced(cell.source, "python"))
        parts += [fenced(text, "text") for text in texts(cell)]
    inside = "\n\n".join([*provenance, *prose, *parts])
    return (
        "::::::{admonition} Parameters, run, code, provenance and data\n"
        f":class: dropdown how-computed\n\n{inside}\n::::::"
    )


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
    after = [cell for cell in cells if cell.source.startswith(_NEXT)]
    title, finding, rest = split_opening(opening.source)
    picture = next((cell for cell in cells if is_figure(cell)), None)
    shown, behind, glued, notes = [], [], [], []
    for cell in cells:
        if cell in after:
            continue
        if cell.cell_type == "code":
            notes += [text for text in html(cell) if "substitute" in text]
        if is_machinery(cell):
            behind.append(cell)
        elif cell.cell_type == "markdown":
            shown.append(cell)
        elif shows_something(cell):
            if not {"remove-input", "remove-cell"} & set(tags(cell)):
                cell.metadata["tags"] = sorted({*tags(cell), "hide-input"})
            if long_output(cell):
                cell.metadata["tags"] = sorted({*tags(cell), "hide-output"})
            if is_figure(cell):  # what it prints comes after what it draws
                cell.outputs.sort(key=lambda output: "image/png" not in output.get("data", {}))
            if cell is not picture:
                shown.append(cell)
        else:
            behind.append(cell)
            if cell.outputs:
                kept = nbformat.from_dict(cell)
                kept.metadata["tags"] = ["remove-cell"]
                glued.append(kept)
    texts_of_page = [f"{title}\n\n{finding}", verdicts, rest, folded(behind), *notes]
    head, table, more, foot, *lines = map(new_markdown_cell, texts_of_page)
    ordered = [head, picture, table, more, *shown, *glued, foot, *lines, *after]
    page.cells = [c for c in ordered if c is not None and (c.cell_type == "code" or c.source)]
    for place, cell in enumerate(page.cells):
        cell.id = f"page-{place}"
    return page


def write_pages(executed: Path, verdicts: Path, target: Path) -> None:
    """Write the page of every executed notebook; `verdicts` has ``<paper>/<item>.md``."""
    for path in sorted(executed.glob("*/*.ipynb")):
        table = verdicts / path.parent.name / f"{path.stem}.md"
        page = page_of(
            nbformat.read(path, as_version=4),
            table.read_text(encoding="utf-8") if table.is_file() else "",
        )
        place = target / path.parent.name / path.name
        place.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(page, place)
