"""A run as its page shows it: the cells of the experiment's notebook, with the run in its place.

The cells run in this process, without a kernel, and nothing is computed again.
"""

import ast
import base64
import io
import json
import re
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from ..runner import ExperimentError, ParameterError, Run
from ..runner.records import notebook_of, results_folder
from ..runner.rows_file import write_file
from . import notebook as notebooks
from .figure_data import drawn_data

#: Formats of figures, with the dates that are left out.
FORMATS: dict[str, dict[str, None]] = {
    ".pdf": {"CreationDate": None},
    ".png": {},
    ".svg": {"Date": None},
}


#: What keeps numbers for other pages is not needed in a notebook of its own.
_GLUE = "from myst_nb import glue\n"
_GLUE_IF_THERE = f"""\
try:
    {_GLUE}except ImportError:
    def glue(*arguments, **options):
        pass
"""


class PageError(ExperimentError):
    """The page cannot show a run."""


@dataclass
class Cell:
    """A cell of code, and what it showed.

    Attributes
    ----------
    number : int
        Its place among the cells of code, from 0.
    cell : dict
        As the notebook has it.
    of_run : bool
        Whether it uses rows of the run.
    figures : list
        What it drew on.
    text : str
        What it printed.
    value : object
        That of its last line, if that is an expression.
    """

    number: int
    cell: dict[str, Any]
    of_run: bool
    figures: list[Any] = field(default_factory=list)
    text: str = ""
    value: Any = None

    @property
    def source(self) -> str:
        """Its code."""
        return "".join(self.cell["source"])

    @property
    def anchor(self) -> str:
        """Name of its figure in the book."""
        named = self.cell["metadata"].get("mystnb", {}).get("figure", {})
        return named.get("name", f"cell-{self.number + 1}")


def check_figure(name: str) -> str:
    """Return the name of a file for a figure; `ParameterError` if its format is not drawn."""
    if Path(name).suffix.lower() not in FORMATS:
        raise ParameterError(f"{name}: figures are drawn as {', '.join(FORMATS)}; end the name so")
    return name


def page_of(name: str) -> dict[str, Any]:
    """The notebook that shows the experiment `name`; `PageError` if there is none."""
    path = notebook_of(name)
    if path is None:
        raise PageError(
            f"no notebook shows {name}, so nothing draws it; --out FILE writes its rows"
        )
    return json.loads((results_folder().parent / path).read_text(encoding="utf-8"))


def _begins(source: str, name: str) -> bool:
    """Whether a cell makes the experiment `name` the page's own."""
    return f'begin("{name}"' in source


def _uses(sources: Sequence[str], name: str) -> Iterator[bool]:
    """Of each cell, whether it reads something that comes from rows of the experiment `name`."""
    own = any(_begins(source, name) for source in sources)

    def gives_rows(node: ast.AST) -> bool:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            return False
        asked = [a.value for a in node.args if isinstance(a, ast.Constant)]
        return node.func.attr == "shown" if own else node.func.attr == "beside" and name in asked

    derived: set[str] = set()
    for source in sources:
        found = False
        for statement in ast.parse(source).body:
            inside = list(ast.walk(statement))
            named = [node for node in inside if isinstance(node, ast.Name)]
            made = {node.id for node in named if isinstance(node.ctx, ast.Store)}
            made |= {node.name for node in inside if isinstance(node, ast.FunctionDef)}
            read = {node.id for node in named if isinstance(node.ctx, ast.Load)}
            if not isinstance(statement, ast.Assign):
                read -= made  # variables of a loop, whatever an earlier loop left in them
            if any(map(gives_rows, inside)) or read & derived:
                found, derived = True, derived | made
            else:
                derived -= made
        yield found


def _value(source: str, where: str, namespace: dict[str, Any]) -> Any:
    """Execute a cell; the value of its last line, as a notebook shows it."""
    tree = ast.parse(source)
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr):
        exec(compile(tree, where, "exec"), namespace)
        return None
    tree.body.pop()
    exec(compile(tree, where, "exec"), namespace)
    return eval(compile(ast.Expression(last.value), where, "eval"), namespace)


