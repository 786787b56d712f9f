"""Diversity of sampled classifiers: what the measure makes of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.papers.kernel_gibbs_sampler import diversity_measures as measures
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED


def test_diversity_has_to_grow_at_each_step():
    def rows(levels):
        rng = np.random.default_rng(0)
        return pd.DataFrame(
            {
                "draw": draw,
                "q": q,
                "disagreement_plane": level,
                "disagreement_training": level + 0.001 * rng.standard_normal(),
                "entropy_training": 0.2 - level,
            }
            for draw in range(120)
            for q, level in zip((0.0, 0.1, 0.2), levels, strict=True)
        )

    def outcome(*levels, diversity="disagreement"):
        return outcome_of(measures.diversity_grows(rows(levels), diversity), m=1)

    assert outcome(0.10, 0.12, 0.14) == REPRODUCED
    assert outcome(0.10, 0.14, 0.12) == NOT_REPRODUCED
    assert outcome(0.10, 0.14, 0.14) != REPRODUCED
    assert outcome(0.10, 0.12, 0.14, diversity="plane") == REPRODUCED
    assert outcome(0.10, 0.12, 0.14, diversity="entropy") == NOT_REPRODUCED
    assert measures.disagreement(rows((0.1, 0.2, 0.3)), "plane")[0.1].mean() == pytest.approx(
        20, abs=0.1
    )
