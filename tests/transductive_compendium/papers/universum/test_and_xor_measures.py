"""Toy problems of the L1 regulariser: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.papers.universum import and_xor_measures as report
from transductive_compendium.papers.universum.and_xor import (
    DISTRIBUTIONS,
    FEATURES,
    KERNELS,
    METHODS,
)
from transductive_compendium.verdicts.rules import IN_DIRECTION, NOT_REPRODUCED, REPRODUCED

NOISE = 0.02 * np.random.default_rng(0).standard_normal((len(METHODS), 100))


def frames():
    """Errors 0.20, 0.19, ... in the order of the methods; XOR twice as large; shares rise."""
    rows = [
        {"draw": draw, "problem": problem, "distribution": distribution, "kernel": kernel}
        | {"universum": universum, "intercept": intercept}
        | {"error": factor * (0.20 - 0.01 * k) + NOISE[k, draw], "share": 0.1 + 0.1 * k}
        for draw in range(100)
        for problem, factor in zip(FEATURES, (1, 2), strict=True)
        for distribution in DISTRIBUTIONS
        for kernel in KERNELS
        for k, (universum, intercept) in enumerate(METHODS)
    ]
    return {report.ITEM: pd.DataFrame(rows)}


def test_errors_are_compared_sample_by_sample():
    pair = {"better": ["axes", "outside"], "worse": ["none", "trained"]}
    found = report.lower_toy_error(frames(), "and", "rbf", **pair)
    k = METHODS.index(("axes", "outside"))
    np.testing.assert_allclose(found.gaps[:, 0], 100 * (0.01 * k + NOISE[0] - NOISE[k]))
    assert outcome_of(found) == REPRODUCED
    turned = dict(zip(pair, [*pair.values()][::-1], strict=True))
    assert outcome_of(report.lower_toy_error(frames(), "and", "rbf", **turned)) == NOT_REPRODUCED
    same = report.same_toy_error(
        frames(), "xor", "rbf", ["axes", "outside"], ["none", "trained"], "uniform"
    )
    assert np.mean(same.gaps) == pytest.approx(-2.0 * k, abs=1.0)


def printed(gains, share=0.2):
    """SVMs err on 20 %, on XOR with the linear kernel on 50 %; U-SVMs on `gains` points less."""
    rng = np.random.default_rng(1)
    rows = []
    for draw in range(100):
        for problem in FEATURES:
            for kernel in KERNELS:
                base = 50.0 if (problem, kernel) == ("xor", "linear") else 20.0
                for universum in ("none", "axes"):
                    own = gains.get((problem, kernel), 5.0) if universum == "axes" else 0.0
                    row = {"draw": draw, "problem": problem, "kernel": kernel}
                    row["universum"] = universum
                    row["error"] = (base - own + 0.2 * rng.standard_normal()) / 100
                    row["share"] = 0.3 + (share + 0.01 * rng.standard_normal()) * (own > 0)
                    rows.append(row)
    return {report.PRINTED_ITEM: pd.DataFrame(rows)}


AND = [["and", kernel] for kernel in KERNELS]


def test_all_kernels_must_gain():
    found = report.toy_gains(printed({}), AND)
    assert found.gaps.shape == (100, 3) and "AND linear 20.0 to 15.0" in found.shown
    np.testing.assert_allclose(found.gaps.mean(axis=0), 5.0, atol=0.1)
    assert outcome_of(found, 1, gain=5.0) == REPRODUCED
    assert outcome_of(found, 1, gain=20.0) == IN_DIRECTION
    worse = printed({("and", "rbf"): -5.0})
    assert outcome_of(report.toy_gains(worse, AND), 1) == NOT_REPRODUCED
    assert outcome_of(report.toy_gains(worse, AND[:2]), 1) == REPRODUCED


def test_shares_of_the_relevant_inputs():
    assert outcome_of(report.toy_input_shares(printed({}), AND), 1) == REPRODUCED
    assert outcome_of(report.toy_input_shares(printed({}, share=-0.2), AND), 1) == NOT_REPRODUCED


def test_no_learning_is_alike_and_near_one_half():
    alike = printed({("xor", "linear"): 0.5})
    found = report.toy_no_learning(alike, "xor", "linear", 45.0)
    assert outcome_of(found, 1, margin=2.3) == REPRODUCED
    # alike, but below 45 %
    learnt = report.toy_no_learning(printed({("and", "poly"): 0.0}), "and", "poly", 45.0)
    assert outcome_of(learnt, 1, margin=2.3) == NOT_REPRODUCED
    gained = report.toy_no_learning(printed({}), "xor", "linear", 45.0)
    assert outcome_of(gained, 1, margin=2.3) == NOT_REPRODUCED


def test_kernels_alike_or_not():
    assert outcome_of(report.toy_kernels_alike(printed({}), "and"), 100, margin=0.8) == REPRODUCED
    other = report.toy_kernels_alike(printed({("and", "rbf"): 8.0}), "and")
    assert other.gaps.shape == (100, 3)
    assert outcome_of(other, 100, margin=0.8) == NOT_REPRODUCED


def test_columns_are_named_as_the_claims_name_them():
    cells = report.toy_column(printed({}), "xor").cells
    assert set(cells) == {f"{u} {k}" for u in ("none", "axes") for k in KERNELS}
    assert cells["axes rbf"].estimate == pytest.approx(15.0, abs=0.1)
    assert cells["none linear"].estimate == pytest.approx(50.0, abs=0.1)
