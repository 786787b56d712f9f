"""Evidence by the Kernel Gibbs Sampler: what its measures make of rows."""

import itertools

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.papers.kernel_gibbs_sampler import evidence_measures as report
from transductive_compendium.papers.kernel_gibbs_sampler.evidence import N_TRAIN
from transductive_compendium.verdicts.rules import (
    NOT_REPRODUCED,
    REPRODUCED,
    decide_equivalence,
    decide_ordering,
    ordering_p,
)

DOCUMENT = "kernel_gibbs_sampler"


def ordering(evidence):
    return decide_ordering(evidence, ordering_p(evidence)).outcome


# ---- the estimate -------------------------------------------------------------------------------


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
    frames = {f"{DOCUMENT}/evidence_exact": frame}
    return report.evidence_within_error(frames, volume, 0.01).holds


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


def test_volumes_are_judged_where_ladders_agree():
    rng = np.random.default_rng(1)
    n = 40
    frame = pd.DataFrame({"log_volume": np.full(n, -12.0), "rank": 30, "r_hat": 1.01})
    frame["error"], frame["log_volume_error"] = 0.3, 0.4
    frame["log_evidence"] = frame["log_volume"] + 0.5 * rng.standard_normal(n)
    frame.loc[0, ["log_evidence", "r_hat"]] = 40.0, 1.5
    frame.loc[1, ["log_evidence", "error", "r_hat"]] = np.nan
    frames = {f"{DOCUMENT}/margin_evidence": frame}
    evidence = report.volume_in_feature_space(frames, 0.01)
    assert evidence.holds
    assert "38 volumes" in evidence.detail and "1 more are left out" in evidence.detail
    frame.loc[0, "r_hat"] = 1.02
    assert not report.volume_in_feature_space(frames, 0.01).holds


# ---- margin and evidence ------------------------------------------------------------------------


def margins(over_kernels=1.0, over_samples=1.0):
    """Rows whose log volume moves with the margin's rank, over kernels and over samples."""
    rng = np.random.default_rng(2)
    kernels = [("rbf", v) for v in (0.5, 1.0, 2.0, 4.0)] + [("poly", v) for v in (2.0, 3.0, 4.0)]
    rows = []
    for dataset in ("crescents", "thyroid", "heart"):
        for sample in range(16):
            good = rng.standard_normal()
            for place, (kernel, value) in enumerate(kernels):
                margin = np.exp(0.5 * place + 0.1 * good)
                volume = -20 + over_kernels * place + over_samples * good
                volume += 0.3 * rng.standard_normal()
                rows.append((dataset, sample, kernel, value, True, margin, volume))
    names = ["dataset", "sample", "kernel", "value", "separable", "margin", "log_volume"]
    return pd.DataFrame(rows, columns=names)


def with_margins(**kwargs):
    return {f"{DOCUMENT}/margin_evidence": margins(**kwargs)}


def test_what_does_not_separate_stays_out():
    frame = margins()
    lost = (frame["kernel"] == "rbf") & (frame["value"] == 0.5) & (frame["sample"] == 3)
    frame.loc[lost, "separable"] = False
    frame.loc[lost, ["margin", "log_volume"]] = np.nan
    assert report.rank_correlations(frame, "heart").notna().all()
    held = report.same_kernel(frame, "heart")
    assert held.shape == (16, 6) and ("rbf", 0.5) not in held


def test_the_two_readings_of_the_margin_are_told_apart():
    models, samples = with_margins(over_samples=0.0), with_margins(over_kernels=0.0)
    for dataset in ("crescents", "heart"):
        assert ordering(report.margin_over_kernels(models, dataset)) == REPRODUCED
        assert ordering(report.margin_over_samples(models, dataset)) != REPRODUCED
        assert ordering(report.margin_over_samples(samples, dataset)) == REPRODUCED
        assert ordering(report.margin_over_kernels(samples, dataset)) != REPRODUCED
    against = with_margins(over_kernels=-1.0, over_samples=-1.0)
    assert ordering(report.margin_over_kernels(against, "thyroid")) == NOT_REPRODUCED
    assert ordering(report.margin_over_samples(against, "thyroid")) == NOT_REPRODUCED


def test_pseudo_values_have_the_rank_correlation_as_their_mean():
    frame = margins(over_samples=0.3)
    rho = frame[(frame["dataset"] == "heart") & (frame["value"] == 3.0)]
    rho = rho["margin"].rank().corr(rho["log_volume"].rank())
    values = report.same_kernel(frame, "heart")["poly", 3.0]
    assert values.mean() == pytest.approx(rho, abs=0.1)
    assert 0.02 < values.sem() < 0.3


