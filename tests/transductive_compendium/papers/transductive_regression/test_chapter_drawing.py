"""What the chapter's own pictures show, and the numbers of their captions."""

import numpy as np
import pytest

from transductive import TransductiveRidge
from transductive.leave_one_out import RidgeSpectrum
from transductive.leave_one_out.loo_form import LooForm
from transductive_compendium.papers.transductive_regression import chapter_drawing as drawing
from transductive_compendium.papers.transductive_regression.chapter_drawing import (
    X_WORKING,
    X,
    Y,
    gaussians,
    value_maps,
)


def test_shares_of_two_directions_that_are_fitted():
    squares = np.linalg.svd(gaussians(X, X), compute_uv=False)[[0, 4]] ** 2
    kept = [np.round(100 * squares / (squares + gamma)).tolist() for gamma in (1.0, 0.1)]
    assert kept == [[92, 12], [99, 59]]


def test_prediction_as_value_gives_the_fit_without_the_pair():
    (_, _, whole), (x, y, without), (_, changed, again) = drawing.left_out_fits()
    np.testing.assert_allclose(again, without, atol=1e-12)
    assert np.abs(whole - without).max() > 0.2
    left, value = drawing.LEFT, Y[drawing.LEFT]
    fitted = drawing.curve(1.0, at=X[[left]])[0]
    assert [round(value - v, 2) for v in (fitted, changed[left])] == [0.46, 0.67]
    assert len(x) == len(y) == 9


def test_the_mean_leave_one_out_error_is_the_loss_after_one_pair_less():
    loo, nine, ten = drawing.loo_and_loss((0.03, 0.3, 3.0), seed=1)
    # standard errors of the means over 2000 samples are about 0.003
    np.testing.assert_allclose(loo, nine, atol=0.012)
    assert (nine > ten + 0.01).all()


def test_the_error_of_one_value_is_a_parabola():
    values = np.linspace(-1.0, 2.4, 69)
    errors = np.array(drawing.joint_errors(values))
    np.testing.assert_allclose(np.diff(errors, 3), 0.0, atol=1e-12)
    assert values[errors.argmin()] == pytest.approx(0.7) and round(errors.min(), 2) == 0.27


def test_maps_agree_with_the_estimator():
    ridge, (values,) = value_maps(1.0, [0.1])
    model = TransductiveRidge(1.0, 0.1, gamma=0.5).fit(X[:, None], Y, X_WORKING[:, None])
    np.testing.assert_allclose(ridge @ Y, model.inductive_, atol=1e-12)
    np.testing.assert_allclose(values @ Y, model.transduction_, atol=1e-12)


def test_expected_errors_are_means_over_the_noise():
    rng, truth = np.random.default_rng(0), drawing.truth
    samples = truth(X)[:, None] + drawing.NOISE * rng.standard_normal((10, 20_000))
    for values in (value_maps(0.1, [0.1])[0], value_maps(1.0, [0.1])[1][0]):
        errors = np.mean((values @ samples - truth(X_WORKING)[:, None]) ** 2, axis=0)
        spread = errors.std() / np.sqrt(len(errors))
        assert drawing.expected_error(values) == pytest.approx(errors.mean(), abs=4 * spread)


def test_the_expected_leave_one_out_error_is_that_of_the_closed_form():
    rng, stars, gamma = np.random.default_rng(0), np.array([0.01, 1.0, 30.0]), 0.1
    points = np.r_[X, X_WORKING]
    sample = RidgeSpectrum(gaussians(X, X))
    form = LooForm(RidgeSpectrum(gaussians(points, points)), gamma, len(X))
    influence = value_maps(gamma, [])[0]
    found = []
    for _ in range(2000):
        y = drawing.truth(X) + drawing.NOISE * rng.standard_normal(len(X))
        left_out = y - sample.loo_residuals(y, gamma)[:, 0]
        values = form.transductive_loo(y, influence @ y, left_out, influence, stars)
        found.append(np.mean((values - y[:, None]) ** 2, axis=0))
    spread = np.std(found, axis=0) / np.sqrt(len(found))
    expected = drawing.expected_loo(gamma, stars)
    assert (np.abs(np.mean(found, axis=0) - expected) < 4 * spread).all()


@pytest.mark.parametrize(
    ("gamma", "chosen", "before", "after"), [(1.0, 1e-3, 0.036, 0.024), (0.1, 3.16, 0.021, 0.024)]
)
def test_errors_at_the_weight_that_leave_one_out_chooses(gamma, chosen, before, after):
    stars = np.geomspace(1e-3, 1e2, 41)
    best = drawing.expected_loo(gamma, stars).argmin()
    assert stars[best] == pytest.approx(chosen, rel=0.01)
    ridge, maps = value_maps(gamma, stars)
    assert drawing.expected_error(ridge) == pytest.approx(before, abs=5e-4)
    assert drawing.expected_error(maps[best]) == pytest.approx(after, abs=5e-4)


def test_ridge_regression_is_ahead_at_its_best_ridge():
    gammas = np.geomspace(1e-3, 10, 61)
    both = [value_maps(gamma, [0.1]) for gamma in gammas]
    ridge = np.array([drawing.expected_error(values) for values, _ in both])
    transduction = np.array([drawing.expected_error(values) for _, (values,) in both])
    assert gammas[ridge.argmin()] < gammas[transduction.argmin()]
    assert ridge.min() < transduction.min()
    for gamma, quoted in ((1.0, (0.036, 0.022)), (0.1, (0.021, 0.041))):
        ridge, (values,) = value_maps(gamma, [0.1])
        found = [drawing.expected_error(of) for of in (ridge, values)]
        assert np.round(found, 3).tolist() == list(quoted)


def test_fishers_direction_errs_on_fewer_points_than_the_difference_of_means():
    points, labels = drawing.two_clouds()
    middle = (points[labels < 0].mean(axis=0) + points[labels > 0].mean(axis=0)) / 2
    directions = drawing.fisher(points, labels)
    wrong = [np.mean(np.sign((points - middle) @ v) != labels) for v in directions]
    assert [round(100 * share) for share in wrong] == [27, 12]


def test_the_deformed_kernel_helps_on_half_moons_and_harms_on_the_spiral():
    loo, error, _ = zip(*drawing.deformed(*drawing.moons()), strict=True)
    assert np.argmin(loo) == np.argmin(error) == drawing.STRENGTHS.index(100.0)
    assert np.round([error[0], min(error)], 2).tolist() == [0.39, 0.20]
    loo, error, _ = zip(*drawing.deformed(*drawing.spiral()), strict=True)
    assert error[-1] > 1.9 * error[0] and max(loo) < 1.1 * min(loo)


def test_exact_residuals_are_exact():
    K, gamma = gaussians(X, X), 0.25
    factored = RidgeSpectrum(K).loo_residuals(Y, gamma)[:, 0]
    np.testing.assert_allclose(drawing.exact_residuals(K, Y, gamma), factored, rtol=1e-11)


def test_digits_that_are_left():
    square, factor, bound = drawing.digits([1e-10, 1e-16])
    assert np.abs(np.log10(square[0]) + 6) < 0.7 and square[1] > 0.1
    assert (factor < 2e-13).all() and (factor < bound).all()
