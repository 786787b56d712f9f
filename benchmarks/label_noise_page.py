"""The record of `label_noise` for the book: a figure, and tables with a row for each method."""

from itertools import product
from pathlib import Path

import numpy as np
from label_noise import (
    BINS,
    BY_LOO,
    CANDIDATES,
    FLIPPED_SHARES,
    INFERRED,
    PEERS,
    PROBLEMS,
    PROCESS,
    SHARES,
    SVM,
    WIDTH_PROBLEMS,
    WIDTH_SHARES,
    WIDTHS,
    at_width,
    flips,
)
from record_tables import Record, folded, table

from transductive_compendium.book.figure_style import COLOURS, METHODS, figure

FIGURE = "fig-bench-reliability"
#: Methods that are drawn: marker, colour, name in the legend.
DRAWN = {
    BY_LOO: ("o", METHODS["Bayesian transduction"], "Bayesian transduction (its defaults)"),
    PROCESS: ("s", METHODS["Gaussian process"], "Gaussian process"),
    SVM: ("^", METHODS["SVM"], "calibrated SVM"),
}
LEAST_POINTS = 30  # a bin with fewer is not drawn
SUMMARY = {
    "error": "error, %",
    "log-loss": "log-loss",
    "calibration error": "calibration error, percentage points",
    "confident (95 % or more)": "confident, %",
    "right where confident": "right where confident, %",
    "noise found": "noise found, %",
    "a fit": "a fit, s",
    "fits that warn": "fits that warn, %",
    "fits that fail": "fits that fail, %",
}
EACH = {key: SUMMARY[key] for key in list(SUMMARY)[:6] if key != "calibration error"}
SUSPECTS = {
    "found among suspects": "found among suspects, %",
    "average precision": "average precision, %",
    "named": "labels named",
    "flipped among named": "flipped among named, %",
    "named among flipped": "named among flipped, %",
}


class Reliability(Record):
    """The record, with its diagrams."""

    def bins(self, case):
        """Mean probability, share of class 1 and half of its interval, in %, where it is drawn."""
        quantities = "mean probability", "class 1", "half of its interval"
        names = [f"{case}, p from {k / BINS:g} to {(k + 1) / BINS:g}" for k in range(BINS)]
        full = [n for n in names if self.value("reliability", n, "points") >= LEAST_POINTS]
        drawn = [self.values("reliability", name, quantities) for name in full]
        return np.array(drawn).reshape(-1, len(quantities)).T


def page(rows, number):
    """The recorded rows as Markdown.

    Parameters
    ----------
    rows : pandas.DataFrame
    number : callable
        Writes a number.

    Returns
    -------
    lines : list of str
    """
    record = Reliability(rows)
    return [
        *_figure(record, number),
        *_all_problems(record, number),
        *_bars(rows),
        *_choice(record, number),
        *_each_problem(record, number),
        *_widths(record, number),
        *_wrong_labels(record, number),
    ]


def _figure(record, number):
    """The figure; its caption and its alternative text tell the record's numbers."""

    def told(method, quantity):
        cases = [f"{flips(share)}, {method}" for share in SHARES]
        return ", ".join(number(record.value("methods", case, quantity)) for case in cases)

    shares = ", ".join(f"{100 * share:.0f}" for share in SHARES)
    names = {method: name for method, (*_, name) in DRAWN.items()}
    apart = "; ".join(f"{names[m]} {told(m, 'calibration error')}" for m in names)
    right = "; ".join(
        f"{names[m]} {told(m, 'right where confident')} % (of "
        f"{told(m, 'confident (95 % or more)')} % of the points)"
        for m in names
    )
    alt = (
        f"Share of class 1 against its predicted probability, with {shares} % of the labels "
        f"flipped. Mean distance from the diagonal in percentage points: {apart}."
    )
    caption = (
        f"Share of class 1 against its predicted probability, {len(PROBLEMS)} problems pooled, "
        "clean test labels. On the diagonal a probability means what it says. With "
        f"{shares} % of the training labels flipped, the curves lie off it on average by, in "
        f"percentage points: {apart}. Where they say 95 % or more, they are right on: {right}. "
        "Bars are 95 % intervals over the draws of points and flips. Bins with fewer than "
        f"{LEAST_POINTS} points are left out."
    )
    picture = f"```{{figure}} ../generated/figures/{FIGURE}.png"
    return [picture, f':alt: "{alt}"', f":name: {FIGURE}", caption, "```", ""]


