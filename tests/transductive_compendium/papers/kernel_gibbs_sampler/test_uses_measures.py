"""Section 4 on the sets of figure 4: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of
from scipy.stats import spearmanr

from transductive_compendium.papers.kernel_gibbs_sampler import uses_measures as measures
from transductive_compendium.papers.kernel_gibbs_sampler.uses import kept_error
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED

BASE = {
    "vote": {"error": 0.02},
    "kept": {"error": 0.005, "level": 0.2},
    "point": {"error": 0.02, "apart": 0.002, "angle": 0.05},
    "sample": {"angle": 0.2},
}
SVM = {0.01: (0.05, 0.04, 0.3), 0.1: (0.03, 0.02, 0.2)}  # error, apart, angle by lambda
CLEAN_SVM = (0.02, 0.02, 0.1)


def uses(noise=None, clean=None, svm=SVM, clean_svm=CLEAN_SVM):
    """Rows of 120 sets, with and without flips."""
    rng = np.random.default_rng(0)
    rows = []
    for i in range(120):
        for rate, changed, machines in (
            (0.05, noise, svm),
            (0.0, clean, {0.0: clean_svm}),
        ):
            jitter = 1 + 0.02 * rng.standard_normal()
            key = {"set": i, "flip_rate": rate}
            for kind, values in (BASE | (changed or {})).items():
                rows.append(key | {"kind": kind, "level": 0.0} | values)
            for penalty, values in machines.items():
                named = dict(zip(("error", "apart", "angle"), values, strict=True))
                rows.append(key | {"kind": "svm", "level": penalty} | named)
            for row in rows[-(len(BASE) + len(machines)) :]:
                for name in {"error", "apart", "angle"} & set(row):
                    row[name] *= jitter
            for level, points, right in ((0.6, 10, 5), (0.8, 20, 15), (1.0, 70, 70)):
                counts = {"level": level, "points": points, "right": right}
                rows.append(key | {"kind": "majority"} | counts)
    return pd.DataFrame(rows)


def outcome(measure, *arguments, **changed):
    return outcome_of(measure(uses(**changed), *arguments))


def test_rejection_has_to_halve_the_error():
    assert outcome(measures.rejection_halves) == REPRODUCED
    assert outcome(measures.rejection_halves, noise={"kept": {"error": 0.012}}) == NOT_REPRODUCED


@pytest.mark.parametrize(("kind"), ["vote", "point"])
def test_the_hard_margin_is_the_rival_without_noise(kind):
    assert outcome(measures.below_hard_margin, kind, clean={kind: {"error": 0.018}}) == REPRODUCED
    worse = {kind: {"error": 0.022}}
    assert outcome(measures.below_hard_margin, kind, clean=worse) == NOT_REPRODUCED
    # noisy rows do not count
    assert outcome(measures.below_hard_margin, kind, noise=worse, clean_svm=(0.03, 0, 0)) == (
        REPRODUCED
    )


def test_the_best_svm_is_that_of_least_mean_error():
    """The one nearer to the vote errs more, and is not the one that is compared."""
    near = SVM | {0.01: (0.05, 0.001, 0.3)}
    assert outcome(measures.point_as_vote, svm=near) == REPRODUCED
    best = SVM | {0.1: (0.03, 0.001, 0.2)}
    assert outcome(measures.point_as_vote, svm=best) == NOT_REPRODUCED


def test_angles():
    assert outcome(measures.svm_near_point) == REPRODUCED
    assert outcome(measures.svm_near_point, clean_svm=(0.02, 0.02, 0.3)) == NOT_REPRODUCED
    assert outcome(measures.no_svm_equivalent) == REPRODUCED
    one_near = SVM | {0.01: (0.5, 0.5, 0.01)}
    assert outcome(measures.no_svm_equivalent, svm=one_near) == NOT_REPRODUCED


def test_rises_by_noise_and_gaps_with_and_without():
    assert outcome(measures.noise_hurts_more) == REPRODUCED
    assert outcome(measures.noise_hurts_more, noise={"point": {"error": 0.04, "apart": 0.0}}) == (
        NOT_REPRODUCED
    )
    same = {"clean": {"point": {"error": 0.02}}}
    assert outcome(measures.alike_without_noise, **same) == REPRODUCED
    far = {"clean": {"point": {"error": 0.01}}}
    assert outcome(measures.alike_without_noise, **far) == NOT_REPRODUCED


def test_the_svm_has_a_lambda_that_figure_4_plots():
    """One beyond, here of least error and nearest to the vote, counts where decades are plotted."""
    rows = uses(clean={"point": {"error": 0.02}}, svm=SVM | {100.0: (0.01, 0.001, 0.2)})
    for name in ("noise_hurts_more", "alike_without_noise", "point_as_vote"):
        measure = getattr(measures, name)
        assert (
            outcome_of(measure(rows)) == outcome_of(measure(rows, abscissa="to_half")) == REPRODUCED
        )
        assert outcome_of(measure(rows, abscissa="decades")) == NOT_REPRODUCED
    assert outcome_of(measures.noise_hurts_more(rows, any_penalty=True)) == NOT_REPRODUCED


def test_the_majoritys_rank_correlation_is_spearmans():
    points, right = np.array([10, 20, 70]), np.array([5, 15, 70])
    level = np.repeat([0.6, 0.8, 1.0], points)
    hits = np.concatenate([np.arange(n) < k for n, k in zip(points, right, strict=True)])
    expected = spearmanr(level, hits).statistic
    assert measures.rank_correlation(points, right) == pytest.approx(expected)
    assert outcome(measures.majority_tells) == REPRODUCED
    rows = uses()
    rows.loc[rows["level"] == 1.0, "right"] = 20
    assert outcome_of(measures.majority_tells(rows)) == NOT_REPRODUCED


def test_ties_are_rejected_at_random():
    majority = np.array([0.6, 0.7, 0.7, 0.7, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0])
    wrong = np.array([1, 1, 0, 0, 0, 0, 0, 0, 0, 1], dtype=bool)
    # 0.6 goes, and one of three at 0.7, of which one is wrong
    assert kept_error(majority, wrong) == pytest.approx((3 - 1 - 1 / 3) / 8)
    assert kept_error(np.ones(10), wrong) == pytest.approx(0.3)
