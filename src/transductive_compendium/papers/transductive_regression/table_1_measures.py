"""Table 1: means, paired differences and evidence for each claim."""

from itertools import pairwise

import numpy as np
import pandas as pd

from ...verdicts.claims import measure, of_rows, printed
from ...verdicts.overlapping_splits import half_width
from ...verdicts.rules import Column, Repeats, Value
from .figure_1_measures import both
from .table_1_splits import POOLED

PAPER = "transductive_regression"
TABLE, BOOSTING = f"{PAPER}/table_1", f"{PAPER}/boosting"
METHODS = ("TLD", "SVM", "AB", "AB_R")
RIVALS = METHODS[1:]
#: Half of the last printed digit.
TIE = 0.05

#: The paper's names, in its order.
NAMES = {
    "usps": "Postal",
    "banana": "Banana",
    "ida_diabetis": "Diabetes",
    "ida_titanic": "Titanic",
    "ida_breast_cancer": "Breast Cancer",
    "ida_heart": "Heart",
    "ida_thyroid": "Thyroid",
}
_COLUMNS = {
    "SVM": "svm_error",
    "LD": "ld_error",
    "TLD": "tld_error",
    "start": "start_error",
    "AB": "ab_error",
    "AB_R": "ab_reg_error",
}


@of_rows
def errors(frame, dataset, method):
    """Test errors in per cent by split.

    Parameters
    ----------
    frame : DataFrame
        Rows of `table_1`, or of `boosting` for AB and AB_R.
    dataset : str
    method : {"SVM", "LD", "TLD", "start", "AB", "AB_R"}
        "start" is ridge regression with TLD's own gamma and sigma: its Y0.

    Returns
    -------
    Series
    """
    return frame[frame["dataset"] == dataset].set_index("split")[_COLUMNS[method]]


def paired(frame, dataset, method, than):
    """Error of `than` minus that of `method`, in percentage points, split by split."""
    return errors(frame, dataset, than) - errors(frame, dataset, method)


def overlap(frame, dataset):
    """Ratio of test to training points for Nadeau and Bengio's correction.

    Zero for the postal digits, whose runs share no training point within each 23.
    """
    if dataset in ("usps", POOLED):
        return 0.0
    rows = frame[frame["dataset"] == dataset]
    return float((rows["n_test"] / rows["n_train"]).iloc[0])


#: Names of the postal digits on pages: the printed SVM identifies the rest of the training part.
_POSTAL_NAMES = {POOLED: "Postal", "usps": "Postal, published test part"}


def _sets(frame):
    """Data sets of the rows in the paper's order, the published postal test part, substitutes."""
    order = (POOLED, *(d for d in NAMES if d != "usps"), "usps", *frame["dataset"])
    return [d for d in dict.fromkeys(order) if d in set(frame["dataset"])]


def set_name(dataset):
    """The paper's name of a data set."""
    return (NAMES | _POSTAL_NAMES).get(dataset, dataset)


def intervals(frame, method, than):
    """Mean paired differences ``method - than`` and half-widths of their 95 % intervals.

    Returns
    -------
    DataFrame
        One row per data set: mean, naive, corrected, in percentage points.
    """
    rows = {}
    for dataset in _sets(frame):
        gaps = -paired(frame, dataset, method, than)
        naive, corrected = (half_width(gaps, o) for o in (0.0, overlap(frame, dataset)))
        rows[dataset] = {"mean": gaps.mean(), "naive": naive, "corrected": corrected}
    return pd.DataFrame(rows).T


def published_errors():
    """Published errors by data set and method, in per cent, from claims and anchors."""
    return {
        (dataset, entry.arguments["method"]): entry.published.cells[name]
        for entry in printed(PAPER).values()
        if entry.measure == "table_1_column"
        for dataset, name in (NAMES | {POOLED: "Postal"}).items()
        if name in entry.published.cells
    }


def _with_error(values):
    return (
        f"{values.mean():.2f} ± {values.sem():.2f}" if len(values) > 1 else f"{values.mean():.2f}"
    )


def error_table(frame, boosted):
    """Published and reproduced errors in per cent, with standard errors; one row per data set."""
    published, table = published_errors(), {}
    for method in ("SVM", "TLD", "LD", "AB", "AB_R"):
        rows = boosted if method.startswith("AB") else frame
        for dataset in _sets(frame):
            if method != "LD":
                number = published.get((dataset, method))
                text = "" if number is None else f"{number:.1f}"
                table.setdefault((method, "published"), {})[set_name(dataset)] = text
            reproduced = errors(rows, dataset, method)
            table.setdefault((method, "reproduced"), {})[set_name(dataset)] = (
                _with_error(reproduced) if len(reproduced) else ""
            )
    return pd.DataFrame(table, index=[set_name(d) for d in _sets(frame)])


