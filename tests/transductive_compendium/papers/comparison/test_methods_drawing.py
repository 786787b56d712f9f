"""A figure of errors shows every method on every problem."""

from transductive_compendium.book.figure_style import METHODS, figure
from transductive_compendium.papers.comparison.classifiers import METHODS as CLASSIFIERS
from transductive_compendium.papers.comparison.methods_drawing import FAMILIES, draw_errors
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
