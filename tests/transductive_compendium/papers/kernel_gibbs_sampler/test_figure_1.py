"""Figure 1: the map is that of a density."""

import numpy as np
import pytest

from transductive_compendium.runner import run


def test_figure_1_is_a_density(tmp_path):
    rows = run(
        "kernel_gibbs_sampler/figure_1", params={"resolution": 60}, progress=False, store=tmp_path
    ).rows
    for (_, m), field in rows.groupby(["points", "m"]):
        assert len(field) == 60 * 120
        if m == 10:
            part = np.sin(field.latitude) * (np.pi / 60) ** 2 / (4 * np.pi)
            assert np.exp(field.log_posterior) @ part == pytest.approx(1.0, abs=0.05)
        # log posterior and error count are the same up to scale: beta = log 4
        slope = np.polyfit(field.errors, field.log_posterior, 1)[0]
        assert slope == pytest.approx(-np.log(4.0))
        # many points: the highest field is near the teacher, the pole
        if m == 1000:
            assert field.loc[field.log_posterior.idxmax()].latitude > np.pi - 0.3
