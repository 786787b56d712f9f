"""Time of a step: what the measure makes of rows."""

import numpy as np
import pandas as pd

from transductive_compendium.papers.kernel_gibbs_sampler import step_cost_measures as measures


def test_the_step_is_below_the_products_at_every_size_asked_for():
    m = np.array([50, 100, 800, 1600])
    rows = pd.DataFrame({"m": m, "kernel": 1e-3 * m, "products": 1e-5 * m**2})
    frames = {"kernel_gibbs_sampler/step_cost": rows}
    assert measures.step_below_products(frames, 50).estimate[0] < 0
    evidence = measures.step_below_products(frames, 200)
    assert evidence.estimate[0] > 0 and "8.0 at m = 800" in evidence.shown
