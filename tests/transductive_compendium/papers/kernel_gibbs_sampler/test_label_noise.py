"""Figure 4 of The Kernel Gibbs Sampler: what its two methods compute, and what a run gives."""

import numpy as np
import pytest
from sklearn.svm import LinearSVC

from transductive_compendium.datasets.generators import ANGLE_READINGS
from transductive_compendium.papers.kernel_gibbs_sampler.label_noise import BEYOND, SHARED, Sphere
from transductive_compendium.runner import run

DOCUMENT = "kernel_gibbs_sampler"
FIRST = next(iter(ANGLE_READINGS))


def _angle(a, b):
    cosine = a @ b / (np.linalg.norm(a) * np.linalg.norm(b))
    return np.arccos(np.clip(cosine, -1, 1))


@pytest.mark.parametrize("penalty", [0.01, 0.3, 10.0])
def test_soft_margin_is_the_squared_hinge_without_bias(penalty):
    """|w|^2 + sum(slack^2) / lambda: LinearSVC minimises half of it, with C = 1 / (2 lambda)."""
    sphere = Sphere(FIRST, 0.05, np.random.default_rng(4))
    other = LinearSVC(
        loss="squared_hinge",
        dual=False,
        fit_intercept=False,
        C=1 / (2 * penalty),
        tol=1e-10,
        max_iter=10_000,
    ).fit(sphere.X, sphere.y)
    # length and direction
    np.testing.assert_allclose(sphere.soft_margin(penalty), other.coef_[0], rtol=1e-5, atol=1e-7)


def test_vanishing_penalty_is_the_hard_margin():
    sphere = Sphere(FIRST, 0.0, np.random.default_rng(1))
    w = sphere.soft_margin(0.0)
    assert (sphere.y * (sphere.X @ w)).min() == pytest.approx(1)
    assert _angle(w, sphere.soft_margin(1e-9)) < 1e-4


@pytest.mark.parametrize("q, bound", [(0.05, 0.01), (0.3, 0.03)])
def test_a_long_chain_finds_the_exact_bayes_point(q, bound):
    sphere = Sphere(FIRST, 0.05, np.random.default_rng(8))
    exact = sphere.arrangement(np.random.default_rng(0)).bayes_point(q)
    chain = {"n_samples": 20_000, "thin": 10, "burn_in": 100}
    rng = np.random.default_rng(5)
    assert _angle(sphere.bayes_point(q, chain, rng), exact) < bound
    # and tells it from that of another noise level
    assert _angle(sphere.arrangement(rng).bayes_point(0.001), exact) > bound


def test_errors_are_those_of_both_labellings():
    sphere = Sphere(FIRST, 0.25, np.random.default_rng(0))
    flipped = (sphere.y_test != sphere.truth_test).mean()
    assert 0.2 < flipped < 0.3
    teacher = np.array(ANGLE_READINGS[FIRST].teacher)
    assert sphere.errors(teacher) == (pytest.approx(flipped), 0.0)
    assert sphere.errors(-teacher) == (pytest.approx(1 - flipped), 1.0)
    assert np.isnan(sphere.errors(None)).all()


def test_figure_4_rows(tmp_path):
    rows = run(f"{DOCUMENT}/figure_4", progress=False, store=tmp_path).rows
    assert list(rows.value) == list(SHARED + BEYOND) * 3
    shared = rows[rows.value < 0.5]
    assert rows[rows.value >= 0.5].bpm_error.isna().all()
    assert shared.notna().all(axis=None)
    # what 100 samples lose
    assert (shared.bpm_true_error - shared.exact_true_error).abs().mean() < 0.01
    for name in ("bpm", "exact", "svm"):
        true, noisy = shared[f"{name}_true_error"], shared[f"{name}_error"]
        assert (true < 0.1).all()
        # flips cost at most their share, 5 % of 1000, here within five standard deviations
        assert ((noisy - true).abs() < 0.085).all() and noisy.mean() > true.mean()


def test_readings_without_noise(tmp_path):
    """Where both classes meet at a pole no margin is resolved; elsewhere both methods learn."""
    rows = run(f"{DOCUMENT}/noise_free", progress=False, store=tmp_path).rows
    polar = rows.reading.isin(["longitude to 2 pi, w* reversed", "both to 2 pi, Betas exchanged"])
    assert (rows.resolved == ~polar).all()
    errors = rows[["bpm_error", "exact_error", "svm_error"]]
    assert errors[polar].isna().all(axis=None)
    assert (errors[~polar] < 0.06).all(axis=None)


def test_angles_rows(tmp_path):
    rows = run(f"{DOCUMENT}/angles", progress=False, store=tmp_path).rows
    assert set(rows.reading) == set(ANGLE_READINGS)
    assert (rows.bpm_true_error.isna() == (rows.value >= 0.5)).all()
    one_class = rows.reading == "both to 1"
    assert (rows.positive[one_class] == 0).all()
    assert (rows.positive[~one_class] > 0.05).all()
    # the SVM cannot find w* where most points lie at the poles, all nearly orthogonal to it
    hard = rows.reading == "longitude to 2 pi, w* reversed"
    easy = rows.reading == FIRST
    assert rows.svm_true_error[hard].mean() > 5 * rows.svm_true_error[easy].mean()
