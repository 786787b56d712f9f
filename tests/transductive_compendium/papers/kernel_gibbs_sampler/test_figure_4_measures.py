"""Figure 4: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.papers.kernel_gibbs_sampler import figure_4_measures as measures
from transductive_compendium.papers.kernel_gibbs_sampler.figure_4_design import SHARED_VALUES
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED, decide_equivalence

N_SETS = 40


def figure_4(svm=0.07, bpm=0.06, at=None):
    """Rows with an error of each method that depends on the value only as `at` says."""
    rng = np.random.default_rng(0)
    rows = []
    for i in range(N_SETS):
        hard = 0.01 * rng.uniform()  # moves all methods alike
        for value in (*SHARED_VALUES, 1.0, 100.0):
            svm_here, bpm_here = {"svm": svm, "bpm": bpm, **(at or {}).get(value, {})}.values()
            noise = 0.002 * rng.standard_normal(2)
            errors = {
                "svm": svm_here + hard + noise[0],
                "bpm": bpm_here + hard + noise[1] if value < 0.5 else np.nan,
                "exact": bpm_here + hard if value < 0.5 else np.nan,
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
    assert svm.shape == (N_SETS, len(SHARED_VALUES) + 2)
    assert bpm[0.1].mean() == pytest.approx(6.5, abs=0.3)
    difference = bpm - measures.error_table(frame, "bpm", "unflipped")
    np.testing.assert_allclose(difference, 5.0)
    # against the BPM at the true rate, whatever it does elsewhere
    np.testing.assert_allclose(measures.svm_less_bpm(frame).add(bpm[0.05], axis=0), svm)


@pytest.mark.parametrize("labels", ["flipped", "unflipped"])
def test_one_lambda_against_it_refutes_the_ordering(labels):
    name = "kernel_gibbs_sampler/figure_4"

    def outcome(at=None, beyond=False):
        return outcome_of(measures.figure_4_below({name: figure_4(at=at)}, labels, beyond))

    assert outcome() == REPRODUCED
    assert outcome({0.4: {"svm": 0.055}}) == NOT_REPRODUCED
    assert outcome({100.0: {"svm": 0.055}}) == REPRODUCED  # not on the shared abscissa
    assert outcome({100.0: {"svm": 0.055}}, beyond=True) == NOT_REPRODUCED


def equivalence(evidence, tolerance):
    return decide_equivalence(evidence, tolerance).outcome


def test_one_q_against_it_refutes_robustness_and_counts_as_sampling_only_where_it_is():
    def frames(at=None):
        return {"kernel_gibbs_sampler/figure_4": figure_4(at=at)}

    assert equivalence(measures.figure_4_robust(frames()), 0.25) == REPRODUCED
    for error in (0.066, 0.054):  # better counts as different, too
        far = frames({0.45: {"bpm": error}})
        assert equivalence(measures.figure_4_robust(far), 0.25) == NOT_REPRODUCED
        # the exact Bayes point is as far off: the samples have lost nothing
        assert equivalence(measures.figure_4_samples(far, 0.45), 0.25) == REPRODUCED
    few = frames()
    rows = few["kernel_gibbs_sampler/figure_4"]
    rows.loc[rows["value"] == 0.45, "bpm_error"] += 0.005
    assert equivalence(measures.figure_4_samples(few, 0.45), 0.25) == NOT_REPRODUCED
    assert outcome_of(measures.figure_4_samples_lose(few, 0.45)) == REPRODUCED
    assert outcome_of(measures.figure_4_samples_lose(few, 0.05)) != REPRODUCED
