"""Equivalence classes: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.papers.transductive_svm import equivalence_classes_measures as measures
from transductive_compendium.verdicts.rules import FAILS, HOLDS, decide_mathematics


def classes(**changes):
    row = {"classes": 22, "cover": 22, "margin": 0.5, "margin_exhaustive": 0.5}
    return pd.DataFrame([row, row | {"margin": np.nan}, row | changes])


@pytest.mark.parametrize(
    ("measure", "change"),
    [
        (measures.classes_by_cover, {"classes": 21}),
        (measures.widest_class, {"margin_exhaustive": 0.51}),
    ],
)
def test_counts_and_margins_are_identities(measure, change):
    assert decide_mathematics(measure(classes()), 1e-4).outcome == HOLDS
    assert decide_mathematics(measure(classes(**change)), 1e-4).outcome == FAILS
