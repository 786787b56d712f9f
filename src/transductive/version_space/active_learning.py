"""Active learning: which label is worth asking for (The Kernel Gibbs Sampler, section 4)."""

from __future__ import annotations

import numpy as np
from scipy.special import entr

__all__ = ["binary_entropy"]


def binary_entropy(p):
    """Entropy of a coin in bits; document 3's S(x, z) with its sign put right.

    Parameters
    ----------
    p : array of probabilities

    Returns
    -------
    entropy : ndarray
        ``-p log2 p - (1 - p) log2 (1 - p)``, 0 at 0 and 1.
    """
    p = np.asarray(p, dtype=np.float64)
    return (entr(p) + entr(1.0 - p)) / np.log(2.0)
