"""The data of a figure are what it draws."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from transductive_compendium.book.figure_data import drawn_data


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


def test_a_reference_line_has_the_one_coordinate_that_means_something(panels):
    canvas, (left, _) = panels
    left.axhline(0.5)
    left.axvline(3.0)
    level, position = drawn_data(canvas).to_dict("records")
    assert level["y"] == 0.5 and np.isnan(level["x"])
    assert position["x"] == 3.0 and np.isnan(position["y"])


def test_points_bars_bands_steps_and_pictures(panels):
    canvas, (left, right) = panels
    left.scatter([1, 2], [3, 4], c=[0.1, 0.9])
    left.fill_between([0, 1], [1, 2], [3, 5])
    left.stairs([2, 4], [0, 1, 3])
    left.bar([10, 20], [7, 8], width=2)
    left.axvspan(0, 1)  # an emphasis, no data
    right.imshow([[0, 1], [2, 3]])
    data = drawn_data(canvas).set_index("mark")
    assert data.loc["points", ["x", "y", "value"]].to_numpy().tolist() == [[1, 3, 0.1], [2, 4, 0.9]]
    assert data.loc["band", ["x", "low", "high"]].to_numpy().tolist() == [[0, 1, 3], [1, 2, 5]]
    assert data.loc["steps", ["y", "low", "high"]].to_numpy().tolist() == [[2, 0, 1], [4, 1, 3]]
    assert data.loc["bar", ["x", "low", "high"]].to_numpy().tolist() == [[10, 0, 7], [20, 0, 8]]
    assert data.loc["image", "value"].tolist() == [0, 1, 2, 3]


def test_a_large_picture_is_thinned_and_keeps_its_places(panels):
    canvas, (left, _) = panels
    picture = np.arange(400 * 310).reshape(400, 310)
    left.imshow(picture)
    data = drawn_data(canvas)
    assert len(data) == 134 * 104 and data["y"].max() == 399 and data["x"].max() == 309
    assert (data["value"] == picture[data["y"], data["x"]]).all()


def test_named_ticks_name_the_points(panels):
    canvas, (left, _) = panels
    left.bar([0, 1], [7, 8])
    left.set_xticks([0, 1], ["heart", "thyroid"])
    assert drawn_data(canvas)["x"].tolist() == ["heart", "thyroid"]
