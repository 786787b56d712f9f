"""Papermill alone draws a run: each notebook, from another folder, with one parameter changed."""

import re
from pathlib import Path

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
    experiment = get(re.search(r'begin\(\\"([a-z0-9_/]+)', path.read_text(encoding="utf-8"))[1])
    made = papermill.execute_notebook(path, "out.ipynb", changed(experiment), progress_bar=False)
    outputs = [output for cell in made.cells for output in cell.get("outputs", [])]
    assert any("image/png" in output.get("data", {}) for output in outputs)
    assert "The figure shows this run" in str(outputs)
