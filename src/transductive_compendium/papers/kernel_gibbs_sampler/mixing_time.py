"""Number of steps for an independent sample, by dimension, number of points and noise.

Graepel and Herbrich (2001), sections 1 and 6. A linear teacher labels the points, with flips.
"""

import numpy as np

from transductive.version_space import GibbsChains
from transductive.version_space.mixing import mixing

from ...runner import experiment
from .chains import chain_seed

FLIP_RATE = 0.05
#: Outputs are followed at this many test points.
N_FOLLOWED = 50
#: Two chains start from the prior, two from the teacher: R-hat is near one only when both starts
#: are forgotten.
FROM_PRIOR, FROM_TEACHER = slice(0, 2), slice(2, 4)
LONGEST = 2**15
N_KEPT = 512


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


def _settings():
    levels = (0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.02)
    for r in (10, 30, 100, 300):  # as many points as dimensions, as in a kernel's whole span
        for q in (*levels, 0.0):
            yield r, r, q
    for r in (3, 10, 30, 100, 300, 1000):
        for q in levels:
            yield 1000, r, q
    yield 1000, 1000, 0.0
    for m in (100, 10_000):
        for q in (0.4, 0.2, 0.05):
            yield m, 10, q


@experiment(
    "kernel_gibbs_sampler/mixing",
    version=1,
    title="Steps for an independent sample, against dimension, number of points and noise",
    units=lambda params, profile: [{"m": m, "r": r, "q": q} for m, r, q in _settings()][
        : 6 if profile == "smoke" else None
    ],
    agreement=dict.fromkeys(
        (
            *("mixed", "steps", "r_hat", "time_errors", "time_outputs", "time_worst"),
            *("mean_errors", "errors_prior", "errors_teacher"),
        ),
        "chaotic",
    ),
)
def steps_until_mixed(key, params, data, rng):
    """One row: steps until the chains have mixed, and autocorrelation times."""
    chains, test = teacher_chains(key["m"], key["r"], key["q"], rng)
    length = N_KEPT
    while True:
        # the runs before, as long as this one together, are burn-in
        samples = chains.run(N_KEPT, thin=length // N_KEPT)
        found = mixing(np.concatenate([samples.errors[..., None], samples.outputs(test)], axis=2))
        if found.ok or length >= LONGEST:
            break
        length *= 2
    autocorrelation = 4 * length / found.ess_bulk
    return [
        {
            "mixed": bool(found.ok),
            "steps": 2 * length - N_KEPT,
            "r_hat": found.worst_r_hat,
            "time_errors": float(autocorrelation[0]) if key["q"] else np.nan,
            "time_outputs": float(np.median(autocorrelation[1:])),
            "time_worst": float(autocorrelation.max()),
            "mean_errors": float(samples.expected_errors.mean()),
            "errors_prior": float(samples.expected_errors[FROM_PRIOR].mean()),
            "errors_teacher": float(samples.expected_errors[FROM_TEACHER].mean()),
        }
    ]
