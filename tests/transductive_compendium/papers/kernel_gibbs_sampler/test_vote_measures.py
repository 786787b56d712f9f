"""Vote and Bayes point: what the measures make of rows."""

import numpy as np
import pandas as pd
from paper_rooms import outcome_of

from transductive_compendium.papers.kernel_gibbs_sampler import vote_measures as measures
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED


def frames(rows):
    return {"kernel_gibbs_sampler/vote": rows}


def votes(apart):
    """Twenty splits; `apart` maps (dataset, flip rate, q) to a mean share of decisions."""
    rows = []
    for (dataset, flip_rate, q), share in apart.items():
        for split, factor in enumerate(np.linspace(0.8, 1.2, 20)):
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


def test_one_setting_apart_is_enough():
    shares = {("crescents", 0.0, 0.0): 0.001, ("heart", 0.0, 0.0): None, ("heart", 0.1, 0.1): 0.002}
    close = measures.vote_as_bayes_point(frames(votes(shares)))
    np.testing.assert_allclose(close.estimate, [0.1, 0.2])
    assert outcome_of(close, 5, margin=2.0) == REPRODUCED
    apart = measures.vote_as_bayes_point(frames(votes(shares | {("crescents", 0.1, 0.0): 0.05})))
    assert outcome_of(apart, 5, margin=2.0) == NOT_REPRODUCED


def test_gain_of_the_bayes_point_leaves_out_what_is_empty():
    table = measures.vote_table(
        votes({("heart", 0.0, 0.0): None, ("heart", 0.0, 0.1): 0.01}), "heart", "gain"
    )
    assert list(table.columns) == [(0.0, 0.1)]
    np.testing.assert_allclose(table, 3.0)
