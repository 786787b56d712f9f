"""Rows of the table of Reuters, on generated text."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import unit_rows

from transductive_compendium.datasets.reuters_corpus import CATEGORIES, corpus
from transductive_compendium.papers.transductive_svm.reuters_problem import ALL
from transductive_compendium.papers.transductive_svm.reuters_table import ITEM, N_TRAIN
from transductive_compendium.papers.transductive_svm.reuters_table_measures import under
from transductive_compendium.papers.transductive_svm.reuters_table_options import (
    no_positive,
)
from transductive_compendium.runner import get
from transductive_compendium.runner.open_choices import open_choices

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
    text = corpus(reuters["reuters21578"])
    pool, rows = text.positive[: text.n_train, -1], []
    for seed in range(8):
        row = unit_rows(
            NAME,
            {"condition": "corn", "number": 50},
            reuters,
            seed=seed,
            missing_class="chance",
        ).iloc[0]
        drawn = np.random.default_rng(seed).choice(len(pool), N_TRAIN, replace=False)
        assert row.train_positives == pool[drawn].sum()
        rows.append(row)
    missing = [row for row in rows if not row.train_positives]
    assert 0 < len(missing) < len(rows)
    for row in missing:
        share = 100.0 * row.test_positives / (len(text.positive) - text.n_train)
        assert row[["bayes", "svm", "tsvm"]].to_list() == pytest.approx([share] * 3)


def test_every_option_that_runs_has_rows(reuters):
    own, shared = (
        unit_rows(f"{NAME}_options", {"condition": condition, "number": 0}, reuters)
        for condition in ("acq", ALL)
    )
    rows = pd.concat([own, shared[shared.category == "acq"]])
    found = [*zip(rows.choice, rows.option, strict=True)]
    choices = open_choices("transductive_svm")
    run = {(c, o) for c, of in choices.items() for o, option in of.others.items() if option.run}
    assert set(found) == run and len(found) == len(run)
    assert own.notna()["tsvm"].all() and set(shared.category) == set(CATEGORIES)
    own = own.set_index(["choice", "option"])
    # what touches the TSVM alone leaves the others
    assert own.loc[("pair", "first"), "bayes"] == own.loc[("num_plus", "sign"), "bayes"]


def test_the_law_of_a_missing_class():
    """Chance takes the place of rows as often as 17 documents have no positive one."""
    pool = np.arange(40) < 4
    rng = np.random.default_rng(0)
    found = [pool[rng.choice(40, N_TRAIN, replace=False)].sum() for _ in range(4000)]
    share = np.mean(np.array(found) == 0)
    assert no_positive(pool, N_TRAIN) == pytest.approx(share, abs=4 * np.sqrt(share / 4000))
