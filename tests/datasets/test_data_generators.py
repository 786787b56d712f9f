import numpy as np
import pytest

from transductive.datasets import separable_sphere, toy_perceptron


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


def test_toy_perceptron_is_seeded_and_guarded():
    np.testing.assert_array_equal(toy_perceptron(seed=3).X, toy_perceptron(seed=3).X)
    assert not np.array_equal(toy_perceptron(seed=3).X, toy_perceptron(seed=4).X)
    for wrong in ({"n_train": 1}, {"margin": 0}, {"margin": 0.6}, {"n_working": -1}):
        with pytest.raises(ValueError, match="needs"):
            toy_perceptron(**wrong)


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
    with pytest.raises(ValueError, match="needs"):
        separable_sphere(0, 3)
