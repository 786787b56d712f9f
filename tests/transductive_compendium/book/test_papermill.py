"""Papermill alone draws a run: each notebook, from another folder, with one parameter changed."""

import json
import re
from pathlib import Path

import pandas as pd
import papermill
import pytest

from transductive_compendium import environment
from transductive_compendium.runner import get

ROOT = Path(__file__).resolve().parents[3]
NOTEBOOKS = sorted(ROOT.glob("notebooks/*/*.ipynb"))


def changed(experiment):
    """Another choice of its first parameter that has some; else another seed."""
    for name, parameter in experiment.parameters.items():
        if others := [value for value in parameter.choices or () if value != parameter.default]:
            return {name: others[0]}
    return {"seed": experiment.seed + 1}


@pytest.mark.prove
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_notebook_draws_a_run_with_a_changed_parameter(path, tmp_path, monkeypatch):
    # without data, which takes less time and asks more
    for name in (environment.STORE, "IPYTHONDIR", environment.DATA, "XDG_CACHE_HOME"):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv(environment.OFFLINE, "1")
    monkeypatch.delenv(environment.RESULTS, raising=False)
    monkeypatch.chdir(tmp_path)
    text = path.read_text(encoding="utf-8")
    live = re.search(r'begin\(\\"([a-z0-9_/]+)', text)
    given = changed(get(live[1])) if live else {"seed": 1, "n_splits": 2, "rows": "rows.csv"}
    made = papermill.execute_notebook(path, "out.ipynb", given, progress_bar=False)
    outputs = [output for cell in made.cells for output in cell.get("outputs", [])]
    assert any("image/png" in output.get("data", {}) for output in outputs)
    if live:
        assert "The figure shows this run" in str(outputs)
    else:
        assert set(pd.read_csv("rows.csv")["split"]) == {0, 1}


@pytest.mark.parametrize("path", [p for p in NOTEBOOKS if "hundred" in p.stem], ids=str)
def test_a_hundred_lines_are_the_papers_alone(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    lines = [line for text in code for line in text.split("\n") if line.strip()]
    assert len(lines) <= 120
    ours = {line for line in lines if re.match(r"(import|from) transductive", line)}
    assert ours <= {"from transductive_compendium.datasets import DataError, load"}
