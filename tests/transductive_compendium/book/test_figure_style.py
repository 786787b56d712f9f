"""Figures in the house style: published values, and panels below each other for narrow screens."""

import io

import matplotlib.pyplot as plt
import pytest

from transductive_compendium.book.figure_style import (
    COLOURS,
    METHODS,
    draw_published,
    figure,
    stacked,
)
from transductive_compendium.book.readers_figure import leave_out_published


@pytest.fixture
def made(monkeypatch):
    """Figures that were shown, instead of a window."""
    shown = []
    monkeypatch.setattr(plt, "show", lambda: shown.append(plt.gcf()))
    yield shown
    leave_out_published(False)
    plt.close("all")


def size(png):
    image = plt.imread(io.BytesIO(png))
    return image.shape[1], image.shape[0]


def test_published_values_are_open_diamonds_and_left_out_of_a_readers_own_figure(made):
    for own in (False, True):
        leave_out_published(own)
        with figure() as (_, axes):
            axes.plot([0, 1], [1, 2], label="SVM", color=METHODS["SVM"])
            draw_published(axes, [0, 1], [1.5, 2.5], METHODS["SVM"])
            draw_published(axes, 1, 3, "blue", "_published")
        marks = [line for line in made[-1].axes[0].get_lines() if line.get_marker() == "D"]
        assert len(marks) == (0 if own else 2)
        for mark, colour in zip(marks, (METHODS["SVM"], COLOURS["blue"]), strict=False):
            assert mark.get_markerfacecolor() == "none" and mark.get_color() == colour


@pytest.mark.parametrize(("rows", "panels"), [(1, 2), (2, 2), (1, 4)])
def test_panels_side_by_side_are_stacked_and_say_what_their_axes_are(made, rows, panels):
    with figure(9.6, 3.0 * rows, panels, rows, sharey=True, sharex=True) as (canvas, axes):
        for panel in axes.flat:
            panel.plot([0, 1], [0, 1], label="a method with a long name")
        axes.flat[0].set_ylabel("error")
        axes.flat[-1].set_xlabel("labels")
        canvas.legend(*axes.flat[0].get_legend_handles_labels(), loc="outside upper center")
    width, height = size(stacked(made[0]))
    assert width < 600 and height > 0.5 * width * rows * panels
    for panel in made[0].axes:
        assert (panel.get_ylabel(), panel.get_xlabel()) == ("error", "labels")
    (legend,) = made[0].legends
    assert [text.get_text() for text in legend.get_texts()] == ["a method with a long name"]


def test_one_panel_and_many_small_pictures_stay_as_they_are(made):
    for panels in (1, 8):
        with figure(panels=panels):
            pass
        assert stacked(made[-1]) is None


def test_a_saved_figure_is_what_a_notebook_keeps_of_one(made, tmp_path):
    with figure(9.6, 3.0, 2, save=tmp_path / "pictures/fig-two.v1") as (canvas, axes):
        axes[0].plot([0, 1], [2, 3], label="SVM")
    assert not made and canvas.number not in plt.get_fignums()
    folder = tmp_path / "pictures"
    assert "SVM" in (folder / "fig-two.v1.csv").read_text()
    wide, narrow = (
        size((folder / f"fig-two.v1{end}").read_bytes()) for end in (".png", "-stacked.png")
    )
    assert wide[0] > wide[1] and narrow[1] > narrow[0]
