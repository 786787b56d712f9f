"""Make a notebook of a text whose cells begin with ``# %%``.

    python tools/make_notebook.py FILE.py FILE.ipynb

Behind ``# %%`` stands ``[markdown]``, the metadata of a code cell as JSON, or nothing.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

import nbformat

KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


def notebook(text: str) -> Any:
    """A notebook of the cells of `text`; what precedes the first ``# %%`` is left out."""
    made = nbformat.v4.new_notebook(metadata={"kernelspec": KERNEL})
    for head, body in re.findall(r"^# %%(.*)\n((?:(?!# %%).*\n)+)", text, re.M):
        if head.strip() == "[markdown]":
            cell = nbformat.v4.new_markdown_cell(body.strip())
        else:
            about = json.loads(head) if head.strip() else {}
            cell = nbformat.v4.new_code_cell(body.strip(), metadata=about)
        made.cells.append(cell)
    return made


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    target.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook(source.read_text(encoding="utf-8")), target)
