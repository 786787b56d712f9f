"""Figure 1 of transductive regression: what its measures make of rows."""

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.papers.transductive_regression import regression as figures
from transductive_compendium.papers.transductive_regression import regression_measures as report
from transductive_compendium.papers.transductive_regression.scaling_search import (
    BASES,
    KERNELS,
    PUBLISHED,
    SCALINGS,
    gammas,
    log_sigmas,
)
from transductive_compendium.runner.records import RecordMissingError, load_recorded
from transductive_compendium.verdicts.rules import (
    INCONCLUSIVE,
    NOT_REPRODUCED,
    REPRODUCED,
    OrderingEvidence,
    decide_ordering,
    ordering_p,
)

DOCUMENT = "transductive_regression"
TRUE = {
    "scaling": "[0, 1]",
    "target": "centred",
    "penalty": "norm",
    "kernel": "2 sigma^2",
    "base": "2",
    "gamma_times": "l",
}


# ---- the search ---------------------------------------------------------------------------------


def search(true=TRUE, off=0.0):
    """Rows of a search whose smallest error is at the published point in the reading `true`.

    All other surfaces of scaling, penalty and target have theirs far away; `off` moves the
    published point away, in ln gamma, on boston only.
    """
    family, shift = SCALINGS[true["scaling"]]
    frames = []
    for name, (n_train, gamma, log_sigma) in PUBLISHED.items():
        ln = log_sigma * BASES[true["base"]] + KERNELS[true["kernel"]] + shift
        gamma = gamma * (n_train if true["gamma_times"] == "l" else 1)
        gamma *= np.exp(off) if name == "boston" else 1.0
        for scaling in dict.fromkeys(f for f, _ in SCALINGS.values()):
            grid = pd.MultiIndex.from_product(
                [log_sigmas(name, scaling), gammas(name)], names=["log_sigma", "gamma"]
            )
            rows = grid.to_frame(index=False).assign(dataset=name, scaling=scaling)
            distance = (rows["log_sigma"] - ln) ** 2 + np.log(rows["gamma"] / gamma) ** 2
            for penalty in ("coefficients", "norm"):
                for target in ("raw", "centred"):
                    here = (scaling, penalty, target) == (family, true["penalty"], true["target"])
                    # elsewhere it falls towards a corner, away from every reading's point
                    falls = 100 + 9 * (rows["log_sigma"] + 0.1 * np.log(rows["gamma"]))
                    rows[f"{penalty}_{target}"] = 1 + 0.1 * distance if here else falls
            frames.append(rows)
    return {f"{DOCUMENT}/parameter_search": pd.concat(frames)}


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"scaling": "[-1, 1]", "kernel": "2 sigma^2", "base": "e", "gamma_times": "1"},
        {"scaling": "unit variance", "penalty": "coefficients", "target": "raw", "base": "10"},
    ],
)
def test_the_reading_that_made_the_rows_is_found(change):
    true = {**TRUE, **change}
    best = report.reading_table(search(true)[f"{DOCUMENT}/parameter_search"]).iloc[0]
    assert best[report.READING].to_dict() == true
    assert best["worst"] == pytest.approx(0.0, abs=1e-9)
    for name, (_, gamma, log_sigma) in PUBLISHED.items():
        # the place of the minimum in the reading's own terms
        assert best[f"gamma_{name}"] == pytest.approx(gamma)
        assert best[f"log_sigma_{name}"] == pytest.approx(log_sigma)
        assert not best[f"edge_{name}"]


def test_every_reading_is_ranked_by_its_worse_data_set():
    table = report.reading_table(search()[f"{DOCUMENT}/parameter_search"])
    # on [0, 1] a kernel over sigma^2 is on [-1, 1] one over 4 sigma^2, and counts once
    assert len(table) == (5 * 3 - 1) * 2 * 2 * 3 * 2
    assert (table["worst"] == table[["excess_boston", "excess_kin32fh"]].max(axis=1)).all()
    assert table["worst"].is_monotonic_increasing
    other = table[(table["scaling"] == "raw") & (table["penalty"] == "norm")].iloc[0]
    assert other["edge_boston"] and other["worst"] > 0


