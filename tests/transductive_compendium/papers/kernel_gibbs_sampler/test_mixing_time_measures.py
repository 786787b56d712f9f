"""Steps for an independent sample: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.papers.kernel_gibbs_sampler import mixing_time_measures as measures


def mixing(limits, power=1.5, levels=(0.4, 0.2, 0.1)):
    """Rows with as many dimensions as points, mixed up to a limit for each q."""
    rows = [
        {"m": m, "r": m, "q": q, "mixed": m <= limits[q], "time_outputs": 0.1 * m**power / q}
        for q in levels
        for m in (300, 100, 30, 10)
    ]
    rows += [{"m": 1000, "r": 10, "q": 0.2, "mixed": True, "time_outputs": 50.0}]
    rows += [{"m": 300, "r": 300, "q": 0.5, "mixed": True, "time_outputs": 2.0}]
    return {"kernel_gibbs_sampler/mixing": pd.DataFrame(rows)}


def test_the_limit_falls_with_the_noise():
    def holds(*limits):
        return measures.limit_falls_with_noise(
            mixing(dict(zip((0.4, 0.2, 0.1), limits, strict=True)))
        ).holds

    assert holds(300, 100, 10)
    assert holds(300, 300, 10)
    assert not holds(100, 300, 10)
    assert not holds(100, 100, 100)
    assert holds(10, 10, 0)


def test_a_gap_ends_the_limit():
    frame = mixing({0.4: 300, 0.2: 300, 0.1: 300})["kernel_gibbs_sampler/mixing"]
    frame = frame[(frame["m"] == frame["r"]) & (frame["q"] < 0.5)].copy()
    frame.loc[(frame["m"] == 30) & (frame["q"] == 0.2), "mixed"] = False
    assert measures.largest_mixed(frame) == {0.4: 300, 0.2: 10, 0.1: 300}


def test_growth_is_that_of_runs_that_mixed():
    frames = mixing({0.4: 300, 0.2: 100, 0.1: 30}, power=1.5)
    frame = frames["kernel_gibbs_sampler/mixing"]
    frame.loc[~frame["mixed"], "time_outputs"] = 1.0  # far too short
    evidence = measures.draw_costs_more(frames, [0.2, 0.1])
    assert evidence.holds and "1.50 at q = 0.2 (up to 100 points)" in evidence.detail
    assert not measures.draw_costs_more(mixing({0.4: 300, 0.2: 100, 0.1: 30}, 0.9), [0.1]).holds
    # one size has no slope
    assert not measures.draw_costs_more(mixing({0.4: 300, 0.2: 100, 0.1: 10}), [0.2, 0.1]).holds


def test_exponent():
    x = np.array([1.0, 2.0, 8.0])
    assert measures.exponent(x, 3 * x**1.7) == pytest.approx(1.7)
