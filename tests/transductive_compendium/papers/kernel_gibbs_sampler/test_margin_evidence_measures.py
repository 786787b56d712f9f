"""Margin and volume of version space: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.papers.kernel_gibbs_sampler import margin_evidence_measures as measures
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED


def test_volumes_are_judged_where_ladders_agree():
    rng = np.random.default_rng(1)
    n = 40
    frame = pd.DataFrame({"log_volume": np.full(n, -12.0), "rank": 30, "r_hat": 1.01})
    frame["error"], frame["log_volume_error"] = 0.3, 0.4
    frame["log_evidence"] = frame["log_volume"] + 0.5 * rng.standard_normal(n)
    frame.loc[0, ["log_evidence", "r_hat"]] = 40.0, 1.5
    frame.loc[1, ["log_evidence", "error", "r_hat"]] = np.nan
    frames = {"kernel_gibbs_sampler/margin_evidence": frame}
    evidence = measures.volume_in_feature_space(frames, 0.01)
    assert evidence.estimate[0] > 0
    assert "38 volumes" in evidence.shown and "1 more are left out" in evidence.shown
    frame.loc[0, "r_hat"] = 1.02
    assert measures.volume_in_feature_space(frames, 0.01).estimate[0] < 0


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


def with_margins(**kwargs):
    return {"kernel_gibbs_sampler/margin_evidence": margins(**kwargs)}


def test_what_does_not_separate_stays_out():
    frame = margins()
    lost = (frame["kernel"] == "rbf") & (frame["value"] == 0.5) & (frame["sample"] == 3)
    frame.loc[lost, "separable"] = False
    frame.loc[lost, ["margin", "log_volume"]] = np.nan
    assert measures.rank_correlations(frame, "heart").notna().all()
    held = measures.same_kernel(frame, "heart")
    assert held.shape == (24, 6) and ("rbf", 0.5) not in held


def test_samples_are_followed_with_the_kernel_held():
    models, samples = with_margins(over_samples=0.0), with_margins(over_kernels=0.0)
    for dataset in ("crescents", "heart"):
        assert outcome_of(measures.margin_over_samples(models, dataset), 16) != REPRODUCED
        assert outcome_of(measures.margin_over_samples(samples, dataset), 16) == REPRODUCED
    against = with_margins(over_kernels=-1.0, over_samples=-1.0)
    assert outcome_of(measures.margin_over_samples(against, "thyroid"), 16) == NOT_REPRODUCED


def test_pseudo_values_have_the_rank_correlation_as_their_mean():
    frame = margins(over_samples=0.3)
    rho = frame[(frame["dataset"] == "heart") & (frame["value"] == 3.0)]
    rho = rho["margin"].rank().corr(rho["log_volume"].rank())
    values = measures.same_kernel(frame, "heart")["poly", 3.0]
    assert values.mean() == pytest.approx(rho, abs=0.1)
    assert 0.02 < values.sem() < 0.3


def test_each_family_on_each_data_set_counts():
    frames = with_margins()
    frame = frames["kernel_gibbs_sampler/margin_evidence"]
    assert measures.margin_in_each_family(frames).estimate[0] > 0
    turned = (frame["kernel"] == "poly") & (frame["dataset"] == "heart")
    frame.loc[turned, "log_volume"] *= -1
    evidence = measures.margin_in_each_family(frames)
    assert not evidence.estimate[0] > 0 and "polynomial on heart -" in evidence.shown
