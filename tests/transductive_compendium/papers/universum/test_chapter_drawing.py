"""What the chapter's pictures draw is what its text says of them."""

import numpy as np
import pytest

from transductive_compendium.exact.contradictions import contradictions
from transductive_compendium.papers.universum import chapter_drawing as drawing


def test_the_usvm_finds_the_class_of_the_example_with_most_contradictions():
    counts = {labels: drawing.contradicted(labels).sum() for labels in drawing.CLASSES}
    assert counts == {(-1, -1): 2, (-1, 1): 4, (1, -1): 2, (1, 1): 2}
    for cost, labels in ((0.0, (1, -1)), (0.1, (-1, 1))):
        w, b = drawing.usvm(cost)
        assert tuple(np.sign(drawing.X_UNLABELLED @ w + b)) == labels


@pytest.mark.parametrize("dimension", [2, 3])
def test_the_class_of_the_usvm_has_more_contradictions_on_average(dimension):
    gains = []
    for seed in range(60):
        rng = np.random.default_rng([dimension, seed])
        given, y, universum = drawing.random_problem(dimension, rng)
        counts = []
        for cost in (0.0, 1000.0):
            w, b = drawing.usvm(cost, given[:4], y, universum, C=np.inf)
            labels = np.sign(given @ w + b).astype(int)
            counts.append(contradictions(given, labels, universum, fit_intercept=True).sum())
        gains.append(counts[1] - counts[0])
    assert np.mean(gains) > 2 * np.std(gains, ddof=1) / np.sqrt(len(gains))
    # but not in every problem
    assert min(gains) < 0 and np.mean(np.equal(gains, 0)) > 0.3


@pytest.mark.parametrize("seed", range(5))
def test_with_the_unit_vectors_the_usvm_tends_to_the_one_norm_svm(seed):
    _, weights, limit, excess, bound = drawing.one_norm(seed)
    assert (excess > -1e-8).all() and (excess < bound).all()
    assert excess[0] > 0.1
    np.testing.assert_allclose(weights[-1], limit, atol=1e-6)
    assert ((np.abs(weights[-1]) < 1e-7) == (limit == 0)).all() and (limit == 0).any()


def test_errors_with_a_universum_between_and_with_one_of_a_class():
    found = drawing.sides()[3]
    assert [round(error) for *_, error in found.values()] == [21, 4, 24]
