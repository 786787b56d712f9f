"""The Kernel Gibbs Sampler: what its measures make of rows, and that its claims load."""

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.papers.kernel_gibbs_sampler import label_noise_measures as report
from transductive_compendium.papers.kernel_gibbs_sampler.label_noise import READING, SHARED
from transductive_compendium.runner.records import results_folder
from transductive_compendium.verdicts.claims import UNDECIDED, load_claims, verify
from transductive_compendium.verdicts.rules import (
    NOT_REPRODUCED,
    REPRODUCED,
    decide_equivalence,
    decide_ordering,
    ordering_p,
)

DOCUMENT = "kernel_gibbs_sampler"
N_SETS = 40


def figure_4(svm=0.07, bpm=0.06, at=None):
    """Rows with an error of each method that depends on the value only as `at` says."""
    rng = np.random.default_rng(0)
    rows = []
    for i in range(N_SETS):
        hard = 0.01 * rng.uniform()  # moves all methods alike
        for value in (*SHARED, 1.0, 100.0):
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


def verdict(evidence, tolerance=None):
    if tolerance is None:
        return decide_ordering(evidence, ordering_p(evidence)).outcome
    return decide_equivalence(evidence, tolerance).outcome


def test_the_claims_load_and_say_what_their_ids_say():
    claims = {c.id: c for c in load_claims([DOCUMENT])}
    assert all(name.startswith("kgs-") for name in claims)
    assert claims["kgs-fig4-below"].role == "claim"
    assert claims["kgs-sec4-noise-free"].arguments == {"reading": READING}
    # else a win of the Bayes point machine over the SVM would count as no difference
    assert claims["kgs-fig4-robust-strict"].tolerance == claims["kgs-fig4-robust"].tolerance / 2


def test_errors_are_in_per_cent_and_of_the_labels_asked_for():
    frame = figure_4()
    bpm, svm = report.error_table(frame, "bpm"), report.error_table(frame, "svm")
    assert bpm.shape == (N_SETS, len(SHARED))
    assert svm.shape == (N_SETS, len(SHARED) + 2)
    assert bpm[0.1].mean() == pytest.approx(6.5, abs=0.3)
    difference = bpm - report.error_table(frame, "bpm", "unflipped")
    np.testing.assert_allclose(difference, 5.0)
    # against the BPM at the true rate, whatever it does elsewhere
    np.testing.assert_allclose(report.svm_less_bpm(frame).add(bpm[0.05], axis=0), svm)


def test_least_clear_decides_for_all():
    clear = pd.Series(np.linspace(0.5, 1.5, 20))
    table = pd.DataFrame({0.1: clear, 0.2: clear - 0.9, 0.3: 10 * clear})
    assert report.least_clear(table).name == 0.2
    # a column of zeros shows nothing, one against the claim less than nothing
    table[0.4] = 0.0
    assert report.least_clear(table).name == 0.4
    table[0.5] = -0.01 * clear
    assert report.least_clear(table).name == 0.5


def test_furthest_is_the_widest_interval_not_the_largest_mean():
    rng = np.random.default_rng(1)
    noise = rng.standard_normal(30)
    noise -= noise.mean()
    table = pd.DataFrame({0.1: 0.2 + 0.01 * noise, 0.2: -0.1 + 2 * noise})
    assert report.furthest(table).name == 0.2
    low, high = -0.1 - report.half_width(table)[0.2], 0.2 + report.half_width(table)[0.1]
    assert verdict(report.EquivalenceEvidence(table[0.2]), -low + 1e-6) == REPRODUCED
    assert verdict(report.EquivalenceEvidence(table[0.2]), -low - 1e-6) != REPRODUCED
    assert verdict(report.EquivalenceEvidence(table[0.1]), high + 1e-6) == REPRODUCED


def test_mean_with_error():
    table = pd.DataFrame({"a": [1.0, 3.0], "b": [2.0, 2.0]})
    assert report.mean_with_error(table).to_dict() == {"a": "2.00 ± 1.00", "b": "2.00 ± 0.00"}
    assert report.mean_with_error(table["a"], 1) == "2.0 ± 1.0"


