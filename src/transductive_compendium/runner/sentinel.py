"""A sentinel trajectory: does this machine round as the one that made a record did?

Billiard, Gibbs sampler and working sets are chaotic: a last digit that other vector instructions
round in another way soon changes all of them. The sentinel is a short run of each on fixed data.
Its ends tell two machines apart; its beginnings, where no rounding is seen yet, tell rounding from
an error. Where all ends are equal, records must be, too.
"""

import warnings
from collections.abc import Sequence
from functools import cache

import numpy as np

#: First steps, in which rounding errors stay small, and steps at the end.
FIRST, LAST = 5, 400
#: Relative difference of first steps from which on it is no rounding.
ROUNDING = 1e-9


@cache
def sentinel() -> str:
    """Beginning and end of a short run of each kernel on this machine, to the last digit."""
    from transductive.kernels import gram_matrix

    rng = np.random.default_rng(2000)
    X = rng.standard_normal((60, 7))
    y = np.where(X[:, 0] + 0.5 * rng.standard_normal(60) > 0.0, 1.0, -1.0)
    K = gram_matrix(X, gamma=0.1)
    ends = *_billiard(y[:, None] * y * K), *_gibbs(K, y), *_smo(K, y), *_ridge(K, y)
    return " ".join(map(repr, ends))


def _billiard(signed):
    from transductive.version_space.billiard import KernelBilliard

    billiard, ends = KernelBilliard(signed, random_state=1), []
    for bounces in (FIRST, LAST):
        billiard.run(bounces)
        ends.append(float(billiard.span.gram[0] @ billiard.positions[0]))
    return ends


def _gibbs(K, y):
    from transductive.version_space.gibbs import GibbsChains
    from transductive.version_space.whitening import WhitenedPoints

    chains = GibbsChains(WhitenedPoints.from_gram(K), 0.1, signs=y, n_chains=1, random_state=1)
    ends = []
    for steps in (FIRST, LAST):
        chains.run(steps)
        ends.append(float(chains.positions[0].sum()))
    return ends


def _smo(K, y):
    from transductive.margin.quadratic_programme import minimise

    box = np.minimum(1e3 * y, 0.0), np.maximum(1e3 * y, 0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the first steps do not converge
        found = [minimise(K, y, *box, max_iter=steps) for steps in (FIRST, -1)]
    return [float(solution.values[0]) for solution in found]


def _ridge(K, y):
    from transductive.leave_one_out import RidgeSpectrum

    ridge = RidgeSpectrum(K)
    return [float(ridge.loo_errors(y, alpha)[0]) for alpha in (1.0, 1e-8)]


def rounds_alike(recorded: Sequence[str]) -> bool:
    """Whether this machine must meet a record to the last digits.

    Parameters
    ----------
    recorded : sequence of str
        `sentinel` of each machine that met the record: the one that made it, and others.

    Returns
    -------
    bool
        True if this machine's is among them; also if its first steps are none of theirs, for that
        is no rounding but an error, which no tolerance excuses. False if it rounds in another way,
        or if nothing is known of the record's machine.
    """
    here, *known = (list(map(float, ends.split())) for ends in (sentinel(), *recorded))
    if not known or here in known:
        return bool(known)
    return not any(np.allclose(here[::2], ends[::2], rtol=ROUNDING, atol=0.0) for ends in known)
