"""Identities and propositions of sections 2 and 3."""

import numpy as np

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics


@measure
def identity_of(frames, column):
    """Largest error over the random problems."""
    return Mathematics(float(frames["kernel_gibbs_sampler/identities"][column].max()))


@measure
def hits_within_a_turn(frames):
    """Largest distance of a printed hit point from its hyperplane, if all lie within one turn."""
    rows = frames["kernel_gibbs_sampler/identities"]
    within = bool((rows["turn_left"] > 0).all())
    return Mathematics(float(rows["hits"].max()) if within else float(np.pi))


@measure
def four_densities(frames):
    """Number of cases in which two points make four cells of four densities."""
    four = frames["kernel_gibbs_sampler/identities"]["four_classes"].astype(bool)
    return Mathematics(true=int(four.sum()), cases=len(four))


@measure
def errors_by_increments(frames):
    """Largest difference of the kernel's error counts from a recount, over all arcs."""
    return Mathematics(float(frames["kernel_gibbs_sampler/steps"]["largest_difference"].max()))
