"""UNIPEN characters: classes, splits, and the methods (on the substitute's digits)."""

import string
from types import SimpleNamespace

import numpy as np
from paper_rooms import unit_rows

from transductive_compendium.datasets import load
from transductive_compendium.datasets.registry import registry
from transductive_compendium.papers.universum import unipen_universa
from transductive_compendium.papers.universum.unipen_universa import (
    N_VALIDATION,
    TRAINING_SIZES,
    UNIVERSA,
)


def test_universa_are_all_other_characters():
    every = "".join(unipen_universa.CHARACTERS.values())
    assert len(set(every)) == len(every)
    assert sorted(every + "ab" + "AB") == sorted(map(chr, registry()["unipen"].classes))
    assert set(unipen_universa.CHARACTERS["Lowcase"]) == set(string.ascii_lowercase) - {"a", "b"}


def test_splits_are_balanced_and_disjoint():
    sizes = {}
    for n in TRAINING_SIZES:
        train, validation = unipen_universa.split("digits", n, np.random.default_rng(n))
        for part in (train, validation):
            assert (part.y == 1).sum() == (part.y == -1).sum() > 0
        rows = np.concatenate([train.X, validation.X])
        assert len(np.unique(rows, axis=0)) == len(rows)
        sizes[n] = len(train.y)
    assert sizes[200] == 200 // 4 and len(validation.y) == N_VALIDATION // 4


def test_test_images_are_never_drawn():
    pool, test = unipen_universa.labelled("digits")
    whole = load("digits", positive=(8,), negative=(5,))
    assert len(pool.y) + len(test.y) == len(whole.y)
    assert not set(map(bytes, pool.X)) & set(map(bytes, test.X))


def test_a_universum_has_its_own_classes():
    table = load("digits")
    shades = {
        d: set(map(bytes, (table.X[table.codes == d] / 16).astype(np.float32))) for d in range(10)
    }
    for universum, digits in zip(UNIVERSA, ((0, 1), (2, 3), (4, 6), (7, 9)), strict=True):
        points = set(map(bytes, unipen_universa.others("digits", universum)))
        assert points <= shades[digits[0]] | shades[digits[1]]
        assert all(points & shades[d] for d in digits)


def test_classifiers_are_chosen_by_the_validation_images_of_the_split(monkeypatch):
    chosen, choose = [], unipen_universa.best

    def best(fits, y, name="validation"):
        chosen.append((choose(fits, y, name), y, name))
        return chosen[-1][0]

    monkeypatch.setattr(unipen_universa, "best", best)
    key, data = {"draw": 0, "n_train": 50}, {"unipen": SimpleNamespace(name="digits")}
    found = unit_rows("universum/unipen", key, data)
    _, validation = unipen_universa.split("digits", 50, np.random.default_rng(0))
    test = unipen_universa.labelled("digits")[1]
    assert len(chosen) == len(found)
    for (fit, y, name), (_, row) in zip(chosen, found.iterrows(), strict=True):
        assert name == "validation" and len(fit.values[name]) == len(validation.y)
        np.testing.assert_array_equal(y, validation.y)
        assert (row["gamma"], row["C"]) == (fit.gamma, fit.C)
        assert row["error"] == unipen_universa.balanced_error(fit.values["test"], test.y)
