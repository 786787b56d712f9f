"""One style for all figures: legible on light and dark pages, in grey, and on a telephone."""

from __future__ import annotations

import base64
import io
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib
import matplotlib.pyplot as plt

from .colours import COLOURS, METHODS
from .figure_data import drawn_data
from .readers_figure import fit

__all__ = ["COLOURS", "DRAWN", "MARKERS", "METHODS", "STACKED", "draw_published", "figure"]

#: Key of a figure's data in the metadata of a notebook's output.
DRAWN = "transductive_drawn"

#: Key of the same figure with its panels below each other, as PNG in base64.
STACKED = "transductive_stacked"
#: Width in inches of a figure for a telephone, and the most panels of a row that are stacked.
_NARROW, _MOST_PANELS = 4.4, 4

MARKERS = ("o", "s", "^", "D", "v", "P")

SETTINGS = {
    "figure.dpi": 110,
    "savefig.dpi": 110,
    # the background is painted, so that dark pages do not show through
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "figure.constrained_layout.use": True,
    "font.size": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "axes.prop_cycle": plt.cycler(color=list(COLOURS.values())),
}


def draw_published(
    axes: Any, x: Any, y: Any, colour: str = "black", label: str = "published", **look: Any
) -> None:
    """Draw a paper's published values: open diamonds, named in the legend, on top.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    x, y : float or array-like
    colour : str, default="black"
        The method's colour: a name in `COLOURS`, or a colour.
    label : str, default="published"
        Must contain "published"; a leading underscore leaves it out of the legend.
    **look
        Passed to ``axes.plot``.
    """
    style = {"ls": "none", "marker": "D", "ms": 8, "mfc": "none", "mew": 1.6, "zorder": 5}
    axes.plot(x, y, color=COLOURS.get(colour, colour), label=label, **(style | look))


def stacked(canvas: Any) -> bytes | None:
    """A figure with its panels below each other, as PNG; None if no two are side by side.

    This changes the figure.
    """
    panels = [axes for axes in canvas.axes if axes.get_label() != "<colorbar>"]
    grids = {axes.get_gridspec() for axes in panels}
    if len(grids) != 1 or None in grids:
        return None
    rows, columns = next(iter(grids)).get_geometry()
    if not 1 < columns <= _MOST_PANELS:
        return None
    height = canvas.get_figheight() / rows
    y_label, x_labels = "", [axes.get_xlabel() for axes in panels]
    grid = plt.GridSpec(len(panels), 1, figure=canvas)
    for row, axes in enumerate(panels):
        axes.set_subplotspec(grid[row])
        if not axes.axison:
            continue
        y_label = axes.get_ylabel() or y_label  # said once for panels side by side
        below = [other for other in panels if axes.get_shared_x_axes().joined(axes, other)]
        said = [axes.get_xlabel(), *(other.get_xlabel() for other in below), *x_labels]
        axes.set(xlabel=next(filter(None, said), ""), ylabel=y_label)
        axes.tick_params(labelleft=True, labelbottom=True)
    drawn: dict[str, Any] = {}
    for axes in panels:
        handles, labels = axes.get_legend_handles_labels()
        drawn |= dict(zip(labels, handles, strict=True))
    for legend in list(canvas.legends):
        texts, frame = legend.get_texts(), legend.get_frame()
        legend.remove()
        names = [text.get_text() for text in texts]
        old = zip(names, legend.legend_handles, strict=True)
        canvas.legend(
            [drawn.get(name, handle) for name, handle in old],
            names,
            loc="outside upper center",
            ncols=2 if max(map(len, names)) < 20 else 1,
            fontsize=9,
            frameon=legend.get_frame_on(),
            facecolor=frame.get_facecolor(),
            labelcolor=texts[0].get_color(),
        )
    canvas.set_size_inches(_NARROW, len(panels) * min(0.9 * height, max(3.0, 0.6 * height)))
    return small(_png(canvas))


def _png(canvas: Any) -> bytes:
    made = io.BytesIO()
    canvas.savefig(made, format="png", bbox_inches="tight")
    return made.getvalue()


def _in_notebook() -> bool:
    """Whether a notebook's kernel runs this, whatever its backend."""
    if "inline" in matplotlib.get_backend():
        return True
    import IPython

    return hasattr(IPython.get_ipython(), "kernel")


def small(png: bytes) -> bytes:
    """A picture of lines and areas with a palette of 64 colours, in a third of the bytes."""
    from PIL import Image

    picture, made = Image.open(io.BytesIO(png)).convert("RGB"), io.BytesIO()
    picture.quantize(64, dither=Image.Dither.NONE).save(made, "PNG", optimize=True)
    return made.getvalue()


def _save(canvas: Any, path: Path) -> None:
    """Write what a page needs of a figure, and close it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.with_name(f"{path.name}.csv").write_text(_csv(canvas), encoding="utf-8")
    path.with_name(f"{path.name}.png").write_bytes(small(_png(canvas)))
    if narrow := stacked(canvas):
        path.with_name(f"{path.name}-stacked.png").write_bytes(narrow)
    plt.close(canvas)


def _csv(canvas: Any) -> str:
    return drawn_data(canvas).to_csv(index=False, float_format="%.6g")


@contextmanager
def figure(width=6.4, height=4.0, panels=1, rows=1, save=None, **kwargs):
    """Figure and axes in the house style, shown or saved at the end of the block.

    A notebook keeps the drawn numbers with the picture, as CSV in the output's metadata under
    `DRAWN`; the book offers them below the figure. For panels side by side, `STACKED` keeps a
    second picture with the panels below each other, which narrow screens show.

    Parameters
    ----------
    width, height : float
        Size of the whole figure in inches.
    panels : int, default=1
        Axes side by side.
    rows : int, default=1
        Number of such rows.
    save : Path or None, default=None
        If given, the figure is not shown; the picture, the drawn numbers and the stacked picture
        are written to this path with ``.png``, ``.csv`` and ``-stacked.png`` added.
    **kwargs
        Passed to `matplotlib.figure.Figure.subplots`.

    Yields
    ------
    figure, axes
    """
    # on Matplotlib's own defaults, whatever the reader's settings
    with plt.style.context(["default", SETTINGS]):
        canvas = plt.figure(figsize=(width, height))
        yield canvas, canvas.subplots(rows, panels, **kwargs)
        fit(canvas)
        if save is not None:
            _save(canvas, save)
            return
        if not _in_notebook():
            plt.show()
            return
        from IPython.core.formatters import format_display_data
        from IPython.display import display

        kept = {DRAWN: _csv(canvas)}
        shown, about = format_display_data(canvas)
        if not any(kind.startswith("image/") for kind in shown):
            # only the inline backend teaches IPython to draw a figure
            shown["image/png"] = base64.b64encode(_png(canvas)).decode()
        if picture := shown.get("image/png"):
            shown["image/png"] = base64.b64encode(small(base64.b64decode(picture))).decode()
        if narrow := stacked(canvas):
            kept[STACKED] = base64.b64encode(narrow).decode()
        display(shown, raw=True, metadata=about | kept)
        plt.close(canvas)
