"""Chains and samplers that several items use: seeded by the unit's generator, without warnings.

R-hat and effective sample size are recorded with the results, so no warning is needed.
"""

import warnings
from contextlib import contextmanager

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from transductive.version_space import GibbsChains, KernelGibbsSampler


def chain_seed(rng):
    """Seed for chains, from the generator of a unit."""
    return np.random.SeedSequence(rng.integers(2**63))


def single_chain(points, q, rng, signs=None):
    """One chain on points of R^n."""
    return GibbsChains(points, q, signs=signs, n_chains=1, random_state=chain_seed(rng))


#: Where an experiment does not say otherwise.
CHAINS = {"gamma": "scale", "sampler": "hit_and_run", "n_chains": 4, "burn_in": 5000, "thin": 100}


@contextmanager
def without_convergence_warnings():
    """Silence warnings of chains that have not mixed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


def fitted_sampler(X, y, rng, **options):
    """`KernelGibbsSampler` of some options, fitted to a training set."""
    options = {**CHAINS, "random_state": int(rng.integers(2**31)), **options}
    sampler = KernelGibbsSampler(**options)
    with without_convergence_warnings():
        return sampler.fit(X, y)
