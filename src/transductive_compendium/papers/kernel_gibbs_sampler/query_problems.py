"""Shared by the experiments on queries: problems with their noise, and error rates."""

import numpy as np

#: Problem -> rate of flipped labels, where there are any.
PROBLEMS = {"uniform": 0.05, "beta": 0.05, "heart": 0.1, "thyroid": 0.1}
N_TEST = 1000


def error_rate(outputs, truth):
    """Share of wrong signs."""
    return float(np.mean((outputs >= 0) != (truth > 0)))
