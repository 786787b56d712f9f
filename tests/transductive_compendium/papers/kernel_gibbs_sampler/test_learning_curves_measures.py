"""Learning curves: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.papers.kernel_gibbs_sampler import learning_curves_measures as measures
from transductive_compendium.papers.kernel_gibbs_sampler.learning_curves import WHOLE_SPACE
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED

LABELS = (4, 10, 20, 40)


def curves(random=0.02, margin=0.0, flipped=0.0, whole=0.0, spread=0.002):
    """Rows in which strategies are ahead of or behind the entropy by so much, from 10 labels on."""
    rng = np.random.default_rng(0)
    rows = []
    for problem, n in (("uniform", 30), ("beta", 30), ("heart", 20)):
        for i in range(n):
            hard = 0.05 * rng.uniform()
            for flip_rate, q in ((0.0, 0.0), (0.1, 0.1), (0.0, 0.1)):
                strategies = {"entropy": 0.0, "random": random, "margin": margin}
                if problem == "heart":
                    strategies[WHOLE_SPACE] = whole
                for strategy, more in strategies.items():
                    more += flipped if flip_rate and strategy in ("random", "margin") else 0.0
                    # rows of a noise that is assumed where there is none would spoil all
                    more += 1.0 if flip_rate != q and strategy != "entropy" else 0.0
                    for labels in LABELS:
                        ahead = more + spread * rng.standard_normal() if labels > 4 else 0.0
                        error = 0.1 + hard + ahead
                        rows.append((i, problem, flip_rate, q, strategy, labels, error, 2 * error))
    names = ["replication", "problem", "flip_rate", "q", "strategy", "labels", "error", "error_svm"]
    return pd.DataFrame(rows, columns=names)


def frames(**kwargs):
    return {"kernel_gibbs_sampler/active_learning": curves(**kwargs)}


def test_the_area_is_a_mean_over_labels_by_trapezoids():
    frame = curves(spread=0.0)
    area = measures.areas_above_entropy(frame, "random", noise=False)
    # nothing at 4 labels, 2 points from 10 on
    expected = 2.0 * (0.5 * 6 + 30) / 36
    assert set(area) == {"uniform", "beta", "heart"}
    np.testing.assert_allclose(area["uniform"], expected)
    assert area["heart"].count() == 20
    twice = measures.areas_above_entropy(frame, "random", False, "error_svm")
    np.testing.assert_allclose(twice["beta"], 2 * expected)


@pytest.mark.parametrize(("margin", "outcome"), [(0.0, REPRODUCED), (0.01, NOT_REPRODUCED)])
def test_alike_up_to_the_tolerance(margin, outcome):
    evidence = measures.queries_alike(frames(margin=margin), "margin", ["uniform", "beta"], False)
    assert outcome_of(evidence, 30, margin=0.25) == outcome
