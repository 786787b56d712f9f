"""The choice of two lists of classes, and the data set made of it."""

import pytest

from transductive_compendium.datasets import load
from transductive_compendium.datasets.images import two_lists


def test_the_second_list_is_the_rest_by_default():
    assert two_lists([2, 0], None, range(4), "digits") == ((2, 0), (1, 3))
    assert two_lists("b", "ca", "abc", "letters") == (("b",), ("c", "a"))


@pytest.mark.parametrize("lists", ["aa b", "a a", "a d", "abc None"])
def test_other_lists_are_refused(lists):
    positive, negative = (None if some == "None" else some for some in lists.split())
    with pytest.raises(ValueError, match="two disjoint, non-empty lists of letters"):
        two_lists(positive, negative, "abc", "letters")


@pytest.mark.parametrize("name", ["mnist", "usps", "unipen", "digits"])
def test_refuses_bad_lists_before_anything_is_read(name, empty_folders):
    bad = {"unipen": [("a", "a"), ((), "b"), (["ab"], "c"), ("\\", "b")]}
    digits = [([3], [3]), ([], [1]), (range(10), None), ([11], [1])]
    for positive, negative in bad.get(name, digits):
        with pytest.raises(ValueError, match="disjoint"):
            load(name, positive=positive, negative=negative)
