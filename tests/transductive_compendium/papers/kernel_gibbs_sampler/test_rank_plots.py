"""Ranks of the chains, on a small example."""

import numpy as np
import pandas as pd

from transductive_compendium.papers.kernel_gibbs_sampler import rank_plots, teacher_chains


def test_ranks_are_shared_out(monkeypatch):
    monkeypatch.setattr(teacher_chains, "N_FOLLOWED", 8)
    monkeypatch.setitem(rank_plots.EXAMPLES, "mixed", (50, 3, 0.3, 2))
    rows = pd.DataFrame(
        rank_plots.histograms_of_ranks({"example": "mixed"}, {}, {}, np.random.default_rng(0))
    )
    assert (rows.groupby(["quantity", "chain"])["count"].sum() == 1000).all()
    # ties, if any, sit in one bin
    assert (rows.groupby(["quantity", "bin"])["count"].sum() - 200).abs().max() <= 2
    assert list(rows.groupby("chain").start.first()) == ["prior", "prior", "teacher", "teacher"]