def test_published_point_fits_and_is_near():
    assert report.published_point_fits(search(), "boston", 0.05).holds
    assert report.published_point_near(search(), "boston", 2.5, 0.1).holds
    off = search(off=np.log(4.0))
    assert not report.published_point_fits(off, "boston", 0.05).holds
    assert report.published_point_fits(off, "kin32fh", 0.05).holds
    assert not report.published_point_near(off, "boston", 2.5, 0.1).holds
    assert report.published_point_near(off, "kin32fh", 2.5, 0.1).holds


def test_only_readings_with_the_fixed_choices_count():
    assert report.some_reading_fits(search(), 0.05).holds
    assert report.some_reading_fits(search(), 0.05, penalty="norm", gamma_times="l").holds
    assert not report.some_reading_fits(search(), 0.05, penalty="coefficients").holds
    found = report.some_reading_fits(search(), 0.05, gamma_times="1")
    assert not found.holds and found.detail.startswith("the best of 168")


# ---- the figures --------------------------------------------------------------------------------


def sigmas(name="boston", gain=1.0, at=None, readings=None):
    """Rows over log sigma: ridge best at the published one, `gain` (or `at[log sigma]`) below."""
    rng, rows = np.random.default_rng(0), []
    published = PUBLISHED[name][2]
    for i in range(40):
        hard = rng.uniform(0, 5)  # moves both alike
        for reading, source, *_ in figures.settings(name):
            for log_sigma in figures.LOG_SIGMAS[name].round(2):
                ridge = 10 + hard + (log_sigma - published) ** 2
                here = (readings or {}).get((reading, source), (at or {}).get(log_sigma, gain))
                row = {"split": i, "reading": reading, "source": source, "log_sigma": log_sigma}
                below = ridge - here + 0.1 * rng.standard_normal()
                rows.append({**row, "ridge": ridge, "transductive": below})
    return pd.DataFrame(rows)


def sizes(slope=0.1, fixed=0.0):
    """Rows over the number of test points: gains proportional to its logarithm."""
    rng, rows = np.random.default_rng(0), []
    for i in range(40):
        ridge = rng.uniform(5, 15)
        for reading, source, *_ in figures.settings("boston"):
            for size in figures.SIZES["boston"]:
                row = {"split": i, "reading": reading, "source": source, "size": size}
                noise = 0.05 * rng.standard_normal(2)
                row["transductive"] = ridge - slope * np.log(size) + noise[0]
                row["transductive_fixed"] = ridge - 1.0 - fixed * np.log(size) + noise[1]
                rows.append({**row, "ridge": ridge})
    return {f"{DOCUMENT}/figure_1b": pd.DataFrame(rows)}


def over_sigma(**kwargs):
    return {f"{DOCUMENT}/figure_1a": sigmas(**kwargs)}


def verdict(evidence, tolerance=None):
    return decide_ordering(evidence, ordering_p(evidence), tolerance).outcome


def test_gains_are_paired_and_of_one_reading():
    frame = sigmas(readings={("norm", "published"): 1.0, ("written", "published"): -2.0})
    gain = report.gains(frame)
    assert gain.shape == (40, len(figures.LOG_SIGMAS["boston"]))
    # the hardness of a split, 5 at most, is in neither
    np.testing.assert_allclose(gain, 1.0, atol=0.5)
    np.testing.assert_allclose(report.gains(frame, "written"), -2.0, atol=0.5)
    ridge = report.gains(frame, column="")
    assert ridge.mean().idxmin() == 0.7 and ridge.std().min() > 1


def test_splits_of_few_rows_out_of_many_hardly_overlap():
    assert report.overlap("boston") == pytest.approx(25 / 481)
    share = 320 / 8192
    assert report.overlap("kin32fh") == pytest.approx(share / (1 - share))


def test_intervals_are_those_of_the_test():
    """A gain whose 90 % interval just excludes zero has a two-sided p of 10 %."""
    gain = report.gains(sigmas())[[0.7]]
    found = report.mean_gain("figure_1a", gain).loc[0.7]
    evidence = report.below_at(over_sigma(), "figure_1a", 0.7)
    moved = OrderingEvidence(
        differences=evidence.differences - found["mean"] + found["half"],
        test_train_ratio=evidence.test_train_ratio,
    )
    assert ordering_p(moved) == pytest.approx(0.1)


