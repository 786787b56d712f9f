"""Experiments on the evidence: rows hold what they say, and known bounds between them."""

import numpy as np
import pytest
from scipy.special import betainc

from transductive_compendium.datasets import Dataset, available
from transductive_compendium.papers.kernel_gibbs_sampler.evidence import (
    EXACT_LEVELS,
    KERNELS,
    LEVELS,
    N_MARGIN,
    WIDTHS,
    _flipped,
    _sample,
    _unit_length_gram,
)
from transductive_compendium.runner import compare, get, run

DOCUMENT = "kernel_gibbs_sampler"


def unit(item, key, **params):
    """Rows of one unit that needs no data set."""
    experiment = get(f"{DOCUMENT}/{item}")
    defaults = {name: one.default for name, one in experiment.parameters.items()}
    return experiment.run_unit(key, defaults | params, {}, np.random.default_rng(0))


def test_exact_evidence_within_the_stated_error(tmp_path):
    done = run(f"{DOCUMENT}/evidence_exact", progress=False, store=tmp_path)
    rows = done.rows
    assert len(rows) == 4 * len(EXACT_LEVELS)
    np.testing.assert_array_equal(rows["empty"], np.isneginf(rows["exact"]))
    np.testing.assert_array_equal(rows["empty"], np.isneginf(rows["log_evidence"]))
    assert not rows["empty"][(rows["flip_rate"] == 0.0) | (rows["q"] > 0.0)].any()
    # one in a million by chance, for each of 30 rows
    assert rows["z"][~rows["empty"]].abs().max() < 5
    agreement = compare(done)
    assert agreement.ok, agreement.describe()


def test_evidence_knows_flipped_labels_and_absurd_widths():
    """Six of sixty labels flipped: nats for one in ten against one in a hundred or none."""
    key = {"split": 0, "flip_rate": 0.1, "dataset": "crescents"}
    rows = unit("model_selection", key, n_samples=40, thin=10)
    assert len(rows) == len(WIDTHS["crescents"]) * len(LEVELS)
    value = {(row["sigma"], row["q"]): row["log_evidence"] for row in rows}
    assert value[1.0, 0.1] > value[1.0, 0.01] + 2
    assert value[1.0, 0.1] > value[1.0, 0.3] + 2
    assert value[1.0, 0.1] > value[8.0, 0.1] + 2
    assert all(0.0 <= row["test_error"] < 0.5 for row in rows)
    # the same flips at whatever the sampler's seed
    good = [row["test_error"] for row in rows if (row["sigma"], row["q"]) == (1.0, 0.1)]
    assert good[0] < 0.12


def test_largest_ball_is_no_larger_than_version_space():
    rows = unit("margin_evidence", {"sample": 7, "dataset": "crescents"})
    assert len(rows) == len(KERNELS)
    linear = next(row for row in rows if (row["kernel"], row["value"]) == ("poly", 1.0))
    assert not linear["separable"] and np.isnan(linear["margin"])
    some = [row for row in rows if row["separable"]]
    assert len(some) >= 8
    for row in some:
        assert 0.0 < row["margin"] <= 1.0
        cap = 0.5 * betainc((row["rank"] - 1) / 2, 0.5, row["margin"] ** 2)
        assert row["log_volume"] > np.log(cap)
        # half the sphere for each of independent points at most
        assert row["log_volume"] < np.log(0.5)
        assert np.isnan(row["log_evidence"])


@pytest.mark.parametrize("kernel, value", [("rbf", 0.5), ("poly", 1.0), ("poly", 3.0)])
def test_features_have_unit_length(kernel, value):
    X = np.random.default_rng(0).standard_normal((12, 4)) * 3
    gram = _unit_length_gram(X, kernel, value)
    np.testing.assert_allclose(np.diag(gram), 1.0)
    if kernel == "poly":
        plain = (X @ X.T / 4 + 1) ** value
        np.testing.assert_allclose(gram**2, plain**2 / np.outer(np.diag(plain), np.diag(plain)))


def test_flips_are_counted():
    y = np.where(np.arange(60) % 3, 1, -1)
    for count in (0, 3, 12):
        flipped = _flipped(y, count, np.random.default_rng(1))
        assert np.sum(flipped != y) == count
    assert np.sum(y == -1) == 20


@pytest.mark.skipif(not available("thyroid"), reason="the thyroid data are not at hand")
def test_training_and_test_points_are_the_whole_set():
    from transductive_compendium.datasets import load

    table = load("thyroid")
    assert isinstance(table, Dataset)
    X, y, X_test, y_test = _sample("thyroid", 2, N_MARGIN, {"thyroid": table}, None)
    assert len(X) == len(y) == N_MARGIN and len(X_test) == len(y_test) == 215 - N_MARGIN
    together = np.vstack([X, X_test])
    np.testing.assert_allclose(together.mean(axis=0), 0.0, atol=1e-9)
    assert len(np.unique(np.c_[together, np.r_[y, y_test]], axis=0)) == len(
        np.unique(np.c_[table.X, table.y], axis=0)
    )
