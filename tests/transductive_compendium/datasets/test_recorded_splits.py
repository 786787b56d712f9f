"""The recorded splits of thyroid and heart, and the scalings of their features."""

import numpy as np

from transductive_compendium.datasets.recorded_splits import partition, scaled


def test_partition_is_fixed_and_complete():
    train, test = partition(215, 3)
    assert len(train) == 129 and len(test) == 86
    assert sorted([*train, *test]) == list(range(215))
    again = partition(215, 3)
    assert (train == again[0]).all()
    assert not (partition(215, 4)[0] == train).all()


def test_scalings():
    X = np.random.default_rng(0).uniform(3.0, 9.0, size=(30, 2))
    standard = scaled(X, "standardised")
    np.testing.assert_allclose(
        [standard.mean(axis=0), standard.std(axis=0)], [[0, 0], [1, 1]], atol=1e-12
    )
    assert scaled(X, "raw") is X