def rule_table(frames):
    """Errors by rule of choice, and TLD minus its own Y0: mean and standard error, in per cent.

    Parameters
    ----------
    frames : dict of str to DataFrame
        Rows of `table_1` by rule.
    """
    table = {}
    for rule, frame in frames.items():
        for method in ("SVM", "LD", "TLD"):
            table[rule, method] = {
                set_name(d): _with_error(errors(frame, d, method)) for d in _sets(frame)
            }
        table[rule, "TLD less Y0"] = {
            set_name(d): _with_error(-paired(frame, d, "TLD", "start")) for d in _sets(frame)
        }
    return pd.DataFrame(table)


#: Whether rivals have their printed numbers, by option of "rivals".
_QUOTED = {"trained": False, "quoted": True}
#: Rows of the postal digits, by option of "postal_test".
_POSTAL = {"published": "usps", "rest": POOLED}


def _judged(frames, dataset, method, rivals, postal_test):
    """Errors by split; of a rival that is quoted, the printed number in their place.

    Parameters
    ----------
    frames : dict
    dataset, method : str
    rivals : {"trained", "quoted"}
        Whether the rivals of the transductive discriminant are ours, or the printed numbers of
        their own paper, which has no postal digits.
    postal_test : {"published", "rest"}
        Whether postal digits are tested on the published test part or on the rest of the other.
    """
    rows = _POSTAL[postal_test] if dataset == "usps" else dataset
    found = errors(frames[BOOSTING if method.startswith("AB") else TABLE], rows, method)
    if _QUOTED[rivals] and method in RIVALS and dataset != "usps":
        return pd.Series(published_errors()[dataset, method], found.index)
    return found


@measure()
def table_1_column(frames, method, rivals="trained", postal_test="published"):
    """Test errors of a method on every set with a printed error."""
    sets = [d for d in NAMES if d != "usps" or not method.startswith("AB")]
    found = {d: _judged(frames, d, method, rivals, postal_test) for d in sets}
    return Column({NAMES[d]: Value(values) for d, values in found.items()})


class _Repetitions:
    """Mean errors of a repetition, by data set and method, on the same splits for all methods.

    A repetition of a hundred partitions has 23 postal runs.
    """

    def __init__(self, frames, methods, sets, rivals="trained", postal_test="published"):
        self.errors, counts = {}, []
        for dataset in sets:
            found = {}
            for method in methods:
                if dataset == "usps" and method.startswith("AB"):
                    continue
                found[method] = _judged(frames, dataset, method, rivals, postal_test)
            common = sorted(set.intersection(*(set(found[m].index) for m in found)))
            self.errors[dataset] = {m: e.loc[common].to_numpy() for m, e in found.items()}
            if dataset != "usps":
                counts.append(len(common))
        self.n = min(counts)

    def whole(self):
        """Mean errors of all splits by data set and method."""
        return {d: {m: e.mean() for m, e in table.items()} for d, table in self.errors.items()}

    def means(self, picks):
        """Mean errors by data set and method, of each row of `picks`; of all in order, `whole`."""
        if np.array_equal(picks, np.arange(self.n)[None]):
            return {d: {m: e[None] for m, e in row.items()} for d, row in self.whole().items()}
        found = {}
        for dataset, table in self.errors.items():
            rows = picks
            if dataset == "usps":
                n = len(next(iter(table.values())))
                rows = picks[:, : max(1, round(0.23 * picks.shape[1]))] % n
            found[dataset] = {method: e[rows].mean(axis=1) for method, e in table.items()}
        return found

    def repeats(self, gaps, shown):
        """Evidence: `gaps`, a list of them, and `shown` of the mean errors."""

        def of(picks):
            return np.transpose(gaps(self.means(picks)))

        return Repeats(of, self.n, shown=shown(self.whole()), vectorized=True)


def _pairs(means, first, second):
    return (
        ", ".join(f"{NAMES[d]} {m[first]:.1f}/{m[second]:.1f}" for d, m in means.items())
        + f" ({first}/{second})"
    )


@measure(TABLE)
def table_1_nowhere_above(rows, method, than, rivals="trained", postal_test="published"):
    """Whether a method's error is below another's on each set, up to half a digit on Titanic."""

    def gaps(means):
        return [
            m[than] - m[method] + (TIE if d == "ida_titanic" else 0.0) for d, m in means.items()
        ]

    found = _Repetitions({TABLE: rows}, (method, than), NAMES, rivals, postal_test)
    return found.repeats(gaps, lambda means: _pairs(means, method, than))


@measure(TABLE, BOOSTING)
def table_1_best(frames, method, datasets, rivals="trained", postal_test="published"):
    """Lowest error of the other methods of a row minus that of `method`."""

    def gaps(means):
        return [
            np.min([e for m, e in row.items() if m != method], axis=0) - row[method]
            for row in means.values()
        ]

    def shown(means):
        rows = []
        for d, row in means.items():
            others = {m: e for m, e in row.items() if m != method}
            next_best = min(others, key=others.get)
            rows.append(f"{NAMES[d]} {row[method]:.1f} ({next_best} {others[next_best]:.1f})")
        return ", ".join(rows)

    found = _Repetitions(frames, METHODS, datasets, rivals, postal_test)
    return found.repeats(gaps, shown)


