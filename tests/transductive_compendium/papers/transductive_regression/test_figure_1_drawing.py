"""What figure 1 draws is what the rows say."""

from contextlib import contextmanager

import matplotlib.pyplot as plt
import numpy as np
import pytest

from transductive_compendium.papers.transductive_regression import figure_1_drawing
from transductive_compendium.runner.records import load_recorded


@pytest.fixture
def panels(monkeypatch):
    """Axes of the figure that is drawn next."""
    drawn = []

    @contextmanager
    def kept(width, height, panels):
        canvas, axes = plt.subplots(1, panels)
        drawn.extend(axes)
        yield canvas, axes
        plt.close(canvas)

    monkeypatch.setattr(figure_1_drawing, "figure", kept)
    return drawn


def means(rows, column, reading="norm"):
    part = rows[(rows["reading"] == reading) & (rows["source"] == "published")]
    return part.groupby("size" if "size" in rows else "log_sigma")[column].mean()


def drawn_line(axes, label):
    (line,) = [line for line in axes.get_lines() if line.get_label() == label]
    return line.get_xdata(orig=False), line.get_ydata(orig=False)


@pytest.mark.parametrize("item", ["figure_1a", "figure_1c"])
def test_errors_over_sigma(panels, item):
    rows = load_recorded(f"transductive_regression/{item}")[0]
    figure_1_drawing.draw_over_sigma(rows, item, (0, 3), (0, 20), (-5, 10))
    left, right = panels
    error = means(rows, "transductive")
    x, y = drawn_line(left, r"norm, $K + \gamma I$")
    np.testing.assert_allclose(x, error.index)
    np.testing.assert_allclose(y, error)
    ridge = means(rows, "ridge")
    (bars, *_) = [c for c in right.containers if c.get_label() == r"norm, $K + \gamma I$"]
    assert len(np.unique((bars[0].get_xdata(orig=False) - error.index).round(9))) == 1
    np.testing.assert_allclose(bars[0].get_ydata(orig=False), 100 * (ridge - error) / ridge)


@pytest.mark.parametrize(("item", "shrinking"), [("figure_1b", r"\ell/2m"), ("figure_1d", "50/m")])
def test_errors_over_sizes(panels, item, shrinking):
    rows = load_recorded(f"transductive_regression/{item}")[0]
    figure_1_drawing.draw_over_sizes(rows, item, shrinking, [1, 10, 100], (0, 20))
    left, right = panels
    error, ridge = means(rows, "transductive"), means(rows, "ridge")
    x, y = drawn_line(left, rf"$\gamma^* = {shrinking}$")
    np.testing.assert_allclose(x, error.index)
    np.testing.assert_allclose(y, error)
    _, gain = drawn_line(right, rf"norm, ${shrinking}$")
    np.testing.assert_allclose(gain, 100 * (ridge - error) / ridge)
