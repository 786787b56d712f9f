"""Reliability: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.papers.comparison import methods_measures as measures
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED

NOISE = 0.002 * np.random.default_rng(0).standard_normal(100)


def methods_frame(claimed, right=0.75):
    ends = (60, 70, 80, 90, 100)
    bins = {f"{what}_{e}": 0.0 for e in ends for what in ("points", "right")}
    rows = [
        {"problem": "banana", "draw": d, "method": "bt", "claimed": claimed + NOISE[d]}
        | {"error": 1.0 - right}
        | bins
        | {"points_100": 100.0, "right_100": 100 * right}
        for d in range(100)
    ]
    other = {"problem": "banana", "draw": 0, "method": "svm", "claimed": np.nan, "error": 0.5}
    return pd.DataFrame([*rows, other])


def test_overconfidence():
    for claimed, outcome in ((0.85, REPRODUCED), (0.65, NOT_REPRODUCED)):
        found = measures.cmp_overconfident(methods_frame(claimed), "banana", "bt")
        assert found.estimate == pytest.approx(100 * (claimed - 0.75), abs=0.1)
        assert outcome_of(found) == outcome


def test_reliability_pools_the_splits():
    table = measures.reliability(methods_frame(0.9), ["banana"])
    assert table.at[("bt", 100), "points"] == 10000
    assert table.at[("bt", 100), "right"] == pytest.approx(0.75)
    assert np.isnan(table.at[("bt", 60), "right"])
    assert set(table.index.get_level_values("method")) == {"bt"}
