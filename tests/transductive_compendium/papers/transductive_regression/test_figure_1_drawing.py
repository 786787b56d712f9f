"""What figure 1 draws is what the rows say."""

from contextlib import contextmanager

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy.special import stdtrit

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


def drawn_line(axes, label):
    (line,) = [line for line in axes.get_lines() if line.get_label() == label]
    return line.get_data(orig=False)


@pytest.mark.parametrize("item", ["figure_1a", "figure_1b", "figure_1c", "figure_1d"])
def test_curves_are_means_over_the_splits(panels, item):
    rows = load_recorded(f"transductive_regression/{item}")[0]
    figure_1_drawing.draw_errors_and_gain(rows)
    left, right = panels
    axis = "log_sigma" if "place" in rows else "size"
    means = rows.groupby(axis)[["ridge", "transductive"]].mean()
    gains = means["ridge"] - means["transductive"]
    lines = {
        line.get_label(): np.column_stack(line.get_data(orig=False)) for line in left.get_lines()
    }
    for method in means:
        x, y = lines[f"{method} regression"].T
        np.testing.assert_allclose(x, means.index)
        np.testing.assert_allclose(y, means[method])
    (bars,) = right.containers
    np.testing.assert_allclose(bars[0].get_ydata(orig=False), gains)
    lower, upper = bars[2][0].get_segments()[0][:, 1]
    first = rows[rows[axis] == means.index[0]].drop_duplicates("split")
    gain = first["ridge"] - first["transductive"]
    quantile = stdtrit(len(gain) - 1, 0.975)
    assert (upper - lower) / 2 == pytest.approx(quantile * gain.sem(), rel=1e-4)


@pytest.mark.parametrize(("item", "n_codes"), [("figure_1a", 2), ("figure_1d", 1)])
def test_gains_under_other_codes_of_the_inputs_are_drawn_beside(panels, item, n_codes):
    others = figure_1_drawing.other_codes(item)
    assert len(others) == n_codes  # kin-32fh has no binary input
    rows = load_recorded(f"transductive_regression/{item}")[0]
    figure_1_drawing.draw_errors_and_gain(rows, others)
    bars = {bar.get_label(): bar[0].get_ydata(orig=False) for bar in panels[1].containers}
    assert len(bars) == 1 + n_codes
    for label, other in others.items():
        gains = other.assign(gain=other["ridge"] - other["transductive"])
        means = gains.groupby("log_sigma" if "place" in other else "size")["gain"].mean()
        np.testing.assert_allclose(bars[label], means)
