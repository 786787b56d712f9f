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
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED, decide_equivalence

NOISE = 0.02 * np.random.default_rng(0).standard_normal((len(METHODS), 50))


def frames():
    """Errors 0.20, 0.19, ... in the order of the methods; XOR twice as large; shares rise."""
    rows = [
        {"draw": draw, "problem": problem, "distribution": distribution, "kernel": kernel}
        | {"universum": universum, "intercept": intercept}
        | {"error": factor * (0.20 - 0.01 * k) + NOISE[k, draw], "share": 0.1 + 0.1 * k}
        for draw in range(50)
        for problem, factor in zip(FEATURES, (1, 2), strict=True)
        for distribution in DISTRIBUTIONS
        for kernel in KERNELS
        for k, (universum, intercept) in enumerate(METHODS)
    ]
    return {report.ITEM: pd.DataFrame(rows)}


def test_errors_near_the_printed_ones():
    at = {"problem": "and", "universum": "none", "intercept": "trained", "kernel": "poly"}
    found = report.toy_error_near(frames(), 20.0, **at)
    assert len(found.differences) == 50
    assert np.mean(found.differences) == pytest.approx(100 * NOISE[0].mean())
    assert decide_equivalence(found, 2.0).outcome == REPRODUCED
    assert decide_equivalence(report.toy_error_near(frames(), 30.0, **at), 2.0).outcome == (
        NOT_REPRODUCED
    )
    other = report.toy_error_near(frames(), 20.0, **at | {"problem": "xor"})
    assert np.mean(other.differences) == pytest.approx(20.0, abs=1.0)


def test_errors_are_compared_sample_by_sample():
    pair = {"better": ["axes", "outside"], "worse": ["none", "trained"]}
    found = report.lower_toy_error(frames(), "and", "rbf", **pair)
    k = METHODS.index(("axes", "outside"))
    np.testing.assert_allclose(found.differences, 100 * (0.01 * k + NOISE[0] - NOISE[k]))
    assert found.test_train_ratio == 0.0 and outcome_of(found) == REPRODUCED
    turned = dict(zip(pair, [*pair.values()][::-1], strict=True))
    assert outcome_of(report.lower_toy_error(frames(), "and", "rbf", **turned)) == NOT_REPRODUCED
    same = report.same_toy_error(
        frames(), "xor", "rbf", ["axes", "outside"], ["none", "trained"], "uniform"
    )
    assert np.mean(same.differences) == pytest.approx(-2.0 * k, abs=1.0)


def test_shares_are_compared():
    found = report.uses_relevant_inputs(
        frames(), "xor", "poly", more=["axes", "trained"], less=["none", "trained"]
    )
    np.testing.assert_allclose(found.differences, 20.0)
    assert outcome_of(found) == REPRODUCED
