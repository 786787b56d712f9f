"""KernelGibbsSampler: contract, exact votes, diagnostics, bad input."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from transductive import BayesianTransduction, KernelGibbsSampler
from transductive.kernels import gram_matrix
from transductive.version_space import EmptyVersionSpaceError

QUICK = {"n_samples": 200, "thin": 5, "burn_in": 200, "random_state": 0}
# what is checked are labels, shapes and errors, of chains as short as they may be
QUICKEST = {"n_samples": 20, "thin": 1, "burn_in": 20, "random_state": 0}


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


@parametrize_with_checks([KernelGibbsSampler(**QUICKEST, sampler="hit_and_run", q=0.05)])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_scikit_learn_contract(estimator, check, monkeypatch):
    # its diagnostics follow a hundred outputs, which takes longer than all the rest
    monkeypatch.setattr("transductive.version_space.posterior_sampler.N_FOLLOWED", 3)
    check(estimator)


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


def test_without_noise_it_is_bayesian_transduction():
    rng = np.random.default_rng(2)
    X, new = rng.standard_normal((25, 2)), rng.standard_normal((15, 2))
    y = np.where(X[:, 0] + X[:, 1] ** 2 > 0.5, 1, -1)
    kgs = KernelGibbsSampler(
        gamma=1.0, q=0.0, n_samples=1500, thin=50, random_state=0, sampler="hit_and_run"
    ).fit(X, y)
    bt = BayesianTransduction(gamma=1.0, random_state=0, q=0).fit(X, y, new)
    np.testing.assert_allclose(kgs.predict_proba(new), bt.predict_proba(new), atol=0.05)


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


# at q = 0 chains hardly mix: they start in version space and stay near
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_assuming_the_true_noise_tolerates_flipped_labels():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((300, 2))
    clean = np.where(X[:, 0] > 0, 1, -1)
    y = clean[:100].copy()
    y[rng.permutation(100)[:10]] *= -1
    errors = {
        q: np.mean(
            KernelGibbsSampler(gamma=0.5, q=q, sampler="hit_and_run", **QUICK)
            .fit(X[:100], y)
            .predict(X[100:])
            != clean[100:]
        )
        for q in (0.0, 0.1)
    }
    assert errors[0.1] < 0.06 < errors[0.0]


def test_precomputed_is_the_named_kernel(sample):
    X, y, new = sample
    K = gram_matrix(X, gamma=0.2)
    kept = K.copy()
    cross = gram_matrix(new, X, gamma=0.2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        named = KernelGibbsSampler(gamma=0.2, **QUICK, sampler="hit_and_run", q=0.05).fit(X, y)
        given = KernelGibbsSampler("precomputed", **QUICK, sampler="hit_and_run", q=0.05).fit(K, y)
        np.testing.assert_array_equal(given.predict_proba(cross), named.predict_proba(new))
    np.testing.assert_array_equal(K, kept)


def test_threads_change_no_number(sample):
    X, y, new = sample
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        one, two = (
            KernelGibbsSampler(gamma=0.2, n_jobs=n, **QUICK, sampler="hit_and_run", q=0.05)
            .fit(X, y)
            .predict_proba(new)
            for n in (1, 2)
        )
    np.testing.assert_array_equal(one, two)


def test_evidence_prefers_the_true_noise(plane):
    X, y, exact, _ = plane
    kgs = KernelGibbsSampler("linear", q=0.1, random_state=0, sampler="hit_and_run").fit(X, y)
    result = kgs.evidence(q=[0.02, 0.1, 0.4])
    truth = np.array([exact.log_evidence(q) for q in (0.02, 0.1, 0.4)])
    assert np.all(np.abs(result.log_evidence - truth) < 5 * result.error + 1e-6)
    assert np.argmax(result.log_evidence) == np.argmax(truth)


# ---- tools of the trade -------------------------------------------------------------------------


def test_data_frames_names_and_string_labels(sample):
    pd = pytest.importorskip("pandas")
    X, y, new = sample
    names = ["a", "b", "c", "d"]
    kgs = KernelGibbsSampler(gamma=0.2, q=0.1, **QUICK, sampler="hit_and_run")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        kgs.fit(pd.DataFrame(X, columns=names), np.where(y == 1, "sick", "well"))
    assert list(kgs.feature_names_in_) == names and list(kgs.classes_) == ["sick", "well"]
    predicted = kgs.predict(pd.DataFrame(new, columns=names))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        frame = pd.DataFrame(X, columns=names)
        coded = KernelGibbsSampler(gamma=0.2, q=0.1, **QUICK, sampler="hit_and_run").fit(
            frame, 1 - y
        )
    np.testing.assert_array_equal(
        predicted == "well", coded.predict(pd.DataFrame(new, columns=names)) == 1
    )


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_pipeline_and_grid_search(sample):
    X, y, new = sample
    pipeline = make_pipeline(
        StandardScaler(), KernelGibbsSampler(gamma=0.2, **QUICK, sampler="hit_and_run", q=0.05)
    )
    search = GridSearchCV(pipeline, {"kernelgibbssampler__q": [0.05, 0.3]}, cv=3).fit(X, y)
    assert search.predict(new).shape == (30,)


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


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_contradictions_need_noise(sample):
    X, y, _ = sample
    X, y = np.vstack([X, X[:1]]), np.r_[y, 1 - y[0]]
    with pytest.raises(EmptyVersionSpaceError, match="q"):
        KernelGibbsSampler(gamma=0.2, q=0.0, sampler="hit_and_run").fit(X, y)
    noisy = KernelGibbsSampler(gamma=0.2, q=0.1, **QUICKEST, sampler="hit_and_run").fit(X, y)
    assert noisy.points_.rank == 60
