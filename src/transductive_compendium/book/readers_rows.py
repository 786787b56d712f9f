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
        for axis in (axes.xaxis, axes.yaxis):
            _more_ticks(axis)
        if legend := axes.get_legend():
            _clear_legend(axes, legend)


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


def _more_ticks(axis: Any) -> None:
    """Ticks of the view's own, where at most one of those for other data is in it."""
    from matplotlib.ticker import AutoLocator, FixedLocator, ScalarFormatter

    low, high = sorted(axis.get_view_interval())
    if isinstance(axis.get_major_locator(), FixedLocator):
        if sum(low <= place <= high for place in axis.get_majorticklocs()) < 2:
            axis.set_major_locator(AutoLocator())
            axis.set_major_formatter(ScalarFormatter())


def _clear_legend(axes: Any, legend: Any) -> None:
    """The legend without published values, where it covers least."""
    handles, labels = axes.get_legend_handles_labels()
    if any("published" in text.get_text().lower() for text in legend.get_texts()) and handles:
        legend = axes.legend(handles, labels, fontsize=legend.get_texts()[0].get_fontsize())
    legend.set_loc("best")
