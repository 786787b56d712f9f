"""Universa beyond the poster's: images, sizes, and the choice by validation."""

import numpy as np
import pytest
from paper_rooms import unit_rows

from transductive_compendium.datasets import load
from transductive_compendium.papers.universum import (
    controls,
    further_universa,
    mnist_data,
    which_universum,
)

SEED = (0, 0)


@pytest.fixture(scope="module")
def data():
    return {"mnist": load("digits")}


def _universum(kind, seed=0):
    train, _ = mnist_data.split("digits", SEED, 1000)
    return further_universa.universum_points(
        "digits", kind, train, SEED, np.random.default_rng(seed)
    )


def test_unlabelled_images_are_nowhere_else(data):
    train, judged = further_universa.judged_parts("digits", SEED, 1000)
    seen = {row.tobytes() for part in (train, *judged.values()) for row in part.X}
    reserve = further_universa._reserve("digits", SEED)[0]
    for kind, signs in further_universa.UNLABELLED_CLASSES.items():
        points = _universum(kind)
        assert len(points) and not seen & {row.tobytes() for row in points}
        of = {x.tobytes(): y for x, y in zip(reserve.X, reserve.y, strict=True)}
        assert {of[row.tobytes()] for row in points} == set(signs)


def test_changed_images(data):
    rest = mnist_data.universum(
        "digits", "Rest", mnist_data.split("digits", SEED, 1000)[0], 1000, SEED
    )
    for kind in ("pixels shuffled", "one permutation", "turned"):
        points = _universum(kind)
        np.testing.assert_array_equal(np.sort(points, axis=1), np.sort(rest, axis=1))
        assert (points != rest).any()
    np.testing.assert_allclose(_universum("inverted"), 1.0 - rest)
    # one permutation keeps all angles, shuffling does not
    points = _universum("one permutation")
    np.testing.assert_allclose(points @ points.T, rest @ rest.T)
    points = _universum("pixels shuffled")
    assert np.abs(points @ points.T - rest @ rest.T).max() > 0.1


@pytest.mark.parametrize("kind", sorted({*which_universum.CANDIDATES, *controls.CONTROLS}))
def test_universa_are_of_one_size(kind, data):
    n, d = _universum(kind).shape
    wanted = mnist_data.scaled_size("digits", further_universa.N_UNIVERSUM)
    # of one class the substitute has fewer
    assert d == 64 and (n == wanted or (kind in ("fives", "eights") and 20 < n < wanted))


@pytest.mark.parametrize(
    "module, key",
    [
        (which_universum, {"draw": 0, "n_train": 1000, "universum": "3"}),
        (controls, {"draw": 0, "universum": "Rest"}),
    ],
)
def test_u_svms_are_chosen_by_validation_images(module, key, data, monkeypatch):
    chosen, choose = [], module.best

    def best(fits, y, name="validation"):
        chosen.append((choose(fits, y, name), fits, y, name))
        return chosen[-1][0]

    monkeypatch.setattr(module, "best", best)
    rows = unit_rows(f"universum/{module.__name__.rpartition('.')[2]}", key, data)
    ((fit, fits, y, name),) = chosen
    _, judged = further_universa.judged_parts("digits", SEED, 1000)
    np.testing.assert_array_equal(y, judged["validation"].y)
    assert name == "validation" and len(fits) > 1
    row = rows[rows["method"] == "chosen"].iloc[0] if "method" in rows else rows.iloc[0]
    assert (row["C_universum"], row["epsilon"]) == (fit.C_universum, fit.epsilon)
    np.testing.assert_array_equal(
        row["error"], np.mean(np.where(fit.values["test"] > 0, 1, -1) != judged["test"].y)
    )
