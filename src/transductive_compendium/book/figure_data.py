"""The numbers that a figure draws, as a table, so that readers need not measure the picture."""

import re

import numpy as np
import pandas as pd
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.colors import to_hex
from matplotlib.container import ErrorbarContainer
from matplotlib.contour import ContourSet
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle, StepPatch
from matplotlib.ticker import FixedLocator, FuncFormatter

__all__ = ["drawn_data"]

COLUMNS = (
    "panel",
    "title",
    "x_label",
    "y_label",
    "mark",
    "series",
    "colour",
    "line",
    "marker",
    "x",
    "y",
    "low",
    "high",
    "x_error",
    "y_error",
    "value",
)

#: An image with more pixels a side is thinned: its values are those of every second, third ... one.
MOST_PIXELS = 150


def drawn_data(canvas: Figure) -> pd.DataFrame:
    """Coordinates of all that is drawn in a figure, in the units of its axes.

    Parameters
    ----------
    canvas : matplotlib.figure.Figure

    Returns
    -------
    DataFrame
        A row per point. ``panel`` counts the axes from 1; ``mark`` is line, points, bar, steps,
        segment, band, contour or image; ``series`` is the label in the legend. Unlabelled marks
        differ in ``colour``, ``line`` and ``marker``. ``low`` and ``high`` are the ends of
        upright error bars, bars and bands, ``x_error`` and ``y_error`` half the length of an error
        bar; ``value`` is the value of a pixel or contour, or the value that
        colours a point. A large image is thinned to `MOST_PIXELS` a side. Marks that span the
        whole width or height of a panel have an empty coordinate.
    """
    rows = []
    for panel, axes in enumerate((a for a in canvas.axes if a.get_label() != "<colorbar>"), 1):
        about = {
            "panel": panel,
            "title": " ".join(axes.get_title().split()),
            "x_label": " ".join(axes.get_xlabel().split()),
            "y_label": " ".join(axes.get_ylabel().split()),
        }
        rows += [about | row for row in _rows(axes)]
    table = pd.DataFrame(rows, columns=COLUMNS)
    return table.dropna(axis=1, how="all")


def _rows(axes):
    """Rows of one panel."""
    names = {axis: _names(getattr(axes, f"{axis}axis")) for axis in "xy"}
    bars = [c for c in axes.containers if isinstance(c, ErrorbarContainer)]
    inside = {
        id(artist)
        for bar in bars
        for part in bar.lines
        for artist in (part if isinstance(part, tuple) else (part,))
    }
    for artist in [*bars, *axes.lines, *axes.collections, *axes.patches, *axes.images]:
        if id(artist) in inside or not _visible(artist):
            continue
        for row in _points(artist, axes):
            for axis, called in names.items():
                if row.get(axis) in called:
                    row[axis] = called[row[axis]]
            yield row


def _visible(artist):
    return isinstance(artist, ErrorbarContainer) or artist.get_visible()


def _names(axis):
    """Mapping from position to name, if an axis names its ticks instead of numbering them."""
    formatter = axis.get_major_formatter()
    if not isinstance(formatter, FuncFormatter) or not isinstance(
        axis.get_major_locator(), FixedLocator
    ):
        return {}
    # Tick labels are the arguments of set_xticks, which may be numbers.
    names = {place: str(formatter(place)) for place in axis.get_majorticklocs()}
    return {place: name for place, name in names.items() if re.search(r"^[^$]*[A-Za-z]{2}", name)}


def _look(artist, mark):
    """Label, colour, line and marker of an artist."""
    label = str(artist.get_label() or "")
    look = {"mark": mark, "series": "" if label.startswith("_") else label}
    if hasattr(artist, "get_color") and mark == "line":
        marker = artist.get_marker()
        look |= {
            "colour": to_hex(artist.get_color()),
            "line": str(artist.get_linestyle()).replace("None", ""),
            "marker": str(marker).replace("None", ""),
        }
    elif hasattr(artist, "get_facecolor"):
        colours = np.atleast_2d(artist.get_facecolor())
        if not len(colours) or not colours[0][-1]:
            colours = np.atleast_2d(artist.get_edgecolor())
        if len(colours) == 1:
            look["colour"] = to_hex(colours[0])
    return look


