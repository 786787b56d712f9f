"""What the chapter's pictures draw is what its text says of them."""

import numpy as np
import pytest

from transductive_compendium.exact.contradictions import contradictions
from transductive_compendium.papers.universum import chapter_drawing as drawing


@pytest.mark.parametrize("loss, k", [("epsilon_insensitive", 0), ("squared", 1)])
def test_the_path_of_the_example_is_that_found_by_hand(loss, k):
    for cost in (0.0, 0.01, 0.03, 0.05, 0.1):
        w, b = drawing.usvm(cost, loss=loss)
        second = drawing.by_hand(cost)[k]
        np.testing.assert_allclose(np.r_[w, b], [(1 - second) / 2, second, 0.0], atol=1e-6)


def test_the_usvm_finds_the_class_of_the_example_with_most_contradictions():
    counts = {labels: drawing.contradicted(labels).sum() for labels in drawing.CLASSES}
    assert counts == {(-1, -1): 2, (-1, 1): 4, (1, -1): 2, (1, 1): 2}
    for cost, labels in ((0.0, (1, -1)), (0.1, (-1, 1))):
        w, b = drawing.usvm(cost)
        assert tuple(np.sign(drawing.X_UNLABELLED @ w + b)) == labels


@pytest.mark.parametrize("cost, inside", [(0.005, 0), (0.02, 4)])
def test_points_in_the_strip_are_contradictions_and_others_may_be(cost, inside):
    w, b = drawing.usvm(cost)
    delta = np.abs(np.r_[drawing.X, drawing.X_UNLABELLED] @ w + b).min()
    strip = np.abs(drawing.X_UNIVERSUM @ w + b) < delta
    hit = drawing.contradicted(np.sign(drawing.X_UNLABELLED @ w + b).astype(int))
    assert strip.sum() == inside and hit[strip].all()
    assert hit.sum() == max(inside, 2)


def test_lines_of_a_class_label_alike_and_disagree_on_contradictions_only():
    (given, y, universum), found = drawing.classes_of_lines()
    assert [hit.sum() for _, hit, _, _ in found.values()] == [0, 2, 6]
    for labels, hit, lines, own in found.values():
        lines = lines if own is None else np.vstack([lines, own])
        assert len(lines) == 25 + (own is not None)
        np.testing.assert_array_equal(labels[:4], y)
        assert (np.sign(lines @ np.c_[given, np.ones(12)].T) == labels).all()
        sides = lines @ np.c_[universum, np.ones(10)].T
        assert hit[(sides > 0).any(axis=0) & (sides < 0).any(axis=0)].all()


@pytest.mark.parametrize("dimension", [2, 3])
def test_the_class_of_the_usvm_has_more_contradictions_on_average(dimension):
    gains = []
    for seed in range(60):
        rng = np.random.default_rng([dimension, seed])
        given, y, universum = drawing.random_problem(dimension, rng)
        counts = []
        for cost in (0.0, 1000.0):
            w, b = drawing.usvm(cost, given[:4], y, universum, C=np.inf)
            labels = np.sign(given @ w + b).astype(int)
            counts.append(contradictions(given, labels, universum, fit_intercept=True).sum())
        gains.append(counts[1] - counts[0])
    assert np.mean(gains) > 2 * np.std(gains, ddof=1) / np.sqrt(len(gains))
    # but not in every problem
    assert min(gains) < 0 and np.mean(np.equal(gains, 0)) > 0.3


@pytest.mark.parametrize("seed", range(5))
def test_with_the_unit_vectors_the_usvm_tends_to_the_one_norm_svm(seed):
    _, weights, limit, excess, bound = drawing.one_norm(seed)
    assert (excess > -1e-8).all() and (excess < bound).all()
    assert excess[0] > 0.1
    np.testing.assert_allclose(weights[-1], limit, atol=1e-6)
    assert ((np.abs(weights[-1]) < 1e-7) == (limit == 0)).all() and (limit == 0).any()


def test_in_the_squeezed_plane_the_line_is_at_right_angles_to_the_segment():
    squeeze = np.array([1.0, 1 / np.sqrt(5.0)])  # 1 + 2 * 0.1 * 20 = 5
    w, _ = drawing.usvm(0.1, loss="squared")
    across, segment = w / squeeze, drawing.X[0] * squeeze
    assert across @ segment == pytest.approx(np.linalg.norm(across) * np.linalg.norm(segment))


def test_weights_of_the_three_regularisers_are_least_on_the_margin():
    along = np.linspace(-2, 2, 4001)[:, None] * [0.5, -1.0]
    for _, S, l, best in drawing.regularisers().values():
        w = best + along  # all have <w, x> = 1
        assert best @ [1.0, 0.5] == pytest.approx(1.0)
        penalty = np.einsum("ni,ij,nj->n", w, S, w) / 2 + l * np.abs(w).sum(axis=1)
        assert penalty.argmin() == 2000


def test_errors_with_a_universum_between_and_with_one_of_a_class():
    found = drawing.sides()[3]
    assert [round(error) for *_, error in found.values()] == [21, 4, 24]
