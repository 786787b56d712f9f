"""What measures make of rows: estimates, queries, models, growth, chains, modes, diversity."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.papers.kernel_gibbs_sampler import (
    chain_law_measures,
    diversity_measures,
    estimates_measures,
    models_measures,
    modes_measures,
    queries_measures,
)
from transductive_compendium.papers.kernel_gibbs_sampler.estimates import log_evidence
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED

N = 120


@pytest.mark.parametrize(("off", "expected"), [(0.05, REPRODUCED), (0.2, NOT_REPRODUCED)])
def test_estimates_have_to_be_within_the_margin_whatever_their_sign(off, expected):
    sign = np.where(np.arange(N) % 2, 1.0, -1.0)  # signed deviations would cancel
    rows = {"entropy_off_95": off, "log_evidence": -9 + off * sign, "exact": np.full(N, -9.0)}
    found = pd.DataFrame(rows)
    assert outcome_of(estimates_measures.evidence_from_samples(found), margin=0.1) == expected
    assert outcome_of(estimates_measures.entropy_from_samples(found), margin=0.1) == expected


def frame(row, *levels):
    """The row that a function makes of each draw and each combination of levels."""
    return pd.DataFrame(row(*combination) for combination in product(range(N), *levels))


@pytest.mark.parametrize(("last", "expected"), [(0.005, REPRODUCED), (0.031, NOT_REPRODUCED)])
def test_queries_have_to_be_ahead_at_every_checkpoint(last, expected):
    errors = {10: 0.02, 20: 0.01, 40: last}

    def row(i, n, strategy):
        error = errors[n] if strategy == "entropy" else 0.03
        return {"set": i, "strategy": strategy, "queries": n, "error": error + 1e-4 * (i % 3)}

    rows = frame(row, errors, ("entropy", "random"))
    assert outcome_of(queries_measures.queries_teach(rows)) == expected


def test_models_are_judged_draw_by_draw():
    def row(i, s, q):
        return {"draw": i, "sigma": s, "q": q, "log_evidence": s - q, "test_error": 0.3 - s}

    rows = frame(row, (0.1, 0.15, 0.2), (0.05, 0.1))
    turned = rows.assign(log_evidence=-rows["sigma"] - rows["q"])
    for measure in (models_measures.evidence_against_error, models_measures.evidence_selects):
        assert outcome_of(measure(rows), m=1) == REPRODUCED
        assert outcome_of(measure(turned), m=1) == NOT_REPRODUCED
    chosen = models_measures.evidence_selects(rows)
    np.testing.assert_allclose(chosen.gaps, 5.0)  # 0.15 on average, 0.1 of the largest


def test_kernels_that_do_not_separate_stay_out():
    def row(i, s):
        return {"draw": i, "sigma": s, "margin": 1 / s, "log_volume": -s if s < 8 else np.nan}

    found = frame(row, (1.0, 2.0, 4.0, 8.0))
    np.testing.assert_allclose(models_measures.margin_measures_volume(found).gaps, 1.0)
    found["margin"] *= -1
    assert outcome_of(models_measures.margin_measures_volume(found), m=1) == NOT_REPRODUCED


@pytest.mark.parametrize("power", [0.7, -0.2])
def test_growth_is_the_power_of_the_time(power):
    rows = frame(
        lambda i, m: {"draw": i, "m": m, "log_time": 2 + power * np.log(m)}, (50, 100, 200, 400)
    )
    np.testing.assert_allclose(models_measures.time_grows(rows).gaps, power)


@pytest.mark.parametrize(("second", "expected"), [(0.002, REPRODUCED), (0.02, NOT_REPRODUCED)])
def test_both_noise_levels_of_a_long_chain_count(second, expected):
    off = {0.05: 0.001, 0.2: second}
    rows = frame(lambda i, q: {"draw": i, "q": q, "largest": off[q]}, off)
    assert outcome_of(chain_law_measures.shares_of_cells(rows), margin=0.01) == expected


def test_the_first_tenth_counts_for_the_prior_only():
    m, q = 10, 0.1
    likelihood = {k: q**k * (1 - q) ** (m - k) for k in (0, 2, 10)}
    errors = np.array([10, 0, 0, 2, 2, 2, 2, 2, 2, 2])
    mean_inverse = (2 / likelihood[0] + 7 / likelihood[2]) / 9
    assert log_evidence(errors, m, q, "posterior") == pytest.approx(-np.log(mean_inverse))
    mean = (likelihood[10] + 2 * likelihood[0] + 7 * likelihood[2]) / 10
    assert log_evidence(errors, m, q, "prior") == pytest.approx(np.log(mean))


def test_mean_with_error():
    table = pd.DataFrame({"a": [1.0, 3.0], "b": [2.0, 2.0]})
    found = models_measures.mean_with_error(table)
    assert found.to_dict() == {"a": "2.00 ± 1.00", "b": "2.00 ± 0.00"}
    assert models_measures.mean_with_error(table["a"], 1) == "2.0 ± 1.0"


def diversity(*levels):
    rng, by_q = np.random.default_rng(0), dict(zip((0.0, 0.1, 0.2), levels, strict=True))

    def row(i, q):
        training = by_q[q] + 0.001 * rng.standard_normal()
        other = {"disagreement_plane": by_q[q], "entropy_training": 0.2 - by_q[q]}
        return {"draw": i, "q": q, "disagreement_training": training} | other

    return frame(row, by_q)


def test_diversity_has_to_grow_at_each_step():
    def outcome(*levels, diversity_of="disagreement"):
        return outcome_of(diversity_measures.diversity_grows(diversity(*levels), diversity_of), m=1)

    assert outcome(0.10, 0.12, 0.14) == REPRODUCED
    assert outcome(0.10, 0.14, 0.12) == NOT_REPRODUCED
    assert outcome(0.10, 0.14, 0.14) != REPRODUCED
    assert outcome(0.10, 0.12, 0.14, diversity_of="plane") == REPRODUCED
    assert outcome(0.10, 0.12, 0.14, diversity_of="entropy") == NOT_REPRODUCED
    found = diversity_measures.disagreement(diversity(0.1, 0.2, 0.3), "plane")
    assert found[0.1].mean() == pytest.approx(20, abs=0.1)


def modes(beta, uniform, flip_rate=0.2, m=10, **columns):
    law = ["beta"] * len(beta) + ["uniform"] * len(uniform)
    rest = {"modes_visible": 1, "pieces": 1, "top_angle": 0.0, "mean_angle": 0.0} | columns
    cells = pd.DataFrame({"modes_cells": beta + uniform, "points": law})
    return cells.assign(flip_rate=flip_rate, m=m, **rest)


def test_modes_are_counted_at_the_size_and_law_asked_for():
    rows = pd.concat(
        [
            modes([2] * 18 + [1] * 2, [1] * 20),
            modes([1] * 20, [1] * 20, flip_rate=0.0),
            modes([1] * 20, [7] * 20, m=1000),
        ]
    )
    rows["modes_tenth"] = 1

    def number(**kwargs):
        return modes_measures.number_of_modes(rows, **kwargs)

    several = number(m=10, several=True)
    assert several.gaps[:, 0].tolist() == [1.0] * 18 + [0.0] * 2
    assert outcome_of(number(m=1000, several=False), m=1) == REPRODUCED
    for changed in (
        {"m": 1000, "several": False, "points": "uniform"},
        {"m": 10, "several": True, "modes": "tenth"},
    ):
        assert outcome_of(number(**changed), m=1) == NOT_REPRODUCED


def test_mode_table_is_per_setting_in_degrees():
    rows = pd.concat([modes([1, 4, 5], [2, 2, 2], top_angle=np.pi / 6), modes([1], [1], m=30)])
    table = modes_measures.mode_table(rows)
    sizes = {("beta", 10): 3, ("beta", 30): 1, ("uniform", 10): 3, ("uniform", 30): 1}
    assert table.loc[0.2, "draws"].to_dict() == sizes
    row = table.loc[(0.2, "beta", 10)]
    assert row["modes_cells"] == 4 and row["several_pieces"] == 0
    assert row["several_modes_cells"] == pytest.approx(2 / 3)
    assert row["top_degrees"] == pytest.approx(30.0)
