"""Version spaces in which p+ is known exactly, and p+ from the times of single events.

Graepel et al. (2000), section 3.2: p+ = V+ / (V+ + V-), after step 3.
"""

from __future__ import annotations

import numpy as np

# A spherical triangle, and a working point that cuts off a corner: p+ = 0.8564.
TRIANGLE = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, -1.0, 3.0]])
TRIANGLE_POINT = np.array([-2.0, 4.0, 1.0])
# The positive orthant and a working point askew to it: p+ = 0.5971.
ORTHANT = np.eye(3)
ORTHANT_POINT = np.array([-5.0, -2.0, 10.0])
GEOMETRIES = {"triangle": (TRIANGLE, TRIANGLE_POINT), "orthant": (ORTHANT, ORTHANT_POINT)}


def ratio_and_error(positive, total):
    """p+ as the ratio of the total times, and its standard error from batches of events."""
    n_batches = 20
    edges = np.linspace(0, len(total), n_batches + 1).round().astype(int)[:-1]
    positive, total = np.add.reduceat(positive, edges), np.add.reduceat(total, edges)
    p = positive.sum() / total.sum()
    spread = np.sum((positive - p * total) ** 2) * n_batches / (n_batches - 1)
    return float(p), float(np.sqrt(spread) / total.sum())
