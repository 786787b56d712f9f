"""Points of the sphere under both laws."""

import numpy as np
import pytest

from transductive_compendium.papers.kernel_gibbs_sampler.sphere_points import (
    LAWS,
    labelled_points,
    signed_points,
    teacher_of,
)


def test_points_of_both_laws():
    for law in LAWS:
        X, y = labelled_points(law, 4000, np.random.default_rng(0), "middle")
        np.testing.assert_allclose(np.linalg.norm(X, axis=1), 1.0)
        assert set(y) == {-1, 1}
    # figure 4's points crowd where the azimuth is 0 or 2 pi, across from the teacher
    _, y = labelled_points("beta", 4000, np.random.default_rng(0), "middle")
    assert np.mean(y < 0) > 0.8


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("angles", ["pole", "reversed", "middle", "half"])
def test_signed_points_are_on_the_teachers_side_unless_flipped(law, angles):
    clean, noisy = (
        signed_points(law, 2000, rate, np.random.default_rng(1), angles) for rate in (0.0, 0.2)
    )
    teacher = teacher_of(angles)
    assert (clean @ teacher > 0).mean() > 0.995  # some lie on the border to rounding
    assert 0.15 < np.mean(noisy @ teacher < 0) < 0.25
    np.testing.assert_allclose(np.linalg.norm(noisy, axis=1), 1.0)
