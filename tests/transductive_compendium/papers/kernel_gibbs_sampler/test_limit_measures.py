"""The Kernel Gibbs Sampler past its limit: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from arviz_stats.base import array_stats

from transductive.version_space.mixing import ESS, R_HAT
from transductive_compendium.papers.kernel_gibbs_sampler import limit_measures as report
from transductive_compendium.papers.kernel_gibbs_sampler.limit import NOISE
from transductive_compendium.verdicts.rules import (
    NOT_REPRODUCED,
    REPRODUCED,
    decide_equivalence,
    decide_ordering,
    ordering_p,
)

SETS = ("banana", "ringnorm", "mnist")
MIXED = {"r_hat_errors": 1.0, "r_hat_outputs": 1.02, "ess_errors": 900.0, "ess_outputs": 800.0}
STUCK = {"r_hat_errors": 1.5, "r_hat_outputs": 2.5, "ess_errors": 6.0, "ess_outputs": 5.0}
ERRORS = {"error_bayes_point": 0.05, "error_svm": 0.05, "error_start": 0.05, "n_test": 1000}


def unit(dataset, m, rank=0, q=None, end=MIXED, by_start=None, **columns):
    """Rows of one unit at two checkpoints, stuck at the first."""
    key = {"dataset": dataset, "m": m, "rank": rank, "q": q or NOISE[dataset], "thin": 10}
    return [
        {**key, "start": start, "steps": steps, **diagnosis, **ERRORS, **columns}
        | (by_start or {}).get(start, {})
        for steps, diagnosis in ((100, STUCK), (200, end))
        for start in ("prior", "regularised", "both")
    ]


def limit(*units):
    return {"kernel_gibbs_sampler/limit": pd.DataFrame([row for rows in units for row in rows])}


def grid(at_100=MIXED, at_1000=STUCK):
    """Small and large samples; noisier q and low rank, which the limit is not about."""
    return [
        *(unit(name, 100) for name in SETS[:2]),
        unit(SETS[2], 100, end=at_100),
        *(unit(name, 1000, end=STUCK) for name in SETS[:2]),
        unit(SETS[2], 1000, end=at_1000),
        unit("mnist", 100, q=0.3, end=STUCK),
        unit("mnist", 1000, q=0.45),
        unit("mnist", 1000, rank=50),
    ]


def test_the_end_is_each_units_own():
    frame = limit(unit("banana", 100), [{**r, "steps": 7 * r["steps"]} for r in unit("mnist", 10)])
    end = report.at_the_end(frame["kernel_gibbs_sampler/limit"], "prior")
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
    assert report.has_mixed(frame).tolist() == [True, False]


def test_the_bound_of_the_worst_is_that_of_independent_draws():
    """Fifty outputs: 1.01 would reject independent draws."""
    rng = np.random.default_rng(3)
    worst = [
        max(array_stats.rhat(rng.standard_normal((4, ESS // 4))) for _ in range(50))
        for _ in range(12)
    ]
    assert R_HAT < np.median(worst) and max(worst) < report.WORST_R_HAT


def test_the_limit_lies_between_when_every_set_says_so():
    def holds(*units):
        return report.limit_between(limit(*units), 100, 1000).holds

    assert holds(*grid())
    assert not holds(*grid(at_100=STUCK))
    assert not holds(*grid(at_1000=MIXED))
    assert not holds(*(rows for rows in grid() if rows[0]["m"] == 100))


def test_low_rank_must_mix_on_every_set():
    def holds(end):
        low = (unit("banana", 1000, 50), unit("mnist", 1000, 50, end=STUCK))
        other = (unit("mnist", 1000, 200, end=end), unit("mnist", 1000), unit("banana", 1000))
        return report.low_rank_mixes(limit(*low, *other), 1000).holds

    assert holds(MIXED)
    assert not holds(STUCK)  # whole spans mix, and do not count
    assert not report.low_rank_mixes(limit(unit("banana", 1000)), 1000).holds


def test_errors_are_compared_set_by_set_in_points_from_the_right_chains():
    frames = limit(
        unit("banana", 1000, error_svm=0.04, by_start={"regularised": {"error_start": 0.06}}),
        unit("mnist", 1000, error_svm=0.045, by_start={"regularised": {"error_start": 0.1}}),
        unit("mnist", 1000, q=0.3, error_svm=0.5),
        unit("mnist", 1000, rank=50, error_svm=0.5),
        unit("mnist", 100, error_svm=0.5),
    )
    svm = report.bayes_point_less_svm(frames, 1000)
    np.testing.assert_allclose(svm.differences, [1.0, 0.5])
    np.testing.assert_allclose(
        report.bayes_point_less_start(frames, 1000).differences, [-1.0, -5.0]
    )
    assert decide_equivalence(svm, 1.0).outcome != REPRODUCED


def test_starts_are_compared_by_counts():
    def evidence(prior):
        by_start = {"prior": {"error_bayes_point": prior}}
        rows = (unit(name, 10_000, by_start=by_start) for name in SETS)
        return report.start_decides(limit(*rows), 10_000)

    def outcome(prior):
        found = evidence(prior)
        return decide_ordering(found, ordering_p(found)).outcome

    assert (evidence(0.09).wins, evidence(0.09).losses) == (270, 150)
    assert outcome(0.09) == REPRODUCED
    assert outcome(0.02) == NOT_REPRODUCED
    # double errors dropped, the same lead says more
    found = evidence(0.09)
    fewer = report.OrderingEvidence(wins=found.wins - 100, losses=found.losses - 100)
    assert ordering_p(fewer) < ordering_p(found)


def mixing(limits, power=1.5, levels=(0.4, 0.2, 0.1)):
    """Rows with as many dimensions as points, mixed up to a limit for each q."""
    rows = [
        {"m": m, "r": m, "q": q, "mixed": m <= limits[q], "time_outputs": 0.1 * m**power / q}
        for q in levels
        for m in (300, 100, 30, 10)
    ]
    rows += [{"m": 1000, "r": 10, "q": 0.2, "mixed": True, "time_outputs": 50.0}]
    rows += [{"m": 300, "r": 300, "q": 0.5, "mixed": True, "time_outputs": 2.0}]
    return {"kernel_gibbs_sampler/mixing": pd.DataFrame(rows)}


def test_the_limit_falls_with_the_noise():
    def holds(*limits):
        return report.limit_falls_with_noise(
            mixing(dict(zip((0.4, 0.2, 0.1), limits, strict=True)))
        ).holds

    assert holds(300, 100, 10)
    assert holds(300, 300, 10)
    assert not holds(100, 300, 10)
    assert not holds(100, 100, 100)
    assert holds(10, 10, 0)


def test_a_gap_ends_the_limit():
    frame = mixing({0.4: 300, 0.2: 300, 0.1: 300})["kernel_gibbs_sampler/mixing"]
    frame = frame[(frame["m"] == frame["r"]) & (frame["q"] < 0.5)].copy()
    frame.loc[(frame["m"] == 30) & (frame["q"] == 0.2), "mixed"] = False
    assert report.largest_mixed(frame) == {0.4: 300, 0.2: 10, 0.1: 300}


def test_growth_is_that_of_runs_that_mixed():
    frames = mixing({0.4: 300, 0.2: 100, 0.1: 30}, power=1.5)
    frame = frames["kernel_gibbs_sampler/mixing"]
    frame.loc[~frame["mixed"], "time_outputs"] = 1.0  # far too short
    evidence = report.draw_costs_more(frames, [0.2, 0.1])
    assert evidence.holds and "1.50 at q = 0.2 (up to 100 points)" in evidence.detail
    assert not report.draw_costs_more(mixing({0.4: 300, 0.2: 100, 0.1: 30}, 0.9), [0.1]).holds
    # one size has no slope
    assert not report.draw_costs_more(mixing({0.4: 300, 0.2: 100, 0.1: 10}), [0.2, 0.1]).holds


def test_exponent():
    x = np.array([1.0, 2.0, 8.0])
    assert report.exponent(x, 3 * x**1.7) == pytest.approx(1.7)


def test_the_step_is_below_the_products_at_every_size_asked_for():
    m = np.array([50, 100, 800, 1600])
    rows = pd.DataFrame({"m": m, "kernel": 1e-3 * m, "products": 1e-5 * m**2})
    frames = {"kernel_gibbs_sampler/step_cost": rows}
    assert not report.step_below_products(frames, 50).holds
    evidence = report.step_below_products(frames, 200)
    assert evidence.holds and "8.0 at m = 800" in evidence.detail
