"""Vote and Bayes point: what a smoke run gives."""

import numpy as np
import pytest

from transductive_compendium.datasets import available
from transductive_compendium.runner import run


@pytest.mark.skipif(
    not (available("thyroid") and available("heart")), reason="the data are not at hand"
)
def test_vote_and_point_agree(tmp_path):
    rows = run(
        "kernel_gibbs_sampler/vote", params={"n_samples": 20}, progress=False, store=tmp_path
    ).rows
    assert len(rows) == 3 * 2 * 4
    heart = rows[rows.dataset == "heart"]
    assert heart["empty"].tolist() == 2 * [True, False, False, False]
    assert rows[rows["empty"]].agreement.isna().all()
    sampled = rows[~rows["empty"]]
    assert (np.abs(sampled.vote_error - sampled.point_error) <= 1 - sampled.agreement + 1e-12).all()
    assert sampled.agreement.mean() > 0.9
