"""Chains that several items use, seeded by the unit's generator."""

import numpy as np

from transductive.version_space import GibbsChains


def chain_seed(rng):
    """Seed for chains, from the generator of a unit."""
    return np.random.SeedSequence(rng.integers(2**63))


def single_chain(points, q, rng):
    """One chain on label-signed points of R^n."""
    return GibbsChains(points, q, n_chains=1, random_state=chain_seed(rng))
