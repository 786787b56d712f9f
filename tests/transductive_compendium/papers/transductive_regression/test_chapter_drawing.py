"""What the chapter's own pictures show, and the numbers of their captions."""

import numpy as np
import pytest

from transductive_compendium.papers.transductive_regression import chapter_drawing as drawing
from transductive_compendium.papers.transductive_regression.chapter_drawing import (
    X,
    Y,
    value_maps,
)


def test_prediction_as_value_gives_the_fit_without_the_pair():
    (_, _, whole), (x, y, without), (_, changed, again) = drawing.left_out_fits()
    np.testing.assert_allclose(again, without, atol=1e-12)
    assert np.abs(whole - without).max() > 0.2
    left, value = drawing.LEFT, Y[drawing.LEFT]
    fitted = drawing.curve(1.0, at=X[[left]])[0]
    assert [round(value - v, 2) for v in (fitted, changed[left])] == [0.46, 0.67]
    assert len(x) == len(y) == 9


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


def test_the_deformed_kernel_helps_on_half_moons_and_harms_on_the_spiral():
    loo, error, _ = zip(*drawing.deformed(*drawing.moons()), strict=True)
    assert np.argmin(loo) == np.argmin(error) == drawing.STRENGTHS.index(100.0)
    assert np.round([error[0], min(error)], 2).tolist() == [0.39, 0.20]
    loo, error, _ = zip(*drawing.deformed(*drawing.spiral()), strict=True)
    assert error[-1] > 1.9 * error[0] and max(loo) < 1.1 * min(loo)
