"""Margin and volume of version space: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.papers.kernel_gibbs_sampler import margin_evidence_measures as measures


def margins(over_kernels=1.0, over_samples=1.0):
    """Rows whose log volume moves with the margin's rank, over kernels and over samples."""
    rng = np.random.default_rng(2)
    kernels = [("rbf", v) for v in (0.5, 1.0, 2.0, 4.0)] + [("poly", v) for v in (2.0, 3.0, 4.0)]
    rows = []
    for dataset in ("crescents", "thyroid", "heart"):
        for sample in range(24):
            good = rng.standard_normal()
            for place, (kernel, value) in enumerate(kernels):
                margin = np.exp(0.5 * place + 0.1 * good)
                volume = -20 + over_kernels * place + over_samples * good
                volume += 0.3 * rng.standard_normal()
                rows.append((dataset, sample, kernel, value, True, margin, volume))
    names = ["dataset", "sample", "kernel", "value", "separable", "margin", "log_volume"]
    return pd.DataFrame(rows, columns=names)


def test_what_does_not_separate_stays_out():
    frame = margins()
    lost = (frame["kernel"] == "rbf") & (frame["value"] == 0.5) & (frame["sample"] == 3)
    frame.loc[lost, "separable"] = False
    frame.loc[lost, ["margin", "log_volume"]] = np.nan
    assert measures.rank_correlations(frame, "heart").notna().all()
    held = measures.same_kernel(frame, "heart")
    assert held.shape == (24, 6) and ("rbf", 0.5) not in held


def test_pseudo_values_have_the_rank_correlation_as_their_mean():
    frame = margins(over_samples=0.3)
    rho = frame[(frame["dataset"] == "heart") & (frame["value"] == 3.0)]
    rho = rho["margin"].rank().corr(rho["log_volume"].rank())
    values = measures.same_kernel(frame, "heart")["poly", 3.0]
    assert values.mean() == pytest.approx(rho, abs=0.1)
    assert 0.02 < values.sem() < 0.3
