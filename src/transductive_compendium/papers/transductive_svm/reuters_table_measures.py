"""Measures of the table of Reuters: breakevens beside the published ones, and their order."""

from functools import cache
from math import comb

import numpy as np
import pandas as pd

from ...datasets.reuters_corpus import CATEGORIES
from ...verdicts.claims import CLAIM, load_claims, measure
from ...verdicts.rules import (
    LEVEL,
    IdentityEvidence,
    OrderingEvidence,
    ShapeEvidence,
    ValueEvidence,
)
from .reuters_design import ALL, METHODS, STRATIFIED

ITEM = "transductive_svm/reuters_table"
#: Other interpretations by their columns: of naive Bayes, and of Algorithm TSVM.
INTERPRETATIONS = {
    "Bayes, whole vocabulary": "bayes_whole",
    "TSVM, true number": "tsvm_true",
    "TSVM, balanced costs": "tsvm_even",
    "TSVM, balanced costs, true number": "tsvm_even_true",
}
COLUMNS = METHODS | INTERPRETATIONS
#: The interpretation of Algorithm TSVM that comes nearest to the published table.
NEAREST = "TSVM, balanced costs, true number"
AVERAGE = "average"
#: A training set for each category, with a positive document of it; the others serve all ten.
OWN = "own"
TRAINING_SETS = {OWN: "one draw per category", ALL: "all ten in one draw", STRATIFIED: "stratified"}


def breakevens(frame, category, method, draw=OWN):
    """Breakevens in per cent by number of the training set.

    Parameters
    ----------
    frame : DataFrame
        Rows of the experiment.
    category : str
        One of the ten, or "average": over the ten, of training sets with the same number.
    method : str
        A key of `COLUMNS`.
    draw : {"own", "all ten", "stratified"}

    Returns
    -------
    Series
    """
    wanted = frame["category"] if draw == OWN else draw
    values = frame[frame["condition"] == wanted].pivot(
        index="number", columns="category", values=COLUMNS[method]
    )
    return values[list(CATEGORIES)].mean(axis=1) if category == AVERAGE else values[category]


@cache
def published():
    """Published breakevens by category and method, in per cent, from the claims."""
    return {
        (c.arguments["category"], c.arguments["method"]): c.published["value"]
        for c in load_claims(["transductive_svm"])
        if c.measure == "reuters_breakeven" and c.role == CLAIM
    }


def rank(values, published_value):
    """Number of values below the published one, those equal to it counted half."""
    values = np.asarray(values)
    return float((values < published_value).sum() + 0.5 * (values == published_value).sum())


def reuters_table(frame, draw=OWN, methods=tuple(METHODS)):
    """Layout of the published table, its values beside the reproduced ones.

    These are the mean over training sets with its standard error, their range, and how many of
    them are below the published value.
    """
    numbers, table = published(), {}
    for method in methods:
        for category in (*CATEGORIES, AVERAGE):
            found = breakevens(frame, category, method, draw)
            value = numbers.get((category, method.split(",")[0]), np.nan)
            for name, text in {
                "published": f"{value:.1f}",
                "reproduced": f"{found.mean():.1f} ± {found.sem():.1f}",
                "range": f"{found.min():.0f} to {found.max():.0f}",
                "below": f"{rank(found, value):g} of {len(found)}",
            }.items():
                table.setdefault((method, name), {})[category] = text
    return pd.DataFrame(table)


def draws_table(frame):
    """Averages over the ten categories by kind of training set: mean ± standard deviation."""
    table = {}
    for draw, name in TRAINING_SETS.items():
        for method in COLUMNS:
            found = breakevens(frame, AVERAGE, method, draw)
            table.setdefault(method, {})[name] = f"{found.mean():.1f} ± {found.std():.1f}"
    return pd.DataFrame(table)


