"""Identities and propositions of sections 2 and 3."""

import numpy as np

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics


@measure("kernel_gibbs_sampler/identities")
def identity_of(rows, column):
    """Largest error over the random problems."""
    return Mathematics(float(rows[column].max()))


@measure("kernel_gibbs_sampler/identities")
def hits_within_a_turn(rows):
    """Largest distance of a printed hit point from its hyperplane, if all lie within one turn."""
    within = bool((rows["turn_left"] > 0).all())
    return Mathematics(float(rows["hits"].max()) if within else float(np.pi))


@measure("kernel_gibbs_sampler/identities")
def four_densities(rows):
    """Number of cases in which two points make four cells of four densities."""
    four = rows["four_classes"].astype(bool)
    return Mathematics(true=int(four.sum()), cases=len(four))


@measure("kernel_gibbs_sampler/steps")
def errors_by_increments(rows):
    """Largest difference of the kernel's error counts from a recount, over all arcs."""
    return Mathematics(float(rows["largest_difference"].max()))
