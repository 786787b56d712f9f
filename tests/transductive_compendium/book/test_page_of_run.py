"""A run drawn by the cells of its page: figures, their numbers, a sweep, a notebook."""

import json
import os
import re
import sys
from dataclasses import replace
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from matplotlib.figure import Figure
from toy_experiments import logged, toy

from transductive_compendium.book import page_of_run, readers_rows
from transductive_compendium.book.citation_of_run import TITLE, bibtex
from transductive_compendium.cli import main
from transductive_compendium.runner import load_recorded, record, register, rows_file, run

BEGIN = """\
from transductive_compendium.book import notebook
session = notebook.begin("toy/walk", globals())
run = session.run()
session.check(run)
rows = session.shown(run)
"""
BESIDE = """\
other = session.beside("toy/other")
means = other.groupby("split")["error"].mean()
"""
DRAW = """\
from myst_nb import glue
from transductive_compendium.book.figure_style import draw_published, figure
glue("most", rows["error"].max(), display=False)
with figure(width=5, height=3) as (canvas, axes):
    for theta, part in rows.groupby("theta"):
        axes.plot(part["split"], part["error"], label=f"theta {theta}")
    draw_published(axes, [0.0], [9.0])
    canvas.legend(loc="outside upper center")
"""
DRAW_BESIDE = """\
with figure() as (canvas, axes):
    axes.plot(means.index, means, label="other")
"""


def code(source, name="", tags=()):
    figure = {"mystnb": {"figure": {"name": name, "caption": "As the paper says"}}} if name else {}
    return {
        "cell_type": "code",
        "id": name or f"c{abs(hash(source)) % 1000}",
        "metadata": {"tags": list(tags), **figure},
        "source": source.splitlines(keepends=True),
        "outputs": [],
        "execution_count": None,
    }


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


@pytest.fixture
def page(room, tmp_path, monkeypatch):
    """The page of toy/walk with its figure, and beside it toy/other with another."""
    walk = register(toy())
    other = register(toy("toy/other", page="walk"))
    for experiment in (walk, other):
        record(run(experiment, "paper", progress=False))
    words = {"cell_type": "markdown", "metadata": {}, "id": "words"}
    cells = [
        {**words, "source": ["# Figure 1: the paper's walk\n", "The published curve rises."]},
        code(
            'profile: str = "smoke"  # tier\nseed: int = 7\nscale: float = 1.0  # noise',
            "",
            ["parameters"],
        ),
        code(BEGIN),
        code(BESIDE),
        code(DRAW, "fig-walk"),
        code(DRAW_BESIDE, "fig-other"),
        code("rows.groupby('theta')[['error']].mean()"),
    ]
    from transductive_compendium.runner import results_folder

    path = results_folder().parent / "notebooks/toy/walk.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(
        json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    )
    return path


def command(*words):
    return CliRunner().invoke(main, ["run", *map(str, words)])


def test_a_run_is_drawn_by_its_page_and_its_numbers_are_those_of_the_rows(page, tmp_path):
    picture, drawn, rows = (tmp_path / name for name in ("x.svg", "drawn.csv", "rows.csv"))
    done = command(
        "toy/walk", "-p", "scale=3", "--figure", picture, "--curves", drawn, "--out", rows
    )
    assert done.exit_code == 0, done.output
    assert f"fig-walk: {picture}" in done.output and "fig-other" not in done.output
    assert "<svg" in picture.read_text() and not (tmp_path / "x-2.svg").exists()
    found, truth = pd.read_csv(drawn), pd.read_csv(rows)
    assert set(found["figure"]) == {"fig-walk"}
    for theta, part in truth.groupby("theta"):
        line = found[found["series"] == f"theta {theta}"]
        assert line["y"].tolist() == pytest.approx(part["error"].tolist(), rel=1e-12)
    first = picture.read_bytes()
    command("toy/walk", "-p", "scale=3", "--figure", picture)
    assert picture.read_bytes() == first


def test_an_experiment_beside_draws_its_own_figure(page, tmp_path):
    done = command("toy/other", "-p", "scale=3", "--figure", tmp_path / "x.png")
    assert done.exit_code == 0, done.output
    assert f"fig-other: {tmp_path / 'x.png'}" in done.output and "fig-walk" not in done.output


