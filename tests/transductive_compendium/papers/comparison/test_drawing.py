"""Pictures show every method on every problem, and what the chapter's text says of them."""

import matplotlib.pyplot as plt
import numpy as np

from transductive_compendium.book.figure_style import METHODS as COLOURS
from transductive_compendium.book.figure_style import figure
from transductive_compendium.papers.comparison import chapter_drawing as drawing
from transductive_compendium.papers.comparison.classifiers import METHODS
from transductive_compendium.papers.comparison.methods_drawing import (
    FAMILIES,
    PAIRS,
    draw_errors,
    draw_gains,
)
from transductive_compendium.papers.comparison.scores_measures import gains, scores
from transductive_compendium.runner import load_recorded


def test_each_method_has_the_colour_of_its_family():
    assert list(FAMILIES) == list(METHODS)
    assert set(FAMILIES.values()) <= set(COLOURS)


def test_errors_show_all_methods_on_all_problems(monkeypatch):
    monkeypatch.setattr("matplotlib.pyplot.show", lambda: None)
    rows = load_recorded("comparison/methods")[0]
    looks = {"error": ("o", "white", "all"), "error_kept": ("o", None, "kept")}
    with figure(rows=2, panels=3) as (canvas, axes):
        draw_errors(rows, looks, axes, canvas)
        for panel in axes.ravel():
            assert len(panel.containers) == 2 * len(FAMILIES)


def test_one_panel_a_problem_and_one_line_a_pair():
    rows = load_recorded("comparison/labels")[0]
    problems = rows["problem"].unique()
    places = sorted(rows["labels"].unique())
    canvas, axes = plt.subplots(1, len(problems))
    draw_gains(rows, "labels", places, "labels", axes, canvas)
    for panel, problem in zip(axes, problems, strict=True):
        part = rows[rows["problem"] == problem]
        assert [bars.get_label() for bars in panel.containers] == list(PAIRS)
        for bars, (better, worse, score, *_) in zip(panel.containers, PAIRS.values(), strict=True):
            expected = gains(part, better, worse, "labels", score).loc[problem]
            np.testing.assert_allclose(bars[0].get_ydata(orig=False), expected["gain"])
    plt.close(canvas)


def test_a_wrong_number_of_positives_costs_the_errors_that_it_forces():
    given, errors, true, svm = drawing.numbers()
    least = np.abs(given - true)
    assert true in given and (errors >= least).all() and (errors <= least + 5).all()
    assert errors[given == true] < svm < errors[-1] / 2


def test_in_the_plane_the_samples_number_forces_all_errors():
    sample = drawing.bands()
    wrong = {
        name: (METHODS[name](sample, None).positive != (sample.truth > 0)).sum()
        for name in ("svm", "tsvm", "tsvm, true number")
    }
    # five eighths of 200 are 125, of which 100 are positive
    assert wrong == {"svm": 4, "tsvm": 25, "tsvm, true number": 0}


def test_given_the_number_the_tsvm_is_ahead_on_every_split_of_mnist():
    rows = load_recorded("comparison/labels")[0]
    rows = rows[(rows["problem"] == "mnist 5 / 8") & (rows["labels"] == 20)]
    errors = scores(rows, "error_told")
    assert len(errors) == 100 and (errors["tsvm, true number"] < errors["svm"]).all()
    assert round(errors["svm"].min()) == 6 and round(errors["svm"].max()) in (24, 25)
