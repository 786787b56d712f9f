"""Made-up rows of the experiments on MNIST with universa, by which their measures are tested."""

import numpy as np
import pandas as pd

from transductive_compendium.papers.universum.mnist_data import (
    ALL_IMAGES,
    DIGIT_SIZES,
    DIGITS,
    NO_UNIVERSUM,
    TRAINING_SIZES,
    UNIVERSA,
    UNIVERSUM_SIZES,
)

N_SPLITS = 20
NOISE = 0.0005 * np.random.default_rng(0).standard_normal((N_SPLITS, 20))
#: Gains in shares; generated images help but at one size.
GAIN = {NO_UNIVERSUM: 0.0, "Noise": 0.0, "Rest": 0.004, "Gen": 0.002, "Mean": 0.004}
RHO = {str(digit): (0.2 + 0.01 * place, 0.3) for place, digit in enumerate(DIGITS)}


def _error(draw, universum, base):
    if universum == NO_UNIVERSUM:
        return base + NOISE[draw, 0]
    at = [*GAIN, *RHO].index(universum)
    return base + NOISE[draw, 0] - GAIN.get(universum, 0.0) + 0.2 * NOISE[draw, at]


def universa():
    rows = [
        {
            "draw": draw,
            "n_train": n,
            "universum": kind,
            "n_universum": 5000 * (kind != NO_UNIVERSUM),
        }
        | {"error": _error(draw, kind, 10 / n) + 0.003 * (kind == "Gen" and n == 3000)}
        for draw in range(N_SPLITS)
        for n in TRAINING_SIZES
        for kind in GAIN
    ]
    return pd.DataFrame(rows)


def sizes():
    rows = [
        {"draw": draw, "n_universum": n, "universum": kind, "n_train": 3000}
        | {"error": _error(draw, kind, 0.01) - (1e-7 * n if kind == "Mean" else 0.0)}
        for draw in range(N_SPLITS)
        for n in (0, *UNIVERSUM_SIZES)
        for kind in (UNIVERSA if n else (NO_UNIVERSUM,))
    ]
    return pd.DataFrame(rows)


def digits():
    """Digits help the more the more alike they are, but that 7 does harm."""
    gains = {kind: 0.05 * (rho[0] - 0.19) for kind, rho in RHO.items()}
    gains |= {NO_UNIVERSUM: 0.0, "7": -0.002}
    counts = {"only_svm_wrong": 9, "only_universum_wrong": 1, "both_wrong": 3}
    rows = []
    for n in (*DIGIT_SIZES, ALL_IMAGES):
        for draw in range(1 if n == ALL_IMAGES else N_SPLITS):
            for kind, gain in gains.items():
                error = 4 / 1866 if n == ALL_IMAGES else _error(draw, kind, 0.02) - gain
                row = {"draw": draw, "n_train": n, "universum": kind, "n_universum": 6000}
                rho_5, rho_8 = RHO.get(kind, (np.nan, np.nan))
                row |= {"error": error, "rho_5_pairs": rho_5, "rho_8_pairs": rho_8}
                rows.append(row | counts)
    return pd.DataFrame(rows)
