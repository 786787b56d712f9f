"""Chains on toy problems of any size and dimension, labelled by a linear teacher with flips."""

import numpy as np

from transductive.version_space import GibbsChains

from .chains import chain_seed

FLIP_RATE = 0.05
#: Outputs are followed at this many test points.
N_FOLLOWED = 50
#: Two chains start from the prior, two from the teacher: R-hat is near one only when both starts
#: are forgotten.
FROM_PRIOR, FROM_TEACHER = slice(0, 2), slice(2, 4)


def teacher_problem(m, r):
    """Normal points in r dimensions, a teacher's labels with 5 % flipped, test points, teacher."""
    rng = np.random.default_rng(np.random.SeedSequence([2000, m, r]))
    X, teacher = rng.standard_normal((m, r)), rng.standard_normal(r)
    y = np.where(X @ teacher >= 0, 1.0, -1.0) * np.where(rng.random(m) < FLIP_RATE, -1.0, 1.0)
    return X, y, rng.standard_normal((N_FOLLOWED, r)), teacher


def teacher_chains(m, r, q, rng):
    """Two chains from the prior and two from the teacher; in version space all from one point."""
    X, y, test, teacher = teacher_problem(m, r)
    first = np.vstack([rng.standard_normal((2, r)), teacher, teacher]) if q else None
    return GibbsChains(X, q, signs=y, start=first, random_state=chain_seed(rng)), test