def test_several_numbers_are_a_run_each_and_a_figure_of_equal_axes(page, tmp_path):
    rows, drawn = tmp_path / "rows.csv", tmp_path / "drawn.csv"
    words = ["toy/walk", "-p", "scale=1,2,4", "--out", rows]
    done = command(*words, "--figure", tmp_path / "x.pdf", "--curves", drawn)
    assert done.exit_code == 0, done.output
    assert "scale=2.0, 2 units" in done.output
    found = pd.read_csv(rows)
    assert found.columns[0] == "scale" and found["scale"].unique().tolist() == [1, 2, 4]
    one, four = (found.loc[found["scale"] == s, "error"].to_numpy() for s in (1, 4))
    assert four == pytest.approx(4 * one)  # the same random numbers
    curves = pd.read_csv(drawn)
    assert curves["run"].unique().tolist() == [
        f"scale={s}, profile smoke, 2 units" for s in ("1.0", "2.0", "4.0")
    ]
    runs = [run("toy/walk", params={"scale": s}, progress=False) for s in (1.0, 4.0)]
    ((canvas, _),) = page_of_run.draw(runs, ["1", "4"]).values()
    first, second = canvas.axes
    assert first.get_ylim() == second.get_ylim() and first.get_ylim()[1] > four.max()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-p", "scale=1,2", "-p", "bounces=3,4"], "scale and bounces each list several values"),
        (["-p", "scale=1,1.0"], "scale lists 1.0 twice"),
        (["-p", "nap=0,0"], "nap lists 0.0 twice"),
        (["-p", "scale=1,"], "scale = '' is not allowed; it must be float > 0"),
        (["-p", "sampler=billiard,gips"], "sampler = 'gips' is not allowed; it must be one of"),
        (["-p", "scale=1,2", "--record"], "give it one value, or leave out --record"),
        (["--figure", "x.bmp"], "figures are drawn as .pdf, .png, .svg"),
        (["--curves", "x.xlsx"], "rows are written as CSV"),
    ],
)
def test_what_cannot_be_swept_or_drawn_is_said_before_the_run(page, words, message):
    done = command("toy/walk", *words)
    assert done.exit_code == 1 and message in done.output and "units" not in done.output


@pytest.mark.parametrize("file", ["--figure x.svg", "--curves x.csv", "--notebook x.ipynb"])
def test_a_file_that_cannot_be_written_stays_as_it_was(page, tmp_path, monkeypatch, file):
    monkeypatch.chdir(tmp_path)
    option, name = file.split()
    old, asked = tmp_path / name, []
    command("toy/walk", option, name)
    whole = old.read_bytes()
    old.write_text("old")

    def full(contents):
        asked.extend(contents.values())
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(rows_file, "write_together", full)
    done = command("toy/walk", option, name)
    assert done.exit_code == 1 and f"{name} cannot be written (No space left" in done.output
    assert old.read_text() == "old" and asked == [whole]  # all of it, by the writer of whole files
    old.unlink()
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path)
    done = command("toy/walk", option, name)
    assert "nothing can be written" in done.output and "units" not in done.output


def test_what_no_page_shows_is_not_drawn(room, tmp_path):
    register(toy("toy/alone"))
    done = command("toy/alone", "--figure", tmp_path / "x.svg")
    assert done.exit_code == 1 and "no notebook shows toy/alone" in done.output


def test_a_cell_that_fails_names_the_page(page, tmp_path):
    page.write_text(page.read_text().replace("rows.groupby('theta')", "rows.groupby('phi')"))
    done = command("toy/walk", "--figure", tmp_path / "x.svg")
    assert done.exit_code == 1
    assert "walk.ipynb, cell of code 6, cannot show this run (KeyError: 'phi')" in done.output


def test_the_notebook_of_a_run_has_none_of_the_papers_text_and_runs_again(page, tmp_path):
    file = tmp_path / "mine.ipynb"
    done = command("toy/walk", "-p", "scale=3", "--seed", 5, "--notebook", file)
    assert done.exit_code == 0, done.output
    text = file.read_text()
    for words in ("Figure 1", "published curve", "As the paper says"):
        assert words not in text
    made = json.loads(text)
    head, parameters = made["cells"][:2]
    assert head["source"].startswith("# toy/walk\n") and "-p scale=3.0 --seed 5" in head["source"]
    values = {}
    exec("".join(parameters["source"]), values)
    assert (values["scale"], values["seed"], values["profile"]) == (3.0, 5, "smoke")
    kinds = [o["output_type"] for cell in made["cells"][1:] for o in cell["outputs"]]
    assert kinds.count("display_data") == 2 and kinds[-1] == "execute_result"
    assert "<table" in made["cells"][-1]["outputs"][-1]["data"]["text/html"]


