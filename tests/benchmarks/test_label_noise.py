"""Calibration under label noise: what is counted, who is compared, and the page of it."""

from pathlib import Path

import numpy as np
import pytest

from transductive import BayesianTransduction

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


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


def test_fixed_widths_are_multiples_of_scale_for_both(label_noise):
    X, y, *_ = label_noise.draw("moons", 0.1, 0)
    scale = BayesianTransduction(random_state=0).fit(X, y).gamma_
    for width, factor in (("scale / 9", 1 / 9), ("9 scale", 9.0)):
        ours = label_noise.METHODS[label_noise.at_width(label_noise.INFERRED, width)](X)
        assert ours.gamma == pytest.approx(factor * scale) and ours.q == "infer"
        process = label_noise.METHODS[label_noise.at_width(label_noise.PROCESS, width)](X).fit(X, y)
        amplitude, rbf = process.kernel_.k1.constant_value, process.kernel_.k2
        kernel = np.exp(-ours.gamma * np.sum((X[0] - X[1]) ** 2))
        assert rbf(X[:2])[0, 1] == pytest.approx(kernel)
        assert amplitude != 1.0, "the amplitude is fitted"
    assert label_noise.METHODS[label_noise.INFERRED](X).gamma == "scale"
    assert label_noise.METHODS[label_noise.BY_LOO](X).gamma == "loo"


def test_a_fit_that_fails_says_one_half(label_noise, monkeypatch):
    X, y = np.zeros((4, 1)), np.array([0, 1, 0, 1])  # contradictory
    monkeypatch.setattr(
        label_noise, "draw", lambda *_: (X, y, np.zeros(4, bool), np.ones((3, 1)), y[:3])
    )
    monkeypatch.setitem(
        label_noise.METHODS, "hard", lambda X: BayesianTransduction(gamma=1.0, q=0, random_state=0)
    )
    found = label_noise.judged("hard", "any", 0.1, 0)
    assert found["failed"] == 1 and found["log-loss"] == pytest.approx(np.log(2))
    assert found["points"][5] == 3 and "noise" not in found


def test_what_was_computed_is_found_again_until_the_program_changes(benchmark_module, tmp_path):
    measuring, program = benchmark_module("measuring"), tmp_path / "program.py"
    calls = []

    def square(x):
        calls.append(x)
        return [x * x]

    for text, n_calls in (("x = 1\n", 1), ("x = 2\n", 2)):
        program.write_text(text)
        for _ in range(2):
            assert measuring.stored("squares", program)(square)(3) == [9]
        assert len(calls) == n_calls


def test_cleanlab_scores_the_out_of_fold_probability_of_the_given_label(label_noise, monkeypatch):
    pytest.importorskip("cleanlab")
    _, y, wrong, *_ = label_noise.draw("digits 4 and 9", 0.2, 0)
    found = label_noise.by_cleanlab(label_noise.SVM, "digits 4 and 9", 0.2, 0)
    p = np.array(label_noise.out_of_fold(label_noise.SVM, "digits 4 and 9", 0.2, 0))
    given = p[np.arange(len(y)), y]
    ours = label_noise.suspects(-given, given < 0.5, wrong)
    assert found["found among suspects"] == ours["found among suspects"] > 0.5
    assert found["average precision"] == pytest.approx(ours["average precision"])
    assert 0 < found["named"] < len(y)
