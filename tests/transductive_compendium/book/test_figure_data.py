"""The data of a figure are what it draws."""

import matplotlib.pyplot as plt
import pytest

from transductive_compendium.book.figure_data import drawn_data
from transductive_compendium.book.figure_style import figure


@pytest.fixture
def panels():
    canvas, axes = plt.subplots(1, 2)
    yield canvas, axes
    plt.close(canvas)


def test_a_curve_comes_back_with_its_name_and_look(panels):
    canvas, (left, right) = panels
    left.plot([1, 2, 3], [4.0, 5.0, 6.5], "s:", color="#0072B2", label="reproduced")
    right.set(xlabel="n", title="other")
    right.plot([0.0], [1.0])
    data = drawn_data(canvas)
    reproduced = data[data["series"] == "reproduced"]
    assert reproduced[["x", "y"]].to_numpy().tolist() == [[1, 4], [2, 5], [3, 6.5]]
    assert set(reproduced["colour"]) == {"#0072b2"} and set(reproduced["panel"]) == {1}
    assert set(reproduced["line"]) == {":"} and set(reproduced["marker"]) == {"s"}
    other = data[data["panel"] == 2].iloc[0]
    assert (other["x_label"], other["title"], other["series"]) == ("n", "other", "")


def test_error_bars_give_their_ends_once(panels):
    canvas, (left, _) = panels
    left.errorbar([1, 2], [5.0, 7.0], yerr=[0.5, 1.0], label="mean", capsize=3)
    data = drawn_data(canvas)
    assert data[["x", "y", "low", "high"]].to_numpy().tolist() == [[1, 5, 4.5, 5.5], [2, 7, 6, 8]]
    assert set(data["series"]) == {"mean"}


def test_a_readers_settings_leave_the_house_style_alone(tmp_path):
    for name, own in (("plain", {}), ("own", {"font.family": "serif", "lines.linestyle": "--"})):
        with plt.rc_context(own), figure(save=tmp_path / name) as (_, axes):
            axes.plot([0, 1], [1, 0])
    assert (tmp_path / "own.png").read_bytes() == (tmp_path / "plain.png").read_bytes()