def _all_problems(record, number):
    lines = [
        ((flips(share), method), record.values("methods", f"{flips(share)}, {method}", SUMMARY))
        for share in SHARES
        for method in (*CANDIDATES, *PEERS)
    ]
    yield from ("**All problems**", "")
    yield from table(("labels", "method"), SUMMARY.values(), lines, number)


def _bars(rows):
    for row in rows[rows["bar"] != "-"].itertuples():
        yield f"- Bar for *{row.case}*: {row.quantity} {row.bar} {row.unit}; {row.verdict}."
    yield ""


def _choice(record, number):
    quantities = "log-loss", "above the least of ours", "standard error"
    lines = [((m,), record.values("choice", m, quantities)) for m in (*CANDIDATES, *PEERS)]
    yield from ("**Log-loss over all problems and shares of flips**", "")
    yield from table(("method",), quantities, lines, number)


def _each_problem(record, number):
    lines = [
        ((name, flips(share)), record.values("problems", f"{name}, {flips(share)}", EACH))
        for name in PROBLEMS
        for share in SHARES
    ]
    each = table(("problem", "labels"), EACH.values(), lines, number)
    return folded(f"Each problem, {INFERRED}", each)


def _widths(record, number):
    names = [*(f"gamma = {width}" for width in WIDTHS), "own choice"]
    for quantity in ("log-loss", "right where confident", "noise found"):
        lines = []
        for name, share in product(WIDTH_PROBLEMS, WIDTH_SHARES):
            for family, own_choice in ((INFERRED, BY_LOO), (PROCESS, PROCESS)):
                methods = [*(at_width(family, width) for width in WIDTHS), own_choice]
                cases = [f"{name}, {flips(share)}, {method}" for method in methods]
                values = [record.value("widths", case, quantity) for case in cases]
                lines.append(((name, flips(share), family), values))
        yield from (f"**Widths: {SUMMARY[quantity]}**", "")
        yield from table(("problem", "labels", "method"), names, lines, number)


def _wrong_labels(record, number):
    rankers = [f"flip_proba_, {method}" for method in CANDIDATES]
    rankers += [f"cleanlab, {method}" for method in PEERS]
    lines = [
        ((flips(share), ranker), record.values("suspects", f"{flips(share)}, {ranker}", SUSPECTS))
        for share in FLIPPED_SHARES
        for ranker in rankers
    ]
    yield from ("**Which labels are wrong?**", "")
    yield from table(("labels", "suspicion"), SUSPECTS.values(), lines, number)
    known = {texts[1]: None for texts, values in lines if not np.isnan(values).all()}
    if not any("cleanlab" in ranker for ranker in known):
        yield from ("`cleanlab` was not installed.", "")
    lines = []
    for name, share in product(PROBLEMS, FLIPPED_SHARES):
        cases = [f"{name}, {flips(share)}, {ranker}" for ranker in known]
        values = [record.value("suspects of each", c, "found among suspects") for c in cases]
        lines.append(((name, flips(share)), values))
    each = table(("problem", "labels"), known, lines, number)
    yield from folded("Each problem: planted flips found among suspects, %", each)


def figures(rows, folder):
    """Draw the reliability diagrams: a panel for each share of flips.

    Parameters
    ----------
    rows : pandas.DataFrame
    folder : Path
    """
    record, size = Reliability(rows), (10.2, 3.9)
    look = {"ms": 5, "lw": 1.4, "elinewidth": 1, "capsize": 2}
    made = figure(*size, len(SHARES), sharex=True, sharey=True, save=Path(folder, FIGURE))
    with made as (canvas, axes):
        for panel, share in zip(axes, SHARES, strict=True):
            panel.plot([0, 100], [0, 100], color=COLOURS["black"], lw=1)
            for method, (marker, colour, name) in DRAWN.items():
                p, positive, half = record.bins(f"{flips(share)}, {method}")
                ends = np.minimum(half, [positive, 100 - positive])
                panel.errorbar(
                    p, positive, ends, fmt=f"{marker}-", color=colour, label=name, **look
                )
            panel.set_title(flips(share), fontsize=10)
            panel.set_xlabel("probability of class 1 (%)")
        axes[0].set_ylabel("share of class 1 (%)")
        canvas.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