def _points(artist, axes):
    """Rows of one artist, without the columns common to the panel."""
    if isinstance(artist, ErrorbarContainer):
        yield from _error_bars(artist)
    elif isinstance(artist, ContourSet):
        look = {"mark": "contour", "series": ""}
        for level, path in zip(artist.levels, artist.get_paths(), strict=False):
            for x, y in path.vertices:
                yield look | {"x": x, "y": y, "value": level}
    elif isinstance(artist, PathCollection):
        look, values = _look(artist, "points"), artist.get_array()
        for k, (x, y) in enumerate(np.ma.filled(artist.get_offsets(), np.nan)):
            yield look | {"x": x, "y": y, "value": None if values is None else values[k]}
    elif isinstance(artist, PolyCollection):
        look = _look(artist, "band")
        for path in artist.get_paths():
            band = pd.DataFrame(path.vertices, columns=["x", "y"]).groupby("x")["y"]
            for x, part in band:
                yield look | {"x": x, "low": part.min(), "high": part.max()}
    elif isinstance(artist, LineCollection):
        look = _look(artist, "segment")
        for segment in artist.get_segments():
            for x, y in segment:
                yield look | {"x": x, "y": y}
    elif isinstance(artist, StepPatch):
        look, data = _look(artist, "steps"), artist.get_data()
        for y, low, high in zip(data.values, data.edges[:-1], data.edges[1:], strict=True):
            yield look | {"y": y, "low": low, "high": high}
    elif isinstance(artist, Rectangle):
        if all(artist.get_transform().contains_branch_seperately(axes.transData)):
            low, high = artist.get_y(), artist.get_y() + artist.get_height()
            x = artist.get_x() + artist.get_width() / 2
            yield _look(artist, "bar") | {"x": x, "low": low, "high": high}
    elif hasattr(artist, "get_xydata"):
        of_data = artist.get_transform().contains_branch_seperately(axes.transData)
        look, points = _look(artist, "line"), artist.get_xydata()
        for point in points if all(of_data) else points[:1]:
            yield look | {k: v for k, v, its in zip("xy", point, of_data, strict=True) if its}
    elif hasattr(artist, "get_array") and np.ndim(artist.get_array()) == 2:
        step = -(-max(artist.get_array().shape) // MOST_PIXELS)
        thinned = np.ma.filled(artist.get_array(), np.nan)[::step, ::step]
        for (y, x), value in np.ndenumerate(thinned):
            yield {"mark": "image", "series": "", "x": step * x, "y": step * y, "value": value}


def _error_bars(bars):
    """Rows of a series with error bars."""
    line, _, ends = bars.lines
    label = str(bars.get_label() or "")
    parts = [part.get_segments() for part in ends]  # of x come first
    level = parts.pop(0) if bars.has_xerr else []
    upright = parts.pop(0) if bars.has_yerr else []
    look = _look(line, "line") if line is not None else {"mark": "line"}
    look["series"] = "" if label.startswith("_") else label
    if line is None:
        points = [s.mean(axis=0) for s in upright if len(s)]
    else:
        points = line.get_xydata()
    for k, (x, y) in enumerate(points):
        spread = {}
        if len(upright) == len(points) and len(upright[k]):
            low, high = upright[k][0][1], upright[k][-1][1]
            spread = {"low": low, "high": high, "y_error": (high - low) / 2}
        if len(level) == len(points) and len(level[k]):
            spread["x_error"] = (level[k][-1][0] - level[k][0][0]) / 2
        yield look | {"x": x, "y": y} | spread
