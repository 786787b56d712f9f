"""Rows of the table of Reuters, on generated text."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import unit_rows

from transductive_compendium.datasets import load
from transductive_compendium.datasets.reuters_corpus import CATEGORIES, corpus
from transductive_compendium.papers.transductive_svm.reuters_problem import ALL
from transductive_compendium.papers.transductive_svm.reuters_table import ITEM, N_TRAIN
from transductive_compendium.papers.transductive_svm.reuters_table_measures import under
from transductive_compendium.papers.transductive_svm.reuters_table_options import (
    no_positive,
    options_run,
)
from transductive_compendium.runner import get
from transductive_compendium.runner.open_choices import open_choices


@pytest.fixture(scope="module")
def table():
    return load("generated_text")


def _rows(key, table):
    return unit_rows("transductive_svm/reuters_table", key, {"reuters21578": table})


def test_rows_of_the_table(table):
    text = corpus(table)
    row = _rows({"condition": "acq", "number": 0}, table)
    assert list(row.category) == ["acq"]
    row = row.iloc[0]
    assert row.test_positives == text.positive[text.n_train :, 1].sum()
    assert 1 <= row.train_positives < N_TRAIN
    rows = _rows({"condition": ALL, "number": 0}, table)
    assert tuple(rows.category) == CATEGORIES
    assert (rows.train_positives > 0).all()
    # generated text is easy enough to beat chance by far
    assert (rows[["bayes", "svm", "tsvm"]].mean() > 40).all()


def test_units_of_the_table():
    experiment = get("transductive_svm/reuters_table")
    keys = pd.DataFrame(experiment.unit_keys({"draw": "per_category"}, "paper"))
    assert keys.groupby("condition").size().to_dict() == dict.fromkeys(CATEGORIES, 100)
    shared = pd.DataFrame(experiment.unit_keys({"draw": "shared"}, "paper"))
    assert set(shared.condition) == {ALL} and len(shared) == 100


def test_features_change_the_vectors_and_no_draw(table):
    key, name = {"condition": "acq", "number": 5}, "transductive_svm/reuters_table"
    plain, stems = (
        unit_rows(name, key, {"reuters21578": table}, features=features).iloc[0]
        for features in ("counts", "stems_tfidf")
    )
    assert plain.train_positives == stems.train_positives
    assert plain.svm != stems.svm
    # both objectives are of the same documents at the same costs
    assert plain.objective == pytest.approx(plain.objective_start, rel=0.1)


@pytest.mark.parametrize("choice", sorted(set(get(ITEM).open_choices) - {"draw", "missing_class"}))
def test_a_parameter_is_the_option_of_the_same_name(table, choice):
    """A run of the table under an option agrees with the companion's on the same documents."""
    key = {"condition": "acq", "number": 2}
    name, data = "transductive_svm/reuters_table", {"reuters21578": table}
    companion = unit_rows(f"{name}_options", key, data)
    for option, found in open_choices("transductive_svm")[choice].others.items():
        row = unit_rows(name, key, data, **found.run).iloc[0]
        of = (companion.choice == choice) & (companion.option == option)
        columns = ["train_positives", "bayes", "svm", "tsvm"]
        assert row[columns].to_list() == companion[of].iloc[0][columns].to_list()


def test_parameters_together_are_the_cited_experiment(table):
    key, name = {"condition": ALL, "number": 2}, "transductive_svm/reuters_table"
    data = {"reuters21578": table}
    companion = unit_rows(f"{name}_options", key, data)
    for option, made in open_choices("transductive_svm")["cited_experiment"].others.items():
        rows = unit_rows(name, key, data, **made.run)
        of = under(companion, "cited_experiment", option).reset_index(drop=True)
        for column in ("category", "bayes", "svm", "tsvm"):
            assert (rows[column] == of[column]).all()


def test_without_a_positive_document_all_methods_score_by_chance(table):
    text = corpus(table)
    pool, rows = text.positive[: text.n_train, -1], []
    for seed in range(8):
        row = unit_rows(
            "transductive_svm/reuters_table",
            {"condition": "corn", "number": 50},
            {"reuters21578": table},
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


def test_shared_documents_and_the_program_s_costs_have_a_hundred_training_sets():
    def run(condition):
        return {choice for choice, _ in options_run(condition, 99)}

    assert run(ALL) == {"draw", "cited_experiment"} and run("acq") == {"first_costs"}
    assert set(options_run("acq", 19)) > set(options_run("acq", 20))


def test_every_option_that_runs_has_rows(table):
    name, data = "transductive_svm/reuters_table_options", {"reuters21578": table}
    own = unit_rows(name, {"condition": "acq", "number": 0}, data)
    shared = unit_rows(name, {"condition": ALL, "number": 0}, data)
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
