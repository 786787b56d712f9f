"""Modes by sample size: what the measures make of rows."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.papers.kernel_gibbs_sampler import modes_measures as measures
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED

concat = partial(pd.concat, ignore_index=True)


def modes(beta, uniform, flip_rate=0.2, m=10, **columns):
    parts = [
        pd.DataFrame({"modes_cells": n, "points": points})
        for points, n in (("beta", beta), ("uniform", uniform))
    ]
    rest = {"modes_visible": 1, "pieces": 1, "top_angle": 0.0, "mean_angle": 0.0} | columns
    return concat(parts).assign(flip_rate=flip_rate, m=m, **rest)


def test_modes_are_counted_at_the_size_and_law_asked_for():
    rows = concat(
        [
            modes([2] * 18 + [1] * 2, [1] * 20),
            modes([1] * 20, [1] * 20, flip_rate=0.0),
            modes([1] * 20, [7] * 20, m=1000),
        ]
    )
    rows["modes_tenth"] = 1
    several = measures.number_of_modes(rows, m=10, several=True)
    assert several.gaps[:, 0].tolist() == [1.0] * 18 + [0.0] * 2
    one = measures.number_of_modes(rows, m=1000, several=False)
    assert outcome_of(one, m=1) == REPRODUCED
    one = measures.number_of_modes(rows, m=1000, several=False, points="uniform")
    assert outcome_of(one, m=1) == NOT_REPRODUCED
    tenth = measures.number_of_modes(rows, m=10, several=True, modes="tenth")
    assert outcome_of(tenth, m=1) == NOT_REPRODUCED


def test_mode_table_is_per_setting_in_degrees():
    rows = concat([modes([1, 4, 5], [2, 2, 2], top_angle=np.pi / 6), modes([1], [1], m=30)])
    table = measures.mode_table(rows)
    assert table["draws"].to_dict() == {
        (0.2, "beta", 10): 3, (0.2, "beta", 30): 1, (0.2, "uniform", 10): 3, (0.2, "uniform", 30): 1
    }  # fmt: skip
    row = table.loc[(0.2, "beta", 10)]
    assert row["modes_cells"] == 4
    assert row["several_modes_cells"] == pytest.approx(2 / 3)
    assert row["several_pieces"] == 0
    assert row["top_degrees"] == pytest.approx(30.0)
