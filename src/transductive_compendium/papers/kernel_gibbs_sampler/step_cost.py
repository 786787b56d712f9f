"""Microseconds per step, by the number of points.

Graepel and Herbrich (2001), section 6.
"""

from time import perf_counter

import numpy as np

from transductive.kernels import gram_matrix
from transductive.version_space import FeatureSpan, GibbsChains, WhitenedPoints
from transductive.version_space._gibbs_reference import gibbs_step

from ...runner import crossed, experiment

RANK = 100


def _fastest(work, n, rounds):
    """Microseconds for each of the n operations of `work`."""
    fastest = np.inf
    for _ in range(rounds):
        begin = perf_counter()
        work()
        fastest = min(fastest, (perf_counter() - begin) / n)
    return float(fastest * 1e6)


@experiment(
    "kernel_gibbs_sampler/step_cost",
    version=1,
    title="Microseconds a step against the number of points",
    units=crossed(m=(50, 100, 200, 400, 800, 1600, 3200), smoke=3),
    # times belong to a processor: nothing to agree with
    agreement=dict.fromkeys(("kernel", "low_rank", "products", "reference"), "ignore"),
)
def microseconds_a_step(key, params, data, rng):
    """One row: microseconds of a step of kernel and reference, and of the paper's products."""
    X = rng.standard_normal((key["m"], 20))
    y = np.where(X[:, 0] > 0, 1.0, -1.0)

    def kernel(A, B):
        return gram_matrix(A, B, gamma=0.1)

    gram = kernel(X, X)
    whole = WhitenedPoints.from_gram(gram)
    low = WhitenedPoints.from_kernel(X, kernel, RANK)
    chain = GibbsChains(whole, 0.05, signs=y, n_chains=1, random_state=0)
    low_chain = GibbsChains(low, 0.05, signs=y, n_chains=1, random_state=0)
    # step 3 as the paper has it: by the Gram matrix, for position and direction
    span = FeatureSpan(gram * np.outer(y, y))
    w = span.random_tangent(np.eye(len(y))[0], rng)
    v = span.random_tangent(w, rng)

    def products():
        for _ in range(10):
            span.gram @ w
            span.gram @ v

    def reference():
        for _ in range(3):
            gibbs_step(span, w, 0.05, rng)

    n = 1024 if key["m"] <= 800 else 256
    return [
        {
            "dimension": whole.rank,
            "kernel": _fastest(lambda: chain.run(1, thin=n), n, 5),
            "low_rank": _fastest(lambda: low_chain.run(1, thin=n), n, 5),
            "products": _fastest(products, 10, 3),
            "reference": _fastest(reference, 3, 2),
        }
    ]
