"""Images of 5 and 8 with universa: draws, universum points, selection, and what is counted."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.svm import SVC

import transductive_compendium.papers.universum.images as images
from transductive.margin import UniversumSVC
from transductive_compendium.datasets import load
from transductive_compendium.runner import get

ITEMS = ("mnist_universa", "mnist_size", "mnist_digits", "sample_images")
NAME = "digits"  # the stand-in, 25 times smaller
DRAW = (0, 0)  # the first of seed 0


@pytest.fixture(scope="module")
def data():
    return {"mnist": load(NAME)}


def _rows(item, data, **key):
    experiment = get(f"universum/{item}")
    return pd.DataFrame(experiment.run_unit(key, {"seed": 0}, data, np.random.default_rng(0)))


def _inside(rows, table):
    """Whether each row is one of the table's."""
    return all((row == table).all(axis=1).any() for row in rows)


@pytest.mark.parametrize("item", ITEMS)
def test_smoke_is_the_beginning_of_paper(item):
    smoke, paper, full = (get(f"universum/{item}").unit_keys({}, t) for t in images.DRAWS)
    assert 0 < len(smoke) <= len(paper) <= len(full)


def test_all_training_images_are_fitted_once_for_each_digit():
    keys = pd.DataFrame(get("universum/mnist_digits").unit_keys({}, "full"))
    everything = keys[keys["n_train"] == images.ALL]
    assert sorted(everything["universum"]) == sorted([images.NONE, *map(str, images.DIGITS)])


# ---- draws --------------------------------------------------------------------------------------


def test_training_subsets_are_nested_and_apart_from_validation():
    whole = images.classes(NAME)[0]
    small, validation = images.split(NAME, (0, 3), 500)
    large, same = images.split(NAME, (0, 3), 3000)
    np.testing.assert_array_equal(large.X[: len(small.X)], small.X)
    np.testing.assert_array_equal(validation.X, same.X)
    assert (len(small.X), len(large.X), len(validation.X)) == (20, 120, 80)
    rest, _ = images.split(NAME, (0, 3), images.ALL)
    together = np.vstack([rest.X, validation.X])
    assert len(together) == len(whole.X)
    order = [np.lexsort(X.T) for X in (together, whole.X)]
    np.testing.assert_array_equal(together[order[0]], whole.X[order[1]])
    for other in ((0, 4), (1, 3)):  # another draw, another seed
        assert not np.array_equal(images.split(NAME, other, 500)[0].X, small.X)


def test_signs_are_those_of_the_digits():
    table = load(NAME, positive=(8,), negative=(5,))
    train, test = images.classes(NAME)
    assert (train.y > 0).sum() + (test.y > 0).sum() == (table.codes == 8).sum()
    np.testing.assert_array_equal(test.y, np.where(table.codes[::3] == 8, 1, -1))
    assert train.X.min() == 0.0 and train.X.max() == 1.0


# ---- universa -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", images.UNIVERSA)
def test_a_larger_universum_holds_a_smaller_one(kind):
    labelled, _ = images.split(NAME, DRAW, 1000)
    few, many = (images.universum(NAME, kind, labelled, n, DRAW) for n in (500, 5000))
    assert (len(few), len(many)) == (20, 200)
    np.testing.assert_array_equal(many[:20], few)
    assert not np.array_equal(images.universum(NAME, kind, labelled, 500, (0, 1)), few)


def test_universa_are_what_they_are_called():
    labelled, _ = images.split(NAME, DRAW, 3000)
    table = load(NAME)
    pixels = (table.X / 16).astype(np.float32)
    noise, rest, gen, mean = (
        images.universum(NAME, kind, labelled, 1000, DRAW) for kind in images.UNIVERSA
    )
    assert 0 <= noise.min() < 0.05 and 0.95 < noise.max() <= 1
    assert _inside(rest, pixels[~np.isin(table.codes, images.CLASSES)])
    assert all(np.isin(gen[:, j], labelled.X[:, j]).all() for j in range(gen.shape[1]))
    assert not any(_inside(image[None], labelled.X) for image in gen)
    fives, eights = (labelled.X[labelled.y == sign] for sign in (-1, 1))
    pairs = (fives[:, None] + eights) / 2
    assert _inside(mean, pairs.reshape(-1, pairs.shape[2]))


@pytest.mark.parametrize("number", images.DIGITS)
def test_a_digit_has_all_its_images(number):
    table = load(NAME)
    expected = (table.X[table.codes == number] / 16).astype(np.float32)
    np.testing.assert_array_equal(images.universum(NAME, str(number), None, None, DRAW), expected)


def test_correlations_are_pearsons_over_all_pairs():
    rng = np.random.default_rng(0)
    A, B = rng.random((7, 30)), rng.random((5, 30)) ** 2
    expected = np.mean([[np.corrcoef(a, b)[0, 1] for b in B] for a in A])
    assert images.correlations(A, B) == pytest.approx(expected, abs=1e-12)


# ---- selection ----------------------------------------------------------------------------------


def _wrong(machine, part):
    return np.where(machine.decision_function(part.X) > 0, 1, -1) != part.y


@pytest.mark.parametrize("draw", [(0, 0), (0, 1), (1, 0)])
def test_the_svm_is_the_best_of_its_grid_at_validation(draw):
    train, validation = images.split(NAME, draw, 1000)
    test = images.classes(NAME)[1]
    found, least = images.inductive(NAME, draw, 1000), []
    for gamma in images.GAMMAS:
        for C in images.COSTS:
            machine = SVC(C=C, gamma=gamma).fit(train.X, train.y)
            least.append((_wrong(machine, validation).mean(), _wrong(machine, test).mean()))
            if (gamma, C) == (found.gamma, found.C):
                np.testing.assert_array_equal(_wrong(machine, test), found.wrong)
    assert found.validation == min(least)[0]
    assert found.oracle == min(error for _, error in least)


