"""The published marks of figure 2 stand on curves that reach them."""

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from transductive_compendium.papers.bayesian_transduction import figure_2_drawing


@pytest.mark.parametrize("end", [0.99, 3.0])
def test_a_threshold_that_the_curve_never_reaches_is_told_and_not_drawn(end):
    printed = figure_2_drawing._theta_max("figure_2a")
    svm = pd.DataFrame({"theta": [0.0, end], "rejection": [0.0, 0.3], "error": [0.05, 0.02]})
    transduction = pd.DataFrame({"rejection": [0.0, 0.3], "error": [0.02, 0.01]})
    canvas, axes = plt.subplots()
    figure_2_drawing._draw_published(axes, transduction, svm, "figure_2a")
    (line,) = (line for line in axes.lines if "|f|" in line.get_label())
    if end < printed:
        assert not len(line.get_xdata())
        assert "0.99" in line.get_label() and f"{printed:g}" in line.get_label()
    else:
        assert line.get_xdata()[0] == pytest.approx(30 * printed / end)
    # no error of the lower curve is the printed 2.3 %, from which the SVM's lag is measured
    assert not [line for line in axes.lines if "rejects" in line.get_label()]
    plt.close(canvas)