def failures(frame):
    """Share of training sets, one per category, in per cent, that give a breakeven below 10 %.

    Returns
    -------
    DataFrame
        A row for each number of positives among the 17, one or more; their number, and the
        shares of the SVM and of the `NEAREST` interpretation.
    """
    own = frame[frame["condition"] == frame["category"]]
    few = np.where(own["train_positives"] == 1, "one", "more")
    methods = {m: COLUMNS[m] for m in ("SVM", NEAREST)}
    table = {m: 100.0 * (own[c] < 10.0).groupby(few).mean() for m, c in methods.items()}
    draws = own.groupby(few).size()
    return pd.DataFrame({"draws": draws} | table).reindex(["one", "more"]).rename_axis("positive")


def acceptance(frame):
    """Training sets kept and tried, and their ratio in per cent, by condition."""
    draws = frame.drop_duplicates(["condition", "number"])
    table = draws.groupby("condition", sort=False)["tries"].agg(kept="size", tried="sum")
    return table.assign(acceptance=100.0 * table["kept"] / table["tried"])


def mean_over_categories(frame, by, column):
    """Mean over the categories, a row for each number, a column for each value of `by`."""
    return frame.groupby([by, "number"], sort=False)[column].mean().unstack(by, sort=False)


@measure
def reuters_breakeven(frames, category, method, draw=OWN):
    """Breakeven in per cent: our training sets beside the paper's one."""
    return ValueEvidence(breakevens(frames[ITEM], category, method, draw))


@measure
def reuters_above(frames, category, method, than, draw=OWN):
    """One method above another on the same training sets, for one category or on average.

    Two sets of 17 out of 9603 hardly ever share a document, so nothing is corrected for overlap.
    The test part is the paper's; what holds of it says nothing about other documents.
    """
    frame = frames[ITEM]
    one, other = (breakevens(frame, category, m, draw) for m in (method, than))
    return OrderingEvidence(one - other)


@measure
def reuters_above_in_all(frames, method, than):
    """Whether a method's mean is above another's in each of the ten categories."""
    means = {
        category: [breakevens(frames[ITEM], category, m).mean() for m in (method, than)]
        for category in CATEGORIES
    }
    return ShapeEvidence(
        all(one > other for one, other in means.values()),
        f"{method} and {than}: "
        + ", ".join(f"{c} {one:.1f} and {other:.1f}" for c, (one, other) in means.items()),
    )


@measure
def reuters_within_draws(frames, method, draw=OWN):
    """Whether no more of the ten published rows lie outside the range of ours than by chance.

    One more training set lies outside the range of n others with probability 2/(n + 1), so that
    among ten rows some often do. It fails if at least as many as are outside would be with a
    probability below 5 %, by the binomial distribution (as though rows were independent). The
    average has a claim of its own.
    """
    numbers, outside = published(), []
    for category in CATEGORIES:
        found = breakevens(frames[ITEM], category, method, draw)
        value, low, high = numbers[category, method.split(",")[0]], found.min(), found.max()
        if not low <= value <= high:
            outside.append(f"{category} {value:.1f}, reproduced {low:.1f} to {high:.1f}")
    chance = chance_outside(len(outside), len(found))
    words = "outside: " + "; ".join(outside) if outside else "all within"
    return ShapeEvidence(
        chance >= LEVEL,
        f"{words} ({len(outside)} of {len(CATEGORIES)} rows or more: probability {chance:.2g} for "
        f"one training set more beside {len(found)})",
    )


def chance_outside(k, n):
    """Probability that k or more of ten rows of one more set lie outside the range of n sets."""
    p, rows = 2 / (n + 1), len(CATEGORIES)
    return sum(comb(rows, i) * p**i * (1 - p) ** (rows - i) for i in range(k, rows + 1))


@measure
def reuters_printed_average(frames, method):
    """The published average against the mean of the ten published rows, in percentage points."""
    numbers = published()
    mean = np.mean([numbers[category, method] for category in CATEGORIES])
    return IdentityEvidence(abs(numbers[AVERAGE, method] - mean))
