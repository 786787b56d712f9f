"""Table 1: means, paired differences and evidence for each claim."""

import pandas as pd

from ...verdicts.claims import CLAIM, load_claims, measure
from ...verdicts.distributions import student_t_quantile
from ...verdicts.rules import (
    LEVEL,
    EquivalenceEvidence,
    OrderingEvidence,
    ShapeEvidence,
    ValueEvidence,
    corrected_t,
)
from .table_1_design import POOLED

PAPER = "transductive_regression"
TABLE, BOOSTING = f"{PAPER}/table_1", f"{PAPER}/boosting"

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


def _rows(frame, dataset, rule="median"):
    frame = frame[frame["dataset"] == dataset]
    return frame[frame["rule"] == rule] if "rule" in frame else frame


def errors(frame, dataset, method, rule="median"):
    """Test errors in per cent by split.

    Parameters
    ----------
    frame : DataFrame
        Rows of `table_1`, or of `boosting` for AB and AB_R.
    dataset : str
    method : {"SVM", "LD", "TLD", "start", "AB", "AB_R"}
        "start" is ridge regression with TLD's own gamma and sigma: Y0, where TLD starts.
    rule : {"median", "mean"}
        Which choice of the free parameters.

    Returns
    -------
    Series
    """
    return _rows(frame, dataset, rule).set_index("split")[_COLUMNS[method]]


def paired(frame, dataset, method, than, rule="median"):
    """Error of `than` less that of `method`, in percentage points, split by split."""
    return errors(frame, dataset, than, rule) - errors(frame, dataset, method, rule)


def overlap(frame, dataset):
    """Ratio of test to training points for Nadeau and Bengio's correction.

    Zero for the postal digits, whose runs share no training point.
    """
    if dataset in ("usps", POOLED):
        return 0.0
    rows = _rows(frame, dataset)
    return float((rows["n_test"] / rows["n_train"]).iloc[0])


def _sets(frame):
    """Data sets of the rows, in the paper's order, the second interpretation of Postal last."""
    return [d for d in (*NAMES, POOLED) if d in set(frame["dataset"])]


def set_name(dataset):
    """The paper's name of a data set."""
    return "Postal, pooled" if dataset == POOLED else NAMES.get(dataset, dataset)


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
        mean, corrected, df = corrected_t(gaps, overlap(frame, dataset))
        t = student_t_quantile(1 - LEVEL / 2, df)
        rows[dataset] = {"mean": mean, "naive": t * gaps.sem(), "corrected": t * corrected}
    return pd.DataFrame(rows).T


def published_errors():
    """Published errors by data set and method, in per cent, from the claims."""
    return {
        (c.arguments["dataset"], c.arguments["method"]): c.published["value"]
        for c in load_claims([PAPER])
        if c.measure == "table_1_error" and c.role == CLAIM
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


def rule_table(frame):
    """Errors by rule of choice, and TLD less its own Y0: mean and standard error, in per cent."""
    table = {}
    for rule in frame["rule"].unique():
        for method in ("SVM", "LD", "TLD"):
            table[rule, method] = {
                set_name(d): _with_error(errors(frame, d, method, rule)) for d in _sets(frame)
            }
        table[rule, "TLD less Y0"] = {
            set_name(d): _with_error(-paired(frame, d, "TLD", "start", rule)) for d in _sets(frame)
        }
    return pd.DataFrame(table)


def means(frame, dataset, methods, rule="median"):
    """Mean errors of several methods, in per cent to one decimal, as the paper prints them."""
    return {m: round(float(errors(frame, dataset, m, rule).mean()), 1) for m in methods}


@measure
def table_1_error(frames, dataset, method):
    """Mean test error in per cent."""
    (frame,) = frames.values()
    return ValueEvidence(errors(frame, dataset, method))


@measure
def table_1_less(frames, dataset, method, than):
    """One method's error below another's, on the same splits."""
    frame = frames[TABLE]
    return OrderingEvidence(paired(frame, dataset, method, than), overlap(frame, dataset))


@measure
def table_1_same(frames, dataset, method, than):
    """Two methods' errors alike, over the partitions of this set."""
    return EquivalenceEvidence(paired(frames[TABLE], dataset, method, than))


@measure
def table_1_nowhere_above(frames, method, than, rule="median"):
    """Whether a method's mean error, as printed, is nowhere above another's."""
    found = {d: means(frames[TABLE], d, (method, than), rule) for d in NAMES}
    return ShapeEvidence(
        all(m[method] <= m[than] for m in found.values()),
        f"{method} and {than}: "
        + ", ".join(f"{NAMES[d]} {m[method]:.1f} and {m[than]:.1f}" for d, m in found.items()),
    )


@measure
def table_1_best(frames, method, datasets):
    """Whether a method's mean error, as printed, is the smallest, or shares that place."""
    holds, details = True, []
    for dataset in datasets:
        found = means(frames[TABLE], dataset, ("SVM", "TLD"))
        if dataset != "usps":
            found |= means(frames[BOOSTING], dataset, ("AB", "AB_R"))
        holds &= found[method] == min(found.values())
        details.append(f"{NAMES[dataset]}: " + ", ".join(f"{m} {e:.1f}" for m, e in found.items()))
    return ShapeEvidence(holds, "; ".join(details))
