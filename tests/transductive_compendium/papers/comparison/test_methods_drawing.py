"""Figures show every method on every problem, and the gains of the tables."""

import matplotlib.pyplot as plt
import numpy as np

from transductive_compendium.book.figure_style import METHODS, figure
from transductive_compendium.papers.comparison.classifiers import METHODS as CLASSIFIERS
from transductive_compendium.papers.comparison.methods_drawing import (
    FAMILIES,
    PAIRS,
    draw_errors,
    draw_gains,
)
from transductive_compendium.papers.comparison.scores_measures import gains
from transductive_compendium.runner import load_recorded


def test_each_method_has_the_colour_of_its_family():
    assert list(FAMILIES) == list(CLASSIFIERS)
    assert set(FAMILIES.values()) <= set(METHODS)


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
