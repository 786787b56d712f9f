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


def test_a_column_has_a_cell_for_each_category():
    evidence = measures.reuters_column(table(), "SVM")
    assert tuple(evidence.cells) == CATEGORIES
    at = measures.breakevens(table(), "ship", "SVM")
    assert evidence.cells["ship"].estimate == pytest.approx(at.mean())


def test_orderings_are_paired_by_training_set():
    frame = table(spread=20.0)
    above = measures.reuters_above(frame, [["TSVM", "SVM"], ["SVM", "Bayes"]])
    np.testing.assert_allclose(above.estimate, [10.0, 10.0], atol=0.2)
    assert above.shown.startswith("TSVM ") and "Bayes" in above.shown
    assert outcome_of(above, 1) == outcome_of(above) == REPRODUCED
    assert outcome_of(above, gain=12.4) == REPRODUCED and outcome_of(above, gain=30) == SMALLER
    turned = measures.reuters_above(frame, [["SVM", "TSVM"], ["SVM", "Bayes"]])
    assert outcome_of(turned) == NOT_REPRODUCED


def test_above_in_all_needs_every_category():
    pairs = [["TSVM", "SVM"]]
    assert outcome_of(measures.reuters_above(table(), pairs, "all")) == REPRODUCED
    frame = table({"trade": {"tsvm": 49.0}})
    found = measures.reuters_above(frame, pairs, "all")
    assert outcome_of(found) == NOT_REPRODUCED and found.shown.startswith("9 of 10 ahead")
    assert outcome_of(measures.reuters_above(frame, pairs, ["earn", "ship"])) == REPRODUCED
    assert outcome_of(measures.reuters_above(frame, pairs, ["earn", "trade"])) == NOT_REPRODUCED


def test_the_range_of_gains():
    of = {"method": "TSVM", "than": "SVM", "most": "crude", "least": "corn"}
    frame = table({"crude": {"tsvm": 90.0}, "corn": {"tsvm": 51.0}})
    found = measures.reuters_gain_range(frame, **of)
    assert outcome_of(found) == REPRODUCED and found.shown.endswith("in crude, smallest in corn")
    frame = table({"crude": {"tsvm": 90.0}, "ship": {"tsvm": 51.0}})
    assert outcome_of(measures.reuters_gain_range(frame, **of)) == NOT_REPRODUCED


def test_the_objective_falls_from_start_to_end():
    assert measures.reuters_objective_falls(table()).estimate[0] == pytest.approx(4.0, abs=0.3)


def test_one_training_set_for_all_serves_if_there_is_no_other():
    frame = table()
    shared = frame[frame["condition"] == ALL]
    found = measures.reuters_above(shared, [["TSVM", "SVM"]])
    assert found.n == N and found.estimate[0] == pytest.approx(10.0, abs=0.2)


def test_leads_by_setting():
    frame = table()
    option = {"choice": "pair", "option": "first"}
    options = frame[frame["number"] < 20].assign(tsvm=frame["svm"] - 1.0, **option)
    found = measures.leads(frame, options)
    assert list(found.index) == ["default", "pair: first"] and list(found["n"]) == [N, 20]
    assert found.loc["default", "lead"] == pytest.approx(10.0, abs=0.2)
    assert found.loc["pair: first", ["lead", "half"]].to_list() == pytest.approx([-1.0, 0.0])
    assert len(measures.under(options, "pair", "first")) == len(options)
    assert measures.under(options, "pair", "largest").empty


def test_the_printed_average_of_the_tsvm_is_not_that_of_its_rows():
    numbers = measures.published()
    for method, gap in {"Bayes": 0.0, "SVM": 0.0, "TSVM": 0.5}.items():
        rows = np.mean([numbers[category, method] for category in CATEGORIES])
        assert rows - numbers["average", method] == pytest.approx(gap, abs=0.06)


def test_ranks_count_ties_half():
    assert measures.rank([1.0, 2.0, 2.0, 3.0], 2.0) == 2.0
    assert measures.rank([1.0, 2.0], 0.0) == 0.0


def test_tables_for_the_page(monkeypatch):
    numbers = {(c, "SVM"): 50.0 for c in (*CATEGORIES, "average")}
    monkeypatch.setattr(measures, "published", lambda: numbers)
    frame = table()
    page = measures.reuters_table(frame)
    assert list(page.index) == [*CATEGORIES, "average"]
    found = measures.breakevens(frame, "ship", "SVM")
    assert page.loc["ship", ("SVM", "published")] == "50.0"
    assert (
        page.loc["ship", ("SVM", "reproduced")]
        == f"{found.mean():.1f} ± {measures.half_width(found):.1f}"
    )
    assert page.loc["ship", ("SVM", "below")] == f"{(found < 50.0).sum()} of 100"
    few = measures.reuters_table(frame[frame["category"].isin(["earn", "acq"])])
    assert list(few.index) == ["earn", "acq", "average"]
