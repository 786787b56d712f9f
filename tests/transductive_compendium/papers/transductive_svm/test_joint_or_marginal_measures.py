"""Joint or label-wise: what the measures make of rows."""

import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.papers.transductive_svm import joint_or_marginal_measures as measures
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED, UNDECIDED


def joint(counts, dimension=3, method="exhaustive"):
    """Problems with as many labels other than the joint and the label-wise optimum's."""
    rows = [
        {"dimension": d, "points": "unit", "method": name, "differ": int(differ)}
        | {"wrong_joint": j, "wrong_marginal": m, "probability": 0.4, "probability_joint": 0.5}
        | {"risk": 0.3, "risk_marginal": 0.2}
        for (j, m), n in counts.items()
        for d, name, differ in ((dimension, method, True), (dimension, "other", True))
        for _ in range(n)
    ]
    rows += [rows[0] | {"differ": 0, "wrong_joint": 3, "wrong_marginal": 3}]
    return pd.DataFrame(rows)


def test_joint_rather_than_label_wise():
    at = {"method": "exhaustive", "dimension": 3, "points": "unit"}
    found = measures.joint_rather(joint({(0, 1): 30, (1, 0): 6, (2, 2): 9}), **at)
    assert found.n == 45 and found.estimate[0] == pytest.approx(24 / 45)
    assert outcome_of(found) == REPRODUCED
    turned = measures.marginal_rather(joint({(0, 1): 30, (1, 0): 6}), **at)
    assert outcome_of(turned) == NOT_REPRODUCED
    even = measures.joint_rather(joint({(0, 1): 60, (1, 0): 60}), **at)
    assert outcome_of(even) == UNDECIDED


def test_in_the_plane_both_are_exact():
    def frame(transductive, inductive):
        both = [
            joint({pair: 2}, 2, method).query("differ == 1")
            for pair, method in ((transductive, "exhaustive"), (inductive, "inductive"))
        ]
        return pd.concat(both)

    assert measures.exact_in_the_plane(frame((0, 1), (1, 0))).error == 0.0
    assert measures.exact_in_the_plane(frame((1, 1), (1, 0))).error == 1.0
    assert measures.exact_in_the_plane(frame((0, 1), (1, 2))).error == 2.0


def test_summary_of_methods():
    frame = joint({(0, 1): 30, (1, 0): 10})
    row = measures.joint_summary(frame).loc[(3, "unit", "exhaustive")]
    assert row["problems"] == 40 and row["is_joint"] == 75.0 and row["is_marginal"] == 25.0
    assert row["probability"] == pytest.approx(80.0) and row["risk"] == pytest.approx(150.0)
