"""Figures of a reader's run: records are titled so; other data have no published values."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

_published = True
_names: dict[str, str] = {}
_recorded: set[str] = set()


def leave_out_published(leave_out: bool) -> None:
    """Set whether the next figures of this process leave out published values."""
    global _published
    _published = not leave_out


def name_panels(names: Mapping[str, str]) -> None:
    """Add what the title of a panel that is a key of `names` becomes with published values out."""
    _names.update(names)


def mark_recorded(titles: Iterable[str]) -> None:
    """Add titles of panels and entries of legends that show a record beside the run."""
    _recorded.update(titles)


def named(title: str) -> str:
    """`title`, which says so once if it, or what is before its comma, was marked as a record's."""
    marked = {title, title.partition(", ")[0]} & _recorded and not title.endswith(" (record)")
    return f"{title} (record)" if marked else title


def clear() -> None:
    """Forget what earlier runs of this process left out, named or marked."""
    leave_out_published(False)
    _recorded.clear()
    _names.clear()


def _mark(canvas: Any) -> None:
    """Say in titles of panels, and in legends, what shows a record."""
    legends = [*canvas.legends, *filter(None, (axes.get_legend() for axes in canvas.axes))]
    for text in (text for legend in legends for text in legend.get_texts()):
        text.set_text(named(text.get_text()))
    for axes in canvas.axes:
        if (title := named(axes.get_title())) != axes.get_title():
            axes.set_title(title)


def fit(canvas: Any) -> None:
    """Remove from a figure what is labelled as published, and limits and titles of other data.

    Panels of records are marked first. The rest is done unless published values are kept. An axis
    that was set to begin at zero still does.

    Parameters
    ----------
    canvas : matplotlib.figure.Figure
    """
    _mark(canvas)
    if _published:
        return
    for axes in canvas.axes:
        name, comma, rest = axes.get_title().partition(", ")
        if not rest.endswith("(record)"):
            axes.set_title(_names.get(name, name) + comma + rest)
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
    """Choose new ticks if the view contains at most one of the ticks for other data."""
    from matplotlib.ticker import AutoLocator, FixedLocator, ScalarFormatter

    low, high = sorted(axis.get_view_interval())
    if isinstance(axis.get_major_locator(), FixedLocator):
        if sum(low <= place <= high for place in axis.get_majorticklocs()) < 2:
            axis.set_major_locator(AutoLocator())
            axis.set_major_formatter(ScalarFormatter())


def _clear_legend(axes: Any, legend: Any) -> None:
    """Remove published values from the legend, and place it where it covers least."""
    handles, labels = axes.get_legend_handles_labels()
    if any("published" in text.get_text().lower() for text in legend.get_texts()) and handles:
        labels = [named(label) for label in labels]
        legend = axes.legend(handles, labels, fontsize=legend.get_texts()[0].get_fontsize())
    legend.set_loc("best")
