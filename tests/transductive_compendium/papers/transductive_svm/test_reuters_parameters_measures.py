"""Changes on Reuters: what the page's table makes of rows."""

import numpy as np
import pandas as pd

from transductive_compendium.datasets.reuters_corpus import CATEGORIES
from transductive_compendium.papers.transductive_svm import reuters_parameters_measures as measures


def changes(gains):
    rng = np.random.default_rng(0)
    rows = [
        {"category": category, "number": number, "change": change, "bayes": 40.0, "svm": svm}
        | {"tsvm": svm + gain, "changed": "machine"}
        for number in range(5)
        for category in CATEGORIES
        for svm in [50.0 + rng.normal()]
        for change, gain in gains.items()
    ]
    return pd.DataFrame(rows)


def test_differences_are_on_the_same_training_sets():
    frame = changes({"nothing": 8.0, "C = 10": 3.0, "number by share": -5.0})
    found = measures.changes_table(frame)
    assert list(found.loc["machine"].index) == ["nothing", "C = 10", "number by share"]
    np.testing.assert_allclose(found["TSVM less SVM"], [8.0, 3.0, -5.0])
    np.testing.assert_allclose(found["TSVM less unchanged"], [0.0, -5.0, -13.0])
    np.testing.assert_allclose(found["half of TSVM less unchanged"], 0.0, atol=1e-9)
