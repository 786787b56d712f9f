"""Figure 3: the rows determine unit vectors."""

import numpy as np
import pytest

from transductive.kernels import gram_matrix
from transductive_compendium.papers.kernel_gibbs_sampler.diversity import N_SAMPLES
from transductive_compendium.papers.kernel_gibbs_sampler.surrogates import substitute
from transductive_compendium.runner import run


def test_figure_3_holds_unit_vectors(tmp_path):
    rows = run("kernel_gibbs_sampler/figure_3", progress=False, store=tmp_path).rows
    points = rows[rows.kind == "point"]
    X, y = substitute("clouds", 76, np.random.default_rng(0))
    np.testing.assert_array_equal(points[["x1", "x2"]], X)
    assert points.label.tolist() == y.tolist()
    outputs = rows[rows.kind == "sample"].output.to_numpy().reshape(N_SAMPLES, 76)
    gram = gram_matrix(X, gamma=0.5)
    # the outputs at the training points tell all of w: w = sum of a_i x_i with K a = outputs
    coefficients = np.linalg.solve(gram, outputs.T)
    assert np.sum(coefficients * outputs.T, axis=0) == pytest.approx(np.ones(N_SAMPLES), abs=1e-6)
