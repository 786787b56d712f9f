"""Figure 4: what the measures make of rows."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.papers.kernel_gibbs_sampler import figure_4_measures as measures
from transductive_compendium.papers.kernel_gibbs_sampler.figure_4 import (
    PENALTIES_BEYOND,
    SHARED_VALUES,
)
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED

N_SETS = 120
VALUES = SHARED_VALUES + PENALTIES_BEYOND
TO_FIFTH = (0.02, 0.06, 0.1, 0.14, 0.18)


def figure_4(svm=0.07, bpm=0.06, at=None):
    """Rows with an error of each method that depends on the value only as `at` says."""
    rng = np.random.default_rng(0)
    rows = []
    for i in range(N_SETS):
        hard = 0.01 * rng.uniform()  # moves all methods alike
        for value in VALUES:
            svm_here, bpm_here = {"svm": svm, "bpm": bpm, **(at or {}).get(value, {})}.values()
            noise = 0.002 * rng.standard_normal(2)
            errors = {
                "svm": svm_here + hard + noise[0],
                "bpm": bpm_here + hard + noise[1] if value in SHARED_VALUES else np.nan,
                "exact": bpm_here + hard if value in SHARED_VALUES else np.nan,
            }
            row = {"set": i, "value": value, "positive": 0.1}
            for name, error in errors.items():
                row[f"{name}_error"], row[f"{name}_true_error"] = error, error - 0.05
            rows.append(row)
    return pd.DataFrame(rows)


def test_errors_are_in_per_cent_and_of_the_labels_asked_for():
    frame = figure_4()
    bpm, svm = measures.error_table(frame, "bpm"), measures.error_table(frame, "svm")
    assert bpm.shape == (N_SETS, len(SHARED_VALUES))
    assert svm.shape == (N_SETS, len(VALUES))
    assert bpm[0.1].mean() == pytest.approx(6.5, abs=0.3)
    difference = bpm - measures.error_table(frame, "bpm", "clean")
    np.testing.assert_allclose(difference, 5.0)
    # against the BPM at the true rate, whatever it does elsewhere
    np.testing.assert_allclose(measures.svm_less_bpm(frame).add(bpm[0.05], axis=0), svm)


def test_one_lambda_against_it_refutes_the_ordering():
    def outcome(at=None, **kwargs):
        return outcome_of(measures.figure_4_below(figure_4(at=at), **kwargs))

    assert outcome() == REPRODUCED
    assert outcome({0.18: {"svm": 0.055}}) == NOT_REPRODUCED
    assert outcome({100.0: {"svm": 0.055}}) == REPRODUCED  # is not read
    assert outcome(any_penalty=True) == REPRODUCED
    assert outcome({100.0: {"svm": 0.055}}, any_penalty=True) == NOT_REPRODUCED


def test_bars_have_to_be_apart():
    close = {value: {"svm": 0.0608} for value in TO_FIFTH}
    assert outcome_of(measures.figure_4_below(figure_4(at=close))) == REPRODUCED
    bars = partial(measures.figure_4_below, clearly="bars")
    assert outcome_of(bars(figure_4(at=close))) != REPRODUCED
    assert outcome_of(bars(figure_4())) == REPRODUCED
    far = figure_4(at={100.0: {"svm": 0.0608}})
    assert outcome_of(bars(far)) == REPRODUCED  # is not read
    assert outcome_of(bars(far, any_penalty=True)) != REPRODUCED


@pytest.mark.parametrize(
    ("abscissa", "penalty", "level"),
    [("to_fifth", 0.18, 0.02), ("to_half", 0.35, 0.45), ("decades", 10**2.4, 0.02)],
)
def test_the_abscissa_says_which_values_are_read(abscissa, penalty, level):
    below, robust = measures.figure_4_below, measures.figure_4_robust_below
    low, high = figure_4(at={penalty: {"svm": 0.055}}), figure_4(at={level: {"bpm": 0.075}})
    for option in measures.READ_AT:
        expected = NOT_REPRODUCED if option == abscissa else REPRODUCED
        assert outcome_of(below(low, abscissa=option)) == expected
        reads = level in measures.READ_AT[option][0]
        expected = NOT_REPRODUCED if reads else REPRODUCED
        assert outcome_of(robust(high, abscissa=option)) == expected


def test_clean_test_labels_have_errors_of_their_own():
    noisy_only = figure_4()
    noisy_only["svm_true_error"] -= 0.03
    assert outcome_of(measures.figure_4_below(noisy_only)) == REPRODUCED
    assert outcome_of(measures.figure_4_below(noisy_only, test_labels="clean")) == NOT_REPRODUCED


def test_robust_is_by_half_the_gap_or_the_svms_own_range():
    def outcome(at=None, **kwargs):
        return outcome_of(measures.figure_4_robust(figure_4(at=at, **kwargs)))

    assert outcome() == REPRODUCED
    for error in (0.067, 0.053):  # better counts as different, too; the gap is one point
        assert outcome({0.18: {"bpm": error}}) == NOT_REPRODUCED
    # no gap: the SVM's range over lambda counts, none first, then two points
    assert outcome({0.18: {"bpm": 0.061}}, svm=0.05) == NOT_REPRODUCED
    assert outcome({0.02: {"svm": 0.03}}, svm=0.05) == REPRODUCED


def test_below_at_every_q_and_lambda():
    assert outcome_of(measures.figure_4_robust_below(figure_4())) == REPRODUCED
    for at in ({0.14: {"bpm": 0.075}}, {0.02: {"svm": 0.055}}):
        assert outcome_of(measures.figure_4_robust_below(figure_4(at=at))) == NOT_REPRODUCED
