"""Bayesian transduction and the SVM on one recorded split: the comparison of section 4.

Graepel et al. (2000), section 4. All experiments share the same recorded splits, so their results
on a split are comparable; the seed affects only the billiard.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import solve_triangular
from scipy.optimize import lsq_linear
from sklearn.svm import SVC

from transductive.kernels import gram_matrix, rbf_gamma
from transductive.version_space import FeatureSpan, KernelBilliard
from transductive.version_space.start import interior_point, max_margin_point

from ...datasets.recorded_splits import partition, scaled
from .printed_billiard import fly, perceptron_point

N_SPLITS = 100
SIGMA = {"thyroid": 3.0, "heart": 10.0}


@dataclass(frozen=True)
class Interpretation:
    """Choices that section 4 leaves open. The defaults are those of ``interpretations.yml``."""

    sigma: float = 3.0
    scaling: str = "standardised"
    start: str = "max_margin"
    svm: str = "hard margin, no bias"
    n_bounces: int = 1000
    velocity: str = "uniform coefficients"
    refresh: float = 0.0
    flight: str = "as printed"
    estimator: str = "time ratio"
    positive_class: str = ""


#: On great circles, 600 bounces: what the two largest thresholds of figure 2 had once chosen.
GREAT_CIRCLES = Interpretation(flight="geodesic", velocity="coefficients", n_bounces=600)


class Compared(NamedTuple):
    """Both methods on one split: rows of the two parts, and at the test points p+, f, centre."""

    train: np.ndarray
    test: np.ndarray
    p_plus: np.ndarray
    f: np.ndarray
    bayes_point: np.ndarray


def compare_on_split(X, y, number, interpretation, rng):
    """p+ of Bayesian transduction and output f of the SVM at the test points of a split.

    Parameters
    ----------
    X, y : arrays
        All points of a data set and their labels, -1 and +1.
    number : int
        Number of the recorded split.
    interpretation : Interpretation
    rng : Generator

    Returns
    -------
    Compared
        `bayes_point` is the output of the trajectory's centre of mass.
    """
    train, test = partition(len(y), number)
    X = scaled(X, interpretation.scaling, train)
    signs = y[train].astype(float)
    gram, cross = label_signed_grams(X[train], signs, X[test], interpretation.sigma)
    p_plus, centre = _billiard(gram, cross, interpretation, rng)
    f = _svm_outputs(gram, cross, signs, interpretation.svm)
    return Compared(train, test, p_plus, f, centre)


def label_signed_grams(X, signs, X_test, sigma):
    """Label-signed RBF Gram matrix of training points, and its columns for test points."""
    gamma = rbf_gamma(sigma)
    gram = gram_matrix(X, gamma=gamma) * np.outer(signs, signs)
    return gram, gram_matrix(X_test, X, gamma=gamma).T * signs[:, None]


def first_point(span, start):
    """Coefficients of the ball's first position, by name: step 1."""
    if start == "perceptron":
        return perceptron_point(span.gram)
    find = max_margin_point if start == "max_margin" else interior_point
    return find(span, len(span.gram))


def _billiard(gram, cross, interpretation, rng):
    """Share p+ of version space that labels each test point positive, and the centre's output.

    Section 3.2; for refreshed flights `transductive.version_space.trajectory` computes them.
    """
    if interpretation.flight == "geodesic":
        billiard = KernelBilliard(
            gram,
            start=interpretation.start,
            velocity=interpretation.velocity,
            refresh=interpretation.refresh or None,
            random_state=np.random.SeedSequence(rng.integers(2**63)),
        )
        run = billiard.run(interpretation.n_bounces)
        return run.flight_times(cross).probability, cross.T @ run.centre_of_mass()
    if interpretation.refresh:
        raise ValueError("only flight='geodesic' refreshes a velocity")
    span = FeatureSpan(gram)
    flown = fly(
        span,
        cross,
        first_point(span, interpretation.start),
        interpretation.n_bounces,
        interpretation.flight,
        interpretation.velocity,
        rng,
    )
    by_time = interpretation.estimator == "time ratio"
    p_plus = flown.time_ratio() if by_time else flown.mean_of_fractions()
    return np.clip(p_plus, 0.0, 1.0), flown.centre_of_mass()


def _svm_outputs(gram, cross, signs, svm):
    """Outputs f at the test points, of the SVM that `Interpretation.svm` names."""
    if svm == "hard margin, no bias":
        return cross.T @ max_margin_point(FeatureSpan(gram), len(gram))
    if svm == "no bias, C = 1000":
        # min a'Ka / 2 - sum a over 0 <= a <= C, as least squares
        lower = np.linalg.cholesky(gram + 1e-12 * np.eye(len(gram)))
        aim = solve_triangular(lower, np.ones(len(gram)), lower=True)
        return (
            cross.T @ lsq_linear(lower.T, aim, bounds=(0.0, 1000.0), method="bvls", max_iter=5000).x
        )
    cost = 1e6 if svm == "hard margin" else float(svm.removeprefix("C = "))
    unsigned = gram * np.outer(signs, signs)
    classifier = SVC(kernel="precomputed", C=cost, tol=1e-6).fit(unsigned, signs)
    return classifier.decision_function((cross * signs[:, None]).T)
