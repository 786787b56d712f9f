"""Steps of the derivation: what the experiment finds on a case, and that it can fail."""

import numpy as np
import pytest

from transductive_compendium.exact import loo_reference as reference
from transductive_compendium.papers.transductive_regression import derivations
from transductive_compendium.runner import run


@pytest.fixture(scope="module")
def rows():
    return run("transductive_regression/derivations", "smoke", progress=False, fresh=True).rows


def test_what_is_true_is_found_true(rows):
    exact = ["minimum_9", "gradient", "least_eigenvalue", "loo_and_less", "fisher"]
    assert (rows[[*exact, "ridge_one_by_one"]] < 1e-9).all(axis=None)
    assert (rows["constraint"] < 1e-6).all() and rows["falls_with_radius"].all()


def test_what_is_not_is_found_not(rows):
    assert (rows["loo_and_same"] > 1e-3).all() and (rows["moved_by_y0"] > 1e-3).all()


def test_the_constrained_minimum_is_at_the_border():
    rng = np.random.default_rng(0)
    A = rng.standard_normal((6, 6))
    M, y, y0 = A @ A.T, rng.standard_normal(4), rng.standard_normal(2)
    radius = 0.5 * np.linalg.norm(reference.transduce(M, y, y0, 1e-12) - y0)
    found = derivations._constrained(M, y, y0, radius)
    assert np.linalg.norm(found - y0) == pytest.approx(radius)
    gamma_star = derivations._gamma_star_of(M, y, y0, radius)
    np.testing.assert_allclose(found, reference.transduce(M, y, y0, gamma_star), rtol=1e-5)
