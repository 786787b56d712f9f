"""Entropy of a label, and what it then tells: rows against exact posteriors."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from transductive.version_space.active_learning import binary_entropy
from transductive_compendium.exact.arrangement import Arrangement
from transductive_compendium.papers.kernel_gibbs_sampler.information import (
    _differential_entropy,
    _risk,
)
from transductive_compendium.papers.kernel_gibbs_sampler.sphere_points import labelled_points
from transductive_compendium.runner import run


def test_differential_entropy():
    X, y = labelled_points("uniform", 8, np.random.default_rng(0), "middle")
    cells = Arrangement(y[:, None] * X)
    assert _differential_entropy(cells, 0.5) == pytest.approx(0.0, abs=1e-12)
    volume = cells.areas[cells.errors == 0].sum()
    assert _differential_entropy(cells, 0.0) == pytest.approx(np.log2(volume))
    assert np.log2(volume) < _differential_entropy(cells, 0.1) < 0.0


def test_risk_is_the_share_of_the_minority():
    votes = np.array([[1, 0, 1], [1, 0, 0], [1, 1, 0], [1, 0, 0]], dtype=float)
    assert _risk(votes, np.full(4, 0.25)) == pytest.approx((0 + 0.25 + 0.25) / 3)
    assert _risk(votes, np.array([0.5, 0, 0, 0])) == pytest.approx(0.0)


@pytest.fixture(scope="module")
def information(tmp_path_factory):
    return run(
        "kernel_gibbs_sampler/information", progress=False, store=tmp_path_factory.mktemp("store")
    ).rows


def test_the_cells_confirm_the_information_in_a_label(information):
    """From areas of cells: the entropy of a label, less that of its noise."""
    p, q = information.p_plus.to_numpy(), information.flip_rate.to_numpy()
    expected = binary_entropy(p + q - 2 * p * q) - binary_entropy(q)
    np.testing.assert_allclose(information.gain_expected, expected, atol=1e-9)
    np.testing.assert_allclose(information.entropy, binary_entropy(p), atol=1e-12)
    # without noise version space shrinks to the part that the true label leaves
    clean = information[q == 0]
    left = 2.0**-clean.gain
    off = np.minimum(abs(left - clean.p_plus), abs(left - 1.0 + clean.p_plus))
    np.testing.assert_allclose(off, 0.0, atol=1e-9)


def test_the_entropy_ranks_what_labels_tell(information):
    assert np.abs(information.entropy - information.entropy_sampled).max() < 0.2
    assert (information.risk_drop > -1e-12).all()
    for _, unit in information.groupby(["replication", "law", "flip_rate"]):
        assert spearmanr(unit.entropy, unit.gain_expected).statistic > 1 - 1e-9
        assert spearmanr(unit.entropy_sampled, unit.gain_expected).statistic > 0.95
        assert spearmanr(unit.entropy, unit.risk_drop).statistic > 0


def test_the_seed_moves_the_sampler_alone(information, tmp_path):
    other = run("kernel_gibbs_sampler/information", seed=1, progress=False, store=tmp_path).rows
    sampled = ["entropy_sampled", "risk_drop"]
    assert other.drop(columns=sampled).equals(information.drop(columns=sampled))
    assert (other[sampled] != information[sampled]).any().all()
