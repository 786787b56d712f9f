"""Random toy pictures: what the measures make of rows."""

import pandas as pd
from paper_rooms import outcome_of

from transductive_compendium.papers.transductive_svm import clouds_measures as measures
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED


def clouds(wrong):
    rows = [
        {"gap": gap, "draw": draw, "method": method}
        | {"wrong": wrong[method] + (draw % 2) + 5 * (gap == 0.0)}
        for gap in (0.0, 1.0)
        for draw in range(40)
        for method in wrong
    ]
    return pd.DataFrame(rows)


def test_fewer_wrong_points():
    found = clouds({"inductive": 3, "transductive": 1, "greedy": 1})
    better = measures.fewer_wrong(found, 1.0, "transductive", "inductive")
    assert better.n == 40 and outcome_of(better) == REPRODUCED
    assert (
        outcome_of(measures.fewer_wrong(found, 1.0, "inductive", "transductive")) == NOT_REPRODUCED
    )
    assert outcome_of(measures.fewer_wrong(found, 0.0, "greedy", "transductive")) == NOT_REPRODUCED
