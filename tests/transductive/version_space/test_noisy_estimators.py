"""Estimators that allow for wrong labels: exact probabilities, hard samples, reports.

The contract of scikit-learn is here for all of them, with label noise and without.
"""

import warnings

import numpy as np
import pytest
from sklearn.datasets import make_moons
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import scale
from sklearn.utils.estimator_checks import parametrize_with_checks
from sphere_laws import posterior

from transductive import BayesianTransduction, BayesPointMachine, KernelGibbsSampler
from transductive.kernels import gram_matrix
from transductive.version_space import (
    EmptyVersionSpaceError,
    IllConditionedError,
    RefractingBilliard,
    flight_plan,
)
from transductive.version_space.flight_plan import FIRST_SAMPLES
from transductive.version_space.label_noise import error_potential

BILLIARDS = [
    BayesianTransduction(q="infer", random_state=0),
    BayesPointMachine(q="infer", random_state=0),
    KernelGibbsSampler(sampler="billiard", q="infer", random_state=0),
]


QUICKEST = {"gamma": "scale", "n_bounces": 1, "tol": 0.2, "random_state": 0}


@parametrize_with_checks(
    [
        BayesianTransduction(**QUICKEST),
        BayesPointMachine(q=0.1, n_samples=20, **QUICKEST),
        KernelGibbsSampler(n_samples=20, **QUICKEST),
        BayesianTransduction(q=0, ridge=1.0, gamma="scale", tol=0.2, random_state=0),
        BayesPointMachine(q=0, n_chains=1, gamma="scale", tol=0.2, random_state=0),
        KernelGibbsSampler(sampler="hit_and_run", q=0.05, n_samples=20, burn_in=20, random_state=0),
    ]
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_scikit_learn_contract(estimator, check, monkeypatch):
    monkeypatch.setattr(flight_plan, "FIRST_SAMPLES", 20)
    # diagnostics of a hundred outputs take longer than all the rest
    monkeypatch.setattr("transductive.version_space.posterior_sampler.N_FOLLOWED", 3)
    check(estimator)


def expected_p(cells, q, points):
    """Exact p+ of points whose great circles are those of the cells."""
    return posterior(cells, q) @ (cells.interior @ points.T > 0)


# ---- what they compute --------------------------------------------------------------------------


@pytest.mark.parametrize("q", [0.1, "infer"])
def test_which_labels_are_wrong_against_the_exact_answer(plane, q):
    X, y, exact, _ = plane
    kgs = KernelGibbsSampler("linear", sampler="billiard", q=q, random_state=0)
    kgs.fit(X, y)
    wrong = 1.0 - expected_p(exact, q, X * y[:, None])
    np.testing.assert_allclose(kgs.flip_proba_, wrong, atol=0.05)
    assert set(np.argsort(-kgs.flip_proba_)[:2]) == {0, 1}
    # hit-and-run finds the same by the votes
    if q != "infer":
        steps = KernelGibbsSampler("linear", q=q, thin=10, random_state=0).fit(X, y)
        np.testing.assert_allclose(steps.flip_proba_, wrong, atol=0.05)


def test_the_noise_is_inferred(plane):
    X, y, exact, _ = plane
    kgs = KernelGibbsSampler("linear", sampler="billiard", q="infer", random_state=0)
    kgs.fit(X, y)
    # far below one half the cut does not matter: means of Beta laws
    mean = posterior(exact, "infer") @ ((1.0 + exact.errors) / (10.0 + 25.0))
    assert kgs.q_ == pytest.approx(mean, abs=0.02)
    assert kgs.diagnostics_.keys() == {"errors", "q", "output"}


def test_all_estimators_use_one_posterior(plane):
    X, y, _, new = plane
    bt, bpm, kgs = (
        e.fit(X, y) for e in (type(b)(**{**b.get_params(), "kernel": "linear"}) for b in BILLIARDS)
    )
    np.testing.assert_array_equal(bt.predict_proba(new), kgs.predict_proba(new))
    np.testing.assert_allclose(bpm.decision_function(new), kgs.bayes_point(new))
    for estimator in (bt, bpm):
        assert estimator.q_ == kgs.q_
        np.testing.assert_array_equal(estimator.flip_proba_, kgs.flip_proba_)


def test_working_points_are_known_to_the_tolerance():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((90, 2))
    y = X[:, 0] > 0
    y[:4] = ~y[:4]
    bt = BayesianTransduction(gamma=0.3, q="infer", tol=0.01, random_state=0)
    bt.fit(X[:40], y[:40], X[40:])
    assert bt.transduction_error_.shape == (50,) and bt.transduction_error_.max() <= 0.01
    assert np.mean(bt.transduction_ == y[40:]) > 0.9
    np.testing.assert_allclose(bt.predict_proba(X[40:]), bt.transduction_proba_, atol=1e-12)
    # working points leave the posterior as it is
    other = BayesianTransduction(gamma=0.3, q="infer", tol=0.01, random_state=1)
    p = other.fit(X[:40], y[:40]).predict_proba(X[40:])
    np.testing.assert_allclose(p, bt.transduction_proba_, atol=0.06)


def test_probabilities_hold_where_labels_are_wrong():
    # "sure" must be right, whether or not the training labels are
    rng = np.random.default_rng(3)
    X = rng.standard_normal((400, 2))
    clean = X[:, 0] + 0.5 * X[:, 1] > 0
    y = clean[:80].copy()
    y[rng.permutation(80)[:12]] ^= True
    with pytest.raises(EmptyVersionSpaceError):
        BayesianTransduction("linear", q=0, random_state=0).fit(X[:80], y)
    bt = BayesianTransduction("linear", q="infer", random_state=0).fit(X[:80], y)
    assert 0.1 < bt.q_ < 0.25
    assert np.mean((bt.flip_proba_ > 0.5) == (y != clean[:80])) > 0.95
    sure = bt.confidence(X[80:]) > 0.9
    assert sure.mean() > 0.5
    assert np.mean(bt.predict(X[80:])[sure] == clean[80:][sure]) > 0.97


def test_three_classes():
    rng = np.random.default_rng(4)
    centres = np.array([[0.0, 3.0], [-3.0, -2.0], [3.0, -2.0]])
    truth = np.repeat([0, 1, 2], 20)
    X = centres[truth] + 0.7 * rng.standard_normal((60, 2))
    y = truth.copy()
    y[[0, 25, 50]] = [1, 2, 0]
    kgs = KernelGibbsSampler(gamma=0.2, sampler="billiard", q="infer", random_state=0).fit(X, y)
    assert kgs.q_.shape == (3,) and kgs.flip_proba_.shape == (60,)
    # votes of all classes' draws, computed once
    assert kgs.flip_proba_ is kgs.flip_proba_
    assert set(np.argsort(-kgs.flip_proba_)[:3]) == {0, 25, 50}
    np.testing.assert_array_equal(kgs.predict(X), truth)
    bpm = BayesPointMachine(gamma=0.2, q=0.05, random_state=0).fit(X, y)
    assert bpm.flip_proba_.shape == (60,) and bpm.dual_coef_.shape == (3, 60)
    np.testing.assert_array_equal(bpm.predict(X), truth)
    # that the clean label is another one is decided by the draws that predict
    bt = BayesianTransduction(gamma=0.2, random_state=0).fit(X, y)
    for one in (kgs, bt):
        own = one.predict_proba(X)[np.arange(60), y]
        np.testing.assert_allclose(one.flip_proba_, 1 - own, atol=1e-3)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("kind", [type(billiard) for billiard in BILLIARDS])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_random_labels_are_warned_of(kind, n_classes):
    rng = np.random.default_rng(5)
    X, y = rng.standard_normal((90, 3)), rng.integers(0, n_classes, 90)
    model = kind(gamma=0.3, tol=0.1, n_bounces=3000, random_state=0)
    with pytest.warns(UserWarning, match="of random labels .* gamma"):
        model.fit(X, y)
    # a user of a precomputed kernel has no gamma to change here
    with pytest.warns(UserWarning, match="of random labels .* another kernel"):
        model.set_params(kernel="precomputed").fit(gram_matrix(X, gamma=0.3), y)
    X[:, 0] += 3 * y
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.set_params(kernel="rbf").fit(X, y)


# ---- hard samples -------------------------------------------------------------------------------


@pytest.mark.parametrize("q", [0.1, "infer"])
def test_contradictory_duplicates_are_undecided(q):
    X = np.array([[0.0], [0.0], [10.0], [10.0], [20.0], [20.1]])
    y = np.array([0, 1, 0, 0, 1, 1])
    bt = BayesianTransduction(gamma=1.0, q=q, random_state=0).fit(X, y)
    p = bt.predict_proba([[0.0], [10.0], [20.0]])[:, 1]
    assert abs(p[0] - 0.5) < 0.06 and p[1] < 0.25 and p[2] > 0.75
    np.testing.assert_allclose(bt.flip_proba_[:2].sum(), 1.0)
    with pytest.raises(EmptyVersionSpaceError):
        BayesianTransduction(gamma=1.0, q=0.0).fit(X, y)


@pytest.mark.parametrize("q", [0.0, 0.05, 0.5, "infer"])
def test_one_point_a_class(q):
    X, y = np.array([[0.0], [1.0]]), np.array([0, 1])
    kgs = KernelGibbsSampler(gamma=1.0, sampler="billiard", q=q, tol=0.01, random_state=0)
    p = kgs.fit(X, y).predict_proba([[0.0], [1.0], [100.0]])[:, 1]
    # of two points at inner product r, both right: 1/4 + arcsin(-r) / 2 pi; else of q as well
    r = np.exp(-1.0)
    both = 0.25 - np.arcsin(r) / (2 * np.pi)
    one = 0.25 + np.arcsin(r) / (2 * np.pi)
    weight = np.exp(-error_potential(q, 2))
    mass = np.array([both, one, one, both]) * weight[[0, 1, 1, 2]]
    right = (mass[0] + mass[1]) / mass.sum()
    np.testing.assert_allclose(p[:2], [1 - right, right], atol=0.04)
    assert p[2] == 0.5


def test_at_one_half_labels_carry_no_information():
    rng = np.random.default_rng(5)
    X = rng.standard_normal((30, 2))
    bt = BayesianTransduction(gamma=0.5, q=0.5, tol=0.01, random_state=0).fit(X, X[:, 0] > 0)
    np.testing.assert_allclose(bt.predict_proba(X), 0.5, atol=0.05)
    np.testing.assert_allclose(bt.flip_proba_, 0.5, atol=0.05)


def test_small_noise_has_the_limit_of_no_noise():
    rng = np.random.default_rng(6)
    X, new = rng.standard_normal((20, 2)), rng.standard_normal((10, 2))
    y = X[:, 0] > 0
    paper = BayesianTransduction(gamma=0.5, q=0, random_state=0, tol=0.01).fit(X, y, new)
    for estimator in (
        BayesianTransduction(gamma=0.5, q=1e-6, tol=0.01, random_state=0),
        KernelGibbsSampler(gamma=0.5, q=0.0, sampler="billiard", tol=0.01, random_state=0),
    ):
        p = estimator.fit(X, y).predict_proba(new)
        np.testing.assert_allclose(p, paper.transduction_proba_, atol=0.05)


def test_a_kernel_that_cannot_separate():
    # exclusive or: a linear function is right on half of the points at most, so nothing is known
    X = np.array([[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]])
    X = np.tile(X, (8, 1)) * np.linspace(1, 2, 32)[:, None]
    y = X.prod(axis=1) > 0
    bt = BayesianTransduction("linear", q="infer", random_state=0).fit(X, y)
    np.testing.assert_allclose(bt.predict_proba(X), 0.5, atol=0.06)
    assert bt.q_ > 0.3


@pytest.mark.parametrize("gamma", [1e-5, 1e-3, 1e3, 1e6])
def test_widths_far_too_wide_and_too_narrow(gamma):
    rng = np.random.default_rng(7)
    X = rng.standard_normal((60, 2))
    # wrong labels far from the boundary, which no curve explains
    y = (X[:, 0] > 0) ^ np.isin(np.arange(60), np.argsort(-np.abs(X[:, 0]))[[2, 5, 8, 11]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        # wide ones make the posterior so thin that flights meet each wall hundreds of times
        bt = BayesianTransduction(gamma=gamma, n_bounces=300_000, random_state=0).fit(X, y)
    new = rng.standard_normal((50, 2))
    p = bt.predict_proba(new)[:, 1]
    assert np.all(np.isfinite(p)) and 0.0 < bt.q_ < 0.5
    if gamma > 1:
        # nothing is like anything else: only the points themselves are known, and they not for sure
        np.testing.assert_allclose(bt.predict_proba(new + 50.0), 0.5)
        q = bt.q_
        np.testing.assert_allclose(bt.flip_proba_, q, atol=0.08)
        assert q < 0.2
    else:
        # no certainty that is wrong
        sure = np.maximum(p, 1 - p) > 0.95
        assert np.mean((p > 0.5)[sure] == (new[:, 0] > 0)[sure]) > 0.9


# ---- reports ------------------------------------------------------------------------------------


def test_a_budget_ends_the_flights_with_a_warning():
    rng = np.random.default_rng(8)
    X = rng.standard_normal((60, 5))
    y = (X[:, 0] > 0) ^ (rng.random(60) < 0.1)
    short = BayesianTransduction(gamma=0.2, q="infer", tol=1e-4, n_bounces=1000, random_state=0)
    with pytest.warns(ConvergenceWarning, match="n_bounces") as caught:
        short.fit(X, y)
    assert caught[0].filename == __file__
    assert short.posterior_.missing_
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        KernelGibbsSampler(gamma=0.2, sampler="billiard", q="infer", random_state=0).fit(X, y)


def test_the_budget_holds_from_the_first_flight_on():
    rng = np.random.default_rng(7)
    X = rng.standard_normal((60, 2))
    y = (X[:, 0] > 0) ^ (rng.random(60) < 0.1)
    thin = KernelGibbsSampler(gamma=1e-4, n_bounces=100_000, random_state=0)
    with pytest.warns(ConvergenceWarning, match="n_bounces=100000"):
        thin.fit(X, y)
    assert thin.samples_.errors.shape[1] < FIRST_SAMPLES
    # burn-in and first look
    assert thin.n_bounces_ <= 4 * 2 * 100_000
    with pytest.raises(IllConditionedError, match="n_bounces"):
        thin.set_params(gamma=1e-9).fit(X, y)


def test_frozen_chains_are_reported():
    # a steep function agrees with all labels, but is hard to find
    X = np.r_[np.linspace(-2, -1, 10), np.linspace(1, 2, 10), 1.5][:, None]
    y = np.repeat([0, 1, 0], [10, 10, 1])
    stuck = KernelGibbsSampler(gamma=0.02, q=1e-12, n_bounces=1000, random_state=0)
    with pytest.warns(ConvergenceWarning, match="all samples have 1 training errors"):
        stuck.fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # any whole number is a budget
        stuck.set_params(q="infer", n_bounces=10**30).fit(X, y)


def test_diagnosis_of_flights_through_walls():
    rng = np.random.default_rng(9)
    X = rng.standard_normal((40, 3))
    y = (X[:, 0] > 0) ^ (rng.random(40) < 0.1)
    bt = BayesianTransduction(gamma=0.2, q="infer", random_state=0)
    sound = bt.diagnose(X, y)
    assert sound.state == "sound" and sound.rank == 40
    bt.set_params(tol=1e-4, n_bounces=100)
    with pytest.warns(ConvergenceWarning):
        short = bt.diagnose(X, y)
    assert short.state == "too short" and short.error > 1e-4


def test_warns_where_a_wide_kernel_has_two_states():
    rng = np.random.default_rng(0)
    X, y = make_moons(300, noise=0.25, random_state=0)
    X, wrong = scale(X), rng.permutation(300)[:30]
    y[wrong] = 1 - y[wrong]
    with pytest.warns(ConvergenceWarning, match="R-hat of the training errors"):
        model = KernelGibbsSampler(gamma=0.01, n_chains=8, n_bounces=400_000, random_state=0).fit(
            X, y
        )
    means = np.sort(model.samples_.errors.mean(axis=1))
    # some balls are where the boundary is bent, others still where it is nearly straight
    assert means[0] < 45 and means[-1] > 55
    assert np.ptp(model.samples_.noise.mean(axis=1)) > 0.05


def test_samples_of_a_truncated_round_are_discarded(
    monkeypatch,
):
    rng = np.random.default_rng(5)
    X = rng.standard_normal((40, 3))
    flown, run = [], RefractingBilliard.run

    def cut(self, n, **how):
        flown.append(run(self, 2 if flown else n, **how))
        self.events = self.events + 10**6 * (len(flown) > 1)
        return flown[-1]

    monkeypatch.setattr(RefractingBilliard, "run", cut)
    monkeypatch.setattr(flight_plan, "UNSETTLED", 0.0)
    billiard = RefractingBilliard(X, 0.1, signs=np.sign(X[:, 0]), random_state=0)
    samples, _ = flight_plan.fly_until_known(billiard, X, 1e-4, n_samples=20)
    assert len(flown) == 2 and samples is flown[0]


@pytest.mark.parametrize("prior", [(1e-3, 1e-3), (1e3, 1e3), (1, 1e3), (1e3, 1)])
def test_strong_and_weak_priors(plane, prior):
    X, y, _, new = plane
    kgs = KernelGibbsSampler("linear", q=prior, tol=0.05, random_state=0).fit(X, y)
    # a prior worth a thousand labels decides
    if max(prior) == 1e3:
        assert kgs.q_ == pytest.approx(min(prior[0] / sum(prior), 0.5), abs=0.02)
    assert np.all(np.isfinite(kgs.predict_proba(new)))
    # the default
    named, given = (
        KernelGibbsSampler("linear", q=q, tol=0.1, random_state=0).fit(X, y).samples_.noise
        for q in ("infer", [1, 9])
    )
    np.testing.assert_array_equal(named, given)
