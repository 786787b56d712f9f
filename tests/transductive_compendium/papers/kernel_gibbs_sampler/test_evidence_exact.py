"""The estimated evidence against exact values: what a smoke run gives."""

import numpy as np

from transductive_compendium.papers.kernel_gibbs_sampler.evidence_exact import NOISE_LEVELS
from transductive_compendium.runner import run


def test_exact_evidence_within_the_stated_error(tmp_path):
    rows = run("kernel_gibbs_sampler/evidence_exact", progress=False, store=tmp_path).rows
    assert len(rows) == 4 * len(NOISE_LEVELS)
    np.testing.assert_array_equal(rows["empty"], np.isneginf(rows["exact"]))
    np.testing.assert_array_equal(rows["empty"], np.isneginf(rows["log_evidence"]))
    assert not rows["empty"][(rows["flip_rate"] == 0.0) | (rows["q"] > 0.0)].any()
    # one in a million by chance, for each of 30 rows
    assert rows["z"][~rows["empty"]].abs().max() < 5
