"""Data that come with scikit-learn."""

import pickle
from operator import attrgetter

import numpy as np
import pytest
from scipy.sparse import csr_array

from transductive_compendium.datasets import (
    TextVectors,
    available,
    load,
)


def test_breast_cancer_is_a_substitute():
    data = load("breast_cancer")
    assert available("breast_cancer") and data.substitute
    assert data.X.shape == (569, 30) and data.counts == {"benign": 357, "malignant": 212}
    assert len(data.sha256) == 64 and len(data.feature_names) == 30
    with pytest.raises(ValueError, match="read-only"):
        data.X[0, 0] = 0.0
    copy = pickle.loads(pickle.dumps(data))
    np.testing.assert_array_equal(copy.y, data.y)


VECTORS = TextVectors("", csr_array(np.eye(3)), (("a",), (), ()), ("b", "c", "d"), "")


@pytest.mark.parametrize("data", [load("breast_cancer"), load("diabetes"), VECTORS])
def test_what_another_process_sends_lies_where_numpy_multiplies_it_alike(data):
    sent = []
    state = pickle.dumps(data, protocol=5, buffer_callback=sent.append)
    moved = [memoryview(bytearray(1) + part.raw())[1:] for part in sent]
    assert moved and not np.frombuffer(moved[0], count=1).flags.aligned
    copy = pickle.loads(state, buffers=moved)
    names = ("X.data", "X.indices", "X.indptr") if data is VECTORS else ("X", "y")
    for array, there in (map(attrgetter(name), (data, copy)) for name in names):
        np.testing.assert_array_equal(there, array)
        assert there.flags.aligned and not there.flags.writeable


def test_digits_take_two_lists_of_classes():
    everything = load("digits")
    assert everything.X.shape == (1797, 64) and set(everything.y) == {-1, 1}
    pair = load("digits", positive=[8], negative=[3])
    assert pair.target_names == ("3", "8") and pair.counts == {"3": 183, "8": 174}
    np.testing.assert_array_equal(pair.y == 1, pair.codes == 8)
    assert pair.sha256 != everything.sha256
