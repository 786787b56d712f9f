"""Toy problems of the L1 regulariser: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.papers.universum import and_xor_measures as report
from transductive_compendium.papers.universum.and_xor import FEATURES, KERNELS
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED, SMALLER


def made_up(gains, share=0.2):
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
    return pd.DataFrame(rows)


AND = [["and", kernel] for kernel in KERNELS]


def test_all_kernels_must_gain():
    found = report.toy_gains(made_up({}), AND)
    assert found.gaps.shape == (100, 3) and "AND linear 20.0 to 15.0" in found.shown
    np.testing.assert_allclose(found.gaps.mean(axis=0), 5.0, atol=0.1)
    assert outcome_of(found, 1, gain=5.0) == REPRODUCED
    assert outcome_of(found, 1, gain=20.0) == SMALLER
    worse = made_up({("and", "rbf"): -5.0})
    assert outcome_of(report.toy_gains(worse, AND), 1) == NOT_REPRODUCED
    assert outcome_of(report.toy_gains(worse, AND[:2]), 1) == REPRODUCED


def test_shares_of_the_relevant_inputs():
    assert outcome_of(report.toy_input_shares(made_up({}), AND), 1) == REPRODUCED
    assert outcome_of(report.toy_input_shares(made_up({}, share=-0.2), AND), 1) == NOT_REPRODUCED


def test_no_learning_is_alike_and_near_one_half():
    alike = made_up({("xor", "linear"): 0.5})
    found = report.toy_no_learning(alike, "xor", "linear", 45.0, 2.3)
    assert outcome_of(found, 1, margin=2.3) == REPRODUCED
    # alike, but below 45 %
    learnt = report.toy_no_learning(made_up({("and", "poly"): 0.0}), "and", "poly", 45.0, 2.3)
    assert outcome_of(learnt, 1, margin=2.3) == NOT_REPRODUCED
    gained = report.toy_no_learning(made_up({}), "xor", "linear", 45.0, 2.3)
    assert outcome_of(gained, 1, margin=2.3) == NOT_REPRODUCED


def test_columns_are_named_as_the_claims_name_them():
    cells = report.toy_column(made_up({}), "xor").cells
    assert set(cells) == {f"{u} {k}" for u in ("none", "axes") for k in KERNELS}
    assert cells["axes rbf"].estimate == pytest.approx(15.0, abs=0.1)
    assert cells["none linear"].estimate == pytest.approx(50.0, abs=0.1)