@pytest.mark.parametrize("labels", ["flipped", "unflipped"])
def test_one_lambda_against_it_refutes_the_ordering(labels):
    name = f"{DOCUMENT}/figure_4"

    def outcome(at=None, beyond=False):
        return verdict(report.figure_4_below({name: figure_4(at=at)}, labels, beyond))

    assert outcome() == REPRODUCED
    assert outcome({0.4: {"svm": 0.055}}) == NOT_REPRODUCED
    assert outcome({100.0: {"svm": 0.055}}) == REPRODUCED  # not on the shared abscissa
    assert outcome({100.0: {"svm": 0.055}}, beyond=True) == NOT_REPRODUCED


def test_one_q_against_it_refutes_robustness_and_counts_as_sampling_only_where_it_is():
    def frames(at=None):
        return {f"{DOCUMENT}/figure_4": figure_4(at=at)}

    assert verdict(report.figure_4_robust(frames()), 0.25) == REPRODUCED
    for error in (0.066, 0.054):  # better counts as different, too
        far = frames({0.45: {"bpm": error}})
        assert verdict(report.figure_4_robust(far), 0.25) == NOT_REPRODUCED
        # the exact Bayes point is as far off: the samples have lost nothing
        assert verdict(report.figure_4_samples(far, 0.45), 0.25) == REPRODUCED
    few = frames()
    rows = few[f"{DOCUMENT}/figure_4"]
    rows.loc[rows["value"] == 0.45, "bpm_error"] += 0.005
    assert verdict(report.figure_4_samples(few, 0.45), 0.25) == NOT_REPRODUCED
    assert verdict(report.figure_4_samples_lose(few, 0.45)) == REPRODUCED
    assert verdict(report.figure_4_samples_lose(few, 0.05)) != REPRODUCED


def test_each_reading_with_two_classes_counts():
    name = f"{DOCUMENT}/angles"
    good, bad = figure_4().assign(reading="good"), figure_4(0.06, 0.07).assign(reading="bad")
    single = bad.assign(reading="single", positive=0.0)
    evidence = report.angles_below({name: pd.concat([good, single])})
    assert evidence.holds and "single: one class" in evidence.detail
    assert not report.angles_below({name: pd.concat([good, bad])}).holds
    assert not report.angles_below({name: single}).holds  # nothing was compared


def test_noise_free_leaves_out_what_has_no_margin():
    rows = pd.DataFrame(
        {
            "reading": ["a", "a", "a", "b"],
            "resolved": [1, 0, 1, 1],
            "svm_error": [0.02, np.nan, 0.04, 0.5],
            "bpm_error": [0.01, np.nan, 0.01, 0.1],
        }
    )
    evidence = report.noise_free_below({f"{DOCUMENT}/noise_free": rows}, "a")
    np.testing.assert_allclose(evidence.differences, [1.0, 3.0])


def test_law_allows_for_the_number_of_chains():
    def holds(*p):
        rows = pd.DataFrame({"rule": "kernel", "q": 0.2, "p_value": p})
        rows = rows.assign(total_variation=0.1, total_variation_of_draws=0.1)
        rows.loc[len(rows)] = ["other", 0.2, 0.0, 0.9, 0.1]
        return report.law_is_posterior({f"{DOCUMENT}/law": rows}, "kernel", 0.01).holds

    assert holds(0.02)
    assert not holds(0.009)
    assert holds(0.009, 0.5)
    assert not holds(0.004, 0.5)


def test_every_claim_of_the_document_is_decided_from_the_record():
    results = {name for claim in load_claims([DOCUMENT]) for name in claim.results}
    if missing := [n for n in sorted(results) if not (results_folder() / f"{n}.csv").is_file()]:
        pytest.skip(f"not recorded yet: {', '.join(missing)}")
    assert [v.claim.id for v in verify([DOCUMENT], strict=True) if v.outcome == UNDECIDED] == []
