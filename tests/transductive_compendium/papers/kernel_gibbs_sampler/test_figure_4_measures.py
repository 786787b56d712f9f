"""Figure 4: what the measures make of rows."""

from functools import partial
from itertools import product

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


def figure_4(svm=0.07, bpm=0.06, at=None):
    """Rows with an error of each method that depends on the value only as `at` says."""
    rng = np.random.default_rng(0)
    rows = pd.DataFrame(product(range(N_SETS), VALUES), columns=["set", "value"])
    hard = 0.01 * rng.random(N_SETS)[rows["set"]]  # moves all methods alike
    here = {"svm": svm, "bpm": bpm, "exact": bpm}
    for name, error in here.items():
        changed = {v: x.get(name.replace("exact", "bpm"), error) for v, x in (at or {}).items()}
        noise = 0.0 if name == "exact" else 0.002 * rng.standard_normal(len(rows))
        rows[f"{name}_error"] = rows["value"].map(changed).fillna(error) + hard + noise
        if name != "svm":
            rows.loc[~rows["value"].isin(SHARED_VALUES), f"{name}_error"] = np.nan
        rows[f"{name}_true_error"] = rows[f"{name}_error"] - 0.05
    return rows


def judged(measure, at=None, svm=0.07, **options):
    return outcome_of(measure(figure_4(svm=svm, at=at), **options))


CLOSE = {value: {"svm": 0.061} for value in (0.02, 0.06, 0.1, 0.14, 0.18)}
BELOW, ROBUST = measures.figure_4_below, measures.figure_4_robust
ROBUST_BELOW = measures.figure_4_robust_below


def test_one_lambda_against_it_refutes_the_ordering():
    beyond = {100.0: {"svm": 0.055}}  # is not read unless any lambda is
    assert judged(BELOW) == judged(BELOW, beyond) == judged(BELOW, any_penalty=True) == REPRODUCED
    assert judged(BELOW, {0.18: {"svm": 0.055}}) == NOT_REPRODUCED
    assert judged(BELOW, beyond, any_penalty=True) == NOT_REPRODUCED


def test_bars_have_to_be_apart():
    bars, far = partial(judged, BELOW, clearly="bars"), {100.0: {"svm": 0.061}}
    assert judged(BELOW, CLOSE) == bars() == bars(far) == REPRODUCED
    assert REPRODUCED not in (bars(CLOSE), bars(far, any_penalty=True))


def test_robust_is_by_half_the_gap_or_the_svms_own_range():
    assert judged(ROBUST) == REPRODUCED
    for error in (0.067, 0.053):  # better counts as different, too; the gap is one point
        assert judged(ROBUST, {0.18: {"bpm": error}}) == NOT_REPRODUCED
    # no gap: the SVM's range over lambda counts, none first, then two points
    assert judged(ROBUST, {0.18: {"bpm": 0.061}}, svm=0.05) == NOT_REPRODUCED
    assert judged(ROBUST, {0.02: {"svm": 0.03}}, svm=0.05) == REPRODUCED


def test_below_at_every_q_and_lambda():
    assert judged(ROBUST_BELOW) == REPRODUCED
    for at in ({0.14: {"bpm": 0.075}}, {0.02: {"svm": 0.055}}):
        assert judged(ROBUST_BELOW, at) == NOT_REPRODUCED


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


@pytest.mark.parametrize(
    ("abscissa", "penalty", "level"),
    [("to_fifth", 0.18, 0.02), ("to_half", 0.35, 0.45), ("decades", 10**2.4, 0.02)],
)
def test_the_abscissa_says_which_values_are_read(abscissa, penalty, level):
    low, high = {penalty: {"svm": 0.055}}, {level: {"bpm": 0.075}}
    for option in measures.READ_AT:
        expected = NOT_REPRODUCED if option == abscissa else REPRODUCED
        assert judged(BELOW, low, abscissa=option) == expected
        reads = level in measures.READ_AT[option][0]
        expected = NOT_REPRODUCED if reads else REPRODUCED
        assert judged(ROBUST_BELOW, high, abscissa=option) == expected


def test_clean_test_labels_have_errors_of_their_own():
    noisy_only = figure_4()
    noisy_only["svm_true_error"] -= 0.03
    assert outcome_of(BELOW(noisy_only)) == REPRODUCED
    assert outcome_of(BELOW(noisy_only, test_labels="clean")) == NOT_REPRODUCED
