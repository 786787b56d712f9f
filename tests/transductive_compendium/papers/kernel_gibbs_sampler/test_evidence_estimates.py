"""Training samples and flips of the experiments on the evidence."""

import numpy as np
import pytest

from transductive_compendium.datasets import Dataset, available, load
from transductive_compendium.papers.kernel_gibbs_sampler.evidence_estimates import (
    N_MARGIN,
    flip_exactly,
    training_sample,
)


def test_flips_are_counted():
    y = np.where(np.arange(60) % 3, 1, -1)
    for count in (0, 3, 12):
        flipped = flip_exactly(y, count, np.random.default_rng(1))
        assert np.sum(flipped != y) == count
    assert np.sum(y == -1) == 20


@pytest.mark.skipif(not available("thyroid"), reason="the thyroid data are not at hand")
def test_training_and_test_points_are_the_whole_set():
    table = load("thyroid")
    assert isinstance(table, Dataset)
    X, y, X_test, y_test = training_sample("thyroid", 2, N_MARGIN, {"thyroid": table}, None)
    assert len(X) == len(y) == N_MARGIN and len(X_test) == len(y_test) == 215 - N_MARGIN
    together = np.vstack([X, X_test])
    np.testing.assert_allclose(together.mean(axis=0), 0.0, atol=1e-9)
    assert len(np.unique(np.c_[together, np.r_[y, y_test]], axis=0)) == len(
        np.unique(np.c_[table.X, table.y], axis=0)
    )
