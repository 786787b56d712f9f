"""Learning curves on Reuters: what the measures make of rows."""

import numpy as np
import pandas as pd
from paper_rooms import outcome_of

from transductive_compendium.datasets.reuters_corpus import CATEGORIES
from transductive_compendium.papers.transductive_svm import reuters_learning_measures as measures
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED


def learning(few=8.0, many=1.0, start=2.0):
    """Gains at 17 and 1088 training documents, and at 17 with the fewest test documents."""
    rng, rows = np.random.default_rng(0), []
    for n_train, sets in ((17, 110), (1088, 100)):
        for number in range(sets):
            for category in CATEGORIES:
                for n_test in (206, 3299) if n_train == 17 else (3299,):
                    gain = (few if n_test == 3299 else start) if n_train == 17 else many
                    key = {"category": category, "n_train": n_train, "number": number}
                    svm = 50.0 + rng.normal()
                    tsvm = svm + gain + 0.3 * rng.normal()
                    rows.append(key | {"n_test": n_test, "svm": svm, "tsvm": tsvm})
    return pd.DataFrame(rows)


def test_gain_over_training_documents():
    falls = measures.reuters_gain_falls(learning())
    assert falls.n == 100 and falls.shown.startswith("lead +8")
    assert outcome_of(falls) == REPRODUCED
    assert outcome_of(measures.reuters_gain_falls(learning(many=12.0))) == NOT_REPRODUCED
    # a smaller loss is no lead
    assert outcome_of(measures.reuters_gain_falls(learning(-1.0, -3.0))) == NOT_REPRODUCED


def test_gain_over_test_documents():
    assert outcome_of(measures.reuters_gain_rises(learning())) == REPRODUCED
    assert outcome_of(measures.reuters_gain_rises(learning(start=10.0))) == NOT_REPRODUCED
    assert outcome_of(measures.reuters_gain_rises(learning(-1.0, start=-3.0))) == NOT_REPRODUCED


def test_curves_keep_the_other_number_at_the_papers():
    frame = learning()
    train = measures.curve(frame, "n_train", "tsvm")
    assert list(train.columns) == [17, 1088] and train[1088].notna().sum() == 100
    test = measures.curve(frame, "n_test", "tsvm")
    assert list(test.columns) == [206, 3299] and len(test) == 110
    np.testing.assert_allclose(test[3299], train[17])