@pytest.mark.parametrize("n_train", [1000, images.ALL])
def test_the_u_svm_is_fitted_with_what_was_chosen(n_train):
    """With all training images, chosen on a part and fitted again on the whole."""
    points = images.universum(NAME, "3", None, None, DRAW)
    svm = images.inductive(NAME, DRAW, n_train)
    found = images.with_universum(NAME, DRAW, n_train, points)
    assert (found.gamma, found.C) == (svm.gamma, svm.C)
    train, validation = images.split(NAME, DRAW, n_train)
    whole, test = images.classes(NAME)
    machine = UniversumSVC(
        found.C, found.C_universum, epsilon=found.epsilon, gamma=found.gamma, tol=1e-5
    )
    machine.fit(train.X, train.y, points)
    assert _wrong(machine, validation).mean() == pytest.approx(found.validation, abs=1 / 79)
    if n_train == images.ALL:
        machine.fit(whole.X, whole.y, points)
    assert (_wrong(machine, test) != found.wrong).sum() <= 1
    assert found.oracle <= found.wrong.mean()


# ---- rows ---------------------------------------------------------------------------------------


def test_outcomes_are_counted_against_the_svm_of_the_draw(data):
    n_test, seen = len(images.classes(NAME)[1].y), []
    for draw in range(4):
        key = {"draw": draw, "n_train": 200}
        alone = _rows("mnist_digits", data, universum=images.NONE, **key).iloc[0]
        row = _rows("mnist_digits", data, universum="3", **key).iloc[0]
        assert alone["both_wrong"] == round(alone["error"] * n_test)
        assert alone["only_svm_wrong"] == alone["only_universum_wrong"] == 0
        assert row["both_wrong"] + row["only_svm_wrong"] == alone["both_wrong"]
        assert row["both_wrong"] + row["only_universum_wrong"] == round(row["error"] * n_test)
        seen.append(row[["only_svm_wrong", "only_universum_wrong"]])
    assert (np.sum(seen, axis=0) > 0).all()
    assert alone["n_universum"] == 0 and np.isnan(alone["rho_8"]) and -1 < row["rho_5"] < 1


def test_two_tables_have_one_machine_in_common(data):
    """3000 training images and 5000 universum points; 120 and 200 of the stand-in."""
    first = _rows("mnist_universa", data, draw=0, n_train=3000, universum="Mean")
    second = _rows("mnist_size", data, draw=0, n_universum=5000, universum="Mean")
    columns = first.columns.drop("n_universum")
    pd.testing.assert_frame_equal(first[columns], second[columns])
    alone = _rows("mnist_size", data, draw=0, n_universum=0, universum=images.NONE)
    assert (alone["C_universum"] == 0).all() and (alone["method"] == "SVM").all()


def test_sample_images_are_bytes_of_the_universum(data):
    labelled, _ = images.split(NAME, DRAW, 3000)
    for kind, points in (
        ("Mean", images.universum(NAME, "Mean", labelled, 5000, DRAW)),
        ("8", labelled.X[labelled.y > 0]),
    ):
        rows = _rows("sample_images", data, kind=kind)
        drawn = np.array([list(bytes.fromhex(text)) for text in rows["pixels"]])
        assert len(rows) == images.N_SAMPLES
        np.testing.assert_allclose(drawn / 255, points[: len(drawn)], atol=0.51 / 255)


# ---- what is seen -------------------------------------------------------------------------------


def test_with_all_images_the_last_machines_are_of_all_of_them(monkeypatch):
    seen = []

    def grid(X, y, points, where, **choices):
        seen.append((X, y, sorted(where)))
        return images_grid(X, y, points, where, **choices)

    images_grid = images.grid
    monkeypatch.setattr(images, "grid", grid)
    images._choose(NAME, DRAW, images.ALL, None, gammas=(0.1,), costs=(1.0, 10.0))
    train, whole = images.split(NAME, DRAW, images.ALL)[0], images.classes(NAME)[0]
    (X, y, where), (X_all, y_all, where_all) = seen
    np.testing.assert_array_equal(X, train.X)
    np.testing.assert_array_equal(X_all, whole.X)
    np.testing.assert_array_equal(y_all, whole.y)
    # the validation images are among them, and choose no more
    assert where == ["test", "validation"] and where_all == ["test"] and len(y_all) > len(y)


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

    caches = images._pair, images.classes, images.rest
    monkeypatch.setattr(images, "load", load)
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
    for pair in images.PAIRS:
        rows = np.flatnonzero(np.isin(codes, pair))
        for number in pair:
            found = _places(images.digit("parts", number), (rows[-1] + 1) / 100)
            expected = np.flatnonzero(codes == number)
            np.testing.assert_array_equal(found, expected[expected < n_train])
    assert len(images.rest("parts")) == 8 * n_train / 10
    train, test = images.classes("parts")
    rows = np.flatnonzero(np.isin(codes, images.CLASSES))
    both = [_places(part.X, (rows[-1] + 1) / 100) for part in (train, test)]
    np.testing.assert_array_equal(both[0], rows[rows < n_train])
    np.testing.assert_array_equal(both[1], rows[rows >= n_train])
