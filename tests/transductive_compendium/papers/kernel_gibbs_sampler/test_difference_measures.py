"""Means with errors, and statements in which nothing is random."""

import pandas as pd
from paper_rooms import outcome_of

from transductive_compendium.papers.kernel_gibbs_sampler import difference_measures as measures
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED


def test_mean_with_error():
    table = pd.DataFrame({"a": [1.0, 3.0], "b": [2.0, 2.0]})
    assert measures.mean_with_error(table).to_dict() == {"a": "2.00 ± 1.00", "b": "2.00 ± 0.00"}
    assert measures.mean_with_error(table["a"], 1) == "2.0 ± 1.0"


def test_yes_or_no_is_decided_without_draws():
    assert outcome_of(measures.yes_or_no(True, "text"), m=0) == REPRODUCED
    no = measures.yes_or_no(False, "text")
    assert outcome_of(no, m=0) == NOT_REPRODUCED and no.shown == "text"
