"""Deviations of the estimated evidence: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import chdtrc

from transductive_compendium.papers.kernel_gibbs_sampler import evidence_exact_measures as measures


def estimates(scale=1.0):
    """Rows whose deviations are `scale` stated errors; every fourth version space is empty."""
    rng = np.random.default_rng(0)
    rows = pd.DataFrame(
        [(i, q) for i in range(60) for q in (0.0, 0.05, 0.2)], columns=["sample", "q"]
    )
    rows["empty"] = (rows["q"] == 0) & (rows["sample"] % 4 == 0)
    rows["z"] = np.where(rows["empty"], 0.0, scale * rng.standard_normal(len(rows)))
    rows["exact"] = np.where(rows["empty"], -np.inf, -9.0)
    return rows.assign(log_evidence=rows["exact"] + 0.03 * rows["z"])


def within(frame, volume):
    frames = {"kernel_gibbs_sampler/evidence_exact": frame}
    return measures.evidence_within_error(frames, volume, 0.01).estimate[0] > 0


@pytest.mark.parametrize("volume", [False, True])
def test_errors_may_be_as_large_as_stated_or_smaller(volume):
    assert within(estimates(), volume)
    assert within(estimates(0.5), volume)
    assert not within(estimates(1.6), volume)


def test_one_level_of_noise_refutes_and_only_for_its_claim():
    frame = estimates()
    frame.loc[frame["q"] == 0.2, "z"] *= 2
    assert not within(frame, volume=False)
    assert within(frame, volume=True)
    frame = estimates()
    frame.loc[frame["q"] == 0.05, "z"] += 1.0
    assert not within(frame, volume=False)
    frame.loc[1, "z"] = np.nan  # an estimate that fails is no estimate within its error
    assert not within(frame, volume=False)


@pytest.mark.parametrize("found", [-30.0, np.nan])
def test_an_empty_version_space_has_to_be_recognised(found):
    frame = estimates()
    frame.loc[frame["empty"], "log_evidence"] = [found, *[-np.inf] * 14]
    assert not within(frame, volume=True)
    assert within(frame, volume=False)
    frame = estimates()
    frame.loc[frame.index[~frame["empty"] & (frame["q"] == 0)][0], "log_evidence"] = -np.inf
    assert not within(frame, volume=True)


@pytest.mark.parametrize("n", [1, 53, 100, 800])
def test_the_tail_of_squares_is_chi_squared(n):
    z = 1.05 * np.random.default_rng(n).standard_normal(n)
    assert measures.squares_tail(z) == pytest.approx(chdtrc(n, np.sum(z**2)), rel=1e-9)
