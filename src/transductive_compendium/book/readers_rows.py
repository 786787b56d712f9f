"""Figures of a reader's own data: without the published values, on axes that hold what is drawn."""

from collections.abc import Iterator
from typing import Any

_published = True


def leave_out_published(leave_out: bool) -> None:
    """Have the next figures of this process leave out what was published, or keep it."""
    global _published
    _published = not leave_out


def fit(canvas: Any) -> None:
    """Take what is labelled as published out of a figure, and limits meant for other data.

    Nothing is done while published values are kept. An axis that was made to begin at zero still
    does.

    Parameters
    ----------
    canvas : matplotlib.figure.Figure
    """
    if _published:
        return
    for axes in canvas.axes:
        for artist in list(_labelled(axes)):
            artist.remove()
        if axes.get_label() == "<colorbar>" or axes.images:
            continue
        _autoscale(axes)
        if legend := axes.get_legend():
            _without_published(axes, legend)


def _labelled(axes: Any) -> Iterator[Any]:
    for artist in [*axes.containers, *axes.lines, *axes.collections, *axes.patches, *axes.texts]:
        words = [artist.get_label()] + ([artist.get_text()] if artist in axes.texts else [])
        if any("published" in str(word).lower() for word in words):
            yield artist


def _autoscale(axes: Any) -> None:
    zeros = {name: getattr(axes, f"get_{name}lim")()[0] == 0 for name in "xy"}
    fixed = {name: not getattr(axes, f"get_autoscale{name}_on")() for name in "xy"}
    axes.relim()
    for collection in axes.collections:
        box = collection.get_datalim(axes.transData)
        if box.width > 0 or box.height > 0:
            axes.update_datalim(box)
    axes.autoscale_view()
    for name in (name for name in "xy" if fixed[name]):
        axes.autoscale(axis=name)
        if zeros[name]:
            getattr(axes, f"set_{name}lim")(0, None)


def _without_published(axes: Any, legend: Any) -> None:
    handles, labels = axes.get_legend_handles_labels()
    if handles and any("published" in text.get_text().lower() for text in legend.get_texts()):
        axes.legend(handles, labels, loc=legend._loc_real, fontsize=9)
