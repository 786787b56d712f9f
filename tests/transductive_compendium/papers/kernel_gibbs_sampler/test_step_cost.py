"""Time of a step: one small size."""

import numpy as np

from transductive_compendium.papers.kernel_gibbs_sampler.step_cost import microseconds_a_step


def test_step_cost_measures_the_whole_span():
    (row,) = microseconds_a_step({"m": 50}, {}, {}, np.random.default_rng(0))
    assert row["dimension"] == 50
    assert all(0 < value < np.inf for value in row.values())