def test_below_at_one_log_sigma():
    assert verdict(report.below_at(over_sigma(), "figure_1a", 0.7)) == REPRODUCED
    worse = over_sigma(at={0.7: -1.0})
    assert verdict(report.below_at(worse, "figure_1a", 0.7)) == NOT_REPRODUCED
    assert verdict(report.below_at(worse, "figure_1a", 1.05)) == REPRODUCED
    # by default where ridge regression is best
    assert verdict(report.below_at(worse, "figure_1a")) == NOT_REPRODUCED
    assert report.below_at(worse, "figure_1a").test_train_ratio == pytest.approx(25 / 481)


def test_below_over_sigma_counts_the_range_only():
    far = over_sigma(at={-1.05: -50.0, 2.1: -50.0})
    assert verdict(report.below_over_sigma(far, "figure_1a")) == REPRODUCED
    assert verdict(report.below_over_sigma(far, "figure_1a", each=True)) == REPRODUCED
    # one log sigma of five against it
    one = over_sigma(at={0.0: -1.0})
    assert verdict(report.below_over_sigma(one, "figure_1a")) == REPRODUCED
    assert verdict(report.below_over_sigma(one, "figure_1a", each=True)) == NOT_REPRODUCED
    level = over_sigma(at={0.0: 0.0})
    assert verdict(report.below_over_sigma(level, "figure_1a", each=True)) == INCONCLUSIVE


def test_most_at_minimum():
    assert verdict(report.most_at_minimum(over_sigma(at={0.7: 2.0}), "figure_1a")) == REPRODUCED
    assert verdict(report.most_at_minimum(over_sigma(at={0.7: 0.5}), "figure_1a")) == NOT_REPRODUCED
    # more on one side, less on the other: no more at the minimum
    tilted = over_sigma(at={0.0: 0.0, 0.35: 0.5, 1.05: 1.5, 1.4: 2.0})
    assert verdict(report.most_at_minimum(tilted, "figure_1a")) == INCONCLUSIVE


def test_best_below_best_compares_lowest_points():
    # far ahead where ridge regression is bad, level where it is good
    frames = over_sigma(gain=0.0, at={1.4: 0.49})
    assert verdict(report.below_at(frames, "figure_1a", 1.4)) == REPRODUCED
    assert verdict(report.best_below_best(frames, "figure_1a"), 0.1) == NOT_REPRODUCED
    frames = over_sigma(gain=0.0, at={1.4: 2.0})
    assert verdict(report.best_below_best(frames, "figure_1a"), 0.1) == REPRODUCED
    assert report.lowest_at(frames, "figure_1a", 1.4).holds
    assert not report.lowest_at(frames, "figure_1a", 0.7).holds


def test_falls_with_size_is_the_slope_on_the_logarithm():
    evidence = report.falls_with_size(sizes(), "figure_1b")
    assert np.mean(evidence.differences) == pytest.approx(0.1, abs=0.01)
    assert verdict(evidence) == REPRODUCED
    assert verdict(report.falls_with_size(sizes(slope=-0.1), "figure_1b")) == NOT_REPRODUCED
    # ahead at every size, but by the same
    level = report.falls_with_size(sizes(), "figure_1b", "transductive_fixed")
    assert verdict(level, 0.03) == NOT_REPRODUCED
    rising = report.falls_with_size(sizes(fixed=0.1), "figure_1b", "transductive_fixed")
    assert verdict(rising, 0.03) == REPRODUCED


def test_one_reading_behind_is_seen():
    assert report.ahead_in_every_reading(over_sigma(), "figure_1a").holds
    behind = over_sigma(readings={("rescaled", "leave-one-out"): -1.0})
    found = report.ahead_in_every_reading(behind, "figure_1a")
    assert not found.holds and "rescaled, leave-one-out: -0.98" in found.detail
    # of sizes, the largest
    assert report.ahead_in_every_reading(sizes(), "figure_1b").holds
    assert not report.ahead_in_every_reading(sizes(slope=-0.1), "figure_1b").holds


def test_the_reading_of_the_figures_is_the_one_that_the_search_prefers():
    penalty, scaling, centred, per_point = figures.READINGS["norm"]
    true = {
        "scaling": scaling,
        "target": "centred" if centred else "raw",
        "penalty": penalty,
        "kernel": "2 sigma^2",
        "base": "e",
        "gamma_times": "l" if per_point else "1",
    }
    try:
        rows, _ = load_recorded(f"{DOCUMENT}/parameter_search")
    except RecordMissingError:
        pytest.skip("not recorded yet")
    assert report.reading_table(rows).iloc[0][report.READING].to_dict() == true
