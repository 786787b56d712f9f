"""Claims on Table 1: what their measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.papers.transductive_regression import table_1_measures as report
from transductive_compendium.papers.transductive_regression.table_1_design import CHOSEN
from transductive_compendium.verdicts.rules import (
    INCONCLUSIVE,
    NOT_REPRODUCED,
    REPRODUCED,
    decide_equivalence,
    decide_value,
)

N_SPLITS = 30
ERRORS = {"svm_error": 12.0, "ld_error": 11.0, "tld_error": 10.0, "start_error": 11.0}


def table(changed=None, n_test=100):
    """Rows of `table_1`: methods' errors move together from split to split, by less than apart."""
    rng = np.random.default_rng(0)
    rows = []
    for dataset in (*report.NAMES, "usps pooled"):
        errors = ERRORS | (changed or {}).get(dataset, {})
        for rule in CHOSEN:
            for split in range(N_SPLITS):
                hard = rng.normal()
                here = {k: e + hard + 0.2 * rng.normal() for k, e in errors.items()}
                key = {"dataset": dataset, "split": split, "rule": rule}
                rows.append({**key, "published": False, "n_train": 100, "n_test": n_test, **here})
    return {report.TABLE: pd.DataFrame(rows)}


def boosting(ab=13.0, ab_r=12.5):
    rows = [
        {"dataset": dataset, "split": split, "ab_error": ab, "ab_reg_error": ab_r}
        for dataset in report.NAMES
        for split in range(N_SPLITS)
    ]
    return {report.BOOSTING: pd.DataFrame(rows)}


def test_errors_are_those_of_one_rule():
    frames = table()
    frame = frames[report.TABLE]
    odd = frame["rule"] == "mean"
    frame.loc[odd, "tld_error"] = 50.0
    assert len(report.errors(frame, "banana", "TLD")) == N_SPLITS
    assert report.errors(frame, "banana", "TLD").max() < 20.0
    assert (report.errors(frame, "banana", "TLD", "mean") == 50.0).all()


@pytest.mark.parametrize(
    ("published", "outcome"), [(10.0, REPRODUCED), (13.0, NOT_REPRODUCED), (7.0, NOT_REPRODUCED)]
)
def test_a_value_is_a_mean_of_either_record(published, outcome):
    for evidence in (
        report.table_1_error(table(), "ida_heart", "TLD"),
        report.table_1_error(boosting(ab_r=10.0), "ida_heart", "AB_R"),
    ):
        assert decide_value(evidence, published, 0.05, 100, tolerance=1.5).outcome == outcome


def test_orderings_are_paired():
    """The difference between the splits is five times that between the methods on one split."""
    evidence = report.table_1_less(table(), "ida_heart", "TLD", "SVM")
    assert evidence.differences.mean() == pytest.approx(2.0, abs=0.2)
    assert evidence.differences.std() < 0.5
    assert outcome_of(evidence) == REPRODUCED
    other = report.table_1_less(table(), "ida_heart", "SVM", "TLD")
    assert outcome_of(other) == NOT_REPRODUCED


def test_a_large_test_part_takes_certainty_away_but_not_from_the_postal_runs():
    frames = table(n_test=2000)
    assert outcome_of(report.table_1_less(frames, "banana", "TLD", "SVM")) == INCONCLUSIVE
    for postal in ("usps", "usps pooled"):
        assert outcome_of(report.table_1_less(frames, postal, "TLD", "SVM")) == REPRODUCED
    found = report.intervals(frames[report.TABLE], "TLD", "SVM")
    assert [report.set_name(d) for d in found.index] == [*report.NAMES.values(), "Postal, pooled"]
    assert (found["mean"] < 0).all()
    ratio = (found["corrected"] / found["naive"]) ** 2
    np.testing.assert_allclose(ratio["banana"], 1.0 + N_SPLITS * 20.0)
    np.testing.assert_allclose(ratio[["usps", "usps pooled"]], 1.0)


def test_a_tie_is_an_equivalence():
    even = table({"ida_titanic": {"svm_error": 10.1}})
    evidence = report.table_1_same(even, "ida_titanic", "TLD", "SVM")
    assert decide_equivalence(evidence, 0.5).outcome == REPRODUCED
    evidence = report.table_1_same(table(), "ida_titanic", "TLD", "SVM")
    assert decide_equivalence(evidence, 0.5).outcome == NOT_REPRODUCED


def test_nowhere_above_needs_every_set_and_the_rule_asked_for():
    assert report.table_1_nowhere_above(table(), "TLD", "SVM").holds
    frames = table({"ida_thyroid": {"svm_error": 9.0}})
    found = report.table_1_nowhere_above(frames, "TLD", "SVM")
    assert not found.holds and "Thyroid" in found.detail
    frames = table()
    frame = frames[report.TABLE]
    frame.loc[frame["rule"] == "mean", "svm_error"] = 1.0
    assert report.table_1_nowhere_above(frames, "TLD", "SVM").holds
    assert not report.table_1_nowhere_above(frames, "TLD", "SVM", "mean").holds


def test_best_is_best_of_all_four_but_for_the_postal_digits():
    both = table() | boosting()
    sets = ["usps", "banana", "ida_heart"]
    assert report.table_1_best(both, "TLD", sets).holds
    assert not report.table_1_best(both, "AB_R", ["banana"]).holds
    both = table() | boosting(ab_r=9.0)
    assert report.table_1_best(both, "AB_R", ["banana"]).holds
    assert not report.table_1_best(both, "TLD", sets).holds
    assert report.table_1_best(both, "TLD", ["usps"]).holds  # without AdaBoost


def test_ties_as_printed_share_the_first_place():
    frames = table() | boosting(25.0, 25.0)
    frame = frames[report.TABLE]
    for column, value in (("tld_error", 22.44), ("svm_error", 22.36)):
        frame.loc[frame["dataset"] == "ida_titanic", column] = value
    assert report.table_1_best(frames, "TLD", ["ida_titanic"]).holds
    frame.loc[frame["dataset"] == "ida_titanic", "svm_error"] = 22.34
    assert not report.table_1_best(frames, "TLD", ["ida_titanic"]).holds


def test_tables_for_the_page(monkeypatch):
    published = {("ida_heart", "TLD"): 15.7, ("ida_heart", "AB"): 20.3}
    monkeypatch.setattr(report, "published_errors", lambda: published)
    frame = table()[report.TABLE]
    page = report.error_table(frame, boosting(ab=20.0)[report.BOOSTING])
    assert page.loc["Heart", ("AB", "published")] == "20.3"
    assert page.loc["Heart", ("AB", "reproduced")] == "20.00 ± 0.00"
    tld = report.errors(frame, "ida_heart", "TLD")
    assert page.loc["Heart", ("TLD", "reproduced")] == f"{tld.mean():.2f} ± {tld.sem():.2f}"
    assert page.loc["Postal, pooled", ("AB", "reproduced")] == ""
    assert ("LD", "published") not in page
    # Y0 is one point worse than what is made of it
    by_rule = report.rule_table(frame)
    assert float(by_rule.loc["Heart", ("mean", "TLD less Y0")].split()[0]) < -0.8
