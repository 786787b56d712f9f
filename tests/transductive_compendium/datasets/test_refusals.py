"""What functions refuse: the error names the parameter or the remedy."""

import numpy as np
import pytest

from transductive_compendium.datasets import (
    UnknownDatasetError,
    load,
    load_realisation,
    separable_sphere,
    text_like,
    tf_idf,
    toy_perceptron,
    word_counts,
)
from transductive_compendium.datasets.generators import flip_labels, points_on_sphere

DOCUMENTS = ["Bank profits", "the of and"]
COUNTS = np.eye(4)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        *((lambda w=w: toy_perceptron(**w), "needs") for w in ({"n_train": 1}, {"margin": 0})),
        *((lambda w=w: toy_perceptron(**w), "needs") for w in ({"margin": 0.6}, {"n_working": -1})),
        (lambda: separable_sphere(0, 3), "needs"),
        (lambda: points_on_sphere(0, 0, "pole"), "n_samples >= 1"),
        (lambda: points_on_sphere(1, 0, "both to 3"), "must be one of"),
        (lambda: flip_labels(np.array([-1, 1]), 0.6), r"between 0 and 0\.5"),
        (lambda: flip_labels([0, 1], 0.1), "-1 and"),
        *(
            (lambda w=w: text_like(*w), "1 <= nonzeros < n_features")
            for w in ((0, 10, 5), (3, 10, 10), (3, 10, 0))
        ),
        (lambda: text_like(9, 20, 4, prevalence=2), "boost >= 1"),
        (lambda: text_like(9, 20, 4, boost=0.5), "boost >= 1"),
        (lambda: text_like(9, 20, 4, topical=-1), "boost >= 1"),
        (lambda: word_counts(DOCUMENTS, minimum=4), "no word is in 4 of the 2 documents"),
        *(
            (lambda w=w: tf_idf(COUNTS, w), r"4 shares.*divide")
            for w in ([0.5, 0.5], [0.5, 0.5, 2, 1], [0.5, 0.5, np.nan, 1])
        ),
    ],
)
def test_a_value_out_of_range_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_an_unknown_name_is_answered_with_the_nearest(put, text, tmp_path):
    put(tmp_path, text)
    for call, words in (
        (lambda: load("thyriod"), "Did you mean 'thyroid'"),
        (lambda: load("thyroid", tmp_path, positive_class="hyperr"), "Did you mean 'hyper'"),
        (lambda: load("generated_text").labels("eran"), "topic of .* 'eran'.*'earn'"),
        (lambda: load_realisation("boston", 1, tmp_path), "published realisations"),
    ):
        with pytest.raises(UnknownDatasetError, match=words):
            call()


@pytest.mark.parametrize("name", ["mnist", "usps", "unipen", "digits"])
def test_lists_of_classes_that_are_not_disjoint_are_refused_before_anything_is_read(
    name, empty_folders
):
    bad = {"unipen": [("a", "a"), ((), "b"), (["ab"], "c"), ("\\", "b")]}
    digits = [([3], [3]), ([], [1]), (range(10), None), ([11], [1])]
    for positive, negative in bad.get(name, digits):
        with pytest.raises(ValueError, match="two disjoint, non-empty lists"):
            load(name, positive=positive, negative=negative)
