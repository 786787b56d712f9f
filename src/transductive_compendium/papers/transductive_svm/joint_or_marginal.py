"""The labelling of the transductive SVM compared with exact Bayesian transduction.

Graepel et al. (2000): the sentence on SVM transduction below equation (4).
"""

import numpy as np

from transductive._exact.labellings import (
    bayes_labelling_joint,
    bayes_labelling_marginal,
    joint_posterior,
    marginals,
)
from transductive.margin import TransductiveSVC

from ...datasets import separable_sphere
from ...runner import experiment
from .widest_margin import KKT_TOLERANCE, NEARLY_HARD_C

N_TRAIN = 4
#: Dimension and lengths of the points.
SETTINGS = ((2, "unit"), (3, "unit"), (3, "any length"))


def random_separable(dimension, points, n_working, rng):
    """Points labelled by a random line through the origin, both labels in the training sample.

    Parameters
    ----------
    dimension : int
    points : {"unit", "any length"}
        On the unit sphere, or from the normal distribution. The posterior depends on directions
        only.
    n_working : int
    rng : numpy.random.Generator

    Returns
    -------
    X : ndarray of shape (4, dimension)
    y : ndarray of shape (4,)
    X_working : ndarray of shape (n_working, dimension)
    """
    y = np.ones(N_TRAIN)
    while abs(y.sum()) == N_TRAIN:
        problem = separable_sphere(N_TRAIN, dimension, seed=rng, n_working=n_working)
        y = problem.y.astype(float)
    Z = np.vstack([problem.X, problem.X_working])
    if points == "any length":
        Z = Z * np.sqrt(rng.chisquare(dimension, len(Z)))[:, None]
    return Z[:N_TRAIN], y, Z[N_TRAIN:]


@experiment(
    "transductive_svm/joint_or_marginal",
    version=1,
    page="equivalence_classes",
    title="The labelling of the transductive SVM against exact Bayesian transduction",
    units=lambda params, profile: [
        {"dimension": d, "points": points, "working": m, "sample": i}
        for i in range({"smoke": 2, "paper": 250, "full": 2000}[profile])
        for d, points in SETTINGS
        for m in (2, 4, 6)
    ],
)
def labels_other_than_optimal(key, params, data, rng):
    """Labels other than the joint and the label-wise optimum's, a row for each method."""
    X, y, X_working = random_separable(key["dimension"], key["points"], key["working"], rng)
    posterior = joint_posterior(X, X_working, y)
    joint, marginal = bayes_labelling_joint(posterior), bayes_labelling_marginal(posterior)
    positive = marginals(posterior)
    linear = {"kernel": "linear", "fit_intercept": False, "tol": KKT_TOLERANCE}

    def fit(cost, **parameters):
        svm = TransductiveSVC(cost, cost, first_costs="slides", **linear, **parameters)
        return svm.fit(X, y, X_working).transduction_

    inductive = TransductiveSVC(np.inf, **linear).fit(X, y)
    best = fit(np.inf, exhaustive=True, n_positive="any")
    # the share in the sample, even if only one class remains
    by_share = int(np.floor(len(X_working) * np.mean(y > 0) + 0.5))
    chosen = {
        "exhaustive": best,
        "inductive": inductive.predict(X_working),
        "greedy": fit(NEARLY_HARD_C, n_positive=by_share),
        "greedy, number known": fit(NEARLY_HARD_C, n_positive=int((best > 0).sum())),
    }
    rows = []
    for method, labels in chosen.items():
        index = (posterior.labellings == labels).all(axis=1).argmax()
        rows.append(
            {
                "method": method,
                "differ": int((joint != marginal).any()),
                "wrong_joint": int((labels != joint).sum()),
                "wrong_marginal": int((labels != marginal).sum()),
                "probability": posterior.probabilities[index],
                "probability_joint": posterior.probabilities.max(),
                "risk": np.where(labels > 0, 1.0 - positive, positive).mean(),
                "risk_marginal": np.minimum(positive, 1.0 - positive).mean(),
            }
        )
    return rows
