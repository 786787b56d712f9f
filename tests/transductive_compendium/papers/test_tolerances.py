"""No tolerance of a record's columns excuses a third of an effect that a claim finds in them."""

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.runner import all_experiments, load_recorded
from transductive_compendium.verdicts import rules
from transductive_compendium.verdicts.claims import evidence_of, load_statements

EXPERIMENTS = all_experiments()
TOLERANCES = {
    name: tolerances
    for name, experiment in EXPERIMENTS.items()
    if (tolerances := {c: r for c, r in experiment.agreement.items() if isinstance(r, float)})
}
CLAIMS = {
    claim.id: claim
    for found in load_statements().values()
    for claim in found.claims
    if claim.kind in ("repeats", "equivalence", "numbers")
    and claim.measure
    and not TOLERANCES.keys().isdisjoint(claim.results)
}
#: Most values of a column that are shifted one by one.
FEW = 4


def estimates(evidence):
    """The numbers that a measure finds."""
    if isinstance(evidence, rules.Column):
        return np.concatenate([estimates(value) for value in evidence.cells.values()])
    if isinstance(evidence, rules.Value):
        given = evidence.values is not None
        return np.atleast_1d(np.mean(evidence.values) if given else evidence.estimate)
    return np.ravel(evidence.estimate)


def effects(claim, evidence):
    """What each of them is judged by; NaN where it may as well be 0."""
    if claim.kind == "equivalence":
        return np.full(len(estimates(evidence)), claim.margin)
    if isinstance(evidence, rules.Repeats):
        found = np.abs(estimates(evidence))
        return np.where(found > 1.96 * np.sqrt(np.ravel(evidence.mean_variance())), found, np.nan)
    published = claim.published

    def fits(x):  # the misfit of one unit is one over what it is relative to
        above = rules.Value(estimate=x + 1.0)
        return rules.FIT / rules.misfit(above, x, published.digits, published.unit == "%").value

    return np.array([fits(x) for x in published.numbers.values()])


def shifted(rows, column, by):
    """The rows with a column shifted as a whole, or only for one value of another column."""
    parts = [pd.Series(True, index=rows.index)]
    for other in rows:
        if 1 < rows[other].nunique() <= FEW:
            parts += [rows[other] == value for value in rows[other].unique()]
    for part in parts:
        yield rows.assign(**{column: rows[column] + np.where(part, by, 0.0)})


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=list(CLAIMS))
def test_tolerances_are_a_third_of_the_effect_at_most(claim):
    frames = {name: load_recorded(name)[0] for name in claim.results}
    evidence = evidence_of(claim, {name: rows.copy() for name, rows in frames.items()})
    if isinstance(evidence, rules.NotTestable):
        pytest.skip("not testable")
    before, effect = estimates(evidence), effects(claim, evidence)
    for name in TOLERANCES.keys() & frames:
        for column, tolerance in TOLERANCES[name].items():
            for rows in shifted(frames[name], column, tolerance):
                after = estimates(evidence_of(claim, {**frames, name: rows}))
                assert not (np.abs(after - before) > effect / 3.0).any(), (name, column)
