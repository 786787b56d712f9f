"""Counting the multiplications of a bounce."""

import numpy as np

from transductive.version_space import FeatureSpan
from transductive.version_space.start import interior_point
from transductive_compendium.papers.bayesian_transduction.cost import _multiplications, _sample


def test_counted_multiplications():
    """Two products with l columns and two with m, and one row, for every bounce."""
    l, m = 20, 7
    gram, cross = _sample(l, m, np.random.default_rng(0))
    span = FeatureSpan(gram)
    w = interior_point(span, l)
    v = span.random_tangent(w, np.random.default_rng(1))
    assert _multiplications(gram, cross, w, v, 5) == 2 * l * l + 2 * l * m + l
