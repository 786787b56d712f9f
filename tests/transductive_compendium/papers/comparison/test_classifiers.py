"""The methods: who sees what."""

import numpy as np
import pytest

from transductive_compendium.papers.comparison import classifiers
from transductive_compendium.papers.comparison.problems import Sample


@pytest.fixture(scope="module")
def blobs():
    """Two clouds in the plane, ten labels and sixty working points."""
    rng = np.random.default_rng(0)
    y = np.where(np.arange(70) % 2, 1.0, -1.0)
    X = rng.standard_normal((70, 2)) + 0.8 * y[:, None]
    return Sample(X[:10], y[:10], X[10:], y[10:], "rbf")


@pytest.mark.parametrize("name", classifiers.METHODS)
def test_who_looks_at_the_working_points(name, blobs):
    """Without half of the working points the rest keep their answers, unless it is transduction."""
    half = Sample(blobs.X, blobs.y, blobs.X_working[:30], blobs.truth[:30], blobs.kernel)
    all_values = classifiers.METHODS[name](blobs, np.random.default_rng(0)).value[:30]
    values = classifiers.METHODS[name](half, np.random.default_rng(0)).value
    same = np.allclose(all_values, values, atol=1e-6)
    assert same is (name not in ("tsvm", "tsvm, true number", "tld"))


@pytest.mark.parametrize("name", classifiers.METHODS)
def test_no_method_sees_the_labels(name, blobs):
    """Other labels at the working points, as many of each: the same answer."""
    turned = Sample(blobs.X, blobs.y, blobs.X_working, -blobs.truth, blobs.kernel)
    assert (blobs.truth > 0).sum() == (turned.truth > 0).sum()
    first, second = (
        classifiers.METHODS[name](s, np.random.default_rng(0)) for s in (blobs, turned)
    )
    np.testing.assert_array_equal(first.positive, second.positive)
    np.testing.assert_array_equal(first.value, second.value)
    # and it is no nonsense: the clouds have a Bayes error of 13 %
    assert np.mean(first.positive != (blobs.truth > 0)) < 0.3
    if first.probability is not None:
        assert ((first.probability >= 0) & (first.probability <= 1)).all()


def test_transductive_svms_keep_their_number(blobs):
    true = classifiers.tsvm_with_true_number(blobs, None)
    assert true.positive.sum() == (blobs.truth > 0).sum()
    share = classifiers.tsvm(blobs, None)
    assert share.positive.sum() == round(np.mean(blobs.y > 0) * len(blobs.truth))


def test_confidence_is_of_the_label():
    answer = classifiers.Answer(np.array([True, True, False]), np.array([2.0, -0.1, -1.0]))
    np.testing.assert_array_equal(answer.confidence, [2.0, -0.1, 1.0])