def test_a_cell_uses_the_run_if_names_lead_to_its_rows():
    sources = [
        'session = notebook.begin("toy/walk", globals())\nrows = session.shown(session.run())',
        'other = session.beside("toy/other")',
        "for name, part in rows.groupby('half'):\n    print(name)",
        "for name, part in other.groupby('half'):\n    print(name)",
        "rows = other",
        "print(rows)",
    ]
    assert list(page_of_run._uses(sources, "toy/walk")) == [True, False, True, False, False, False]
    assert list(page_of_run._uses(sources, "toy/other")) == [False, True, False, True, True, True]


def test_a_choice_is_swept_and_what_was_changed_stands_above_the_figure(page, tmp_path):
    drawn = tmp_path / "drawn.csv"
    done = command("toy/walk", "-p", "sampler=billiard,gibbs", "-p", "scale=3", "--curves", drawn)
    assert done.exit_code == 0, done.output
    first, second = pd.read_csv(drawn)["run"].unique()
    assert first.startswith("sampler=billiard, ") and second.startswith("sampler=gibbs, ")
    assert "scale=3.0, profile smoke, 2 units" in first
    one = run("toy/walk", params={"scale": 3.0}, progress=False)
    ((canvas, _),) = page_of_run.draw([one], [""]).values()
    above = [text.get_text() for strip in canvas.subfigs for text in strip.texts]
    assert "scale=3.0, profile smoke, 2 units" in above


@pytest.mark.parametrize("alone", [False, True])
def test_a_panel_of_the_record_is_titled_so_or_left_out(alone):
    canvas, (first, second) = plt.subplots(1, 2)
    first.set(title="heart", ylabel="error")
    second.set(title="thyroid, left")
    for label in ("heart", "published"):
        second.plot([0, 1], label=label)
    second.legend()
    canvas.legend(second.plot([0, 1]) * 2, ["heart", "thyroid"])
    readers_rows.leave_out_recorded(alone)
    readers_rows.mark_recorded(["heart"])
    readers_rows.name_panels({"heart": "other", "thyroid": "other"})
    readers_rows.leave_out_published(True)
    readers_rows.fit(canvas)
    readers_rows.leave_out_published(False)
    readers_rows.leave_out_recorded(False)
    titles = [axes.get_title() for axes in canvas.axes]
    assert titles == (["other, left"] if alone else ["heart (record)", "other, left"])
    assert [t.get_text() for t in canvas.legends[0].get_texts()] == ["heart (record)", "thyroid"]
    assert [t.get_text() for t in second.get_legend().get_texts()] == ["heart (record)"]
    assert canvas.axes[0].get_ylabel() == "error"


def test_a_changed_run_is_cited_with_what_was_changed(page):
    done = run("toy/walk", params={"scale": 3.0}, seed=5, progress=False)
    entry = bibtex(done)
    assert entry.startswith("@misc{rerun-toy-walk-") and entry.count("{") == entry.count("}")
    assert "rerun with profile smoke, scale=3.0, seed=5" in entry and r"\_" not in entry
    assert (
        TITLE in entry
        and entry in command("toy/walk", "-p", "scale=3", "--seed", 5, "--cite").output
    )


def test_a_run_on_other_data_says_so_above_its_figure_and_in_its_citation(page):
    done = run("toy/walk", progress=False)
    done = replace(done, substitute="digits replaces usps, which is not available (missing)")
    assert page_of_run.heading(done) == "digits replaces usps, profile smoke, 2 units"
    entry = bibtex(done)
    assert "rerun with profile smoke, digits replaces usps}" in entry
    assert entry.startswith("@misc{rerun-toy-walk-")
    own = replace(done, own_data={"data": "mine.csv"}, substitute="mine.csv (class no is +1)")
    assert page_of_run.heading(own).startswith("data=mine.csv, profile")


