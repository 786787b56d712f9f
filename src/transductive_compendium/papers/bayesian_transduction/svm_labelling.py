"""The labelling of a working sample that the largest margin picks, and the two best ones.

Graepel et al. (2000), section 2, scenario 1.
"""

from __future__ import annotations

import numpy as np

from transductive.version_space import EmptyVersionSpaceError, FeatureSpan
from transductive.version_space.start import max_margin_point

from ...exact.labellings import (
    bayes_labelling_joint,
    bayes_labelling_marginal,
    joint_posterior,
    joint_risk,
    marginal_risk,
)
from ...runner import crossed, experiment
from .labelling_risks import draw_cone, labelling_number


@experiment(
    "bayesian_transduction/svm_labelling",
    version=1,
    title="The labelling of largest margin against the joint and the label-wise optimum",
    page="labellings",
    units=crossed(sample={"smoke": 10, "paper": 1000, "full": 1000}),
)
def labelling_of_largest_margin(key, params, data, rng):
    """One row: risks of the labelling of largest margin and of the two best."""
    walls, points = draw_cone(rng, n_train=4, n_working=4, dimension=3)
    posterior = joint_posterior(walls, points)
    margins = np.full(len(posterior.labellings), -np.inf)
    for i, labelling in enumerate(posterior.labellings):
        if posterior.probabilities[i] <= 0:
            continue
        signed = np.vstack([walls, points * labelling[:, None]])
        try:
            span = FeatureSpan(signed @ signed.T)
            margins[i] = 1.0 / span.norm(max_margin_point(span, len(signed)))
        except EmptyVersionSpaceError:
            continue
    joint = labelling_number(bayes_labelling_joint(posterior))
    marginal = labelling_number(bayes_labelling_marginal(posterior))
    widest = int(np.argmax(margins))
    return [
        {
            "is_joint": int(widest == joint),
            "is_marginal": int(widest == marginal),
            "differ": int(joint != marginal),
            "wrong_labels_joint": int(
                np.sum(posterior.labellings[widest] != posterior.labellings[joint])
            ),
            "wrong_labels_marginal": int(
                np.sum(posterior.labellings[widest] != posterior.labellings[marginal])
            ),
            "exact_risk": float(joint_risk(posterior)[widest]),
            "exact_risk_best": float(joint_risk(posterior)[joint]),
            "labelwise_risk": float(marginal_risk(posterior)[widest]),
            "labelwise_risk_best": float(marginal_risk(posterior)[marginal]),
        }
    ]
