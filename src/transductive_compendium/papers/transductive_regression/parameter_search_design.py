"""Interpretations of the published gamma and log sigma, and the grids that contain them all."""

from math import log

import numpy as np

from .regression_setting import PUBLISHED, SCALES

#: The library's names, in its order: |a|^2 as in equation (8), or a'Ka.
PENALTIES = ("coefficients", "norm")

#: Scaling to the one whose surface it shares, and what to add to ln sigma there.
SCALINGS = {**{name: (name, 0.0) for name in SCALES}, "[0, 1]": ("[-1, 1]", log(2.0))}
#: What divides |x - x'|^2 in the kernel, and what to add to ln sigma for 2 sigma^2.
KERNELS = {"2 sigma^2": 0.0, "sigma^2": -log(2.0) / 2, "4 sigma^2": log(2.0) / 2}
#: Base of the logarithm, and its natural logarithm.
BASES = {"e": 1.0, "10": log(10.0), "2": log(2.0)}
TARGETS = ("raw", "centred")


def gammas(name):
    """1, 2, 5 times powers of ten, among them the published value; and it times l, as in (8)."""
    n_train, gamma, _ = PUBLISHED[name]
    grid = [d * 10.0**e for e in range(-5, 1) for d in (1, 2, 5)]
    return np.unique(np.round([*grid, 10.0, gamma * n_train], 10))


def log_sigmas(name, scaling):
    """Natural logarithms in steps of 0.1 (0.25 for raw features, whose scales differ).

    They include the published value under every interpretation that shares this surface.
    """
    published = [
        PUBLISHED[name][2] * base + kernel + shift
        for family, shift in SCALINGS.values()
        if family == scaling
        for base in BASES.values()
        for kernel in KERNELS.values()
    ]
    grid = np.arange(-1.0, 6.51, 0.25) if scaling == "raw" else np.arange(-2.0, 3.01, 0.1)
    return np.unique(np.round([*grid, *published], 10))
