"""The substitute for the points of figure 3."""

import numpy as np
import pytest

from transductive.version_space import KernelGibbsSampler
from transductive_compendium.papers.kernel_gibbs_sampler.surrogates import crescents


def test_crescents():
    X, y = crescents(76, np.random.default_rng(0))
    assert X.shape == (76, 2) and np.sum(y == 1) == 38
    # a version space for q = 0 to sample
    gibbs = KernelGibbsSampler(
        gamma=0.5, sampler="hit_and_run", q=0.0, n_samples=50, thin=1, random_state=0
    )
    with pytest.warns(UserWarning, match="mixed"):
        gibbs.fit(X, y)
    assert gibbs.samples_.errors.max() == 0
