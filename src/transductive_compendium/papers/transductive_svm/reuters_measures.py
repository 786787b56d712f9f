"""Reuters-21578: from recorded rows to the document's table, its place among our draws, claims."""

from __future__ import annotations

from math import comb

import numpy as np
import pandas as pd

from ...verdicts import overlapping_splits as draws
from ...verdicts.claims import CLAIM, load_claims, measure
from ...verdicts.rules import (
    LEVEL,
    IdentityEvidence,
    OrderingEvidence,
    ShapeEvidence,
    ValueEvidence,
)
from .reuters import ALL, CATEGORIES, N_TRAIN, OTHER_READINGS, STRATIFIED

__all__ = [
    "AVERAGE",
    "DRAWS",
    "METHODS",
    "NEAREST",
    "OWN",
    "READINGS",
    "acceptance",
    "breakevens",
    "changes_table",
    "curve",
    "draws_table",
    "failures",
    "published",
    "rank",
    "reuters_table",
]

DOCUMENT = "transductive_svm"
TABLE, LEARNING = f"{DOCUMENT}/reuters_table", f"{DOCUMENT}/reuters_learning"
CHANGES = f"{DOCUMENT}/reuters_parameters"

#: The document's names and our columns; other readings after them.
METHODS = {"Bayes": "bayes", "SVM": "svm", "TSVM": "tsvm"}
READINGS = {
    "Bayes, whole vocabulary": "bayes_whole",
    "TSVM, true number": "tsvm_true",
    "TSVM, balanced costs": "tsvm_even",
    "TSVM, balanced costs, true number": "tsvm_even_true",
}
#: The reading of Algorithm TSVM that comes nearest to the printed table.
NEAREST = "TSVM, balanced costs, true number"
AVERAGE = "average"
#: Documents of the training part, from which draws are made.
POOL = 9603
#: A draw for each category, with a positive document of it; the others serve all ten.
OWN = "own"
DRAWS = {OWN: "one draw per category", ALL: "all ten in one draw", STRATIFIED: "stratified"}


def breakevens(frame, category, method, draw=OWN):
    """Breakevens in per cent by number of the draw.

    Parameters
    ----------
    frame : DataFrame
        Rows of `reuters_table`.
    category : str
        One of the ten, or "average": over the ten, of draws with the same number.
    method : str
        One of `METHODS` or `READINGS`.
    draw : {"own", "all ten", "stratified"}

    Returns
    -------
    Series
    """
    wanted = frame["category"] if draw == OWN else draw
    column = (METHODS | READINGS)[method]
    values = frame[frame["condition"] == wanted].pivot(
        index="number", columns="category", values=column
    )
    return values[list(CATEGORIES)].mean(axis=1) if category == AVERAGE else values[category]


def published():
    """Published breakevens by category and method, in per cent, from the claims."""
    return {
        (c.arguments["category"], c.arguments["method"]): c.published["value"]
        for c in load_claims([DOCUMENT])
        if c.measure == "reuters_breakeven" and c.role == CLAIM
    }


def rank(values, printed):
    """Number of draws below a printed value, those equal to it counted half."""
    values = np.asarray(values)
    return float((values < printed).sum() + 0.5 * (values == printed).sum())


def reuters_table(frame, draw=OWN, methods=tuple(METHODS)):
    """Layout of the document: printed, ours (mean, standard error, range), and draws below it."""
    printed, table = published(), {}
    for method in methods:
        for category in (*CATEGORIES, AVERAGE):
            ours = breakevens(frame, category, method, draw)
            theirs = printed.get((category, method.split(",")[0]), np.nan)
            for name, text in {
                "printed": f"{theirs:.1f}",
                "ours": f"{ours.mean():.1f} ± {ours.sem():.1f}",
                "range": f"{ours.min():.0f} to {ours.max():.0f}",
                "below": f"{rank(ours, theirs):g} of {len(ours)}",
            }.items():
                table.setdefault((method, name), {})[category] = text
    return pd.DataFrame(table)


