"""Small random samples of data sets."""

import numpy as np
import pytest

from transductive_compendium.datasets import load
from transductive_compendium.papers.transductive_svm.small_samples import (
    CLOUDS,
    N_TRAIN,
    SETS,
    random_sample,
)


@pytest.fixture(scope="module")
def data():
    return dict.fromkeys(SETS, load("breast_cancer")) | {"digits": load("digits")}


@pytest.mark.parametrize("name", ["ida_heart", CLOUDS])
def test_points_have_both_classes_among_the_first(name, data):
    for seed in range(5):
        gram, y = random_sample(name, 20, data, np.random.default_rng(seed))
        assert gram.shape == (20, 20) and set(y[:N_TRAIN]) == {-1.0, 1.0}
        assert np.linalg.eigvalsh(gram).min() > -1e-9
