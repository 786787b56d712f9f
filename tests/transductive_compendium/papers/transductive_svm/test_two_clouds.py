"""Two clouds: strips apart."""

import numpy as np
import pytest

from transductive_compendium.papers.transductive_svm.two_clouds import N_LABELLED, two_clouds
from transductive_compendium.papers.transductive_svm.widest_margin import hard_margin


@pytest.mark.parametrize("gap", [0.0, 0.5, 1.0])
def test_clouds_are_strips_apart(gap):
    X, y = two_clouds(gap, np.random.default_rng(1))
    l = 2 * N_LABELLED
    assert sorted(y[:l]) == [-1, -1, 1, 1] and y.sum() == 0
    assert hard_margin(X, y).margin >= gap / 2
    # moved apart or together, the clouds themselves do not change
    near, same = two_clouds(0.0, np.random.default_rng(1))
    np.testing.assert_array_equal(y, same)
    for side in (-1, 1):
        shift = (X - near)[y == side]
        np.testing.assert_allclose(shift, np.tile(shift[0], (len(shift), 1)), atol=1e-12)
        assert np.linalg.norm(shift[0]) == pytest.approx(gap / 2)
