"""Calibration under label noise: what is counted, who is compared, and the page of it."""

import numpy as np
import pytest


@pytest.fixture
def label_noise(benchmark_module):
    return benchmark_module("label_noise")


def test_probabilities_are_counted_in_the_bin_that_they_lie_in(label_noise):
    p, truth = np.array([0.0, 0.04, 0.55, 0.97, 1.0]), np.array([0, 1, 1, 1, 0])
    found = label_noise.compared(p, truth)
    assert found["points"] == [2, 0, 0, 0, 0, 1, 0, 0, 0, 2]
    assert found["positive"] == [1, 0, 0, 0, 0, 1, 0, 0, 0, 1]
    assert found["predicted"] == pytest.approx([0.04, 0, 0, 0, 0, 0.55, 0, 0, 0, 1.97])
    assert (found["confident points"], found["confident and right"]) == (4, 2)
    assert found["error"] == pytest.approx(0.4)
    # what is said with certainty and is wrong costs log(1000), not infinity
    expected = -np.mean(np.log([0.999, 0.04, 0.55, 0.97, 0.001]))
    assert found["log-loss"] == pytest.approx(expected)


def bin_of(points, positive):
    """A draw all of whose probabilities are .35."""
    return {
        key: [0.0] * 3 + [float(value)] + [0.0] * 6
        for key, value in zip(
            ("points", "positive", "predicted"), (points, positive, 0.35 * points), strict=True
        )
    }


@pytest.mark.parametrize("spread", [0.0, 0.15])
def test_the_interval_of_a_bin_covers_its_rate_whether_or_not_draws_differ(label_noise, spread):
    rng = np.random.default_rng(0)
    covered, lengths = [], []
    for _ in range(400):
        rates = rng.choice([0.35 - spread, 0.35 + spread], (5, 4))
        found = [[bin_of(50, k) for k in draws] for draws in rng.binomial(50, rates)]
        points, positive, predicted, half = label_noise.reliability(found)
        assert points.tolist() == [0, 0, 0, 1000, 0, 0, 0, 0, 0, 0]
        assert predicted[3] == pytest.approx(0.35) and np.isnan(positive[[0, 9]]).all()
        covered.append(abs(positive[3] - 0.35) <= half[3])
        lengths.append(half[3])
    # 362 to 396 of 400 intervals of 95 %, but for a false alarm in ten thousand
    assert 362 <= sum(covered) <= 396
    wider = np.mean(lengths) / (1.96 * np.sqrt(0.35 * 0.65 / 1000))
    assert 1.0 < wider < 1.15 if spread == 0 else wider > 2.0


def test_problems_that_differ_do_not_widen_the_interval(label_noise):
    counts = (0, 10, 0, 10)
    found = [[bin_of(10, k) for _ in range(3)] for k in counts]
    _, positive, _, half = label_noise.reliability(found)
    assert positive[3] == 0.5
    # each problem's draws are alike
    assert half[3] == pytest.approx(0.0)
    found = [[bin_of(10, k) for k in (3, 4, 5)] for _ in counts]
    half = label_noise.reliability(found)[-1][3]
    # twelve draws with standard deviation .1, eight degrees of freedom
    assert half == pytest.approx(2.306 * 0.1 / np.sqrt(12), rel=1e-3)


def test_wrong_labels_are_found_among_as_many_suspects_as_were_flipped(label_noise):
    wrong = np.array([True, False, True, False, False])
    suspicion = np.array([0.9, 0.8, 0.4, 0.1, 0.0])
    found = label_noise.suspects(suspicion, suspicion > 0.5, wrong)
    assert found["found among suspects"] == 0.5
    assert found["average precision"] == pytest.approx((1 + 2 / 3) / 2)
    assert (found["named"], found["named and flipped"], found["flipped"]) == (2, 1, 2)


def test_planted_flips_are_as_many_as_the_share_and_only_they_differ(benchmark_module):
    problems = benchmark_module("noisy_problems")
    for name, (_, l) in problems.PROBLEMS.items():
        clean, given = problems.draw(name, 0.0, 1), problems.draw(name, 0.2, 1)
        np.testing.assert_array_equal(clean[0], given[0])
        np.testing.assert_array_equal(clean[1] != given[1], given[2])
        assert given[2].sum() == round(0.2 * l) and not clean[2].any()
        np.testing.assert_array_equal(clean[4], given[4])
