"""Estimates, queries, models, kernels, growth, long chains: measures on rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.papers.kernel_gibbs_sampler import (
    chain_law_measures,
    estimates_measures,
    models_measures,
    queries_measures,
)
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED

N = 120


@pytest.mark.parametrize(("off", "expected"), [(0.05, REPRODUCED), (0.2, NOT_REPRODUCED)])
def test_estimates_have_to_be_within_the_margin_whatever_their_sign(off, expected):
    sign = np.where(np.arange(N) % 2, 1.0, -1.0)  # signed deviations would cancel
    rows = {"entropy_off_95": off, "log_evidence": -9 + off * sign, "exact": np.full(N, -9.0)}
    found = pd.DataFrame(rows)
    assert outcome_of(estimates_measures.evidence_from_samples(found), margin=0.1) == expected
    assert outcome_of(estimates_measures.entropy_from_samples(found), margin=0.1) == expected


def test_queries_have_to_be_ahead_at_every_checkpoint():
    def evidence(last):
        rows = [
            {"set": i, "strategy": strategy, "queries": n, "error": error + 1e-4 * (i % 3)}
            for i in range(N)
            for n, entropy in ((10, 0.02), (20, 0.01), (40, last))
            for strategy, error in (("entropy", entropy), ("random", 0.03))
        ]
        return queries_measures.queries_teach(pd.DataFrame(rows))

    assert outcome_of(evidence(0.005)) == REPRODUCED
    assert outcome_of(evidence(0.031)) == NOT_REPRODUCED


def test_models_are_judged_draw_by_draw():
    def rows(sign):
        return pd.DataFrame(
            [
                {"draw": i, "sigma": s, "q": q, "log_evidence": sign * s - q, "test_error": 0.3 - s}
                for i in range(N)
                for s in (0.1, 0.15, 0.2)
                for q in (0.05, 0.1)
            ],
        )

    for measure in (models_measures.evidence_against_error, models_measures.evidence_selects):
        assert outcome_of(measure(rows(1)), m=1) == REPRODUCED
        assert outcome_of(measure(rows(-1)), m=1) == NOT_REPRODUCED
    chosen = models_measures.evidence_selects(rows(1))
    np.testing.assert_allclose(chosen.gaps, 5.0)  # 0.15 on average, 0.1 of the largest


def test_kernels_that_do_not_separate_stay_out():
    rows = [
        {"draw": i, "sigma": s, "margin": 1 / s, "log_volume": -s if s < 8 else np.nan}
        for i in range(N)
        for s in (1.0, 2.0, 4.0, 8.0)
    ]
    found = pd.DataFrame(rows)
    np.testing.assert_allclose(models_measures.margin_measures_volume(found).gaps, 1.0)
    found["margin"] *= -1
    assert outcome_of(models_measures.margin_measures_volume(found), m=1) == NOT_REPRODUCED


@pytest.mark.parametrize("power", [0.7, -0.2])
def test_growth_is_the_power_of_the_time(power):
    rows = [
        {"draw": i, "m": m, "log_time": 2 + power * np.log(m)}
        for i in range(N)
        for m in (50, 100, 200, 400)
    ]
    evidence = models_measures.time_grows(pd.DataFrame(rows))
    np.testing.assert_allclose(evidence.gaps, power)


def test_both_noise_levels_of_a_long_chain_count():
    def evidence(second):
        rows = [
            {"draw": i, "q": q, "largest": off}
            for i in range(N)
            for q, off in ((0.05, 0.001), (0.2, second))
        ]
        return chain_law_measures.shares_of_cells(pd.DataFrame(rows))

    assert outcome_of(evidence(0.002), margin=0.01) == REPRODUCED
    assert outcome_of(evidence(0.02), margin=0.01) == NOT_REPRODUCED
