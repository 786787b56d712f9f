"""The table of Reuters: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.datasets.reuters_corpus import CATEGORIES
from transductive_compendium.papers.transductive_svm import reuters_table_measures as measures
from transductive_compendium.papers.transductive_svm.reuters_problem import ALL
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED, SMALLER

LEVELS = {"bayes": 40.0, "svm": 50.0, "tsvm": 60.0}
N = 100


def table(changed=None, spread=5.0):
    """Rows of `reuters_table`: methods move together from set to set, by less than apart."""
    rng, rows = np.random.default_rng(0), []
    for number in range(N):
        for condition in (*CATEGORIES, ALL):
            shared = condition not in CATEGORIES
            for category in CATEGORIES if shared else [condition]:
                hard = spread * rng.normal()
                levels = LEVELS | (changed or {}).get(category, {})
                values = {k: v + hard + 0.2 * rng.normal() for k, v in levels.items()}
                values |= {"objective_start": 9.0 + rng.normal(), "objective": 5.0}
                key = {"condition": condition, "number": number, "category": category}
                rows.append(key | values)
    return pd.DataFrame(rows)


def test_breakevens_are_of_the_training_sets_asked_for():
    frame = table()
    frame.loc[frame["condition"] == ALL, "tsvm"] = 10.0
    own = measures.breakevens(frame, "corn", "TSVM")
    assert len(own) == N and own.min() > 30
    by_category = [measures.breakevens(frame, c, "TSVM") for c in CATEGORIES]
    np.testing.assert_allclose(measures.breakevens(frame, "average", "TSVM"), sum(by_category) / 10)
    # one training set for all serves if there is no other
    shared = frame[frame["condition"] == ALL]
    assert (measures.breakevens(shared, "corn", "TSVM") == 10.0).all()
    cells = measures.reuters_column(frame, "TSVM").cells
    means = [values.mean() for values in by_category]
    np.testing.assert_allclose([cells[c].estimate for c in CATEGORIES], means)


def test_orderings_are_paired_by_training_set():
    frame = table(spread=20.0)
    above = measures.reuters_above(frame, [["TSVM", "SVM"], ["SVM", "Bayes"]])
    np.testing.assert_allclose(above.estimate, [10.0, 10.0], atol=0.2)
    assert outcome_of(above, 1) == outcome_of(above) == REPRODUCED
    assert outcome_of(above, gain=12.4) == REPRODUCED and outcome_of(above, gain=30) == SMALLER
    turned = measures.reuters_above(frame, [["SVM", "TSVM"], ["SVM", "Bayes"]])
    assert outcome_of(turned) == NOT_REPRODUCED


@pytest.mark.parametrize(
    ("tsvm", "categories", "outcome"),
    [
        (60.0, "all", REPRODUCED),
        (49.0, "all", NOT_REPRODUCED),
        (49.0, ["earn", "ship"], REPRODUCED),
        (49.0, ["earn", "trade"], NOT_REPRODUCED),
    ],
)
def test_above_in_all_needs_every_category(tsvm, categories, outcome):
    frame = table({"trade": {"tsvm": tsvm}})
    found = measures.reuters_above(frame, [["TSVM", "SVM"]], categories)
    assert outcome_of(found) == outcome


@pytest.mark.parametrize(("least", "outcome"), [("corn", REPRODUCED), ("ship", NOT_REPRODUCED)])
def test_the_range_of_gains(least, outcome):
    frame = table({"crude": {"tsvm": 90.0}, least: {"tsvm": 51.0}})
    found = measures.reuters_gain_range(frame, "TSVM", "SVM", most="crude", least="corn")
    assert outcome_of(found) == outcome
    assert found.shown.endswith(f"in crude, smallest in {least}")


def test_the_objective_falls_from_start_to_end():
    assert measures.reuters_objective_falls(table()).estimate[0] == pytest.approx(4.0, abs=0.3)
