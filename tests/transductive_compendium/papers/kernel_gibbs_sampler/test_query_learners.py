"""The learners that query labels: against the exact posterior and the hard margin."""

import numpy as np
import pytest

from transductive.version_space import GibbsChains
from transductive_compendium.exact.arrangement import Arrangement
from transductive_compendium.papers.kernel_gibbs_sampler.query_learners import Committee, SoftMargin
from transductive_compendium.papers.kernel_gibbs_sampler.sphere_points import labelled_points


@pytest.mark.parametrize("q", [0.0, 0.1])
def test_the_committee_votes_as_the_exact_posterior(q):
    rng = np.random.default_rng(0)
    X, y = labelled_points("uniform", 40, rng, "middle")
    gram, cross = X[:10] @ X[:10].T, X[10:] @ X[:10].T
    committee = Committee(q, n_samples=8000, seed=1).fit(gram, y[:10].astype(float))
    cells = Arrangement(y[:10, None] * X[:10])
    exact = cells.probability_positive(q, X[10:])
    np.testing.assert_allclose(committee.predict_proba(cross)[:, 1], exact, atol=0.03)
    point = X[10:] @ cells.bayes_point(q)
    np.testing.assert_allclose(committee.decision_function(cross), point, atol=0.03)


@pytest.mark.parametrize("q", [0.0, 0.1])
def test_votes_in_the_whole_space_are_those_of_chains_in_it(q):
    rng = np.random.default_rng(4)
    X = rng.standard_normal((40, 6))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    y = np.array([1.0, -1.0, 1.0])
    gram = X[:3] @ X[:3].T

    def shares(cross, whole_space):
        """Votes of twenty committees, each of which looks at a few of its samples only."""
        committees = [
            Committee(q, n_samples=400, seed=seed, whole_space=whole_space).fit(gram, y)
            for seed in range(20)
        ]
        return np.mean([one.predict_proba(cross)[:, 1] for one in committees], axis=0)

    chains = GibbsChains(X[:3], q, signs=y, random_state=2)
    votes = chains.run(4000, thin=6, burn_in=300).votes(X[3:])
    cross = X[3:] @ X[:3].T
    np.testing.assert_allclose(shares(cross, True), votes, atol=0.03)
    assert np.abs(shares(cross, False) - votes).max() > 0.1
    # and within the span they are the samples' own
    np.testing.assert_allclose(shares(gram, True), shares(gram, False), atol=0.03)


def test_the_soft_margin_is_a_hard_margin_on_the_ridged_kernel():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((30, 2))
    y = rng.choice((-1.0, 1.0), 30)
    gram = X @ X.T
    svm = SoftMargin(0.3).fit(gram, y)
    margins = y * (svm.decision_function(gram) + 0.3 * svm.dual_coef_)
    weights = y * svm.dual_coef_
    assert weights.min() >= 0
    assert margins.min() == pytest.approx(1.0)
    np.testing.assert_allclose(margins[weights > 1e-9], 1.0, atol=1e-6)