def test_each_family_on_each_data_set_counts():
    frames = with_margins()
    frame = frames[f"{DOCUMENT}/margin_evidence"]
    assert report.margin_in_each_family(frames).holds
    turned = (frame["kernel"] == "poly") & (frame["dataset"] == "heart")
    frame.loc[turned, "log_volume"] *= -1
    evidence = report.margin_in_each_family(frames)
    assert not evidence.holds and "polynomial on heart -" in evidence.detail


# ---- model selection ----------------------------------------------------------------------------


def selections(gain=0.0, off=0.0):
    """Rows where the evidence prefers sigma = 1 and the rate of flips plus `off`.

    `gain` is by how much sigma = 1 errs less than others.
    """
    rng = np.random.default_rng(3)
    rows = []
    for dataset, split, flip_rate in itertools.product(
        ("crescents", "heart"), range(8), (0.0, 0.1, 0.2)
    ):
        hard = 0.05 * rng.uniform()
        for sigma, q in itertools.product((0.5, 1.0, 2.0), (0.0, 0.1, 0.2, 0.3)):
            evidence = -5.0 * (sigma != 1.0) - 100 * (q - flip_rate - off) ** 2
            error = 0.1 + hard - gain * (sigma == 1.0) + 0.001 * rng.standard_normal()
            rows.append((dataset, split, flip_rate, sigma, q, evidence, error))
    names = ["dataset", "split", "flip_rate", "sigma", "q", "log_evidence", "test_error"]
    return pd.DataFrame(rows, columns=names)


def with_selections(**kwargs):
    return {f"{DOCUMENT}/model_selection": selections(**kwargs)}


def test_choices_are_those_of_the_largest_evidence():
    frame = selections(gain=0.02)
    made = report.choices(frame, "heart")
    assert made.shape == (24, 6)
    assert (made["sigma"] == 1.0).all()
    np.testing.assert_allclose(made["q"], made.index.get_level_values("flip_rate"))
    rows = frame[(frame["dataset"] == "heart") & (frame["split"] == 2)]
    rows = rows[rows["flip_rate"] == 0.1].set_index(["sigma", "q"])["test_error"]
    one = made.loc[2, 0.1]
    assert one["error"] == pytest.approx(100 * rows[1.0, 0.1])
    assert one["random"] == pytest.approx(100 * rows.mean())
    assert one["best"] == pytest.approx(100 * rows.min())
    assert one["best"] <= one["fixed"] < one["random"]


@pytest.mark.parametrize("dataset", ["crescents", "heart"])
def test_the_choice_has_to_be_better_than_a_random_one(dataset):
    assert ordering(report.evidence_beats_random(with_selections(gain=0.02), dataset)) == REPRODUCED
    worse = report.evidence_beats_random(with_selections(gain=-0.02), dataset)
    assert ordering(worse) == NOT_REPRODUCED
    # as many values as splits: rates of flips on one split are no independent repetitions
    assert len(worse.differences) == 8


def test_regret_and_noise_are_equivalences():
    def regret(gain):
        evidence = report.evidence_regret(with_selections(gain=gain), "crescents")
        return decide_equivalence(evidence, 1.0).outcome

    def noise(off):
        evidence = report.evidence_finds_noise(with_selections(off=off), "crescents")
        return decide_equivalence(evidence, 0.05).outcome

    assert (regret(0.03), regret(-0.03)) == (REPRODUCED, NOT_REPRODUCED)
    assert (noise(0.0), noise(0.1)) == (REPRODUCED, NOT_REPRODUCED)


def test_noise_is_noticed_or_not():
    frames = with_selections(off=0.1)
    assert ordering(report.evidence_notices_noise(frames, "heart", 0.0, 0.2)) == REPRODUCED
    frame = frames[f"{DOCUMENT}/model_selection"]
    frame["log_evidence"] = -((frame["q"] - 0.1) ** 2)
    assert ordering(report.evidence_notices_noise(frames, "heart", 0.0, 0.2)) != REPRODUCED


def test_what_samples_and_test_parts_share():
    assert report.splits_ratio("crescents") == 0.0
    assert report.samples_ratio("crescents", N_TRAIN) == 0.0
    assert report.splits_ratio("heart") == (270 - N_TRAIN) / N_TRAIN
    assert report.samples_ratio("heart", N_TRAIN) == pytest.approx(1 / report.splits_ratio("heart"))
