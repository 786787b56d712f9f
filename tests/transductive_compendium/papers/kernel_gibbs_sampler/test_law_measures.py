"""The law of the chains: what the measure makes of rows."""

import pandas as pd

from transductive_compendium.papers.kernel_gibbs_sampler import law_measures as measures


def test_law_allows_for_the_number_of_chains():
    def holds(*p):
        rows = pd.DataFrame({"rule": "kernel", "q": 0.2, "p_value": p})
        rows = rows.assign(total_variation=0.1, total_variation_of_draws=0.1)
        rows.loc[len(rows)] = ["other", 0.2, 0.0, 0.9, 0.1]
        return measures.law_is_posterior(rows, "kernel", 0.01).estimate[0] > 0

    assert holds(0.02)
    assert not holds(0.009)
    assert holds(0.009, 0.5)
    assert not holds(0.004, 0.5)