def draws_table(frame):
    """Averages over the ten categories by way of drawing: mean ± standard deviation of a draw."""
    table = {}
    for draw, name in DRAWS.items():
        for method in METHODS | READINGS:
            ours = breakevens(frame, AVERAGE, method, draw)
            table.setdefault(method, {})[name] = f"{ours.mean():.1f} ± {ours.std():.1f}"
    return pd.DataFrame(table)


def failures(frame):
    """Share of draws, one per category, in per cent, that end with a breakeven below 10 %.

    Returns
    -------
    DataFrame
        A row for each number of positives among the 17, one or more; the number of draws, and the
        shares of the SVM and of the `NEAREST` reading.
    """
    own = frame[frame["condition"] == frame["category"]]
    few = np.where(own["train_positives"] == 1, "one", "more")
    methods = {m: (METHODS | READINGS)[m] for m in ("SVM", NEAREST)}
    table = {m: 100.0 * (own[c] < 10.0).groupby(few).mean() for m, c in methods.items()}
    draws = own.groupby(few).size()
    return pd.DataFrame({"draws": draws} | table).reindex(["one", "more"]).rename_axis("positive")


def acceptance(frame):
    """Draws kept and tried, and their ratio in per cent, by condition of the draw."""
    draws = frame.drop_duplicates(["condition", "number"])
    table = draws.groupby("condition", sort=False)["tries"].agg(kept="size", tried="sum")
    return table.assign(acceptance=100.0 * table["kept"] / table["tried"])


# ---- sensitivity and learning curves -------------------------------------------------------------


def _by_draw(frame, by, column):
    """Mean over the categories, by draw and by another column."""
    return frame.groupby([by, "number"], sort=False)[column].mean().unstack(by, sort=False)


def changes_table(frame):
    """Averages over the ten categories by change, and differences on the same draws.

    Returns
    -------
    DataFrame
        A row for each change: means of the methods; TSVM less SVM, and TSVM less the TSVM with
        nothing changed, each with its standard error over draws.
    """
    tables = []
    for changed, rows in frame.groupby("changed", sort=False):
        means = {method: _by_draw(rows, "change", column) for method, column in METHODS.items()}
        table = pd.DataFrame({method: values.mean() for method, values in means.items()})
        tsvm = means["TSVM"]
        less = {"SVM": means["SVM"], "unchanged": tsvm[["nothing"]].to_numpy()}
        for than, other in less.items():
            gain = tsvm - other
            table[f"TSVM less {than}"], table[f"error of TSVM less {than}"] = (
                gain.mean(),
                gain.sem(),
            )
        tables.append(pd.concat({changed: table}, names=["changed"]))
    return pd.concat(tables)


def curve(frame, over, column):
    """Learning curve of averages over the ten categories.

    Parameters
    ----------
    frame : DataFrame
        Rows of `reuters_learning`.
    over : {"n_train", "n_test"}
        The other number is the document's.
    column : str

    Returns
    -------
    DataFrame
        A column for each number of documents, a row for each draw; NaN where there were fewer.
    """
    kept = _at_most(frame) if over == "n_train" else frame[frame["n_train"] == N_TRAIN]
    return _by_draw(kept, over, column)


def _at_most(frame):
    return frame[frame["n_test"] == frame["n_test"].max()]


# ---- evidence ------------------------------------------------------------------------------------


@measure
def reuters_breakeven(frames, category, method, draw=OWN):
    """Breakeven in per cent: our draws beside the document's one."""
    return ValueEvidence(breakevens(frames[TABLE], category, method, draw))


@measure
def reuters_above(frames, category, method, than, draw=OWN):
    """One method above another on the same draws, for one category or on average.

    Draws of 17 out of 9603 hardly ever share a document, so nothing is corrected for overlap. The
    test part is the document's; what holds of it says nothing about other documents.
    """
    frame = frames[TABLE]
    ours, other = (breakevens(frame, category, m, draw) for m in (method, than))
    return OrderingEvidence(ours - other)


