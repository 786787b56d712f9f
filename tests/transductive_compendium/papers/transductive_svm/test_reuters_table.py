"""The table of Reuters: rows on generated text, and what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of, unit_rows

from transductive_compendium.datasets.reuters_corpus import CATEGORIES, corpus
from transductive_compendium.papers.transductive_svm import reuters_table_measures as measures
from transductive_compendium.papers.transductive_svm.reuters_problem import ALL
from transductive_compendium.papers.transductive_svm.reuters_table import ITEM, N_TRAIN
from transductive_compendium.papers.transductive_svm.reuters_table_measures import under
from transductive_compendium.papers.transductive_svm.reuters_table_options import (
    no_positive,
)
from transductive_compendium.runner import get
from transductive_compendium.runner.open_choices import open_choices
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED, SMALLER

NAME = "transductive_svm/reuters_table"


def test_rows_of_the_table(reuters):
    text = corpus(reuters["reuters21578"])
    (row,) = unit_rows(NAME, {"condition": "acq", "number": 0}, reuters).itertuples()
    assert row.category == "acq" and 1 <= row.train_positives < N_TRAIN
    assert row.test_positives == text.positive[text.n_train :, 1].sum()
    rows = unit_rows(NAME, {"condition": ALL, "number": 0}, reuters)
    assert tuple(rows.category) == CATEGORIES
    assert (rows.train_positives > 0).all()
    # generated text is easy enough to beat chance by far
    assert (rows[["bayes", "svm", "tsvm"]].mean() > 40).all()


@pytest.mark.parametrize(
    "choice", sorted({*get(ITEM).open_choices, "cited_experiment"} - {"draw", "missing_class"})
)
def test_a_parameter_is_the_option_of_the_same_name(reuters, choice):
    """A run of the table under an option agrees with the companion's on the same documents."""
    condition = ALL if choice == "cited_experiment" else "acq"
    key = {"condition": condition, "number": 2}
    companion = unit_rows(f"{NAME}_options", key, reuters)
    for option, found in open_choices("transductive_svm")[choice].others.items():
        rows = unit_rows(NAME, key, reuters, **found.run)
        of = under(companion, choice, option).reset_index(drop=True)
        for column in ("category", "train_positives", "bayes", "svm", "tsvm"):
            assert (rows[column] == of[column]).all()


def test_without_a_positive_document_all_methods_score_by_chance(reuters):
    text, key = corpus(reuters["reuters21578"]), {"condition": "corn", "number": 50}
    pool, rows = text.positive[: text.n_train, -1], []
    for seed in range(8):
        row = unit_rows(NAME, key, reuters, seed=seed, missing_class="chance").iloc[0]
        drawn = np.random.default_rng(seed).choice(len(pool), N_TRAIN, replace=False)
        assert row.train_positives == pool[drawn].sum()
        rows.append(row)
    missing = [row for row in rows if not row.train_positives]
    assert 0 < len(missing) < len(rows)
    for row in missing:
        share = 100.0 * row.test_positives / (len(text.positive) - text.n_train)
        assert row[["bayes", "svm", "tsvm"]].to_list() == pytest.approx([share] * 3)


def test_every_option_that_runs_has_rows(reuters):
    keys = ({"condition": condition, "number": 0} for condition in ("acq", ALL))
    rows = pd.concat(unit_rows(f"{NAME}_options", key, reuters) for key in keys)
    found = rows.query("category == 'acq'").groupby(["choice", "option"]).size()
    choices = open_choices("transductive_svm")
    run = {(c, o) for c, of in choices.items() for o, option in of.others.items() if option.run}
    assert found.to_dict() == dict.fromkeys(run, 1) and rows["tsvm"].notna().all()


def test_the_law_of_a_missing_class():
    """Chance takes the place of rows as often as 17 documents have no positive one."""
    pool = np.arange(40) < 4
    rng = np.random.default_rng(0)
    found = [pool[rng.choice(40, N_TRAIN, replace=False)].sum() for _ in range(4000)]
    share = np.mean(np.array(found) == 0)
    assert no_positive(pool, N_TRAIN) == pytest.approx(share, abs=4 * np.sqrt(share / 4000))


LEVELS = {"bayes": 40.0, "svm": 50.0, "tsvm": 60.0}
N = 100


def reuters_rows(changed=None, spread=5.0):
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
    frame = reuters_rows()
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
    frame = reuters_rows(spread=20.0)
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
    frame = reuters_rows({"trade": {"tsvm": tsvm}})
    found = measures.reuters_above(frame, [["TSVM", "SVM"]], categories)
    assert outcome_of(found) == outcome


@pytest.mark.parametrize(("least", "outcome"), [("corn", REPRODUCED), ("ship", NOT_REPRODUCED)])
def test_the_range_of_gains(least, outcome):
    frame = reuters_rows({"crude": {"tsvm": 90.0}, least: {"tsvm": 51.0}})
    found = measures.reuters_gain_range(frame, "TSVM", "SVM", most="crude", least="corn")
    assert outcome_of(found) == outcome
    assert found.shown.endswith(f"in crude, smallest in {least}")


def test_the_objective_falls_from_start_to_end():
    assert measures.reuters_objective_falls(reuters_rows()).estimate[0] == pytest.approx(
        4.0, abs=0.3
    )
