"""Figures of a reader's own rows."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from transductive_compendium.book import readers_figure


@pytest.fixture
def own():
    readers_figure.leave_out_published(True)
    yield
    readers_figure.clear()
    plt.close("all")


def drawn():
    canvas, axes = plt.subplots()
    axes.errorbar([0, 1], [300.0, 500.0], yerr=[20.0, 20.0], label="reproduced")
    axes.fill_between([0, 1], [200.0, 100.0], [600.0, 900.0], alpha=0.1)
    axes.plot([0.5], [2.0], "D", mfc="none", label="published")
    axes.errorbar([0.5], [5000.0], yerr=[9.0], label="published, C = 1")
    axes.axhline(16.4, label="Published, 16.4 %")
    axes.text(0, 1, "published: 3.1")
    axes.set_xticks([12, 25], ["12", "25"])
    axes.set(ylim=(0, 17), xlim=(5, 6))
    axes.legend(loc="lower left", fontsize=8)
    return canvas, axes


def labels(axes):
    return axes.get_legend_handles_labels()[1]


def test_published_values_and_limits_for_other_data_are_gone(own):
    canvas, axes = drawn()
    axes.set_title("thyroid")
    readers_figure.name_panels({"thyroid": "mine.csv"})
    readers_figure.fit(canvas)
    assert labels(axes) == ["reproduced"] and not axes.texts
    assert axes.get_title() == "mine.csv"
    (entry,) = axes.get_legend().get_texts()
    assert (entry.get_text(), entry.get_fontsize()) == ("reproduced", 8)
    low, high = axes.get_ylim()
    assert low == 0 and 900 < high < 1000  # the band is in, the published 5000 is not
    assert axes.get_xlim()[0] < 0 < 1 < axes.get_xlim()[1] < 2
    places = axes.get_xticks()
    assert np.sum((places >= 0) & (places <= 1)) >= 2
