"""The two loops: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.papers.transductive_svm import descent_measures as measures
from transductive_compendium.verdicts.rules import HOLDS, decide_mathematics


def descent(objectives, switched, **changes):
    rows = [
        {"dataset": name, "draw": 0, "switch": not np.isnan(s), "switched_objective": s}
        | {"objective": o, "switch_possible": 0, "num_plus": 5, "positive": 5, "taken_back": 0}
        | changes
        for name in ("a", "b")
        for o, s in zip(objectives, switched, strict=True)
    ]
    return pd.DataFrame(rows)


def holds(evidence, tolerance=None):
    return decide_mathematics(evidence, tolerance).outcome == HOLDS


def test_objective_falls_with_each_switch_only():
    # it rises from the second solution to the third, where the costs double
    falling = descent([5.0, 4.0, 7.0, 6.0], [np.nan, 4.5, np.nan, 6.0])
    assert holds(measures.objective_falls(falling))
    assert not holds(measures.objective_falls(descent([5.0, 4.0], [np.nan, 5.5])))
    assert not holds(measures.objective_falls(descent([5.0, 4.0], [np.nan, 3.5])))
    # nor may a switch be taken back
    back = descent([5.0, 4.0], [np.nan, 4.5], taken_back=1)
    assert not holds(measures.objective_falls(back))
    assert not holds(measures.switch_left(falling))
    assert holds(measures.switch_left(descent([5.0], [np.nan], switch_possible=1)))


@pytest.mark.parametrize(("num_plus", "doublings"), [(10, 16), (15, 16), (1, 20)])
def test_loop_1_doubles_until_the_smaller_cost_is_there(num_plus, doublings):
    """From 1e-5 num_+ / (20 - num_+), or 1e-5, to 0.5: one solution each, and one at the end."""
    none = [np.nan] * (doublings + 1)
    for solutions, ends in ((none, True), (none[1:], False), ([*none, np.nan], False)):
        fits = descent([1.0] * len(solutions), solutions, num_plus=num_plus)
        assert holds(measures.loops_end(fits, 20, 0.5)) is ends
    # switches are no doublings, and one that is taken back is no end
    solutions = [*none, 0.5]
    for taken_back in (0, 1):
        fits = descent([1.0] * len(solutions), solutions, num_plus=num_plus, taken_back=taken_back)
        assert holds(measures.loops_end(fits, 20, 0.5)) is (taken_back == 0)


def test_positives_are_as_many_as_asked_for_at_each_solution():
    right = descent([1.0, 1.0], [np.nan] * 2)
    assert holds(measures.positives_are_num_plus(right), 1e-9)
    right.loc[1, "positive"] = 6
    assert not holds(measures.positives_are_num_plus(right), 1e-9)
