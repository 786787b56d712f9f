"""Reuters: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.papers.transductive_svm import reuters_measures as report
from transductive_compendium.papers.transductive_svm.reuters import ALL, CATEGORIES, STRATIFIED
from transductive_compendium.verdicts.rules import (
    INCONCLUSIVE,
    NOT_REPRODUCED,
    REPRODUCED,
    decide_identity,
    decide_ordering,
    decide_value,
    ordering_p,
)

LEVELS = {"bayes": 40.0, "bayes_whole": 30.0, "svm": 50.0, "tsvm": 60.0}
LEVELS |= {"tsvm_true": 61.0, "tsvm_even": 55.0, "tsvm_even_true": 62.0}
N = 30


def table(changed=None, spread=5.0):
    """Rows of `reuters_table`: methods move together from draw to draw, by less than apart."""
    rng, rows = np.random.default_rng(0), []
    for number in range(N):
        for condition in (*CATEGORIES, ALL, STRATIFIED):
            shared = condition not in CATEGORIES
            for category in CATEGORIES if shared else [condition]:
                hard = spread * rng.normal()
                levels = LEVELS | (changed or {}).get(category, {})
                values = {k: v + hard + 0.2 * rng.normal() for k, v in levels.items()}
                key = {"condition": condition, "number": number, "category": category}
                few = category == "corn"
                key |= {"tries": 4 if few else 1, "train_positives": 1 if few else 2}
                rows.append(key | values)
    return {report.TABLE: pd.DataFrame(rows)}


def printed(monkeypatch, **changed):
    """Published numbers: the levels above, and what is `changed` in the averages."""
    levels = {"Bayes": 40.0, "SVM": 50.0, "TSVM": 60.0}
    numbers = {(c, m): v for c in (*CATEGORIES, "average") for m, v in levels.items()}
    numbers |= {("average", m): v for m, v in changed.items()}
    monkeypatch.setattr(report, "published", lambda: numbers)
    return numbers


def ordered(evidence, tolerance=None):
    return decide_ordering(evidence, ordering_p(evidence), tolerance).outcome


def test_breakevens_are_of_the_draw_asked_for():
    frames = table()
    frame = frames[report.TABLE]
    frame.loc[frame["condition"] == ALL, "tsvm"] = 10.0
    assert (report.breakevens(frame, "corn", "TSVM", ALL) == 10.0).all()
    own = report.breakevens(frame, "corn", "TSVM")
    assert len(own) == N and own.min() > 30
    by_category = [report.breakevens(frame, c, "TSVM") for c in CATEGORIES]
    np.testing.assert_allclose(report.breakevens(frame, "average", "TSVM"), sum(by_category) / 10)


@pytest.mark.parametrize(
    ("spread", "theirs", "outcome"),
    [
        (4.0, 58.0, REPRODUCED),
        (4.0, 85.0, NOT_REPRODUCED),
        (12.0, 58.0, INCONCLUSIVE),  # one more draw could be anywhere
        (12.0, 99.0, NOT_REPRODUCED),
    ],
)
def test_the_document_has_one_draw(spread, theirs, outcome):
    evidence = report.reuters_breakeven(table(spread=spread), "wheat", "TSVM")
    assert decide_value(evidence, theirs, 0.05, 1, tolerance=12.4).outcome == outcome


def test_orderings_are_paired_by_draw():
    frames = table(spread=20.0)
    evidence = report.reuters_above(frames, "grain", "TSVM", "SVM")
    assert evidence.differences.mean() == pytest.approx(10.0, abs=0.2)
    assert ordered(evidence) == REPRODUCED
    assert ordered(report.reuters_above(frames, "grain", "SVM", "TSVM")) == NOT_REPRODUCED
    reading = report.reuters_above(frames, "average", "TSVM, true number", "TSVM")
    assert reading.differences.mean() == pytest.approx(1.0, abs=0.1)


def test_above_in_all_needs_every_category():
    assert report.reuters_above_in_all(table(), "TSVM", "SVM").holds
    frames = table({"trade": {"tsvm": 49.0}})
    found = report.reuters_above_in_all(frames, "TSVM", "SVM")
    assert not found.holds and "trade" in found.detail


@pytest.mark.parametrize(
    ("draw", "outside", "holds"),
    [("own", 0, True), ("own", 2, True), ("own", 3, False), (ALL, 0, True), (ALL, 3, False)],
)
@pytest.mark.parametrize("method", ["TSVM", report.NEAREST])
def test_within_the_draws_but_for_as_many_rows_as_chance_puts_outside(
    monkeypatch, draw, outside, holds, method
):
    numbers = printed(monkeypatch)
    numbers |= {(category, "TSVM"): 90.0 for category in CATEGORIES[:outside]}
    found = report.reuters_within_draws(table(), method, draw)
    assert found.holds == holds
    assert found.detail.startswith("outside: earn 90.0" if outside else "all within")
    assert f"({outside} of 10 rows or more: probability " in found.detail


def test_with_fewer_draws_more_rows_may_be_outside(monkeypatch):
    frame = table()[report.TABLE]
    numbers = printed(monkeypatch)
    numbers |= {(category, "TSVM"): 90.0 for category in CATEGORIES[:3]}
    fifteen = {report.TABLE: frame[frame["number"] < 15]}
    assert report.reuters_within_draws(fifteen, "TSVM").holds
    numbers["grain", "TSVM"] = 90.0
    assert not report.reuters_within_draws(fifteen, "TSVM").holds


def test_the_chance_to_lie_outside_is_that_of_one_draw_more():
    rng = np.random.default_rng(0)
    draws = rng.normal(size=(20000, 16, 10))
    ours, theirs = draws[:, 1:], draws[:, 0]
    outside = ((theirs < ours.min(axis=1)) | (theirs > ours.max(axis=1))).sum(axis=1)
    for k in range(5):
        assert report.chance_outside(k, 15) == pytest.approx((outside >= k).mean(), abs=0.015)


@pytest.mark.parametrize(("average", "outcome"), [(60.04, REPRODUCED), (59.5, NOT_REPRODUCED)])
def test_the_printed_average_against_its_rows(monkeypatch, average, outcome):
    printed(monkeypatch, TSVM=average)
    evidence = report.reuters_printed_average(table(), "TSVM")
    assert decide_identity(evidence, 0.1).outcome == outcome


def test_ranks_count_ties_half():
    assert report.rank([1.0, 2.0, 2.0, 3.0], 2.0) == 2.0
    assert report.rank([1.0, 2.0], 0.0) == 0.0


def test_tables_for_the_page(monkeypatch):
    printed(monkeypatch)
    frame = table()[report.TABLE]
    page = report.reuters_table(frame)
    assert list(page.index) == [*CATEGORIES, "average"]
    ours = report.breakevens(frame, "ship", "SVM")
    assert page.loc["ship", ("SVM", "printed")] == "50.0"
    assert page.loc["ship", ("SVM", "ours")] == f"{ours.mean():.1f} ± {ours.sem():.1f}"
    assert page.loc["ship", ("SVM", "below")] == f"{(ours < 50.0).sum()} of 30"
    kept = report.acceptance(frame)
    assert kept.loc["corn", "acceptance"] == 25.0 and kept.loc["earn", "tried"] == N
    assert kept.loc[ALL, "kept"] == N
    frame.loc[(frame["condition"] == "corn") & (frame["number"] < 3), "svm"] = 9.0
    failed = report.failures(frame)
    assert failed["draws"].to_dict() == {"one": N, "more": 9 * N}
    assert failed["SVM"].to_dict() == {"one": 10.0, "more": 0.0}
    draws = report.draws_table(frame)
    assert set(draws.columns) == {*report.METHODS, *report.READINGS}
    assert draws.loc["all ten in one draw", "TSVM, true number"].startswith("6")


# ---- sensitivity and learning curves ------------------------------------------------------------


def changes(gains):
    rng = np.random.default_rng(0)
    rows = [
        {"category": category, "number": number, "change": change, "bayes": 40.0, "svm": svm}
        | {"tsvm": svm + gain, "changed": "machine"}
        for number in range(5)
        for category in CATEGORIES
        for svm in [50.0 + rng.normal()]
        for change, gain in gains.items()
    ]
    return {report.CHANGES: pd.DataFrame(rows)}


def test_the_order_must_survive_every_change():
    frames = changes({"nothing": 8.0, "C = 10": 3.0, "number by share": -5.0})
    assert report.reuters_order_stays(frames, "TSVM", "SVM").holds  # another reading is no change
    found = report.changes_table(frames[report.CHANGES])
    assert list(found.loc["machine"].index) == ["nothing", "C = 10", "number by share"]
    np.testing.assert_allclose(found["TSVM less SVM"], [8.0, 3.0, -5.0])
    np.testing.assert_allclose(found["TSVM less unchanged"], [0.0, -5.0, -13.0])
    np.testing.assert_allclose(found["error of TSVM less unchanged"], 0.0, atol=1e-9)
    frames = changes({"nothing": 8.0, "C = 10": -1.0})
    assert not report.reuters_order_stays(frames, "TSVM", "SVM").holds


def learning(few=8.0, many=1.0, start=2.0):
    """Gains at 17 and 1088 training documents, and at 17 with the fewest test documents."""
    rng, rows = np.random.default_rng(0), []
    for n_train, draws in ((17, 10), (1088, 5)):
        for number in range(draws):
            for category in CATEGORIES:
                for n_test in (206, 3299) if n_train == 17 else (3299,):
                    gain = (few if n_test == 3299 else start) if n_train == 17 else many
                    key = {"category": category, "n_train": n_train, "number": number}
                    svm = 50.0 + rng.normal()
                    tsvm = svm + gain + 0.3 * rng.normal()
                    row = key | {"n_test": n_test, "svm": svm, "tsvm": tsvm}
                    rows.append(row | {"svm_all": svm, "tsvm_all": svm + few})
    return {report.LEARNING: pd.DataFrame(rows)}


def test_gain_over_training_documents():
    frames = learning()
    assert len(report.reuters_gain_falls(frames, 17, 1088).differences) == 5
    assert ordered(report.reuters_gain_falls(frames, 17, 1088)) == REPRODUCED
    assert ordered(report.reuters_gain_falls(learning(many=12.0), 17, 1088)) == NOT_REPRODUCED
    assert ordered(report.reuters_gain_at(frames, 1088)) == REPRODUCED
    assert ordered(report.reuters_gain_at(learning(many=-2.0), 1088)) == NOT_REPRODUCED


def test_means_over_overlapping_draws_vary_as_the_correction_says():
    """Means of the drawn members of a pool: variance over pools, with the pool's own."""
    rng, pool, m, n = np.random.default_rng(0), 300, 100, 6
    means, spreads = [], []
    for _ in range(2000):
        values = rng.normal(size=pool)
        draws = [rng.permutation(values)[:m].mean() for _ in range(n)]
        means.append(np.mean(draws))
        spreads.append(np.var(draws, ddof=1))
    expected = np.mean(spreads) * (1 / n + m / (pool - m))
    assert np.var(means) == pytest.approx(expected, rel=0.15)
    assert report.overlap(1088) == pytest.approx(1088 / (9603 - 1088))


