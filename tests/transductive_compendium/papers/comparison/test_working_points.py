"""Working sets of several sizes and ratios of classes."""

import numpy as np
import pytest
from paper_rooms import unit_rows

from transductive_compendium.datasets import load, substitute
from transductive_compendium.papers.comparison.working_points import AS_DRAWN, N_SHIFTED, shifted


def test_shifted_working_sets_have_their_shares():
    rng = np.random.default_rng(0)
    y = np.where(rng.random(2000) < 0.3, 1, -1)
    pool = np.arange(100, 2000)
    sets = shifted(y, pool, rng)
    for share, rows in sets.items():
        assert len(set(rows)) == len(rows) == N_SHIFTED and rows.min() >= 100
        assert np.mean(y[rows] == 1) == pytest.approx(share)
    # a rare class makes all sets smaller
    few = shifted(y, np.r_[pool[y[pool] == 1][:45], pool[y[pool] == -1]], rng)
    assert {len(rows) for rows in few.values()} == {50}


def test_inductive_methods_gain_nothing_from_more_working_points():
    data = {"banana": load(substitute("banana"))}
    rows = unit_rows("comparison/working_points", {"draw": 0, "problem": "banana"}, data)
    drawn = rows[rows["share"] == AS_DRAWN].pivot(index="working", columns="method")["error"]
    assert len(drawn) >= 2
    assert (drawn[["svm", "ridge"]].nunique() == 1).all()