@contextmanager
def _no_glue() -> Iterator[None]:
    """Let cells call `myst_nb.glue`, which keeps for other pages what has no place to go here."""
    before = sys.modules.get("myst_nb")
    stand_in: Any = types.SimpleNamespace(glue=lambda *arguments, **options: None)
    sys.modules["myst_nb"] = stand_in
    try:
        yield
    finally:
        del sys.modules["myst_nb"]
        if before is not None:
            sys.modules["myst_nb"] = before


def execute(
    run: Run, canvas: Callable[[Cell, tuple[float, float]], Any], alone: bool = False
) -> list[Cell]:
    """Execute the cells of a run's page with the run in the place of its experiment's.

    Parameters
    ----------
    run : Run
    canvas : callable
        Makes what a cell draws its next figure on, from the cell and the figure's size.
    alone : bool, default False
        Whether panels of other data sets, whose rows are of records, are left out; else their
        titles say so. Beside a reader's own data they always are.

    Returns
    -------
    list of Cell

    Raises
    ------
    PageError
        If there is no page, or a cell fails.
    """
    import matplotlib

    from .figure_style import drawn_on

    matplotlib.use("agg")
    name, namespace = run.experiment.name, {"__name__": "__main__"}
    code = [cell for cell in page_of(name)["cells"] if cell["cell_type"] == "code"]
    uses = _uses(["".join(cell["source"]) for cell in code], name)
    cells = [Cell(k, *pair) for k, pair in enumerate(zip(code, uses, strict=True))]
    with notebooks.in_place(run, alone), _no_glue():
        for cell in cells:
            where = f"{notebook_of(name)}, cell of code {cell.number + 1}"

            def make(size: tuple[float, float], cell: Cell = cell) -> Any:
                cell.figures.append(canvas(cell, size))
                return cell.figures[-1]

            with drawn_on(make), redirect_stdout(io.StringIO()) as printed:
                try:
                    cell.value = _value(cell.source, where, namespace)
                except ExperimentError:
                    raise
                except Exception as error:
                    raise PageError(
                        f"{where}, cannot show this run ({type(error).__name__}: {error}); "
                        f"--out FILE writes its rows"
                    ) from error
            cell.text = printed.getvalue()
    return cells


def heading(run: Run, title: str = "") -> str:
    """What stands above a run's figure: what differs, the tier, and the number of units."""
    size = f"profile {run.profile}", f"{run.provenance['units']} units"
    return ", ".join(dict.fromkeys(filter(None, (title, *run.differences, *size))))


def draw(runs: Sequence[Run], titles: Sequence[str]) -> dict[str, tuple[Any, pd.DataFrame]]:
    """Figures that a page draws of runs, each with the drawn numbers.

    Parameters
    ----------
    runs : sequence of Run
        Of one experiment.
    titles : sequence of str
        One a run; `heading` adds what else was changed. A figure of several runs has a part for
        each, below each other, with equal axes.

    Returns
    -------
    dict of str to (Figure, DataFrame)
        By the figures' anchors in the book: those that use rows of the runs, or else all.
    """
    import matplotlib.pyplot as plt

    sheets: dict[tuple[int, int], list[Any]] = {}
    headings = [heading(*pair) for pair in zip(runs, titles, strict=True)]

    def canvas(row: int, cell: Cell, size: tuple[float, float]) -> Any:
        parts = sheets.setdefault((cell.number, len(cell.figures)), [])
        if not parts:
            sheet = plt.figure(figsize=(size[0], len(runs) * (size[1] + 0.3)))
            strips: Any = sheet.subfigures(
                2 * len(runs), 1, height_ratios=[0.3, size[1]] * len(runs)
            )
            for strip, title in zip(strips[::2], headings, strict=True):
                strip.text(0.5, 0.5, title, ha="center", va="center", wrap=True)
            parts.extend(strips[1::2])
        return parts[row]

    pages = [execute(run, partial(canvas, row), len(runs) > 1) for row, run in enumerate(runs)]
    cells = pages[0]
    of_runs = {place for place in sheets if cells[place[0]].of_run} or set(sheets)
    found = {}
    for (k, number), parts in sheets.items():
        if (k, number) in of_runs:
            _share_limits(parts)
            tables = [drawn_data(part) for part in parts]
            tables = [t.assign(run=title) for t, title in zip(tables, headings, strict=True)]
            anchor = cells[k].anchor + (f"-{number + 1}" if number else "")
            found[anchor] = parts[0].figure, pd.concat(tables)
    return found