def test_each_run_of_a_sweep_has_a_title_and_all_one_entry(page):
    done = command("toy/walk", "-p", "scale=1.0000001,1.0000002", "--cite")
    assert "scale=1.0000001, 2 units" in done.output
    (key,) = re.findall(r"@misc\{(.*),", done.output)
    assert key.startswith("rerun-toy-walk-")
    assert "rerun with profile smoke, scale=1.0000001,1.0000002}" in done.output
    assert "transductive run toy/walk --profile smoke -p scale=1.0000001,1.0000002;" in done.output
    plain = bibtex(run("toy/walk", progress=False))
    assert plain.startswith("@misc{rerun-toy-walk,\n")


def test_signs_of_tex_in_a_command_are_escaped(page):
    done = run("toy/walk", progress=False)
    done.provenance["command"] = r"-p data=~/a^b\c{d_e"
    assert (
        r"-p data=\textasciitilde{}/a\textasciicircum{}b\textbackslash{}c\textbraceleft{}d\_e"
        in bibtex(done)
    )


def spoil(name):
    """Record other rows than the experiment gives."""
    spoiled = run(name, "paper", progress=False)
    spoiled.rows["error"] += 1
    record(spoiled)


def test_a_run_is_recorded_before_its_page_compares_it_with_the_record(page, tmp_path):
    words = ["toy/walk", "--profile", "paper", "--record", "--figure", tmp_path / "x.svg"]
    right = load_recorded("toy/walk")[0]
    spoil("toy/walk")
    done = command(*words)
    assert done.exit_code == 0, done.output
    assert "recorded: " in done.output and (tmp_path / "x.svg").exists()
    pd.testing.assert_frame_equal(load_recorded("toy/walk")[0], right)


def test_a_page_that_fails_loses_no_record(page, tmp_path):
    page.write_text(page.read_text().replace("rows.groupby('theta')", "rows.groupby('phi')"))
    right = load_recorded("toy/walk")[0]
    spoil("toy/walk")
    done = command("toy/walk", "--profile", "paper", "--record", "--figure", tmp_path / "x.svg")
    assert done.exit_code == 1
    assert "recorded: " in done.output and "cannot show this run" in done.output
    pd.testing.assert_frame_equal(load_recorded("toy/walk")[0], right)


@pytest.mark.parametrize(("shown", "other"), [("walk", "other"), ("other", "walk")])
def test_other_experiments_of_the_page_show_their_records_and_compute_nothing(page, shown, other):
    spoil(f"toy/{other}")
    done = run(f"toy/{shown}", params={"scale": 3.0}, progress=False)
    before = logged()
    cells = page_of_run.execute(done, lambda cell, size: Figure(figsize=size))
    assert logged() == before
    drawn = {cell.anchor: cell.figures[0].axes[0].lines for cell in cells if cell.figures}
    rows = {shown: done.rows, other: load_recorded(f"toy/{other}")[0]}
    walk = rows["walk"].loc[rows["walk"]["theta"] == 0.0, "error"]
    np.testing.assert_array_equal(drawn["fig-walk"][0].get_ydata(), walk)
    means = rows["other"].groupby("split")["error"].mean()
    np.testing.assert_array_equal(drawn["fig-other"][0].get_ydata(), means)


def test_a_module_that_a_cell_imports_stays(page, tmp_path, monkeypatch):
    (tmp_path / "met_in_a_cell.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "myst_nb", mine := object())
    page.write_text(page.read_text().replace("from myst_nb", "import met_in_a_cell\\nfrom myst_nb"))
    page_of_run.draw([run("toy/walk", progress=False)], [""])
    assert sys.modules["myst_nb"] is mine
    assert sys.modules.pop("met_in_a_cell")


def test_a_page_of_the_book_draws_a_run(tmp_path, monkeypatch):
    monkeypatch.setenv("TRANSDUCTIVE_STORE", str(tmp_path))
    monkeypatch.setenv("TRANSDUCTIVE_RESULTS", str(Path(__file__).resolve().parents[3] / "results"))
    params = {"n_train": 6}
    done = run("kernel_gibbs_sampler/figure_2", params=params, progress=False)
    ((canvas, drawn),) = page_of_run.draw([done], [""]).values()
    assert canvas.axes[1].get_title().startswith("the great circle")
    first = done.rows[done.rows["step"] == 0]
    hits = first.loc[first["kind"] == "hit", "start"]
    points = drawn[drawn["series"] == "hit point"]
    np.testing.assert_allclose(points["x"], np.cos(hits))
    np.testing.assert_allclose(points["y"], np.sin(hits))