@measure
def reuters_above_in_all(frames, method, than):
    """Whether a method's mean is above another's in each of the ten categories."""
    means = {
        category: [breakevens(frames[TABLE], category, m).mean() for m in (method, than)]
        for category in CATEGORIES
    }
    return ShapeEvidence(
        all(ours > other for ours, other in means.values()),
        f"{method} and {than}: "
        + ", ".join(f"{c} {ours:.1f} and {other:.1f}" for c, (ours, other) in means.items()),
    )


@measure
def reuters_within_draws(frames, method, draw=OWN):
    """Whether no more of the ten printed rows lie outside the range of our draws than by chance.

    One more draw lies outside the range of n others with probability 2/(n + 1), so that among ten
    rows some often do. It fails if at least as many as are outside would be with a probability
    below 5 %, by the binomial distribution (as though rows were independent). The average has a
    claim of its own.
    """
    printed, outside = published(), []
    for category in CATEGORIES:
        ours = breakevens(frames[TABLE], category, method, draw)
        theirs = printed[category, method.split(",")[0]]
        if not ours.min() <= theirs <= ours.max():
            outside.append(f"{category} {theirs:.1f}, ours {ours.min():.1f} to {ours.max():.1f}")
    chance = chance_outside(len(outside), len(ours))
    words = "outside: " + "; ".join(outside) if outside else "all within"
    return ShapeEvidence(
        chance >= LEVEL,
        f"{words} ({len(outside)} of {len(CATEGORIES)} rows or more: probability {chance:.2g} for "
        f"one draw more beside {len(ours)})",
    )


def chance_outside(k, n):
    """Probability that k or more of ten rows of one more draw lie outside the range of n draws."""
    p, rows = 2 / (n + 1), len(CATEGORIES)
    return sum(comb(rows, i) * p**i * (1 - p) ** (rows - i) for i in range(k, rows + 1))


@measure
def reuters_printed_average(frames, method):
    """The printed average against the mean of the ten printed rows, in points."""
    printed = published()
    mean = np.mean([printed[category, method] for category in CATEGORIES])
    return IdentityEvidence(abs(printed[AVERAGE, method] - mean))


@measure
def reuters_order_stays(frames, method, than):
    """Whether a method's average is above another's whatever is changed but the reading."""
    table = changes_table(frames[CHANGES])
    table = table[~table.index.get_level_values("change").isin(OTHER_READINGS)]
    gains = table[method] - table[than]
    words = [f"{change}: {gain:+.1f}" for (_, change), gain in gains.items()]
    return ShapeEvidence((gains > 0).all(), ", ".join(words))


def _gain(frame, over, reading, at_all=False):
    end = "_all" if at_all else ""
    return curve(frame, over, f"{reading}{end}") - curve(frame, over, f"svm{end}")


def overlap(n_train):
    """What draws of so many of the `POOL` documents add to 1/n."""
    return draws.overlap(n_train, POOL)


@measure
def reuters_gain_at(frames, n_train, reading="tsvm"):
    """Gain of the TSVM over the SVM with all test documents and this number to train on.

    Its draws overlap: `overlap`.
    """
    gain = _gain(frames[LEARNING], "n_train", reading)[n_train].dropna()
    return OrderingEvidence(gain, test_train_ratio=overlap(n_train))


@measure
def reuters_gain_falls(frames, few, many, reading="tsvm"):
    """The gain with few training documents less that with many.

    The draws of either are independent of the other's and paired by their number alone, and the
    overlap of either goes with its own variance: s^2 r is the sum of both s^2 r.
    """
    gain = _gain(frames[LEARNING], "n_train", reading)[[few, many]].dropna()
    spread = gain.var()
    ratio = sum(spread[n] * overlap(n) for n in (few, many)) / spread.sum()
    return OrderingEvidence(gain[few] - gain[many], test_train_ratio=ratio)


@measure
def reuters_gain_rises(frames, reading="tsvm", at_all=False):
    """The gain with all test documents less that with fewest; training documents are the same."""
    gain = _gain(frames[LEARNING], "n_test", reading, at_all)
    return OrderingEvidence(gain[gain.columns.max()] - gain[gain.columns.min()])
