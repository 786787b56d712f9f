import numpy as np
import pytest
from scipy.stats import beta

from transductive_compendium.datasets import separable_sphere, toy_perceptron
from transductive_compendium.datasets.generators import (
    ANGLE_LAWS,
    flip_labels,
    points_on_sphere,
)


@pytest.mark.parametrize("seed", range(20))
def test_toy_perceptron_is_separable_and_its_working_points_are_undecided(seed):
    margin = 0.15
    toy = toy_perceptron(n_train=7, n_working=3, seed=seed, margin=margin)
    assert toy.X.shape == (7, 3) and toy.X_working.shape == (3, 3)
    assert (toy.X[:, 2] == 1).all() and (toy.X_working[:, 2] == 1).all()
    assert np.linalg.norm(toy.teacher) == pytest.approx(1)
    assert {(toy.y == 1).sum(), (toy.y == -1).sum()} == {3, 4}
    scale = np.linalg.norm(toy.teacher[:2])
    assert (toy.y * (toy.X @ toy.teacher) / scale >= margin - 1e-12).all()
    # Two consistent parallel lines, a little less than a margin to either side, disagree on
    # every working point.
    labels = []
    for shift in (-0.9 * margin, 0.9 * margin):
        w = toy.teacher + np.array([0, 0, shift * scale])
        assert (toy.y * (toy.X @ w) > 0).all()
        labels.append(np.sign(toy.X_working @ w))
    np.testing.assert_array_equal(labels[0], -labels[1])


def test_toy_perceptron_is_seeded():
    np.testing.assert_array_equal(toy_perceptron(seed=3).X, toy_perceptron(seed=3).X)
    assert not np.array_equal(toy_perceptron(seed=3).X, toy_perceptron(seed=4).X)


def test_separable_sphere():
    toy = separable_sphere(4000, 3, seed=1, n_working=5)
    assert toy.X.shape == (4000, 3) and toy.X_working.shape == (5, 3)
    np.testing.assert_allclose(np.linalg.norm(toy.X, axis=1), 1)
    assert (toy.y * (toy.X @ toy.teacher) > 0).all()
    # Uniform on the sphere in R^3: each coordinate is uniform on [-1, 1] (variance 1/3), so
    # the mean of 4000 has a standard deviation below 0.0092. Seeded; five of those allowed.
    assert np.abs(toy.X.mean(axis=0)).max() < 0.046
    np.testing.assert_allclose((toy.X**2).mean(axis=0), 1 / 3, atol=0.03)
    np.testing.assert_array_equal(toy.X, separable_sphere(4000, 3, 1, 5).X)


@pytest.mark.parametrize("angles", ANGLE_LAWS)
def test_angles_on_the_sphere_are_beta_distributed(angles):
    """Angles taken back from the points."""
    n, law = 4000, ANGLE_LAWS[angles]
    X, teacher = points_on_sphere(n, 2, angles)
    np.testing.assert_allclose(np.linalg.norm(X, axis=1), 1)
    assert np.linalg.norm(teacher) == 1
    polar = np.arccos(X[:, 2]) / law.polar_end
    azimuth = np.arctan2(X[:, 1], X[:, 0]) % (2 * np.pi) / law.azimuth_end
    off_pole = np.hypot(X[:, 0], X[:, 1]) > 1e-12
    for drawn, shape in ((polar, law.polar), (azimuth[off_pole], law.azimuth)):
        for at in (0.02, 0.25, 0.5, 0.75, 0.98):
            p = beta.cdf(at, shape, shape)
            # five standard deviations of a binomial fraction
            bound = 5 * np.sqrt(p * (1 - p) / len(drawn)) + 1 / n
            assert abs((drawn < at).mean() - p) < bound


def test_exchanged_betas_give_another_law():
    """As the comment says."""
    law = ANGLE_LAWS["middle"]
    exchanged = law._replace(polar=law.azimuth, azimuth=law.polar)
    assert exchanged == ANGLE_LAWS["reversed"]
    X, teacher = points_on_sphere(2000, 0, "middle")
    # of the azimuth, 9.7 % lie in its middle half
    within = np.diff(beta.cdf([0.25, 0.75], 0.1, 0.1))[0]
    assert abs((X @ teacher > 0).mean() - within) < 0.035


def test_points_on_sphere_are_seeded():
    once, again = (points_on_sphere(9, 3, "pole")[0] for _ in range(2))
    np.testing.assert_array_equal(once, again)


def test_flipped_labels():
    y = np.where(np.arange(10_000) % 3, 1, -1)
    flipped = flip_labels(y, 0.05, seed=1)
    assert set(flipped) == {-1, 1}
    # in either class; five standard deviations of a fraction of at least 3333
    for c in (-1, 1):
        assert abs((flipped[y == c] != c).mean() - 0.05) < 0.019
    np.testing.assert_array_equal(flip_labels(y, 0.0), y)