def _share_limits(parts: Sequence[Any]) -> None:
    """Give corresponding axes of several parts the same limits."""
    for panels in zip(*(part.axes for part in parts), strict=False):
        if len(panels) == 1 or any(axes.images or not axes.axison for axes in panels):
            continue
        for axis in "xy":
            low, high = zip(*(getattr(axes, f"get_{axis}lim")() for axes in panels), strict=True)
            for axes in panels:
                getattr(axes, f"set_{axis}lim")(min(low), max(high))


def save_figures(found: dict[str, tuple[Any, pd.DataFrame]], name: str) -> dict[str, str]:
    """Save figures, the first to the file `name`, the second to ``name-2`` and so on.

    Returns
    -------
    dict of str to str
        The files, by the anchors.
    """
    import matplotlib.pyplot as plt

    path, saved = Path(check_figure(name)), {}
    for number, (anchor, (canvas, _)) in enumerate(found.items(), 1):
        own = path.with_stem(f"{path.stem}-{number}") if number > 1 else path
        ending, content = path.suffix.lower(), io.BytesIO()
        # a salt of chance would give other bytes each time
        with plt.rc_context({"svg.hashsalt": anchor}):
            canvas.savefig(
                content, format=ending[1:], bbox_inches="tight", metadata=FORMATS[ending]
            )
        write_file(content.getvalue(), str(own))
        saved[anchor] = str(own)
    return saved


def curves(found: dict[str, tuple[Any, pd.DataFrame]]) -> pd.DataFrame:
    """The drawn numbers of all figures in one table, whose first columns name figure and run."""
    table = pd.concat([drawn.assign(figure=anchor) for anchor, (_, drawn) in found.items()])
    first = ["figure", "run"]
    return table[first + [column for column in table if column not in first]]


def notebook_text(run: Run) -> str:
    """The page of a run as a notebook: its code and what that shows, without the paper's text."""
    import matplotlib.pyplot as plt

    experiment, page = run.experiment, page_of(run.experiment.name)
    begins = any(_begins("".join(cell["source"]), experiment.name) for cell in page["cells"])
    on = f" on {run.own_data['data']}" if run.own_data else ""
    head = f"# {experiment.name}{on}\n\nMade by `{run.provenance['command']}`."
    if run.substitute:
        head += f" {run.substitute}"
    values = {"profile": run.profile, "seed": run.seed, **run.params, **run.own_data}
    made: list[dict[str, Any]] = [
        {"id": "head", "cell_type": "markdown", "metadata": {}, "source": head}
    ]

    def canvas(cell: Cell, size: tuple[float, float]) -> Any:
        return plt.figure(figsize=size)

    for cell in execute(run, canvas):
        source, tags = cell.source, cell.cell["metadata"].get("tags", [])
        if begins and "parameters" in tags:
            for name, value in values.items():
                before = rf"(?m)^({name}\b[^=\n]*= )[^#\n]*[^#\s]"
                after = repr(value).replace("\\", r"\\")
                source = re.sub(before, rf"\g<1>{after}", source)
        source = source.replace(_GLUE, _GLUE_IF_THERE)
        made.append(
            {
                "id": cell.cell["id"],
                "cell_type": "code",
                "metadata": {"tags": tags},
                "execution_count": cell.number + 1,
                "source": source,
                "outputs": list(_outputs(cell)),
            }
        )
    page = {**page, "cells": made}
    return json.dumps(page, indent=1, ensure_ascii=False) + "\n"


def _outputs(cell: Cell) -> Iterator[dict[str, Any]]:
    """What a cell showed, as a notebook keeps it."""
    if cell.text:
        yield {"output_type": "stream", "name": "stdout", "text": cell.text}
    for canvas in cell.figures:
        picture = io.BytesIO()
        canvas.savefig(picture, format="png", bbox_inches="tight")
        data = {"image/png": base64.b64encode(picture.getvalue()).decode()}
        yield {"output_type": "display_data", "metadata": {}, "data": data}
    if cell.value is not None:
        data = {"text/plain": repr(cell.value)}
        if as_html := getattr(cell.value, "_repr_html_", None):
            data["text/html"] = as_html()
        yield {
            "output_type": "execute_result",
            "execution_count": cell.number + 1,
            "metadata": {},
            "data": data,
        }
