"""The gains that are drawn are those that are judged."""

import matplotlib.pyplot as plt
import numpy as np

from transductive_compendium.papers.comparison.scores_drawing import PAIRS, draw_gains
from transductive_compendium.papers.comparison.scores_measures import gains
from transductive_compendium.runner.records import load_recorded


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
