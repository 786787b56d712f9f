"""Regularisers in the U-SVM: the identities, and the SVMs that it should equal."""

from __future__ import annotations

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics

ITEM = "universum/regularisers"


@measure
def given_weights(frames, regularisers):
    """Relative difference of universum term and regulariser for given hyperplanes."""
    rows = frames[ITEM]
    rows = rows[(rows["part"] == "given") & rows["regulariser"].isin(regularisers)]
    return Mathematics(error=float(rows.loc[rows["violated"] == "none", "identity"].max()))


@measure
def conditions_needed(frames, least):
    """Whether the two sides differ by at least `least` when a condition fails."""
    rows = frames[ITEM]
    rows = rows[(rows["part"] == "given") & (rows["violated"] != "none")]
    found = rows.groupby(["regulariser", "violated"])["identity"].median()
    words = [f"{name} ({what}) {gap:.2g}" for (name, what), gap in found.items()]
    return Mathematics(
        true=int((found >= least).sum()),
        cases=len(found),
        shown=f"median relative difference: {', '.join(words)}",
    )


@measure
def same_machine(frames, regulariser, columns):
    """Largest relative difference of the trained U-SVM and the SVM without a universum."""
    rows = frames[ITEM]
    rows = rows[(rows["part"] == "quadratic") & (rows["regulariser"] == regulariser)]
    return Mathematics(error=float(rows[columns].max().max()))


def _paths(frames):
    rows = frames[ITEM]
    return rows[(rows["part"] == "absolute") & (rows["feature"] == 0)]


@measure
def one_norm_excess(frames, C_universum):
    """Relative excess of the U-SVM over the smallest 1-norm objective, at a large cost."""
    rows = _paths(frames)
    return Mathematics(error=float(rows.loc[rows["C_universum"] == C_universum, "excess"].max()))


@measure
def one_norm_bound(frames):
    """Whether the excess falls with C_universum and is nowhere above its bound."""
    rows = _paths(frames)
    # the inaccuracy of the two solvers
    within = rows["excess"] <= rows["bound"] + 1e-6
    median = rows.groupby("C_universum")["excess"].median()
    falls = (median.diff().dropna() <= 1e-6).to_list()
    return Mathematics(
        true=int(within.sum()) + sum(falls),
        cases=len(rows) + len(falls),
        shown=f"above the bound in {int((~within).sum())} of {len(rows)} cases; median excess "
        + ", ".join(f"{100 * value:.2g} % at {cost:g}" for cost, value in median.items()),
    )


@measure
def same_zeros(frames, C_universum):
    """Zero weights of the U-SVM, of the 1-norm SVM by linear programme, and of the SVM."""
    rows = _paths(frames)
    rows = rows[rows["C_universum"] == C_universum]
    same = (rows["zeros"] == rows["zeros_programme"]) & (rows["zeros_svm"] == 0)
    found = rows[["zeros", "zeros_programme", "zeros_svm"]].mean()
    return Mathematics(
        true=int(same.sum()) * bool(found["zeros"] > 0),
        cases=len(rows),
        shown=f"on average {found['zeros']:.2f} weights are zero, "
        f"{found['zeros_programme']:.2f} of the 1-norm SVM and {found['zeros_svm']:.2f} of the "
        "SVM; in "
        f"{int((rows['zeros'] == rows['zeros_programme']).sum())} of {len(rows)} samples as many "
        "as of the 1-norm SVM",
    )
