"""Means of differences with their errors."""

import pandas as pd

from transductive_compendium.papers.kernel_gibbs_sampler.models_measures import mean_with_error


def test_mean_with_error():
    table = pd.DataFrame({"a": [1.0, 3.0], "b": [2.0, 2.0]})
    assert mean_with_error(table).to_dict() == {"a": "2.00 ± 1.00", "b": "2.00 ± 0.00"}
    assert mean_with_error(table["a"], 1) == "2.0 ± 1.0"
