"""Evidence for what the text says of steps 1 to 3."""

from __future__ import annotations

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics


@measure
def steps_largest_error(frames, column):
    """Largest error of an identity over all samples."""
    return Mathematics(float(frames["bayesian_transduction/steps"][column].abs().max()))


@measure
def steps_always_true(frames, column, below=None):
    """Samples in which a proposition is true, or a deviation is below a bound."""
    found = frames["bayesian_transduction/steps"][column]
    true = found == 1 if below is None else found.abs() <= below
    return Mathematics(true=int(true.sum()), cases=len(found))
