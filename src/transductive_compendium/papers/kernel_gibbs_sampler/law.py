"""Does the sampler draw from the posterior? Exact cells in R^3, and rules that are biased.

Graepel and Herbrich (2001), section 3, steps 2 and 6.
"""

import numpy as np
from scipy import stats

from transductive.version_space import FeatureSpan

from ...exact.arrangement import Arrangement
from ...exact.gibbs_reference import as_printed, gibbs_step
from ...runner import Parameter, crossed, experiment
from .chains import single_chain

RULES = ("kernel", "reference", "normal coefficients", "step 6 as printed")
NOISE_LEVELS = (0.05, 0.2, 0.5)
N_POINTS = 8
# features of different size, so that coefficients and feature space disagree
SCALES = np.array([3.0, 1.0, 0.3])
BURN_IN = 500


def _noisy_points(rng):
    """Label-signed points of a linear teacher in R^3, two of them with flipped labels."""
    points = rng.standard_normal((N_POINTS, 3)) * SCALES
    points *= np.where(points @ rng.standard_normal(3) > 0, 1.0, -1.0)[:, None]
    points[:2] *= -1.0
    return points


def _positions(rule, points, q, n_samples, thin, rng):
    """Samples of one chain whose steps follow one of `RULES`, of shape (n, 3)."""
    chain = single_chain(points, q, rng)
    if rule == "kernel":
        return chain.run(n_samples, thin=thin, burn_in=BURN_IN).positions[0]
    span = FeatureSpan(points @ points.T)
    w = np.linalg.lstsq(points.T, chain.positions[0], rcond=None)[0]
    middle = as_printed if rule == "step 6 as printed" else None
    positions = np.empty((n_samples, 3))
    for step in range(-BURN_IN, n_samples * thin):
        direction = None
        if rule == "normal coefficients":
            direction = span.tangent_of_normal_coefficients(w, rng)
        w = gibbs_step(span, w, q, rng, direction=direction, middle=middle).position
        if step >= 0 and step % thin == thin - 1:
            positions[step // thin] = w @ points
    return positions


@experiment(
    "kernel_gibbs_sampler/law",
    version=1,
    title="Frequencies of cells against the exact posterior, by rule",
    parameters={"n_samples": Parameter(2000, int, "samples of each chain", minimum=100)},
    units=crossed(sample={"smoke": 1, "paper": 5, "full": 50}, q=NOISE_LEVELS, rule=RULES),
    agreement=dict.fromkeys(
        ("total_variation", "total_variation_of_draws", "p_value", "mean_errors"), "chaotic"
    ),
)
def frequencies_against_posterior(key, params, data, rng):
    """One row: distance of a chain's frequencies of cells from the exact posterior."""
    points = _noisy_points(np.random.default_rng([3, key["sample"]]))
    cells = Arrangement(points)
    exact = cells.posterior(key["q"])
    # so many steps apart that samples are as good as independent
    n, thin = params["n_samples"], 10
    positions = _positions(key["rule"], points, key["q"], n, thin, rng)
    counts = np.bincount(cells.cell_of(positions), minlength=len(exact))
    common = exact * n >= 10
    observed = np.r_[counts[common], counts[~common].sum()]
    expected = np.r_[exact[common], exact[~common].sum()] * n
    some = expected > 0
    chi2 = float(np.sum((observed[some] - expected[some]) ** 2 / expected[some]))
    return [
        {
            "cells": len(exact),
            "total_variation": float(0.5 * np.abs(counts / n - exact).sum()),
            # of n independent samples of the exact posterior, on average
            "total_variation_of_draws": float(
                np.mean(0.5 * np.abs(rng.multinomial(n, exact, size=200) / n - exact).sum(axis=1))
            ),
            "p_value": float(stats.chi2.sf(chi2, some.sum() - 1)),
            "mean_errors": float(cells.errors[cells.cell_of(positions)].mean()),
            "exact_mean_errors": float(exact @ cells.errors),
        }
    ]
