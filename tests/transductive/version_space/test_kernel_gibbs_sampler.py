"""KernelGibbsSampler: exact votes, diagnostics."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.exceptions import ConvergenceWarning

from transductive import KernelGibbsSampler


@pytest.fixture(scope="module")
def sample():
    X, y = make_classification(90, 4, n_informative=3, n_redundant=0, flip_y=0.1, random_state=0)
    return X[:60], y[:60], X[60:]


@pytest.fixture(scope="module")
def fitted(sample):
    """A run of default length on the sample, which is to end without a warning."""
    X, y, _ = sample
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return KernelGibbsSampler(gamma=0.2, q=0.1, random_state=0, sampler="hit_and_run").fit(X, y)


# ---- what it computes ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options", [{"sampler": "hit_and_run", "n_samples": 4000, "thin": 10}, {"tol": 0.005}]
)
@pytest.mark.parametrize("q", [0.05, 0.2])
def test_votes_and_bayes_point_against_exact_ones(plane, q, options):
    X, y, exact, new = plane
    kgs = KernelGibbsSampler("linear", **{"sampler": "billiard", **options}, q=q, random_state=0)
    kgs.fit(X, y)
    assert kgs.points_.rank == 3
    if "tol" in options:
        assert kgs.proba_error_ <= kgs.tol and not kgs.missing_
    p = exact.probability_positive(q, new)
    # five standard errors at the measured effective sample size
    bound = 5 * np.sqrt(p * (1 - p) / kgs.ess_) + 1e-3
    assert np.all(np.abs(kgs.predict_proba(new)[:, 1] - p) < bound)
    w = kgs.dual_coef_ @ X
    assert np.linalg.norm(w) == pytest.approx(1.0)
    assert np.linalg.norm(w - exact.bayes_point(q)) < 0.02
    np.testing.assert_allclose(kgs.bayes_point(new), new @ w, atol=1e-10)


def test_vote_labels_and_entropy_are_consistent(sample, fitted):
    _, _, new = sample
    kgs = fitted
    p = kgs.predict_proba(new)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    np.testing.assert_array_equal(kgs.predict(new), kgs.classes_[(p[:, 1] >= 0.5).astype(int)])
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = -np.nansum(p * np.log2(p), axis=1)
    np.testing.assert_allclose(kgs.entropy(new), entropy, atol=1e-12)
    # a point far out has no class: all kernel values vanish, and so does its inner product
    far = np.full((1, 4), 500.0)
    assert kgs.bayes_point(far)[0] == 0.0 and kgs.predict_proba(far)[0, 1] == 0.5
    assert kgs.entropy(far)[0] == 1.0
    np.testing.assert_allclose(kgs.decision_function(new), p[:, 1] - p[:, 0], atol=1e-12)


# ---- diagnostics --------------------------------------------------------------------------------


def test_a_short_run_warns_and_a_long_one_does_not(sample, fitted):
    X, y, _ = sample
    short = KernelGibbsSampler(
        gamma=0.2, q=0.1, n_samples=50, thin=1, random_state=0, sampler="hit_and_run"
    )
    with pytest.warns(ConvergenceWarning, match="R-hat") as caught:
        short.fit(X, y)
    assert [one.filename for one in caught] == [__file__]
    assert not short.mixing_.ok
    assert fitted.r_hat_ <= 1.01 and fitted.ess_ >= 400
