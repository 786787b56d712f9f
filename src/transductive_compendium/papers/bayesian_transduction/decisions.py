"""Equations (3) to (5): which labelling is best, by which loss; and what the margin picks.

Everything is exact: dimension 3, volumes by Girard's formula.
"""

from __future__ import annotations

import numpy as np

from transductive._exact.labellings import (
    bayes_labelling_joint,
    bayes_labelling_marginal,
    exact_loss,
    joint_posterior,
    joint_risk,
    labelwise_loss,
    marginal_risk,
    risk,
)
from transductive.version_space import EmptyVersionSpaceError, FeatureSpan
from transductive.version_space.start import max_margin_point

from ...runner.declaration import Experiment, crossed, register
from .geometry import draw_cone


def _index(labelling):
    """Row of a labelling in the lexicographic list of `joint_posterior`."""
    return int("".join("1" if b > 0 else "0" for b in labelling), 2)


def _run_labellings(key, params, data, rng):
    walls, points = draw_cone(rng, n_train=4, n_working=key["working"], dimension=3)
    posterior = joint_posterior(walls, points)
    # by equation (3), with the losses of (4) and (5) summed over all labellings
    exact_risk = risk(posterior, exact_loss)
    labelwise_risk = risk(posterior, labelwise_loss)
    joint = _index(bayes_labelling_joint(posterior))
    marginal = _index(bayes_labelling_marginal(posterior))
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


register(
    Experiment(
        name="bayesian_transduction/labellings",
        version=2,
        title="Exact and label-wise loss over all labellings of a working sample",
        units=crossed(sample={"smoke": 10, "paper": 200, "full": 200}, working=(1, 2, 3, 5)),
        run_unit=_run_labellings,
    )
)


def _run_svm_labelling(key, params, data, rng):
    walls, points = draw_cone(rng, n_train=4, n_working=4, dimension=3)
    posterior = joint_posterior(walls, points)
    margins = np.full(len(posterior.labellings), -np.inf)
    for i, labelling in enumerate(posterior.labellings):
        if posterior.probabilities[i] <= 0:
            continue
        folded = np.vstack([walls, points * labelling[:, None]])
        try:
            span = FeatureSpan(folded @ folded.T)
            margins[i] = 1.0 / span.norm(max_margin_point(span, len(folded)))
        except EmptyVersionSpaceError:
            continue
    joint = _index(bayes_labelling_joint(posterior))
    marginal = _index(bayes_labelling_marginal(posterior))
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


register(
    Experiment(
        name="bayesian_transduction/svm_labelling",
        version=1,
        title="The labelling of largest margin against the joint and the label-wise optimum",
        units=crossed(sample={"smoke": 10, "paper": 1000, "full": 1000}),
        run_unit=_run_svm_labelling,
    )
)
