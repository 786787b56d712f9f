"""Which column decides for all of them, and means with errors."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import stdtrit

from transductive_compendium.papers.kernel_gibbs_sampler import difference_measures as measures
from transductive_compendium.verdicts.rules import (
    REPRODUCED,
    EquivalenceEvidence,
    decide_equivalence,
)


def test_least_clear_decides_for_all():
    clear = pd.Series(np.linspace(0.5, 1.5, 20))
    table = pd.DataFrame({0.1: clear, 0.2: clear - 0.9, 0.3: 10 * clear})
    assert measures.least_clear(table).name == 0.2
    # a column of zeros shows nothing, one against the claim less than nothing
    table[0.4] = 0.0
    assert measures.least_clear(table).name == 0.4
    table[0.5] = -0.01 * clear
    assert measures.least_clear(table).name == 0.5


def equivalence(evidence, tolerance):
    return decide_equivalence(evidence, tolerance).outcome


def test_furthest_is_the_widest_interval_not_the_largest_mean():
    rng = np.random.default_rng(1)
    noise = rng.standard_normal(30)
    noise -= noise.mean()
    table = pd.DataFrame({0.1: 0.2 + 0.01 * noise, 0.2: -0.1 + 2 * noise})
    assert measures.furthest(table).name == 0.2
    low, high = -0.1 - measures.half_width(table)[0.2], 0.2 + measures.half_width(table)[0.1]
    assert equivalence(EquivalenceEvidence(table[0.2]), -low + 1e-6) == REPRODUCED
    assert equivalence(EquivalenceEvidence(table[0.2]), -low - 1e-6) != REPRODUCED
    assert equivalence(EquivalenceEvidence(table[0.1]), high + 1e-6) == REPRODUCED


def test_mean_with_error():
    table = pd.DataFrame({"a": [1.0, 3.0], "b": [2.0, 2.0]})
    assert measures.mean_with_error(table).to_dict() == {"a": "2.00 ± 1.00", "b": "2.00 ± 0.00"}
    assert measures.mean_with_error(table["a"], 1) == "2.0 ± 1.0"


def test_half_width_is_that_of_each_columns_own_number_of_rows():
    values = np.random.default_rng(2).standard_normal((12, 2))
    table = pd.DataFrame(values, columns=["all", "some"])
    table.loc[5:, "some"] = np.nan
    for name, n in (("all", 12), ("some", 5)):
        expected = stdtrit(n - 1, 0.95) * np.std(values[:n, ("all", "some").index(name)], ddof=1)
        assert measures.half_width(table)[name] == pytest.approx(expected / np.sqrt(n))
        assert measures.half_width(table[name]) == pytest.approx(expected / np.sqrt(n))
    assert np.isnan(measures.half_width(table.iloc[:1])).all()
