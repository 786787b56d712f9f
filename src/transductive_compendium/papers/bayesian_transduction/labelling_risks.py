"""Equations (3) to (5): the best labelling of a working sample under each loss.

Graepel et al. (2000), section 2. Everything is exact: dimension 3, volumes by Girard's formula.
"""

from __future__ import annotations

import numpy as np

from ...datasets.generators import separable_sphere
from ...exact.labellings import (
    bayes_labelling_joint,
    bayes_labelling_marginal,
    exact_loss,
    joint_posterior,
    labelwise_loss,
    risk,
)
from ...runner import crossed, experiment


def labelling_number(labelling):
    """Row of a labelling in the lexicographic list of `joint_posterior`."""
    return int("".join("1" if b > 0 else "0" for b in labelling), 2)


@experiment(
    "bayesian_transduction/labellings",
    version=2,
    title="Exact and label-wise loss over all labellings of a working sample",
    units=crossed(sample={"smoke": 10, "paper": 200, "full": 200}, working=(1, 2, 3, 5)),
)
def risks_of_labellings(key, params, data, rng):
    """One row: risks of the best labelling under each loss, exactly."""
    problem = separable_sphere(4, 3, seed=rng, n_working=key["working"])
    walls, points = problem.X * problem.y[:, None], problem.X_working
    posterior = joint_posterior(walls, points)
    # by equation (3), with the losses of (4) and (5) summed over all labellings
    exact_risk = risk(posterior, exact_loss)
    labelwise_risk = risk(posterior, labelwise_loss)
    joint = labelling_number(bayes_labelling_joint(posterior))
    marginal = labelling_number(bayes_labelling_marginal(posterior))
    alone = [joint_posterior(walls, point[None]).probabilities for point in points]
    return [
        {
            "differ": int(joint != marginal),
            # (4): what the label-wise choice loses, and (5): what the joint choice loses
            "exact_risk_joint": float(exact_risk[joint]),
            "exact_risk_marginal": float(exact_risk[marginal]),
            "labelwise_risk_joint": float(labelwise_risk[joint]),
            "labelwise_risk_marginal": float(labelwise_risk[marginal]),
            # the best of all 2^m labellings, and each point decided on its own
            "labelwise_risk_best": float(labelwise_risk.min()),
            "labelwise_risk_alone": float(np.mean([p.min() for p in alone])),
            # the closed form in (4)
            "exact_risk_identity": float(
                np.abs(exact_risk - (1.0 - posterior.probabilities)).max()
            ),
        }
    ]
