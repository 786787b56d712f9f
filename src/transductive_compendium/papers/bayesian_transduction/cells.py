"""The finitely many cells of perceptrons, counted.

Graepel et al. (2000), section 2, footnote 1.
"""

from __future__ import annotations

import numpy as np

from ...exact.labellings import count_cells, count_labellings, cover_number
from ...runner import experiment

SIZES = [(n, d) for d in (2, 3, 4) for n in range(d, 11)]


@experiment(
    "bayesian_transduction/cells",
    version=1,
    title="The finitely many equivalence classes, counted",
    page="labellings",
    units=lambda params, profile: [
        {"points": n, "dimension": d} for n, d in (SIZES[:6] if profile == "smoke" else SIZES)
    ],
)
def counted_cells(key, params, data, rng):
    """One row: cells and labellings of a random sample, counted, beside their bounds."""
    n_points, dimension = key["points"], key["dimension"]
    X = rng.standard_normal((n_points, dimension))
    degenerate = X.copy()
    # three points on one great circle: no longer in general position from dimension 3 on
    degenerate[-1] = degenerate[0] + degenerate[1]
    train = max(1, n_points // 2)
    teacher = rng.standard_normal(dimension)
    y = np.where(X[:train] @ teacher > 0, 1, -1)
    return [
        {
            "cells": count_cells(X),
            "cover": cover_number(n_points, dimension),
            "cells_degenerate": count_cells(degenerate),
            "labellings_in_version_space": count_labellings(X[:train], X[train:], y),
            "growth_function": cover_number(n_points - train, dimension),
            "all_labellings": 2 ** (n_points - train),
        }
    ]
