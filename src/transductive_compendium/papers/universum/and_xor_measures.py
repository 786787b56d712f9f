"""AND and XOR among noise features: errors, and which features the classifiers use."""

from __future__ import annotations

from ...verdicts.claims import measure
from ...verdicts.rules import EquivalenceEvidence, OrderingEvidence

ITEM = "universum/and_xor"


def table(frame, problem, distribution, column="error"):
    """A column in per cent.

    Parameters
    ----------
    frame : DataFrame
        Rows of the experiment.
    problem : {"and", "xor"}
    distribution : {"bits", "uniform"}
    column : {"error", "error_oracle", "share"}

    Returns
    -------
    DataFrame
        A row for each random sample; columns universum, intercept and kernel.
    """
    part = frame[(frame["problem"] == problem) & (frame["distribution"] == distribution)]
    columns = ["universum", "intercept", "kernel"]
    # sorted: columns can then be looked up by their first levels
    found = part.pivot(index="draw", columns=columns, values=column).sort_index(axis=1)
    return 100.0 * found


@measure
def toy_error_near(frames, printed, problem, universum, intercept, kernel, distribution="bits"):
    """Test error less the published one, in percentage points; the samples are independent."""
    values = table(frames[ITEM], problem, distribution)[universum, intercept, kernel]
    return EquivalenceEvidence(differences=values.to_numpy() - printed)


def _differences(frames, problem, kernel, one, other, distribution, column):
    """`one` less `other`, each a universum and an intercept."""
    found = table(frames[ITEM], problem, distribution, column)
    return (found[(*one, kernel)] - found[(*other, kernel)]).to_numpy()


@measure
def lower_toy_error(frames, problem, kernel, better, worse, distribution="bits"):
    """Error of `worse` less that of `better`, in percentage points.

    Each of the two is a universum and an intercept.
    """
    return OrderingEvidence(
        differences=_differences(frames, problem, kernel, worse, better, distribution, "error")
    )


@measure
def same_toy_error(frames, problem, kernel, one, other, distribution="bits"):
    """Error of `one` less that of `other`, each as in `lower_toy_error`, in percentage points."""
    return EquivalenceEvidence(
        differences=_differences(frames, problem, kernel, one, other, distribution, "error")
    )


@measure
def uses_relevant_inputs(frames, problem, kernel, more, less, distribution="bits"):
    """How much larger the relevant features' share of the sensitivity is, in percentage points."""
    return OrderingEvidence(
        differences=_differences(frames, problem, kernel, more, less, distribution, "share")
    )