@measure(TABLE, BOOSTING)
def table_1_rank(frames, method, rivals="trained"):
    """Next smallest mean rank over the sets with four methods, minus that of `method`."""
    sets = [d for d in NAMES if d != "usps"]

    def ranks(means):
        table = np.array([[means[d][m] for m in METHODS] for d in sets])
        return dict(
            zip(METHODS, (np.argsort(np.argsort(table, axis=1), axis=1) + 1).mean(0), strict=True)
        )

    def gaps(means):
        found = ranks(means)
        return [np.min([r for m, r in found.items() if m != method], axis=0) - found[method]]

    def shown(means):
        return "mean ranks " + ", ".join(f"{m} {r:.2f}" for m, r in ranks(means).items())

    return _Repetitions(frames, METHODS, sets, rivals).repeats(gaps, shown)


@measure(TABLE, BOOSTING)
def table_1_order(frames, orders, rivals="trained"):
    """Whether each method's error is below that of the next, for the orders of several sets.

    Parameters
    ----------
    frames : dict
    orders : dict of str to list of str
        By data set: methods, the lowest error first.
    rivals : {"trained", "quoted"}
    """

    def gaps(means):
        return [
            means[d][worse] - means[d][better]
            for d, order in orders.items()
            for better, worse in pairwise(order)
        ]

    def shown(means):
        return "; ".join(
            f"{NAMES[d]} " + ", ".join(f"{m} {means[d][m]:.1f}" for m in order)
            for d, order in orders.items()
        )

    return _Repetitions(frames, METHODS, list(orders), rivals).repeats(gaps, shown)


@measure(TABLE, BOOSTING)
def table_1_tie(frames, dataset, first, second, rivals="trained"):
    """Whether two methods' errors agree to half a digit, and both are below the other two."""

    def gaps(means):
        row = means[dataset]
        rest = np.min([e for m, e in row.items() if m not in (first, second)], axis=0)
        return TIE - abs(row[first] - row[second]), rest - np.maximum(row[first], row[second])

    def shown(means):
        return ", ".join(f"{m} {e:.2f}" for m, e in means[dataset].items())

    return _Repetitions(frames, METHODS, [dataset], rivals).repeats(gaps, shown)


@measure(TABLE)
def table_1_all_sets(rows, method, than, postal_test="published"):
    """Mean over the sets of one method's lead over another."""

    def lead(means):
        return [np.mean([m[than] - m[method] for m in means.values()], axis=0)]

    found = _Repetitions({TABLE: rows}, (method, than), NAMES, postal_test=postal_test)
    return found.repeats(
        lead, lambda means: f"lead {lead(means)[0]:.2f} percentage points on average"
    )


def _spread(picks, n, size):
    """Indices into an experiment's `size` splits, which all count, for picks out of `n`."""
    blocks = max(1, size // n)
    return (picks + n * (np.arange(picks.shape[-1]) % blocks)) % size


@measure(*(f"{PAPER}/figure_1{panel}" for panel in "acd"), TABLE)
def somewhere_better(frames, places, rivals="trained", postal_test="published"):
    """Largest gain over the figures, and largest lead over the SVM over the sets of Table 1.

    Parameters
    ----------
    frames : dict
    places : dict of str to str
        Place, for each item of figure 1, where the gain is taken.
    rivals : {"trained", "quoted"}
    postal_test : {"published", "rest"}
    """
    found, gains = _Repetitions(frames, ("TLD", "SVM"), NAMES, rivals, postal_test), {}
    for item, place in places.items():
        ridge, transductive = both(frames[f"{PAPER}/{item}"])
        gains[item] = (ridge - transductive)[place].to_numpy() / ridge[place].mean()

    def gaps(picks):
        leads = [m["SVM"] - m["TLD"] for m in found.means(picks).values()]
        whole = np.array_equal(picks, np.arange(found.n)[None])
        rows = {
            len(gain): np.arange(len(gain))[None] if whole else _spread(picks, found.n, len(gain))
            for gain in gains.values()
        }
        most = np.max([gain[rows[len(gain)]].mean(axis=1) for gain in gains.values()], axis=0)
        return np.transpose([most, np.max(leads, axis=0)])

    leads = {d: m["SVM"] - m["TLD"] for d, m in found.whole().items()}
    best = max(leads, key=leads.get)
    shown = ", ".join(f"{item}: gain {100 * g.mean():.1f} %" for item, g in gains.items())
    shown = f"{shown}; {NAMES[best]}: lead {leads[best]:.2f} percentage points"
    return Repeats(gaps, found.n, shown=shown, vectorized=True)
