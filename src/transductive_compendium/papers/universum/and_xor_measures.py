"""AND and XOR among noise features: errors, and which features the classifiers use."""

import numpy as np

from ...verdicts.claims import measure
from ...verdicts.rules import Column, Repeats, Value

ITEM = "universum/and_xor"


def table(frame, column="error"):
    """A column in per cent: index draw, columns problem, universum and kernel."""
    names = ["problem", "universum", "kernel"]
    return 100.0 * frame.pivot(index="draw", columns=names, values=column)


def _shown(found, problems):
    parts = []
    for problem, kernel in problems:
        svm, own = (found[problem, name, kernel].mean() for name in ("none", "axes"))
        parts.append(f"{problem.upper()} {kernel} {svm:.1f} to {own:.1f}")
    return "; ".join(parts) + " %"


@measure(ITEM)
def toy_gains(rows, problems):
    """Error of the SVM minus that of the U-SVM: `problems` are pairs of a problem and a kernel."""
    found = table(rows)
    gaps = np.column_stack([found[p, "none", k] - found[p, "axes", k] for p, k in problems])
    return Repeats(gaps, shown=_shown(found, problems), gain=gaps.mean(axis=1))


@measure(ITEM)
def toy_input_shares(rows, problems):
    """Share of the relevant features in what moves f: that of the U-SVM minus that of the SVM."""
    found = table(rows, "share")
    gaps = np.column_stack([found[p, "axes", k] - found[p, "none", k] for p, k in problems])
    return Repeats(gaps, shown=_shown(found, problems))


@measure(ITEM)
def toy_no_learning(rows, problem, kernel, least, margin):
    """Error of the SVM minus that of the U-SVM, and how far each is below 50 per cent.

    The latter are scaled: at `least` per cent a classifier is as far away as the margin.
    """
    found = table(rows)
    svm, own = (found[problem, name, kernel] for name in ("none", "axes"))
    scale = margin / (50.0 - least)
    gaps = np.column_stack([svm - own, scale * (50.0 - svm), scale * (50.0 - own)])
    return Repeats(gaps, shown=_shown(found, [(problem, kernel)]))


@measure(ITEM)
def toy_column(rows, problem):
    """Errors by universum and kernel."""
    found = table(rows)[problem]
    return Column({f"{name} {kernel}": Value(found[name, kernel]) for name, kernel in found})
