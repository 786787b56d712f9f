import pickle

import numpy as np
import pytest

from transductive_compendium.datasets import (
    UnknownDatasetError,
    available,
    load,
    load_digits,
    load_thyroid,
)


@pytest.mark.parametrize(
    "positive_class, code, count, name",
    [
        ("normal", 1, 150, "normal"),
        ("hyper", 2, 35, "hyperthyroid"),
        ("hypo", 3, 30, "hypothyroid"),
    ],
)
def test_positive_classes_of_thyroid(put, text, tmp_path, positive_class, code, count, name):
    put(tmp_path, text)
    data = load_thyroid(tmp_path, positive_class=positive_class)
    assert data.counts[name] == count == (data.y == 1).sum()
    assert sum(data.counts.values()) == 215
    assert data.target_names[1] == name
    np.testing.assert_array_equal(data.y == 1, data.codes == code)
    np.testing.assert_array_equal(data.X[0], [float(v) for v in text.split("\n")[0].split(",")[1:]])
    again = load("thyroid", tmp_path).with_positive_class(positive_class)
    np.testing.assert_array_equal(again.y, data.y)
    assert again.sha256 == data.sha256


def test_an_unknown_positive_class_is_refused(put, text, tmp_path):
    put(tmp_path, text)
    with pytest.raises(UnknownDatasetError, match="Did you mean 'hyper'"):
        load_thyroid(tmp_path, positive_class="hyperr")


def test_breast_cancer_is_a_substitute():
    data = load("breast_cancer")
    assert available("breast_cancer") and data.substitute
    assert data.X.shape == (569, 30) and data.counts == {"benign": 357, "malignant": 212}
    assert len(data.sha256) == 64 and len(data.feature_names) == 30
    with pytest.raises(ValueError, match="read-only"):
        data.X[0, 0] = 0.0
    copy = pickle.loads(pickle.dumps(data))
    np.testing.assert_array_equal(copy.y, data.y)


def test_digits_take_two_lists_of_classes():
    everything = load("digits")
    assert everything.X.shape == (1797, 64) and set(everything.y) == {-1, 1}
    pair = load_digits(positive=[8], negative=[3])
    assert pair.target_names == ("3", "8") and pair.counts == {"3": 183, "8": 174}
    np.testing.assert_array_equal(pair.y == 1, pair.codes == 8)
    assert pair.sha256 != everything.sha256
    for positive, negative in (([3], [3]), ([], [1]), (range(10), None), ([11], [1])):
        with pytest.raises(ValueError, match="disjoint"):
            load_digits(positive, negative)
