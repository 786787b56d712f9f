"""Learning curves on Reuters: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.datasets.reuters_corpus import CATEGORIES
from transductive_compendium.papers.transductive_svm import reuters_learning_measures as measures
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED


def learning(few=8.0, many=1.0, start=2.0):
    """Gains at 17 and 1088 training documents, and at 17 with the fewest test documents."""
    rng, rows = np.random.default_rng(0), []
    for n_train, sets in ((17, 10), (1088, 5)):
        for number in range(sets):
            for category in CATEGORIES:
                for n_test in (206, 3299) if n_train == 17 else (3299,):
                    gain = (few if n_test == 3299 else start) if n_train == 17 else many
                    key = {"category": category, "n_train": n_train, "number": number}
                    svm = 50.0 + rng.normal()
                    tsvm = svm + gain + 0.3 * rng.normal()
                    row = key | {"n_test": n_test, "svm": svm, "tsvm": tsvm}
                    rows.append(row | {"svm_all": svm, "tsvm_all": svm + few})
    return {measures.ITEM: pd.DataFrame(rows)}


def test_gain_over_training_documents():
    frames = learning()
    assert len(measures.reuters_gain_falls(frames, 17, 1088).differences) == 5
    assert outcome_of(measures.reuters_gain_falls(frames, 17, 1088)) == REPRODUCED
    assert outcome_of(measures.reuters_gain_falls(learning(many=12.0), 17, 1088)) == NOT_REPRODUCED
    assert outcome_of(measures.reuters_gain_at(frames, 1088)) == REPRODUCED
    assert outcome_of(measures.reuters_gain_at(learning(many=-2.0), 1088)) == NOT_REPRODUCED


def test_means_over_overlapping_sets_vary_as_the_correction_says():
    """Means of random members of a pool: variance over pools, with the pool's own."""
    rng, pool, m, n = np.random.default_rng(0), 300, 100, 6
    means, spreads = [], []
    for _ in range(2000):
        values = rng.normal(size=pool)
        sets = [rng.permutation(values)[:m].mean() for _ in range(n)]
        means.append(np.mean(sets))
        spreads.append(np.var(sets, ddof=1))
    expected = np.mean(spreads) * (1 / n + m / (pool - m))
    assert np.var(means) == pytest.approx(expected, rel=0.15)
    assert measures.overlap(1088) == pytest.approx(1088 / (9603 - 1088))


def test_overlap_of_either_number_goes_with_its_own_variance():
    frames = learning()
    assert measures.reuters_gain_at(frames, 1088).test_train_ratio == measures.overlap(1088)
    evidence = measures.reuters_gain_falls(frames, 17, 1088)
    gain = measures._gain(frames[measures.ITEM], "n_train", "tsvm")[[17, 1088]].dropna().var()
    both = gain[17] * measures.overlap(17) + gain[1088] * measures.overlap(1088)
    assert evidence.test_train_ratio * gain.sum() == pytest.approx(both)
    assert measures.overlap(17) < evidence.test_train_ratio < measures.overlap(1088)


def test_gain_over_test_documents():
    frames = learning()
    assert outcome_of(measures.reuters_gain_rises(frames)) == REPRODUCED
    assert outcome_of(measures.reuters_gain_rises(learning(start=10.0))) == NOT_REPRODUCED
    # judged at all documents these classifiers are the same
    found = measures.reuters_gain_rises(frames, at_all=True)
    assert outcome_of(found, tolerance=1.0) == NOT_REPRODUCED


def test_curves_keep_the_other_number_at_the_papers():
    frame = learning()[measures.ITEM]
    train = measures.curve(frame, "n_train", "tsvm")
    assert list(train.columns) == [17, 1088] and train[1088].notna().sum() == 5
    test = measures.curve(frame, "n_test", "tsvm")
    assert list(test.columns) == [206, 3299] and len(test) == 10
    np.testing.assert_allclose(test[3299], train[17])
