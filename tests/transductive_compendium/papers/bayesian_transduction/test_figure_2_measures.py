"""The numbers that figures 2a and 2b give to the text and to the claims."""

import numpy as np
import pytest

from transductive_compendium.papers.bayesian_transduction.figure_2_measures import (
    both_curves,
    curve_table,
    numbers_in_text,
    rejection_saved,
)
from transductive_compendium.rejection_curves import Outcomes


def test_rejection_saved_on_known_curves():
    rates = np.arange(0.0, 0.6, 0.002)
    transduction, svm = np.maximum(0.1 - rates, 0.0), np.maximum(0.1 - rates / 2, 0.0)
    saved = rejection_saved(rates, transduction[None], svm[None], 0.0501)
    assert saved == pytest.approx(0.05, abs=0.004)


@pytest.fixture
def two_splits():
    """Of four points each; the first keeps two of them at theta = 1, one wrong, the other none."""
    return Outcomes(
        confidence=np.array([[1.0, 1.0, 0.5, 0.0], [0.9, 0.8, 0.1, 0.2]]),
        margin=np.array([[3.0, 2.0, 1.0, 0.0], [3.5, 2.5, 1.5, 0.5]]),
        wrong=np.array([[True, False, False, True], [False, False, True, False]]),
        wrong_svm=np.array([[False, False, False, True], [False, False, True, False]]),
    )


def test_numbers_in_the_text(two_splits):
    numbers = numbers_in_text(two_splits)
    assert numbers["rejection_at_one"] == 75.0
    assert numbers["error_at_one"] == 50.0  # of the first split alone
    assert numbers["error"] == 37.5
    assert numbers["error_svm"] == 25.0


def test_curves_end_where_both_methods_reject_the_same(two_splits):
    transduction, svm = both_curves(two_splits)
    assert transduction["theta"].iloc[-1] == 1.0
    assert transduction["rejection"].iloc[-1] == svm["rejection"].iloc[-1] == 0.75
    table = curve_table(transduction, svm)
    assert table.loc["SVM", "error"].iloc[0] == 25.0
    assert table.loc["Bayesian transduction", "rejection"].iloc[-1] == 75.0
