"""Chains as printed: plain NumPy steps against exact cells and against the library's chain."""

import numpy as np
import pytest

from transductive_compendium.exact.arrangement import Arrangement
from transductive_compendium.papers.kernel_gibbs_sampler.first_states import (
    AS_PRINTED,
    bayes_point,
    circle_step,
    states,
)
from transductive_compendium.papers.kernel_gibbs_sampler.sphere_points import signed_points

SIGNED = signed_points("uniform", 6, 0.3, np.random.default_rng(4), "middle")
SIGNED *= np.array([3.0, 1.0, 0.4])


def off(visited, q):
    cells = Arrangement(SIGNED)
    counts = np.bincount(cells.cell_of(visited), minlength=len(cells.areas))
    return np.abs(counts / len(visited) - cells.posterior(q)).max()


def plain(q, n, coefficients=False):
    rng, w = np.random.default_rng(1), np.array([1.0, 0.0, 0.0])
    found = np.empty((n, 3))
    for i in range(n):
        w = found[i] = circle_step(SIGNED, w, q, rng, coefficients)
    return found


def test_plain_steps_and_the_librarys_chain_have_the_exact_law():
    """Two implementations; directions by normal coefficients have another law."""
    library = states(SIGNED, np.ones(6), 0.1, 10_000, np.random.default_rng(2), AS_PRINTED)
    assert off(plain(0.1, 10_000), 0.1) < 0.02
    assert off(library, 0.1) < 0.02
    assert off(plain(0.1, 10_000, coefficients=True), 0.1) > 0.03


def test_the_limit_at_zero_never_makes_more_errors():
    """From anywhere, with labels of which none is flipped: down to version space, and there."""
    clean = signed_points("uniform", 12, 0.0, np.random.default_rng(7), "middle")
    rng = np.random.default_rng(3)
    visited = states(clean, np.ones(12), 0.0, 200, rng, AS_PRINTED | {"q_zero": "limit"})
    errors = (visited @ clean.T <= 0).sum(axis=1)
    assert (np.diff(errors) <= 0).all() and errors[-1] == 0
    np.testing.assert_allclose(np.linalg.norm(visited, axis=1), 1.0)


def test_burn_in_and_thinning_drop_states():
    def run(n, **params):
        params = AS_PRINTED | params | {"direction": "coefficients"}
        return states(SIGNED, np.ones(6), 0.2, n, np.random.default_rng(5), params)

    np.testing.assert_allclose(run(3, burn_in=10, thin=10), run(40)[19::10])


def test_start_is_random_unless_an_svm_is_asked_for():
    first = np.array([0.0, 0.0, 1.0])

    def run(start):
        params = AS_PRINTED | {"start": start}
        return states(SIGNED, np.ones(6), 0.2, 1, np.random.default_rng(9), params, first)

    runs = run("random"), run("svm")
    assert not np.allclose(*runs)
    assert np.linalg.norm(bayes_point(runs[0])) == pytest.approx(1.0)
