"""The experiments of document 1: recorded rows hold, splits are fixed, units are what they say."""

import numpy as np
import pytest

from transductive._exact.volumes import probability_positive
from transductive.version_space import FeatureSpan
from transductive.version_space.start import interior_point
from transductive_compendium.datasets import available
from transductive_compendium.papers.bayesian_transduction.cost import _multiplications, _sample
from transductive_compendium.papers.bayesian_transduction.rejection import (
    Choices,
    compare_on_split,
    partition,
    scaled,
)
from transductive_compendium.papers.bayesian_transduction.sampling import GEOMETRIES
from transductive_compendium.runner import compare, get, run

DOCUMENT = "bayesian_transduction"


@pytest.mark.parametrize("item", ["figure_1", "cells", "labellings", "identities", "ergodicity"])
def test_generated_experiments_agree_with_the_record(item, tmp_path):
    agreement = compare(run(f"{DOCUMENT}/{item}", progress=False, store=tmp_path))
    assert not agreement.reason
    assert agreement.ok, agreement.describe()


@pytest.mark.skipif(not available("thyroid"), reason="the thyroid data are not at hand")
def test_figure_2a_agrees_with_the_record(tmp_path):
    agreement = compare(run(f"{DOCUMENT}/figure_2a", progress=False, store=tmp_path))
    assert not agreement.reason
    assert agreement.ok, agreement.describe()


def test_another_reading_is_not_compared(tmp_path):
    done = run(f"{DOCUMENT}/figure_1", params={"n_train": 4}, progress=False, store=tmp_path)
    assert "n_train=4" in compare(done).reason


def test_partition_is_fixed_and_complete():
    train, test = partition(215, 3)
    assert len(train) == 129 and len(test) == 86
    assert sorted([*train, *test]) == list(range(215))
    again = partition(215, 3)
    assert (train == again[0]).all()
    assert not (partition(215, 4)[0] == train).all()


def test_scalings():
    X = np.random.default_rng(0).uniform(3.0, 9.0, size=(30, 2))
    rows = np.arange(10)
    standard = scaled(X, "standardised", rows)
    np.testing.assert_allclose(
        [standard.mean(axis=0), standard.std(axis=0)], [[0, 0], [1, 1]], atol=1e-12
    )
    part = scaled(X, "standardised on the training part", rows)
    np.testing.assert_allclose(part[rows].std(axis=0), 1.0)
    assert scaled(X, "range 0 to 1", rows).max() == 1.0
    assert scaled(X, "range -1 to 1", rows).min() == -1.0
    assert scaled(X, "none", rows) is X


def test_one_split_gives_both_methods_the_same_points():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((60, 3))
    y = np.where(X[:, 0] > 0, 1, -1)
    train, test, p_plus, f = compare_on_split(X, y, 0, Choices(sigma=1.0, n_bounces=2000), rng)
    assert len(test) == len(p_plus) == len(f) == 24
    assert ((p_plus >= 0) & (p_plus <= 1)).all()
    # separable with room: both label nearly everything as the teacher does
    assert np.mean((p_plus >= 0.5) == (y[test] > 0)) > 0.8
    assert np.mean((f >= 0) == (y[test] > 0)) > 0.8
    # a training point on the test side would be unanimous; the test points are not all
    assert len(set(train) & set(test)) == 0


def test_geometries_have_the_stated_probabilities():
    exact = {name: probability_positive(*case).value for name, case in GEOMETRIES.items()}
    assert exact["orthant"] == pytest.approx(0.5971, abs=5e-5)
    assert exact["triangle"] == pytest.approx(0.8564, abs=5e-5)


def test_counted_multiplications():
    """Two products with l columns and two with m, and one row, for every bounce."""
    l, m = 20, 7
    gram, cross = _sample(l, m, np.random.default_rng(0))
    span = FeatureSpan(gram)
    w = interior_point(span, l)
    v = span.random_tangent(w, np.random.default_rng(1))
    assert _multiplications(gram, cross, w, v, 5) == 2 * l * l + 2 * l * m + l


def test_choices_name_what_they_change():
    keys = get(f"{DOCUMENT}/choices").unit_keys({}, "paper")
    assert keys[0] == {"dataset": "thyroid", "choice": "the reading"}
    assert {"dataset": "heart", "choice": "classes: hyper against the rest"} not in keys
