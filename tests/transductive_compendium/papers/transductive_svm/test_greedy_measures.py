"""The greedy algorithm: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.papers.transductive_svm import greedy_measures as measures
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED

NOISE = 0.02 * np.random.default_rng(0).standard_normal((6, 40))


def greedy(**levels):
    """Objectives relative to 1 at C = C* = 1, and twice the excess at 100."""
    levels = {"start": 1.3, "greedy": 1.2, "count": 1.15, "any": 1.0, "balanced": 1.2} | levels
    rows = []
    for draw in range(40):
        for name in ("heart", "digits"):
            for C in (1.0, 100.0):
                row = {"dataset": name, "working": 10, "draw": draw, "C": C, "C_star": C}
                for i, (method, level) in enumerate(levels.items()):
                    gap = (level - 1.0) * (1.0 if C == 1.0 else 2.0)
                    row[f"objective_{method}"] = 1.0 + gap + 0.2 * NOISE[i, draw]
                rows.append(row)
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("machines", "outcome"),
    [
        ((10, 30, 100), REPRODUCED),
        ((10, 30, 80), REPRODUCED),  # by a factor for each point, if a smaller one
        ((10, 30, 29), NOT_REPRODUCED),  # no more at 12 than at 8
        ((30, 10, 30), NOT_REPRODUCED),  # no more at 3299 than at 12
    ],
)
def test_the_search_grows_with_the_points(machines, outcome):
    rows = [
        {"working": m, "machines": n, "draw": draw, "dataset": name, "C": C, "C_star": C}
        for draw in range(30)
        for name in ("heart", "digits")
        for m, many in zip((4, 8, 12), machines, strict=True)
        for C, n in ((1.0, many), (100.0, 7))
    ]
    found = measures.machines_grow(pd.DataFrame(rows))
    assert outcome_of(found, m=1) == outcome
    means = ", ".join(map(str, machines))
    assert found.shown == f"{means} trainings for 4, 8, 12 test points, geometric means"


def test_summary_of_the_greedy_algorithm():
    frame = greedy()
    frame["objective_start"] = frame["objective_count"]
    table = measures.greedy_summary(frame, ["C"])
    assert table.loc[1.0, "start_optimal"] == 100.0 and table.loc[1.0, "optimal"] < 20.0
    assert table.loc[1.0, "excess"] == pytest.approx(100 * (1.2 / 1.15 - 1), abs=0.5)
    assert table.loc[1.0, "excess_95"] > table.loc[1.0, "excess"]
