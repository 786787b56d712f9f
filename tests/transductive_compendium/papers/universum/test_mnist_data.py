"""Images of 5 and 8: random splits, and universa."""

from types import SimpleNamespace

import numpy as np
import pytest

from transductive_compendium.datasets import load
from transductive_compendium.papers.universum import mnist_data
from transductive_compendium.papers.universum.mnist_data import (
    ALL_IMAGES,
    CLASSES,
    DIGITS,
    PAIRS,
    UNIVERSA,
)

NAME = "digits"  # the substitute, 25 times smaller
SEED = (0, 0)  # the first split of seed 0


def _inside(rows, table):
    """Whether each row is one of the table's."""
    return all((row == table).all(axis=1).any() for row in rows)


def test_training_subsets_are_nested_and_apart_from_validation():
    whole = mnist_data.classes(NAME)[0]
    small, validation = mnist_data.split(NAME, (0, 3), 500)
    large, same = mnist_data.split(NAME, (0, 3), 3000)
    np.testing.assert_array_equal(large.X[: len(small.X)], small.X)
    np.testing.assert_array_equal(validation.X, same.X)
    assert (len(small.X), len(large.X), len(validation.X)) == (20, 120, 80)
    rest, _ = mnist_data.split(NAME, (0, 3), ALL_IMAGES)
    together = np.vstack([rest.X, validation.X])
    assert len(together) == len(whole.X)
    order = [np.lexsort(X.T) for X in (together, whole.X)]
    np.testing.assert_array_equal(together[order[0]], whole.X[order[1]])
    for other in ((0, 4), (1, 3)):  # another split, another seed
        assert not np.array_equal(mnist_data.split(NAME, other, 500)[0].X, small.X)


def test_signs_are_those_of_the_digits():
    table = load(NAME, positive=(8,), negative=(5,))
    train, test = mnist_data.classes(NAME)
    assert (train.y > 0).sum() + (test.y > 0).sum() == (table.codes == 8).sum()
    np.testing.assert_array_equal(test.y, np.where(table.codes[::3] == 8, 1, -1))
    assert train.X.min() == 0.0 and train.X.max() == 1.0


@pytest.mark.parametrize("kind", UNIVERSA)
def test_a_larger_universum_holds_a_smaller_one(kind):
    labelled, _ = mnist_data.split(NAME, SEED, 1000)
    few, many = (mnist_data.universum(NAME, kind, labelled, n, SEED) for n in (500, 5000))
    assert (len(few), len(many)) == (20, 200)
    np.testing.assert_array_equal(many[:20], few)
    assert not np.array_equal(mnist_data.universum(NAME, kind, labelled, 500, (0, 1)), few)


def test_generated_images_of_one_class_come_in_turn():
    labelled, _ = mnist_data.split(NAME, SEED, 3000)
    made = mnist_data.universum(NAME, "Gen", labelled, 5000, SEED, of_one_class=True)
    for points, sign in ((made[::2], -1), (made[1::2], 1)):
        values = labelled.X[labelled.y == sign]
        assert all(np.isin(points[:, j], values[:, j]).all() for j in range(values.shape[1]))


def test_universa_are_what_they_are_called():
    labelled, _ = mnist_data.split(NAME, SEED, 3000)
    table = load(NAME)
    pixels = (table.X / 16).astype(np.float32)
    noise, rest, gen, mean = (
        mnist_data.universum(NAME, kind, labelled, 1000, SEED) for kind in UNIVERSA
    )
    assert 0 <= noise.min() < 0.05 and 0.95 < noise.max() <= 1
    assert _inside(rest, pixels[~np.isin(table.codes, CLASSES)])
    assert all(np.isin(gen[:, j], labelled.X[:, j]).all() for j in range(gen.shape[1]))
    assert not any(_inside(image[None], labelled.X) for image in gen)
    fives, eights = (labelled.X[labelled.y == sign] for sign in (-1, 1))
    pairs = (fives[:, None] + eights) / 2
    assert _inside(mean, pairs.reshape(-1, pairs.shape[2]))


@pytest.mark.parametrize("number", DIGITS)
def test_a_digit_has_all_its_images(number):
    table = load(NAME)
    expected = (table.X[table.codes == number] / 16).astype(np.float32)
    np.testing.assert_array_equal(
        mnist_data.universum(NAME, str(number), None, None, SEED), expected
    )


@pytest.fixture
def parts(monkeypatch):
    """Images that say where they stand: the row, of a table with a test part of the last third."""
    codes = np.tile(np.arange(10), 9)
    n_train = 60

    def load(name, *, positive, negative):
        rows = np.flatnonzero(np.isin(codes, [*positive, *negative]))
        return SimpleNamespace(
            X=rows[:, None] / 100.0 + np.array([[0.0, 0.01]]),
            y=np.where(np.isin(codes[rows], positive), 1, -1),
            codes=codes[rows],
            n_train=int((rows < n_train).sum()),
        )

    caches = mnist_data._pair, mnist_data.classes, mnist_data.rest
    monkeypatch.setattr(mnist_data, "load", load)
    for cache in caches:
        cache.cache_clear()
    yield codes, n_train
    for cache in caches:
        cache.cache_clear()


def _places(X, largest):
    """Rows of the table that images stand for; they are divided by the largest value."""
    return np.round(100 * X[:, 0] * largest).astype(int)


def test_neither_a_universum_nor_training_has_images_of_the_test_part(parts):
    codes, n_train = parts
    for pair in PAIRS:
        rows = np.flatnonzero(np.isin(codes, pair))
        for number in pair:
            found = _places(mnist_data.digit("parts", number), (rows[-1] + 1) / 100)
            expected = np.flatnonzero(codes == number)
            np.testing.assert_array_equal(found, expected[expected < n_train])
    assert len(mnist_data.rest("parts")) == 8 * n_train / 10
    train, test = mnist_data.classes("parts")
    rows = np.flatnonzero(np.isin(codes, CLASSES))
    both = [_places(part.X, (rows[-1] + 1) / 100) for part in (train, test)]
    np.testing.assert_array_equal(both[0], rows[rows < n_train])
    np.testing.assert_array_equal(both[1], rows[rows >= n_train])


def test_a_balanced_subset_has_half_of_each_class_outside_validation():
    part, validation = mnist_data.split(NAME, SEED, 1000, balanced=True)
    assert (part.y == 1).sum() == (part.y == -1).sum() == 20
    np.testing.assert_array_equal(validation.X, mnist_data.split(NAME, SEED, 1000)[1].X)
    assert not any((validation.X == image).all(axis=1).any() for image in part.X)


def test_correlations_of_pairs_with_the_mean_image_and_uncentred():
    A, B = (np.random.default_rng(k).random((n, 30)) for k, n in ((0, 4), (1, 7)))
    pairs = np.mean([np.corrcoef(a, b)[0, 1] for a in A for b in B])
    mean = np.mean([np.corrcoef(a, B.mean(axis=0))[0, 1] for a in A])
    cosine = np.mean([a @ b / np.linalg.norm(a) / np.linalg.norm(b) for a in A for b in B])
    for how, expected in (("pairs", pairs), ("mean_image", mean), ("cosine", cosine)):
        assert mnist_data.correlations(A, B, how) == pytest.approx(expected)
