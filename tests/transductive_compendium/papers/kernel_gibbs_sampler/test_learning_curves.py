"""Learning curves: problems, units and rows."""

import numpy as np
import pytest

from transductive_compendium.datasets import available, load
from transductive_compendium.papers.kernel_gibbs_sampler.learning_curves import (
    SIZES,
    STRATEGIES,
    WHOLE_SPACE,
    errors_by_strategy,
    kernel_problem,
)
from transductive_compendium.papers.kernel_gibbs_sampler.query_learners import PROBLEMS
from transductive_compendium.runner import get


def test_every_noise_level_and_strategy_sees_the_same_points():
    def problem(name, flip_rate, replication=2, data=None):
        key = {"problem": name, "flip_rate": flip_rate, "replication": replication}
        return kernel_problem(key, data or {})

    clean, noisy, other = problem("beta", 0.0), problem("beta", 0.3), problem("beta", 0.0, 3)
    np.testing.assert_array_equal(clean[0], noisy[0])
    np.testing.assert_array_equal(clean[1], noisy[1])
    np.testing.assert_array_equal(clean[3], noisy[3])
    assert 0.2 < np.mean(clean[2] != noisy[2]) < 0.4
    assert np.abs(clean[0] - other[0]).max() > 0.1
    data = {"heart": load("breast_cancer")}
    pool, cross, labels, truth = problem("heart", 0.0, data=data)
    assert pool.shape == (341, 341) and cross.shape == (228, 341)
    assert len(labels) == 341 and len(truth) == 228
    np.testing.assert_allclose(np.diag(pool), 1.0)


def test_curves_have_every_strategy_at_every_size_and_begin_alike():
    key = {"replication": 0, "problem": "uniform", "flip_rate": 0.0, "q": 0.0}
    params = {"n_samples": 30, "ridge": 0.1}
    rows = errors_by_strategy(key, params, {}, np.random.default_rng(0))
    assert [(r["strategy"], r["labels"]) for r in rows] == [
        (s, m) for s in STRATEGIES if s != WHOLE_SPACE for m in SIZES
    ]
    first = [{k: v for k, v in r.items() if k != "strategy"} for r in rows if r["labels"] == 4]
    assert all(r == first[0] for r in first)
    error = {(r["strategy"], r["labels"]): r["error"] for r in rows}
    left = {(r["strategy"], r["labels"]): r["entropy_left"] for r in rows}
    # the pool is decided long before random labels decide it
    assert left["entropy", 20] < 0.01 < left["random", 20]
    assert error["entropy", 20] < error["random", 20]


def test_units_of_the_curves():
    curves = get("kernel_gibbs_sampler/active_learning")
    paper = curves.unit_keys({}, "paper")
    assert all(key["q"] == key["flip_rate"] for key in paper)
    assert {key["problem"] for key in paper} == set(PROBLEMS)
    more = curves.unit_keys({}, "full")[len(paper) :]
    assert more and all(key["flip_rate"] == 0.0 < key["q"] for key in more)


@pytest.mark.skipif(not available("thyroid"), reason="the thyroid data are not at hand")
def test_curves_on_thyroid():
    key = {"replication": 0, "problem": "thyroid", "flip_rate": 0.1, "q": 0.1}
    params = {"n_samples": 20, "ridge": 0.1}
    rows = errors_by_strategy(key, params, {"thyroid": load("thyroid")}, np.random.default_rng(0))
    assert len(rows) == len(STRATEGIES) * len(SIZES)
    errors = [[r["error"], r["error_vote"], r["error_svm"]] for r in rows if r["labels"] == 40]
    # 30 % of the patients are in the smaller class
    assert np.mean(errors) < 0.25
