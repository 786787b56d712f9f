"""The two loops: what the measures make of rows."""

import numpy as np
import pandas as pd

from transductive_compendium.papers.transductive_svm import descent_measures as measures


def descent(objectives, switched, possible=0):
    rows = [
        {"dataset": name, "draw": 0, "switch": not np.isnan(s), "switched_objective": s}
        | {"objective": o, "switch_possible": possible}
        for name in ("a", "b")
        for o, s in zip(objectives, switched, strict=True)
    ]
    return {measures.ITEM: pd.DataFrame(rows)}


def test_objective_falls_with_each_switch_only():
    # it rises from the second solution to the third, where the costs double
    falling = descent([5.0, 4.0, 7.0, 6.0], [np.nan, 4.5, np.nan, 6.0])
    assert measures.objective_falls(falling).holds
    assert not measures.objective_falls(descent([5.0, 4.0], [np.nan, 5.5])).holds
    assert not measures.objective_falls(descent([5.0, 4.0], [np.nan, 3.5])).holds
    assert not measures.objective_falls(descent([5.0, 4.0], [np.nan, np.nan])).holds
    assert not measures.switch_left(falling).holds
    assert measures.switch_left(descent([5.0], [np.nan], possible=1)).holds
