"""Models chosen by the evidence: what the measures make of rows."""

import itertools

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.papers.kernel_gibbs_sampler import models_measures as measures


def selections(gain=0.0, off=0.0):
    """Rows where the evidence prefers sigma = 1 and the rate of flips plus `off`.

    `gain` is by how much sigma = 1 errs less than others.
    """
    rng = np.random.default_rng(3)
    rows = []
    for dataset, split, flip_rate in itertools.product(
        ("crescents", "heart"), range(20), (0.0, 0.1, 0.2)
    ):
        hard = 0.05 * rng.uniform()
        for sigma, q in itertools.product((0.5, 1.0, 2.0), (0.0, 0.1, 0.2, 0.3)):
            evidence = -5.0 * (sigma != 1.0) - 100 * (q - flip_rate - off) ** 2
            error = 0.1 + hard - gain * (sigma == 1.0) + 0.001 * rng.standard_normal()
            rows.append((dataset, split, flip_rate, sigma, q, evidence, error))
    names = ["dataset", "split", "flip_rate", "sigma", "q", "log_evidence", "test_error"]
    return pd.DataFrame(rows, columns=names)


def test_choices_are_those_of_the_largest_evidence():
    frame = selections(gain=0.02)
    made = measures.choices(frame, "heart")
    assert made.shape == (60, 6)
    assert (made["sigma"] == 1.0).all()
    np.testing.assert_allclose(made["q"], made.index.get_level_values("flip_rate"))
    rows = frame[(frame["dataset"] == "heart") & (frame["split"] == 2)]
    rows = rows[rows["flip_rate"] == 0.1].set_index(["sigma", "q"])["test_error"]
    one = made.loc[2, 0.1]
    assert one["error"] == pytest.approx(100 * rows[1.0, 0.1])
    assert one["random"] == pytest.approx(100 * rows.mean())
    assert one["best"] == pytest.approx(100 * rows.min())
    assert one["best"] <= one["fixed"] < one["random"]
