"""Experiments on active learning: learning curves, and what a label tells."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from transductive._exact.arrangement import Arrangement
from transductive.version_space import GibbsChains
from transductive.version_space.active_learning import binary_entropy
from transductive_compendium.datasets import available, load
from transductive_compendium.papers.kernel_gibbs_sampler.queries import (
    PROBLEMS,
    SIZES,
    STRATEGIES,
    WHOLE,
    Committee,
    SoftMargin,
    _differential_entropy,
    _risk,
    _run_curves,
    kernel_problem,
    points_of,
)
from transductive_compendium.runner import get, run

DOCUMENT = "kernel_gibbs_sampler"


@pytest.mark.parametrize("q", [0.0, 0.1])
def test_the_committee_votes_as_the_exact_posterior(q):
    rng = np.random.default_rng(0)
    X, y = points_of("uniform", 40, rng)
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


def test_points_of_both_laws():
    for law in ("uniform", "beta"):
        X, y = points_of(law, 4000, np.random.default_rng(0))
        np.testing.assert_allclose(np.linalg.norm(X, axis=1), 1.0)
        assert set(y) == {-1, 1}
    # figure 4's points crowd where the azimuth is 0 or 2 pi, across from the teacher
    assert np.mean(y < 0) > 0.8


def test_every_noise_level_and_strategy_sees_the_same_points():
    def problem(name, flip_rate, replication=2, data=None):
        key = {"problem": name, "flip_rate": flip_rate, "replication": replication}
        return kernel_problem(key, data or {})

    clean, noisy, other = problem("beta", 0.0), problem("beta", 0.3), problem("beta", 0.0, 3)
    np.testing.assert_array_equal(clean[0], noisy[0])
    np.testing.assert_array_equal(clean[1], noisy[1])
    np.testing.assert_array_equal(clean[3], noisy[3])
    assert 0.2 < np.mean(clean[2] != noisy[2]) < 0.4
    assert np.abs(clean[0] - other[0]).max() > 0.1
    data = {"heart": load("breast_cancer")}
    pool, cross, labels, truth = problem("heart", 0.0, data=data)
    assert pool.shape == (341, 341) and cross.shape == (228, 341)
    assert len(labels) == 341 and len(truth) == 228
    np.testing.assert_allclose(np.diag(pool), 1.0)


def test_curves_have_every_strategy_at_every_size_and_begin_alike():
    key = {"replication": 0, "problem": "uniform", "flip_rate": 0.0, "q": 0.0}
    params = {"n_samples": 30, "ridge": 0.1}
    rows = _run_curves(key, params, {}, np.random.default_rng(0))
    assert [(r["strategy"], r["labels"]) for r in rows] == [
        (s, m) for s in STRATEGIES if s != WHOLE for m in SIZES
    ]
    first = [{k: v for k, v in r.items() if k != "strategy"} for r in rows if r["labels"] == 4]
    assert all(r == first[0] for r in first)
    error = {(r["strategy"], r["labels"]): r["error"] for r in rows}
    left = {(r["strategy"], r["labels"]): r["entropy_left"] for r in rows}
    # the pool is decided long before random labels decide it
    assert left["entropy", 20] < 0.01 < left["random", 20]
    assert error["entropy", 20] < error["random", 20]


def test_units_of_the_curves():
    curves = get(f"{DOCUMENT}/active_learning")
    paper = curves.unit_keys({}, "paper")
    assert all(key["q"] == key["flip_rate"] for key in paper)
    assert {key["problem"] for key in paper} == set(PROBLEMS)
    more = curves.unit_keys({}, "full")[len(paper) :]
    assert more and all(key["flip_rate"] == 0.0 < key["q"] for key in more)


@pytest.mark.skipif(not available("thyroid"), reason="the thyroid data are not at hand")
def test_curves_on_thyroid():
    key = {"replication": 0, "problem": "thyroid", "flip_rate": 0.1, "q": 0.1}
    params = {"n_samples": 20, "ridge": 0.1}
    rows = _run_curves(key, params, {"thyroid": load("thyroid")}, np.random.default_rng(0))
    assert len(rows) == len(STRATEGIES) * len(SIZES)
    errors = [[r["error"], r["error_vote"], r["error_svm"]] for r in rows if r["labels"] == 40]
    # 30 % of the patients are in the smaller class
    assert np.mean(errors) < 0.25


def test_differential_entropy():
    X, y = points_of("uniform", 8, np.random.default_rng(0))
    cells = Arrangement(y[:, None] * X)
    assert _differential_entropy(cells, 0.5) == pytest.approx(0.0, abs=1e-12)
    volume = cells.areas[cells.errors == 0].sum()
    assert _differential_entropy(cells, 0.0) == pytest.approx(np.log2(volume))
    assert np.log2(volume) < _differential_entropy(cells, 0.1) < 0.0


def test_risk_is_the_share_of_the_minority():
    votes = np.array([[1, 0, 1], [1, 0, 0], [1, 1, 0], [1, 0, 0]], dtype=float)
    assert _risk(votes, np.full(4, 0.25)) == pytest.approx((0 + 0.25 + 0.25) / 3)
    assert _risk(votes, np.array([0.5, 0, 0, 0])) == pytest.approx(0.0)


@pytest.fixture(scope="module")
def information(tmp_path_factory):
    return run(
        f"{DOCUMENT}/information", progress=False, store=tmp_path_factory.mktemp("store")
    ).rows


def test_the_cells_confirm_the_information_in_a_label(information):
    """From areas of cells: the entropy of a label, less that of its noise."""
    p, q = information.p_plus.to_numpy(), information.flip_rate.to_numpy()
    expected = binary_entropy(p + q - 2 * p * q) - binary_entropy(q)
    np.testing.assert_allclose(information.gain_expected, expected, atol=1e-9)
    np.testing.assert_allclose(information.entropy, binary_entropy(p), atol=1e-12)
    # without noise version space shrinks to the part that the true label leaves
    clean = information[q == 0]
    left = 2.0**-clean.gain
    off = np.minimum(abs(left - clean.p_plus), abs(left - 1.0 + clean.p_plus))
    np.testing.assert_allclose(off, 0.0, atol=1e-9)


def test_the_entropy_ranks_what_labels_tell(information):
    assert np.abs(information.entropy - information.entropy_sampled).max() < 0.2
    assert (information.risk_drop > -1e-12).all()
    for _, unit in information.groupby(["replication", "law", "flip_rate"]):
        assert spearmanr(unit.entropy, unit.gain_expected).statistic > 1 - 1e-9
        assert spearmanr(unit.entropy_sampled, unit.gain_expected).statistic > 0.95
        assert spearmanr(unit.entropy, unit.risk_drop).statistic > 0


def test_the_seed_moves_the_sampler_alone(information, tmp_path):
    other = run(f"{DOCUMENT}/information", seed=1, progress=False, store=tmp_path).rows
    sampled = ["entropy_sampled", "risk_drop"]
    assert other.drop(columns=sampled).equals(information.drop(columns=sampled))
    assert (other[sampled] != information[sampled]).any().all()
