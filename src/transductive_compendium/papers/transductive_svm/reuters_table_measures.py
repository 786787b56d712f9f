"""Measures of the Reuters table: published and reproduced breakevens, and their order."""

from functools import cache

import numpy as np
import pandas as pd

from ...datasets.reuters_corpus import CATEGORIES
from ...verdicts.claims import measure, of_rows, printed
from ...verdicts.overlapping_splits import half_width
from ...verdicts.rules import Column, Repeats, Value
from .reuters_problem import ALL
from .reuters_table import ITEM

#: Methods of the slides by their columns.
METHODS = {"Bayes": "bayes", "SVM": "svm", "TSVM": "tsvm"}
AVERAGE = "average"


def drawn(frame):
    """Rows of the training sets of single categories, else of those that serve all ten."""
    own = frame["condition"] == frame["category"]
    return frame[own if own.any() else frame["condition"] == ALL]


@of_rows
def by_category(frame, column):
    """A row for each number of a training set, a column for each category."""
    table = drawn(frame).pivot(index="number", columns="category", values=column)
    return table[[c for c in CATEGORIES if c in table]].dropna()


def categories_in(frame):
    """Categories that have rows: all ten, or those of a reader's shorter run."""
    return [category for category in CATEGORIES if (frame["category"] == category).any()]


@of_rows
def breakevens(frame, category, method):
    """Breakevens in per cent by number of the training set.

    Parameters
    ----------
    frame : DataFrame
        Rows of the experiment.
    category : str
        One of the ten, or "average": over the ten, of training sets with the same number.
    method : str
        A key of `METHODS`.

    Returns
    -------
    Series
    """
    if category == AVERAGE:
        return by_category(frame, METHODS[method]).mean(axis=1)
    wanted = frame["category"] == category
    return by_category(frame[wanted], METHODS[method])[category]


@cache
def published():
    """Published breakevens by category and method, in per cent, from the claims and anchors."""
    return {
        (category or AVERAGE, entry.arguments["method"]): value
        for entry in printed("transductive_svm").values()
        if "method" in entry.arguments
        for category, value in entry.published.numbers.items()
    }


def rank(values, published_value):
    """Number of values below the published one, those equal to it counted half."""
    values = np.asarray(values)
    return float((values < published_value).sum() + 0.5 * (values == published_value).sum())


def reuters_table(frame, methods=tuple(METHODS)):
    """Layout of the published table, its values beside the reproduced ones.

    The reproduced values are the mean over training sets with half of its 95 % interval, their
    range, and the number of training sets below the published value.
    """
    numbers, table = published(), {}
    for method in methods:
        for category in (*categories_in(drawn(frame)), AVERAGE):
            found = breakevens(frame, category, method)
            value = numbers.get((category, method), np.nan)
            for name, text in {
                "published": f"{value:.1f}",
                "reproduced": f"{found.mean():.1f} ± {half_width(found):.1f}",
                "range": f"{found.min():.0f} to {found.max():.0f}",
                "below": f"{rank(found, value):g} of {len(found)}",
            }.items():
                table.setdefault((method, name), {})[category] = text
    return pd.DataFrame(table)


def under(options, choice, option):
    """Rows of a companion under one option."""
    return options[(options["choice"] == choice) & (options["option"] == option)]


def leads(rows, options):
    """Averages over the ten categories in each setting, in per cent.

    Returns
    -------
    DataFrame
        A row for the default and for each option: number of training sets, means of the methods,
        the TSVM's mean lead over the SVM, and half of its 95 % interval.
    """
    parts = {"default": rows}
    parts |= {
        ": ".join(key): part for key, part in options.groupby(["choice", "option"], sort=False)
    }
    table = {}
    for name, part in parts.items():
        found = {method: breakevens(part, AVERAGE, method) for method in METHODS}
        lead = found["TSVM"] - found["SVM"]
        table[name] = {"n": len(lead)} | {m: values.mean() for m, values in found.items()}
        table[name] |= {"lead": lead.mean(), "half": half_width(lead)}
    return pd.DataFrame(table).T


def mean_over_categories(frame, by, column):
    """Mean over the categories, a row for each number, a column for each value of `by`."""
    return frame.groupby([by, "number"], sort=False)[column].mean().unstack(by, sort=False)


@measure(ITEM)
def reuters_breakeven(rows, category, method):
    """Breakeven in per cent, by training set."""
    return Value(breakevens(rows, category, method))


@measure(ITEM)
def reuters_column(rows, method):
    """Breakevens in per cent of a method in the ten categories."""
    table = by_category(rows, METHODS[method])
    return Column({category: Value(table[category]) for category in table})


@measure(ITEM)
def reuters_above(frame, pairs, categories=AVERAGE):
    """Breakeven of the first method of each pair minus that of the second, by training set.

    `categories` is "average" over the ten, "all" for each of them, or a list of some. The numbers
    shown are the averages over the ten.
    """
    names = dict.fromkeys(name for pair in pairs for name in pair)
    tables = {name: by_category(frame, METHODS[name]) for name in names}
    shown = ", ".join(f"{name} {table.mean().mean():.1f}" for name, table in tables.items())
    gaps = [(tables[one] - tables[other]).dropna() for one, other in pairs]
    if categories == AVERAGE:
        gaps = [gap.mean(axis=1).to_numpy()[:, None] for gap in gaps]
        return Repeats(np.hstack(gaps), shown=f"{shown} %", gain=gaps[0][:, 0])
    wanted = list(CATEGORIES) if categories == "all" else list(categories)
    found = np.hstack([gap[wanted].to_numpy() for gap in gaps])
    least = f"{(found.mean(axis=0) > 0).sum()} of {found.shape[1]} ahead on average"
    return Repeats(found, shown=f"{least}; means of all ten: {shown} %")


@measure(ITEM)
def reuters_gain_range(frame, method, than, most, least):
    """Whether the gain in one category is above all others, and in another below all others."""
    gain = by_category(frame, METHODS[method]) - by_category(frame, METHODS[than])
    gaps = [gain[most] - gain[c] for c in gain if c != most]
    gaps += [gain[c] - gain[least] for c in gain if c not in (least, most)]
    means = gain.mean()
    shown = f"{most} {means[most]:+.1f}, {least} {means[least]:+.1f} percentage points; largest in "
    shown += f"{means.idxmax()}, smallest in {means.idxmin()}"
    return Repeats(np.column_stack(gaps), shown=shown)


@measure(ITEM)
def reuters_objective_falls(frame):
    """Objective of the labels that the algorithm starts from minus that of those it returns."""
    start, found = (by_category(frame, name) for name in ("objective_start", "objective"))
    return Repeats(
        (start - found).mean(axis=1).to_numpy(),
        shown=f"objective {start.mean().mean():.0f} at the start, {found.mean().mean():.0f} "
        "returned",
    )
