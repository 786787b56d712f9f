"""Make a notebook of a text whose cells begin with ``# %%``.

    python tools/make_notebook.py FILE.py FILE.ipynb

Behind ``# %%`` stands ``[markdown]``, the metadata of a code cell as JSON, or nothing.
"""

import argparse
import json
import re
from pathlib import Path
from typing import Any

import nbformat

KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


def notebook(text: str) -> Any:
    """A notebook of the cells of `text`; what precedes the first ``# %%`` is left out.

    Raises
    ------
    ValueError
        If a cell's head is neither; the message names the line.
    """
    made = nbformat.v4.new_notebook(metadata={"kernelspec": KERNEL})
    text += "\n"
    for found in re.finditer(r"^# %%(.*)\n((?:(?!# %%).*\n)+)", text, re.M):
        head, body = map(str.strip, found.groups())
        if head == "[markdown]":
            cell = nbformat.v4.new_markdown_cell(body)
        else:
            cell = nbformat.v4.new_code_cell(body, metadata=_metadata(head, text, found.start()))
        made.cells.append(cell)
    return made


def _metadata(head: str, text: str, place: int) -> dict[str, Any]:
    try:
        about = json.loads(head or "{}")
    except ValueError:
        about = None
    if not isinstance(about, dict):
        line = text.count("\n", 0, place) + 1
        raise ValueError(f"line {line}: behind `# %%` stands [markdown] or JSON, not {head!r}")
    return about


def main(arguments=None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("source", type=Path, metavar="FILE.py")
    parser.add_argument("target", type=Path, metavar="FILE.ipynb")
    given = parser.parse_args(arguments)
    try:
        made = notebook(given.source.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        parser.error(f"{given.source}: {error}")
    given.target.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(made, given.target)


if __name__ == "__main__":
    main()