def test_overlap_of_either_number_goes_with_its_own_variance():
    frames = learning()
    assert report.reuters_gain_at(frames, 1088).test_train_ratio == report.overlap(1088)
    evidence = report.reuters_gain_falls(frames, 17, 1088)
    gain = report._gain(frames[report.LEARNING], "n_train", "tsvm")[[17, 1088]].dropna().var()
    both = gain[17] * report.overlap(17) + gain[1088] * report.overlap(1088)
    assert evidence.test_train_ratio * gain.sum() == pytest.approx(both)
    assert report.overlap(17) < evidence.test_train_ratio < report.overlap(1088)


def test_gain_over_test_documents():
    frames = learning()
    assert ordered(report.reuters_gain_rises(frames)) == REPRODUCED
    assert ordered(report.reuters_gain_rises(learning(start=10.0))) == NOT_REPRODUCED
    # judged at all documents these machines are the same
    found = report.reuters_gain_rises(frames, at_all=True)
    assert ordered(found, tolerance=1.0) == NOT_REPRODUCED


def test_curves_keep_the_other_number_at_the_documents():
    frame = learning()[report.LEARNING]
    train = report.curve(frame, "n_train", "tsvm")
    assert list(train.columns) == [17, 1088] and train[1088].notna().sum() == 5
    test = report.curve(frame, "n_test", "tsvm")
    assert list(test.columns) == [206, 3299] and len(test) == 10
    np.testing.assert_allclose(test[3299], train[17])
