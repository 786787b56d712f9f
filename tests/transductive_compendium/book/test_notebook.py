import builtins
import dataclasses
import types
from pathlib import Path

import nbformat
import pandas as pd
import pytest

from transductive_compendium.book import notebook
from transductive_compendium.book.notebook import DisagreementError, begin
from transductive_compendium.rooms import source_file
from transductive_compendium.runner import (
    ParameterError,
    load_recorded,
    record,
    register,
    run,
)


def cells(**names):
    """Globals as the parameters cell, papermill and IPython leave them."""
    return {
        "__name__": "__main__",
        "_i1": "",
        "In": [""],
        "Out": {},
        "exit": object(),
        "quit": object(),
        "get_ipython": builtins.print,
        "open": open,
        "notebook": notebook,
        "pd": types.ModuleType("pd"),
        "profile": "smoke",
        "seed": 0,
        "level": 2.0,
        **names,
    }


def test_a_good_notebook_opens_a_session(curve):
    session = begin("toy/curve", cells(level=3))
    assert (session.profile, session.seed, session.params) == ("smoke", 0, {"level": 3.0})
    rows = session.run().rows
    pd.testing.assert_frame_equal(rows, run(curve, params={"level": 3.0}, progress=False).rows)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ({"levle": 3.0}, "did you mean 'level'"),
        ({"sigma": 3.0}, "Known: profile, seed, level"),
        ({"words": ["x"]}, "unknown parameter 'words'"),
        ({"nothing": None}, "unknown parameter 'nothing'"),
        ({"level": "3"}, "level = '3', a str, is not allowed"),
        ({"level": -1.0}, "float >= 0"),
        ({"profile": "papre"}, "one of 'smoke', 'paper', 'full'"),
        ({"seed": 1.5}, "seed = 1.5, a float, is not allowed"),
        ({"seed": -1}, "int >= 0"),
    ],
)
def test_unknown_and_wrong_parameters_stop_the_notebook(curve, names, words):
    with pytest.raises(ParameterError, match=words):
        begin("toy/curve", cells(**names))


def test_check_agrees_or_raises(curve, capsys):
    session = begin("toy/curve", cells())
    assert session.recorded() is None and "Nothing is recorded" in session.provenance_note()
    assert session.check(session.run()).compared == 0
    record(run(curve, "paper", progress=False))
    assert session.check(session.run()).compared == 3
    assert "3 rows agree" in capsys.readouterr().out
    done = session.run()
    done.rows["theta"] += 1e-3
    with pytest.raises(DisagreementError, match=r"theta \(within 1e-09\): 3 of 3 rows differ"):
        session.check(done)
    note = session.provenance_note()
    assert note._repr_html_() == str(note) and "Rerun" in note
    assert f"units in <code>{source_file(curve.module)}</code>" in note


def test_one_line_at_the_foot_tells_what_ran_on_a_substitute(curve, capsys, monkeypatch):
    record(run(curve, "paper", progress=False))

    def on_substitute(*arguments, **options):
        done = run(*arguments, **options)
        data = {"heart": {"used": "breast_cancer", "sha256": "0"}}
        provenance = {**done.provenance, "data": data}
        return dataclasses.replace(done, substitute="breast_cancer", provenance=provenance)

    left_out = []
    monkeypatch.setattr(notebook, "run_experiment", on_substitute)
    monkeypatch.setattr(notebook, "leave_out_published", left_out.append)
    session = begin("toy/curve", cells())
    session.run()
    capsys.readouterr()
    session.provenance_note()
    assert capsys.readouterr().out == (
        "Without heart (transductive data fetch heart) the live check ran on breast_cancer; "
        "figures and tables show the record.\n"
    )
    session = begin("toy/curve", cells(level=3.0))
    session.shown(session.run())
    assert "show this run on breast_cancer, without published" in capsys.readouterr().out
    assert left_out == [False, True]
    assert "rerun with profile smoke, level=3.0" in session.provenance_note()
    session.draw_recorded(pytest.fail, "toy/curve")
    assert "toy/curve is left out here" in capsys.readouterr().out


def test_a_page_shows_several_experiments(curve, capsys):
    other = register(dataclasses.replace(curve, name="toy/other", page="curve"))
    record(run(other, "paper", progress=False))
    session = begin("toy/curve", cells())
    rows = session.beside("toy/other")
    pd.testing.assert_frame_equal(rows, load_recorded("toy/other")[0])
    assert "toy/other: 3 rows agree" in capsys.readouterr().out
    assert session.provenance_note().count("transductive run") == 2
    spoiled = run(other, "paper", progress=False)
    spoiled.rows["theta"] += 1e-3
    record(spoiled)
    with pytest.raises(DisagreementError):
        session.beside("toy/other")


SETUP = """
import sys; sys.path.insert(0, {folder!r})
import importlib.util
_spec = importlib.util.spec_from_file_location("toy", {conftest!r})
toy = importlib.util.module_from_spec(_spec); _spec.loader.exec_module(toy)
from transductive_compendium.runner import Experiment, Parameter, register
from transductive_compendium.book import notebook
register(Experiment("toy/curve", 1, "A toy curve", toy.units, toy.run_unit,
                    parameters={{"level": Parameter(2.0, float, "level", minimum=0)}}))
session = notebook.begin("toy/curve", globals())
"""


def test_papermill_runs_it_twice_with_the_same_outputs_and_stops_on_an_unknown_name(
    curve, tmp_path, monkeypatch
):
    import papermill

    source = SETUP.format(
        folder=str(tmp_path), conftest=str(Path(__file__).parents[1] / "conftest.py")
    )
    first = nbformat.v4.new_code_cell('profile = "smoke"\nseed = 0\nlevel = 2.0')
    first.metadata["tags"] = ["parameters"]
    work = nbformat.v4.new_code_cell("done = session.run()\nsession.check(done)\nlen(done.rows)")
    path = tmp_path / "in.ipynb"
    nbformat.write(
        nbformat.v4.new_notebook(
            cells=[first, nbformat.v4.new_code_cell(source), work],
            metadata={
                "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}
            },
        ),
        path,
    )

    def outputs(**parameters):
        made = papermill.execute_notebook(
            str(path), str(tmp_path / "out.ipynb"), parameters, progress_bar=False
        )
        return made.cells[-1].outputs

    # what readers have in their kernels before the first cell is none of the notebook's
    (tmp_path / "startup.py").write_text("histfile = '~/.python_history'\nlevel = 7.0\n")
    monkeypatch.setenv("PYTHONSTARTUP", str(tmp_path / "startup.py"))
    (tmp_path / "profile_default/startup").mkdir(parents=True)
    (tmp_path / "profile_default/startup/00.py").write_text("from numpy import *\n")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    paths = {"PAPERMILL_INPUT_PATH": str(path), "PAPERMILL_OUTPUT_PATH": "out.ipynb"}

    one, two = outputs(profile="paper"), outputs(profile="paper", **paths)
    assert one == two
    assert [o.text for o in one if o.output_type == "stream" and o.name == "stderr"] == []
    assert "10 units of profile paper, seed 0" in str(one) and "units/s" not in str(one)
    for name in ("levle", "histfile"):  # also of a name that the start-up files use otherwise
        with pytest.raises(papermill.PapermillExecutionError, match=f"unknown parameter '{name}'"):
            outputs(**{name: 3.0})
