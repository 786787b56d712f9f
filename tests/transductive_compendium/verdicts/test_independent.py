"""Notebooks of a hundred lines find what the recorded rows say, within three standard errors."""

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.verdicts import independent
from transductive_compendium.verdicts.claims import Independent, load_statements
from transductive_compendium.verdicts.independent import APART, compare, independent_gaps
from transductive_compendium.verdicts.rules import EvidenceError

PAPERS = [name for name, found in load_statements().items() if found.anchors or found.findings]


@pytest.mark.parametrize("paper", PAPERS)
def test_each_headline_is_found_again(paper):
    compared = compare([paper])
    assert compared, "the headline has no row to compare"
    assert {row.row: row.apart for row in compared if row.apart > APART} == {}
    assert all(v.n >= 30 for row in compared for v in (*row.reproduced, *row.independent))


@pytest.mark.parametrize("paper", PAPERS)
def test_a_shift_of_four_standard_errors_is_found(paper, monkeypatch):
    def shifted(rows, stated):
        gaps = independent_gaps(rows, stated)
        return gaps + 8 * gaps.std(axis=0) / np.sqrt(len(gaps)) + 8 * shift

    shift = max(v.half for row in compare([paper]) for v in row.reproduced)
    monkeypatch.setattr(independent, "independent_gaps", shifted)
    assert all(row.apart > APART for row in compare([paper]))


def test_gaps_are_those_of_the_stated_rows():
    rows = pd.DataFrame(
        {"split": [0, 0, 1, 1] * 2, "n": [10] * 4 + [20] * 4, "a": range(8), "b": [1.0] * 8}
    )
    stated = Independent(
        row="r", claim="c", gains=("a - b", "b"), where="a < 7", by={"n": (20, 10)}
    )
    expected = [[3.5, 1, -0.5, 1], [5, 1, 1.5, 1]]
    np.testing.assert_allclose(independent_gaps(rows, stated), expected)
    nothing = Independent(row="r", claim="c", gains=("a",), where="n > 20")
    with pytest.raises(EvidenceError, match="where and by"):
        independent_gaps(rows, nothing)
