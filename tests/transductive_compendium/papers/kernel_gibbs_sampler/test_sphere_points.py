"""Points of the sphere under both laws."""

import numpy as np
import pytest

from transductive_compendium.papers.kernel_gibbs_sampler.sphere_points import (
    LAWS,
    signed_points,
    teacher_of,
)


def test_points_of_figure_4_crowd_across_from_the_teacher():
    """Their azimuth is near 0 or 2 pi."""
    points = signed_points("beta", 4000, 0.0, np.random.default_rng(0), "middle")
    same = signed_points("uniform", 4000, 0.0, np.random.default_rng(0), "middle")
    near = [np.abs(X @ teacher_of("middle")).mean() for X in (points, same)]
    assert near[0] > near[1]
    with pytest.raises(ValueError, match="it must be one of"):
        signed_points("normal", 4, 0.0, np.random.default_rng(0), "middle")


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
