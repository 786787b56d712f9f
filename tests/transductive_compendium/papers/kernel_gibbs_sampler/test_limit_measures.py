"""Past the published limit: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from arviz_stats.base import array_stats
from paper_rooms import outcome_of

from transductive.version_space.mixing import ESS, R_HAT
from transductive_compendium.papers.kernel_gibbs_sampler import (
    limit_measures as measures,
)
from transductive_compendium.papers.kernel_gibbs_sampler.limit import OWN_NOISE
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED

SETS = ("banana", "ringnorm", "mnist")
MIXED = {"r_hat_errors": 1.0, "r_hat_outputs": 1.02, "ess_errors": 900.0, "ess_outputs": 800.0}
STUCK = {"r_hat_errors": 1.5, "r_hat_outputs": 2.5, "ess_errors": 6.0, "ess_outputs": 5.0}
ERRORS = {"error_bayes_point": 0.05, "error_svm": 0.05, "error_start": 0.05, "n_test": 1000}


def unit(dataset, m, rank=0, q=None, end=MIXED, by_start=None, **columns):
    """Rows of one unit at two checkpoints, stuck at the first."""
    key = {"dataset": dataset, "m": m, "rank": rank, "q": q or OWN_NOISE[dataset], "thin": 10}
    return [
        {**key, "start": start, "steps": steps, **diagnosis, **ERRORS, **columns}
        | (by_start or {}).get(start, {})
        for steps, diagnosis in ((100, STUCK), (200, end))
        for start in ("prior", "regularised", "both")
    ]


def limit(*units):
    return {"kernel_gibbs_sampler/limit": pd.DataFrame([row for rows in units for row in rows])}


def test_the_end_is_each_units_own():
    frame = limit(unit("banana", 100), [{**r, "steps": 7 * r["steps"]} for r in unit("mnist", 10)])
    end = measures.at_the_end(frame["kernel_gibbs_sampler/limit"], "prior")
    assert end[["dataset", "steps", "start"]].to_numpy().tolist() == [
        ["banana", 200, "prior"],
        ["mnist", 1400, "prior"],
    ]


@pytest.mark.parametrize(
    "broken",
    [
        {"r_hat_errors": 1.02},
        {"r_hat_outputs": 1.05},
        {"ess_errors": 399.0},
        {"ess_outputs": 399.0},
        {"r_hat_outputs": np.nan},
    ],
)
def test_each_diagnosis_alone_can_tell_that_chains_have_not_mixed(broken):
    frame = pd.DataFrame([MIXED, MIXED | broken])
    assert measures.has_mixed(frame).tolist() == [True, False]


def test_the_bound_of_the_worst_is_that_of_independent_draws():
    """Fifty outputs: 1.01 would reject independent draws."""
    rng = np.random.default_rng(3)
    worst = [
        max(array_stats.rhat(rng.standard_normal((4, ESS // 4))) for _ in range(50))
        for _ in range(12)
    ]
    assert R_HAT < np.median(worst) and max(worst) < measures.WORST_R_HAT


def test_low_rank_must_mix_on_every_set():
    def holds(end):
        low = (unit("banana", 1000, 50), unit("mnist", 1000, 50, end=STUCK))
        other = (unit("mnist", 1000, 200, end=end), unit("mnist", 1000), unit("banana", 1000))
        return measures.low_rank_mixes(limit(*low, *other), 1000).estimate[0] > 0

    assert holds(MIXED)
    assert not holds(STUCK)  # whole spans mix, and do not count
    assert measures.low_rank_mixes(limit(unit("banana", 1000)), 1000).estimate[0] < 0


def test_errors_are_compared_set_by_set_in_points_from_the_right_chains():
    frames = limit(
        unit("banana", 1000, error_svm=0.04, by_start={"regularised": {"error_start": 0.06}}),
        unit("mnist", 1000, error_svm=0.045, by_start={"regularised": {"error_start": 0.1}}),
        unit("mnist", 1000, q=0.3, error_svm=0.5),
        unit("mnist", 1000, rank=50, error_svm=0.5),
        unit("mnist", 100, error_svm=0.5),
    )
    svm = measures.bayes_point_less_svm(frames, 1000)
    np.testing.assert_allclose(svm.gaps[:, 0], [1.0, 0.5])
    np.testing.assert_allclose(
        measures.bayes_point_less_start(frames, 1000).gaps[:, 0], [-1.0, -5.0]
    )
    assert outcome_of(svm, m=0, margin=1.0) == REPRODUCED
    assert outcome_of(svm, m=0, margin=0.7) == NOT_REPRODUCED


def test_starts_are_compared_by_counts():
    def evidence(prior):
        by_start = {"prior": {"error_bayes_point": prior}}
        rows = (unit(name, 10_000, by_start=by_start) for name in SETS)
        return measures.start_decides(limit(*rows), 10_000)

    assert evidence(0.09).estimate[0] == 270 - 150
    assert outcome_of(evidence(0.09), m=0) == REPRODUCED
    assert outcome_of(evidence(0.02), m=0) == NOT_REPRODUCED
