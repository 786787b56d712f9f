"""Rejection of the closest votes: what a smoke run gives."""

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.datasets import available
from transductive_compendium.rejection_curves import outcomes
from transductive_compendium.runner import run


@pytest.mark.skipif(
    not (available("thyroid") and available("heart")), reason="the data are not at hand"
)
def test_rejection_without_version_space(tmp_path):
    rows = run(
        "kernel_gibbs_sampler/rejection",
        params={"n_samples": 20, "thin": 5},
        progress=False,
        store=tmp_path,
    ).rows
    assert rows["empty"].all()
    for (_, _), part in rows.groupby(["dataset", "q"]):
        o = outcomes(part)
        assert o.confidence.shape[0] == 2
        unsure = o.confidence < np.median(o.confidence)
        assert o.wrong[unsure].mean() > o.wrong[~unsure].mean()
    assert pd.unique(rows.label).tolist() in ([-1, 1], [1, -1])
