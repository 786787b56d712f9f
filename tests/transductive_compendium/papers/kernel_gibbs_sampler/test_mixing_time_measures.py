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
        return (
            measures.limit_falls_with_noise(
                mixing(dict(zip((0.4, 0.2, 0.1), limits, strict=True)))
            ).estimate[0]
            > 0
        )

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


def test_exponent():
    x = np.array([1.0, 2.0, 8.0])
    assert measures.exponent(x, 3 * x**1.7) == pytest.approx(1.7)
