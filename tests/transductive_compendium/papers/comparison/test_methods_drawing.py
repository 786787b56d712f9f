"""Figures of rejection and of time show every method on every problem."""

import numpy as np

from transductive_compendium.book.figure_style import METHODS, figure
from transductive_compendium.papers.comparison.classifiers import METHODS as CLASSIFIERS
from transductive_compendium.papers.comparison.methods_drawing import (
    FAMILIES,
    draw_rejection,
    draw_seconds,
)
from transductive_compendium.runner import load_recorded


def test_each_method_has_the_colour_of_its_family():
    assert list(FAMILIES) == list(CLASSIFIERS)
    assert set(FAMILIES.values()) <= set(METHODS)


def test_rejection_and_time_show_all_methods_on_all_problems(monkeypatch):
    monkeypatch.setattr("matplotlib.pyplot.show", lambda: None)
    rows = load_recorded("comparison/methods")[0]
    with figure(rows=2, panels=3) as (canvas, axes):
        draw_rejection(rows, axes, canvas)
        for panel in axes.ravel():
            assert len(panel.containers) == 2 * len(FAMILIES)
    with figure() as (_, axes):
        draw_seconds(rows, axes)
        shown = [line for line in axes.lines if len(line.get_xdata())]
        assert len(shown) == len(FAMILIES) * rows["problem"].nunique()
        assert np.min([line.get_xdata()[0] for line in shown]) > 0
