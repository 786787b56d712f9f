"""Means with errors, and statements in which nothing is random."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of
from scipy.special import stdtrit

from transductive_compendium.papers.kernel_gibbs_sampler import difference_measures as measures
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED


def test_mean_with_error():
    table = pd.DataFrame({"a": [1.0, 3.0], "b": [2.0, 2.0]})
    assert measures.mean_with_error(table).to_dict() == {"a": "2.00 ± 1.00", "b": "2.00 ± 0.00"}
    assert measures.mean_with_error(table["a"], 1) == "2.0 ± 1.0"


def test_half_width_is_that_of_each_columns_own_number_of_rows():
    values = np.random.default_rng(2).standard_normal((12, 2))
    table = pd.DataFrame(values, columns=["all", "some"])
    table.loc[5:, "some"] = np.nan
    for name, n in (("all", 12), ("some", 5)):
        expected = stdtrit(n - 1, 0.975) * np.std(values[:n, ("all", "some").index(name)], ddof=1)
        assert measures.half_width(table)[name] == pytest.approx(expected / np.sqrt(n))
        assert measures.half_width(table[name]) == pytest.approx(expected / np.sqrt(n))
    assert np.isnan(measures.half_width(table.iloc[:1])).all()


def test_yes_or_no_is_decided_without_draws():
    assert outcome_of(measures.yes_or_no(True, "text"), m=0) == REPRODUCED
    no = measures.yes_or_no(False, "text")
    assert outcome_of(no, m=0) == NOT_REPRODUCED and no.shown == "text"
