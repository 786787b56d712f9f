"""Figure 2: the rows describe one step on one circle."""

import numpy as np
import pytest

from transductive_compendium.exact.arrangement import Arrangement
from transductive_compendium.runner import run


def test_figure_2_shows_one_circle(tmp_path):
    rows = run("kernel_gibbs_sampler/figure_2", progress=False, store=tmp_path).rows
    kinds = {kind: part for kind, part in rows.groupby("kind")}
    place = {kind: part[["x", "y", "z"]].to_numpy() for kind, part in kinds.items()}
    signed = kinds["point"].label.to_numpy()[:, None] * place["point"]
    w, v, drawn = place["position"][0], place["direction"][0], place["draw"][0]
    assert np.array([w @ w, v @ v, drawn @ drawn, w @ v]) == pytest.approx([1, 1, 1, 0])
    crossed = signed[kinds["hit"]["index"]]
    assert np.abs(np.sum(crossed * place["hit"], axis=1)).max() < 1e-12
    arcs = kinds["arc"]
    assert len(arcs) == 2 * len(signed)
    assert (arcs.stop - arcs.start).sum() == pytest.approx(2 * np.pi)
    assert (arcs.stop - arcs.start) @ arcs.density == pytest.approx(1.0)
    middles = 0.5 * (arcs.start + arcs.stop).to_numpy()
    W = np.cos(middles)[:, None] * w + np.sin(middles)[:, None] * v
    assert arcs.errors.tolist() == np.sum(W @ signed.T <= 0, axis=1).tolist()
    angle = kinds["draw"].start.iloc[0]
    np.testing.assert_allclose(np.cos(angle) * w + np.sin(angle) * v, drawn, atol=1e-12)
    # the flipped label cannot be fitted
    assert Arrangement(signed).errors.min() == 1
