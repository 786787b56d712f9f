"""Seconds of a bounce against l and m: the paper's O(n l (m + l)), and the kernel's.

Graepel et al. (2000), end of section 3.2.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np

from transductive.kernels import gram_matrix
from transductive.version_space import FeatureSpan, KernelBilliard

from ...exact.billiard_reference import reference_billiard
from ...runner import experiment

SIZES = [(l, m) for l in (50, 100, 200, 400, 800, 1600) for m in (0, l, 4 * l)]
# sizes at which only the working points matter
SIZES += [(20, 4000), (20, 8000)]


def _sample(l, m, rng):
    X = rng.standard_normal((l + m, 10))
    y = np.where(X[:l, 0] > 0, 1.0, -1.0)
    K = gram_matrix(X[:l], gamma=0.05) * np.outer(y, y)
    return K, gram_matrix(X[l:], X[:l], gamma=0.05).T * y[:, None] if m else np.zeros((l, 0))


class _Counting(np.ndarray):
    """A matrix that counts the multiplications in its products."""

    count = 0

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        plain = [np.asarray(x) for x in inputs]
        if ufunc is np.matmul:
            first, second = plain
            _Counting.count += first.size * (second.shape[1] if second.ndim == 2 else 1)
        return getattr(ufunc, method)(*plain, **kwargs)


def _multiplications(gram, cross, w, v, n_bounces=10):
    """Counted multiplications per bounce of the algorithm that recomputes all inner products."""
    span = FeatureSpan(gram)
    span.gram = gram.view(_Counting)
    _Counting.count = 0
    run = reference_billiard(span, w, v, n_bounces)
    run.flight_times(cross.view(_Counting))
    return _Counting.count / n_bounces


@experiment(
    "bayesian_transduction/cost",
    version=3,
    title="Microseconds a bounce against the sizes of the training and working samples",
    units=lambda params, profile: [
        {"l": l, "m": m} for l, m in (SIZES[:6] if profile == "smoke" else SIZES)
    ],
    # times belong to a processor: nothing to agree with
    agreement={"kernel": "ignore", "products": "ignore", "reference": "ignore"},
)
def seconds_of_a_bounce(key, params, data, rng):
    """One row: microseconds and multiplications of a bounce at one size."""
    gram, cross = _sample(key["l"], key["m"], rng)
    billiard = KernelBilliard(gram, random_state=0)
    n = 2000
    fastest = np.inf
    for _ in range(5):
        begin = perf_counter()
        flown = billiard.run(n)
        if key["m"]:
            flown.flight_times(cross)
        fastest = min(fastest, (perf_counter() - begin) / n)
    # the paper: both coefficient vectors times all columns, at every bounce
    span = FeatureSpan(gram)
    w = flown.positions[0]
    v = span.random_tangent(w, rng)
    wide = np.ascontiguousarray(np.hstack([gram, cross]))
    plain = np.inf
    for _ in range(3):
        begin = perf_counter()
        for _ in range(10):
            w @ wide
            v @ wide
        plain = min(plain, (perf_counter() - begin) / 10)
    begin = perf_counter()
    reference_billiard(span, w, v, 10)
    return [
        {
            "kernel": float(fastest * 1e6),
            "products": float(plain * 1e6),
            "reference": float((perf_counter() - begin) / 10 * 1e6),
            "multiplications": float(_multiplications(gram, cross, w, v)),
            "multiplications_20": float(20 * _multiplications(gram, cross, w, v, 20)),
        }
    ]
