"""Bayesian transduction and the SVM on one recorded split: what all of section 4 compares.

Graepel et al. (2000), section 4. All experiments share the same recorded splits, so that
what they say of a split can be compared; the seed moves the billiard alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.svm import SVC

from transductive.kernels import gram_matrix, rbf_gamma
from transductive.version_space import FeatureSpan, KernelBilliard
from transductive.version_space._billiard_reference import reference_billiard
from transductive.version_space.start import interior_point, max_margin_point

from ...datasets.recorded_splits import partition, scaled

N_SPLITS = 100
SIGMA = {"thyroid": 3.0, "heart": 10.0}


@dataclass(frozen=True)
class Interpretation:
    """What section 4 leaves open. The defaults are the interpretation of the compendium."""

    sigma: float = 3.0
    scaling: str = "standardised"
    start: str = "max_margin"
    svm: str = "hard margin, no bias"
    n_bounces: int = 600
    velocity: str = "coefficients"
    refresh: float = 0.0
    flight: str = "geodesic"
    positive_class: str = ""


def compare_on_split(X, y, number, interpretation, rng):
    """p+ of Bayesian transduction and output f of the SVM at the test points of a split.

    Parameters
    ----------
    X, y : arrays
        All points of a data set and their labels, -1 and +1.
    number : int
        Which recorded split.
    interpretation : Interpretation
    rng : Generator

    Returns
    -------
    train, test : arrays of int
        Rows of the two parts.
    p_plus, f : arrays
        In the order of `test`.
    """
    train, test = partition(len(y), number)
    X = scaled(X, interpretation.scaling, train)
    signs = y[train].astype(float)
    gram, cross = label_signed_grams(X[train], signs, X[test], interpretation.sigma)
    p_plus = _p_plus(gram, cross, interpretation, rng)
    return train, test, p_plus, _svm_outputs(gram, cross, signs, interpretation.svm)


def label_signed_grams(X, signs, X_test, sigma):
    """Label-signed RBF Gram matrix of training points, and its columns for test points."""
    gamma = rbf_gamma(sigma)
    gram = gram_matrix(X, gamma=gamma) * np.outer(signs, signs)
    return gram, gram_matrix(X_test, X, gamma=gamma).T * signs[:, None]


def _p_plus(gram, cross, interpretation, rng):
    """Share p+ of version space that labels each test point positive; section 3.2.

    Computed from the ball's flight times in `transductive.version_space.trajectory`.
    """
    if interpretation.flight == "geodesic":
        billiard = KernelBilliard(
            gram,
            start=interpretation.start,
            velocity=interpretation.velocity,
            refresh=interpretation.refresh or None,
            random_state=np.random.SeedSequence(rng.integers(2**63)),
        )
        return billiard.run(interpretation.n_bounces).flight_times(cross).probability
    # flights that the kernel does not offer, because they are biased, run in the reference
    span = FeatureSpan(gram)
    find = max_margin_point if interpretation.start == "max_margin" else interior_point
    w = find(span, len(gram))
    w = w / span.norm(w)
    v = span.tangent_of_normal_coefficients(w, rng)
    run = reference_billiard(span, w, v, interpretation.n_bounces, interpretation.flight, rng)
    positive, total = run.flight_times(cross)
    return np.clip(positive.sum(axis=0) / total.sum(), 0.0, 1.0)


def _svm_outputs(gram, cross, signs, svm):
    """Outputs f at the test points, of the SVM that `Interpretation.svm` names."""
    if svm == "hard margin, no bias":
        return cross.T @ max_margin_point(FeatureSpan(gram), len(gram))
    cost = 1e6 if svm == "hard margin" else float(svm.removeprefix("C = "))
    unsigned = gram * np.outer(signs, signs)
    classifier = SVC(kernel="precomputed", C=cost, tol=1e-6).fit(unsigned, signs)
    return classifier.decision_function((cross * signs[:, None]).T)
