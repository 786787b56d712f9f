"""Contradictions: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import identity_holds, outcome_of

from transductive_compendium.papers.universum import contradiction_counts_measures as report
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED


def general_rows(gain=1.0, n=120, **changes):
    """Samples in two dimensions: contradictions of the SVM, and of the U-SVM at two costs."""
    rng = np.random.default_rng(0)
    rows = []
    for draw in range(n):
        svm = 3.0 + draw % 3
        for k, C in enumerate((0.0, 1.0, 1000.0)):
            own = svm + round(gain * (draw % 2)) * (k > 0)
            rows.append(
                {
                    "part": "general",
                    "dimension": 2,
                    "draw": draw,
                    "C_universum": C,
                    "classes": 10.0,
                    "contradictions": own,
                    "programme": own,
                    "most": 6.0,
                    "mean": 2.0,
                    "above": 1.0,
                    "certain": 2.0,
                    "certain_hit": 2.0,
                    "loss_sum": 5.0 - k,
                    "distance": 1.0,
                    "distance_hit": 0.8 + 0.1 * rng.standard_normal(),
                    "distance_rest": 1.2 + 0.1 * rng.standard_normal(),
                }
                | changes
            )
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    "gain, outcome", [(1.0, REPRODUCED), (-1.0, NOT_REPRODUCED), (0.0, NOT_REPRODUCED)]
)
def test_more_or_fewer_contradictions(gain, outcome):
    assert outcome_of(report.more_contradictions(general_rows(gain), [2], 1000.0)) == outcome


def test_values_at_the_universum_must_fall_too():
    rising = report.more_contradictions(general_rows(loss_sum=5.0), [2], 1000.0)
    assert outcome_of(rising) == NOT_REPRODUCED
    np.testing.assert_allclose(rising.estimate, [0.5, 0.0])
    assert rising.shown == "contradictions on average 4.50 (SVM 4.00) in dimension 2"


def test_the_most_is_reached_in_some_samples():
    # the SVM has 3, 4 and 5 of 6; one more in each second draw: 6 is reached in one draw of six
    found = report.more_often_most(general_rows(), [2], 1000.0)
    assert found.estimate == pytest.approx(100 / 6)
    even = report.more_often_most(general_rows(most=5.0), [2], 1000.0)
    assert even.estimate == pytest.approx(0.0)


def flips(**changes):
    row = {"part": "convexity", "flip_distance": 1e-16, "flip_value": 1e-16, "flipped_sooner": 0.0}
    return pd.DataFrame([row, row | changes])


def contradicted(rows, flips):
    frames = {report.ITEM: rows, "universum/losses": flips}
    return identity_holds(report.small_values_are_contradicted(frames), 1e-9)


def test_small_values_are_contradicted_or_not():
    assert contradicted(general_rows(), flips())
    for changes in ({"flip_distance": 1e-6}, {"flip_value": 1e-6}, {"flipped_sooner": 1.0}):
        assert not contradicted(general_rows(), flips(**changes))
    rows = general_rows()
    rows.loc[7, "certain_hit"] = 1.0
    assert not contradicted(rows, flips())


def test_table_of_contradictions():
    table = report.contradiction_table(general_rows())
    assert list(table.index) == [(2, 0.0), (2, 1.0), (2, 1000.0)]
    assert table.loc[(2, 0.0), "contradictions"] == pytest.approx(4.0)
    assert table.loc[(2, 1000.0), "contradictions"] == pytest.approx(4.5)
    assert table.loc[(2, 1000.0), "most reached (%)"] == pytest.approx(100 / 6)
