"""Evidence for the text's statements about steps 1 to 3."""

from __future__ import annotations

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics
from .steps import DIRECTIONS


@measure
def steps_largest_error(frames, column):
    """Largest error of an identity over all samples."""
    return Mathematics(float(frames["bayesian_transduction/steps"][column].abs().max()))


@measure
def steps_always_true(frames, column, below=None):
    """Number of cases in which a proposition is true, or a deviation is below a bound."""
    found = frames["bayesian_transduction/steps"][column]
    if below is not None:
        # missing: a sample with too few draws to compare
        found = found.dropna()
    true = found == 1 if below is None else found.abs() <= below
    if column == "votes_of_no_function":
        return Mathematics(true=int(true.all()), cases=1, shown="one example, three points")
    each = DIRECTIONS if column == "sorted_alike" else 1
    return Mathematics(true=each * int(true.sum()), cases=each * len(found))
