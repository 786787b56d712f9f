"""Vote and Bayes point: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.papers.kernel_gibbs_sampler import vote_measures as measures
from transductive_compendium.rejection_curves import TEST_TRAIN
from transductive_compendium.verdicts.rules import (
    NOT_REPRODUCED,
    REPRODUCED,
    decide_equivalence,
    half_width,
)


def frames(rows):
    return {"kernel_gibbs_sampler/vote": rows}


def votes(apart):
    """Five splits; `apart` maps (dataset, flip rate, q) to a mean share of decisions."""
    rows = []
    for (dataset, flip_rate, q), share in apart.items():
        for split, factor in enumerate((0.8, 0.9, 1.0, 1.1, 1.2)):
            empty = share is None
            rows.append(
                {
                    "dataset": dataset,
                    "flip_rate": flip_rate,
                    "q": q,
                    "split": split,
                    "empty": empty,
                    "agreement": np.nan if empty else 1.0 - factor * share,
                    "vote_error": np.nan if empty else 0.2,
                    "point_error": np.nan if empty else 0.17,
                }
            )
    return pd.DataFrame(rows)


def test_bayes_point_is_judged_at_the_true_flip_rate_or_at_all():
    rows = votes(
        {
            ("crescents", 0.0, 0.0): 0.001,
            ("crescents", 0.1, 0.0): 0.05,
            ("crescents", 0.1, 0.1): 0.01,
            ("heart", 0.0, 0.0): None,
            ("heart", 0.1, 0.1): 0.002,
        }
    )

    def outcome(every_q):
        evidence = measures.vote_as_bayes_point(frames(rows), every_q)
        return evidence, decide_equivalence(evidence, 2.0).outcome

    evidence, made = outcome(every_q=False)
    assert evidence.differences.mean() == pytest.approx(1.0)
    assert evidence.test_train_ratio == 0.0
    assert made == REPRODUCED
    evidence, made = outcome(every_q=True)
    assert evidence.differences.mean() == pytest.approx(5.0)
    assert made == NOT_REPRODUCED


def test_overlapping_splits_widen_the_interval_that_decides():
    shares = {("crescents", 0.1, 0.1): 0.0105, ("thyroid", 0.1, 0.1): 0.01}
    evidence = measures.vote_as_bayes_point(frames(votes(shares)), every_q=False)
    assert evidence.test_train_ratio == TEST_TRAIN
    assert evidence.differences.mean() == pytest.approx(1.0)
    reach = half_width(evidence.differences, TEST_TRAIN)
    assert reach > 2 * half_width(evidence.differences)


def test_gain_of_the_bayes_point_leaves_out_what_is_empty():
    table = measures.vote_table(
        votes({("heart", 0.0, 0.0): None, ("heart", 0.0, 0.1): 0.01}), "heart", "gain"
    )
    assert list(table.columns) == [(0.0, 0.1)]
    np.testing.assert_allclose(table, 3.0)
