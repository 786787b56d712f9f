"""The greedy algorithm: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.papers.transductive_svm import greedy_measures as measures
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED, decide_equivalence

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
                    row[f"wrong_{method}"] = 3 + (draw % 2) * (method == "greedy")
                row |= {"wrong_inductive": 3, "switch_possible": 0}
                rows.append(row)
    return {measures.ITEM: pd.DataFrame(rows)}


def test_objectives_are_compared_sample_by_sample():
    at = {"C": 1.0, "C_star": 1.0}
    above = measures.objective_above(greedy(), "start", "greedy", **at)
    assert len(above.differences) == 40 and above.test_train_ratio == measures.OVERLAP
    assert np.mean(above.differences) == pytest.approx(100 * (1.3 / 1.2 - 1), abs=0.5)
    assert outcome_of(above) == REPRODUCED
    assert outcome_of(measures.objective_above(greedy(), "count", "greedy", **at)) == NOT_REPRODUCED

    def close(**levels):
        found = measures.objective_excess(greedy(**levels), "greedy", "count", **at)
        return decide_equivalence(found, 5.0).outcome

    assert close() == REPRODUCED and close(greedy=1.3) == NOT_REPRODUCED


def test_stiff_costs_and_the_count():
    pairs = {"more": [100.0, 100.0], "less": [1.0, 1.0]}
    assert outcome_of(measures.missed_by_more(greedy(), **pairs)) == REPRODUCED
    pairs = {"more": pairs["less"], "less": pairs["more"]}
    assert outcome_of(measures.missed_by_more(greedy(), **pairs)) == NOT_REPRODUCED
    assert outcome_of(measures.count_costs_more(greedy(), 1.0, 1.0)) == REPRODUCED
    assert outcome_of(measures.count_costs_more(greedy(any=1.14), 1.0, 1.0)) == NOT_REPRODUCED


def test_accuracy_is_in_per_cent_of_the_points():
    found = measures.same_accuracy(greedy(), "greedy", "count", 1.0, 1.0)
    assert np.mean(found.differences) == pytest.approx(5.0)
    assert decide_equivalence(found, 2.0).outcome != REPRODUCED
    assert (
        outcome_of(measures.fewer_wrong_labels(greedy(), "count", "greedy", 1.0, 1.0)) == REPRODUCED
    )
    turned = measures.fewer_wrong_labels(greedy(), "greedy", "count", 1.0, 1.0)
    assert outcome_of(turned) == NOT_REPRODUCED
    found = measures.same_accuracy(greedy(), "any", "count", 1.0, 1.0)
    assert decide_equivalence(found, 2.0).outcome == REPRODUCED


def test_the_search_grows_but_not_with_the_labellings():
    def holds(few, many):
        rows = [{"working": m, "machines": n} for m, n in ((4, few), (4, few), (12, many))]
        return measures.machines_grow({measures.ITEM: pd.DataFrame(rows)}, 4.0, 0.1).holds

    assert holds(10, 40) and not holds(10, 39)
    assert holds(10, 409) and not holds(10, 410)


def test_summary_of_the_greedy_algorithm():
    frame = greedy()[measures.ITEM]
    frame["objective_start"] = frame["objective_count"]
    table = measures.greedy_summary(frame, ["C"])
    assert table.loc[1.0, "start_optimal"] == 100.0 and table.loc[1.0, "optimal"] < 20.0
    assert table.loc[1.0, "excess"] == pytest.approx(100 * (1.2 / 1.15 - 1), abs=0.5)
    assert table.loc[1.0, "excess_95"] > table.loc[1.0, "excess"]
    assert table.loc[1.0, "wrong_greedy"] == pytest.approx(35.0)
