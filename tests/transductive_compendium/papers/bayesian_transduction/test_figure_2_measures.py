"""The numbers that figures 2a and 2b give to the text, to the claims and to the marks on them."""

import re
from operator import itemgetter

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from transductive_compendium.papers.bayesian_transduction import figure_2_drawing
from transductive_compendium.papers.bayesian_transduction import figure_2_measures as measures
from transductive_compendium.papers.bayesian_transduction.error_curve import (
    ErrorCurve,
    rejection_at_error,
)
from transductive_compendium.papers.bayesian_transduction.figure_2_measures import (
    HEART,
    THYROID,
    both_curves,
    by_option,
    curve_table,
    numbers_in_text,
)
from transductive_compendium.rejection_curves import Outcomes, outcomes, theta_max
from transductive_compendium.verdicts.rules import EvidenceError, decide_repeats

N_SPLITS, N_POINTS = 120, 60


@pytest.fixture
def two_splits():
    """Of four points each; the first keeps two of them at theta = 1, one wrong, the other none."""
    return Outcomes(
        confidence=np.array([[1.0, 1.0, 0.5, 0.0], [0.9, 0.8, 0.1, 0.2]]),
        margin=np.array([[3.0, 2.0, 1.0, 0.0], [3.5, 2.5, 1.5, 0.5]]),
        wrong=np.array([[True, False, False, True], [False, False, True, False]]),
        wrong_svm=np.array([[False, False, False, True], [False, False, True, False]]),
    )


def test_numbers_in_the_text_and_ends_of_curves(two_splits):
    numbers = numbers_in_text(two_splits)
    assert (numbers["rejection_at_one"], numbers["error_at_one"]) == (75.0, 50.0)  # of one split
    assert (numbers["error"], numbers["error_svm"]) == (37.5, 25.0)
    transduction, svm = both_curves(two_splits)
    assert transduction["theta"].iloc[-1] == 1.0
    assert transduction["rejection"].iloc[-1] == svm["rejection"].iloc[-1] == 0.75
    table = curve_table(transduction, svm)
    assert table.loc["SVM", "error"].iloc[0] == 25.0
    assert table.loc["Bayesian transduction", "rejection"].iloc[-1] == 75.0


def test_a_curve_counts_what_is_kept(two_splits):
    thetas = np.array([0.0, 0.5, 1.0])
    curve = ErrorCurve(two_splits.confidence, two_splits.wrong, thetas)
    rejection, error = curve.means(np.ones(2))
    np.testing.assert_allclose(rejection, [0.0, 3 / 8, 6 / 8])
    # shares of splits: (1/2 + 1/4)/2, (1/3 + 0)/2, and of the one that keeps any
    np.testing.assert_allclose(error, [3 / 8, 1 / 6, 1 / 2])
    pooled = ErrorCurve(two_splits.confidence, two_splits.wrong, thetas, pooled=True)
    np.testing.assert_allclose(pooled.means(np.ones(2))[1], [3 / 8, 1 / 5, 1 / 2])
    assert np.isnan(curve.means(np.array([0.0, 1.0]))[1][-1])
    # the second split alone, twice
    np.testing.assert_allclose(curve.means(np.array([0.0, 2.0]))[0], [0.0, 0.5, 1.0])


def test_rejection_at_an_error_is_the_first():
    rejection, error = np.array([[0.0, 0.1, 0.2, 0.3]]), np.array([[0.10, 0.04, 0.06, 0.02]])
    (found,) = rejection_at_error(rejection, error, np.array([[0.07, 0.2, 0.01]]))
    np.testing.assert_allclose(found, [0.05, 0.0, np.nan])


def made_up(seed, noise, svm_noise, svm_scale=2.0):
    """Rows of points with a true score, seen by both methods with noise of their own."""
    rng = np.random.default_rng(seed)
    score = rng.uniform(-1, 1, (N_SPLITS, N_POINTS))
    seen = score + noise * rng.standard_normal(score.shape)
    f = svm_scale * (score + svm_noise * rng.standard_normal(score.shape))
    split, point = np.indices(score.shape)
    columns = {"split": split, "point": point, "label": np.where(score > 0, 1, -1)}
    columns |= {"p_plus": np.clip(0.5 + seen, 0, 1), "f": f}
    return pd.DataFrame({name: values.ravel() for name, values in columns.items()})


def frames(**kwargs):
    good = {"noise": 0.1, "svm_noise": 0.3} | kwargs
    return {THYROID: made_up(1, **good), HEART: made_up(2, **good)}


BETTER, WORSE = frames(), frames(noise=0.3, svm_noise=0.1)


@pytest.mark.parametrize(
    ("measure", "of", "gaps"),
    [
        (measures.transduction_below_svm, dict, 10),
        (measures.transduction_without_rejection, dict, 2),
        (measures.transduction_rejects_less, itemgetter(THYROID), 5),
    ],
)
def test_the_better_method_wins_and_the_worse_does_not(measure, of, gaps):
    evidence = measure(of(BETTER))
    assert evidence.estimate.shape == (gaps,)
    assert (evidence.estimate > 0).all()
    assert decide_repeats(evidence, 100).outcome == "reproduced"
    assert decide_repeats(measure(of(WORSE)), 100).outcome == "not reproduced"


def test_error_falls_where_confidence_tells():
    telling = frames(noise=0.4)
    assert (measures.transduction_error_falls(telling).estimate > 0).all()
    # the same labels with confidence turned about: the most certain are the least
    rows = telling[THYROID]
    turned = np.where(rows["p_plus"] >= 0.5, 1.5 - rows["p_plus"], 0.5 - rows["p_plus"])
    telling[THYROID] = rows.assign(p_plus=turned.clip(0, 1))
    assert (measures.transduction_error_falls(telling).estimate < 0).any()


def outputs_that_say_nothing(rows):
    """Equal labels, and an SVM whose |f| says nothing: the lead is nought, then more."""
    lengths = np.random.default_rng(0).uniform(0.1, 2, len(rows))
    return rows.assign(f=np.sign(rows["p_plus"] - 0.5) * lengths)


SVM, WORSE_SVM = made_up(1, 0.25, 0.3), made_up(3, 0.25, 0.4)


@pytest.mark.parametrize(
    ("measure", "positive", "negative"),
    [
        (
            measures.transduction_lead_grows,
            {name: outputs_that_say_nothing(rows) for name, rows in BETTER.items()},
            None,
        ),
        (
            measures.transduction_more_pronounced,
            {THYROID: SVM, HEART: WORSE_SVM},
            {THYROID: WORSE_SVM, HEART: SVM},
        ),
        (measures.transduction_rejects_more, frames(svm_scale=5.0), frames(svm_scale=0.2)),
        (
            measures.transduction_noise_remains,
            frames(noise=0.6, svm_noise=0.6)[HEART],
            frames(noise=0.0, svm_noise=0.0)[HEART],
        ),
    ],
)
def test_the_sign_of_an_evidence_is_that_of_the_rows(measure, positive, negative):
    assert (measure(positive).estimate > 0).all()
    assert negative is None or (measure(negative).estimate <= 0).all()


def test_gaps_are_percentage_points_as_shown():
    evidence = measures.transduction_below_svm(BETTER)
    shown = re.findall(r"([\d.]+) %, SVM ([\d.]+) %", evidence.shown)
    gaps = [float(svm) - float(own) for own, svm in shown]
    assert evidence.estimate[[2, 7]] == pytest.approx(gaps, abs=1.0) and min(gaps) > 2.0


def test_near_zero_is_below_the_limit():
    near = frames(noise=0.06)
    assert measures.transduction_nears_zero(near[THYROID], 0.2, 0.005).estimate > 0
    assert measures.transduction_nears_zero(WORSE[THYROID], 0.2, 0.005).estimate < 0


def test_least_variance_is_less_than_before_and_after():
    # nothing wrong is left at 20 %: the end of the curve varies as little
    least = measures.transduction_variance_least(frames(noise=0.06)[THYROID], 0.2).estimate
    assert least.shape == (6,) and (least[:4] > 0).all() and least[5] == pytest.approx(0, abs=1e-3)
    # a curve that ends before has nothing after it
    ended = measures.transduction_variance_least(WORSE[THYROID], 0.99).estimate
    assert ended[5] == pytest.approx(ended[0])


def test_values_are_those_of_the_curves():
    rows = BETTER[HEART]
    p, label = (rows[c].to_numpy() for c in ("p_plus", "label"))
    kept = (p == 0) | (p == 1)
    wrong = ((p >= 0.5) != (label > 0))[kept]
    by_split = pd.Series(wrong).groupby(rows["split"].to_numpy()[kept]).mean()
    found = measures.transduction_error_at_one(BETTER[HEART])
    assert found.estimate == pytest.approx(100 * by_split.mean())
    theta = measures.transduction_theta_max({HEART: BETTER[HEART]})
    assert theta.estimate == pytest.approx(np.quantile(rows["f"].abs(), 1 - kept.mean()), rel=1e-3)
    apart = measures.transduction_theta_max({HEART: BETTER[HEART]}, "mean_of_theta")
    assert apart.estimate == pytest.approx(theta.estimate, rel=0.05)
    assert apart.estimate != theta.estimate
    first = BETTER[THYROID]
    zero = measures.transduction_error_at_rejection(first, 0.0)
    errors = (first["p_plus"] >= 0.5) != (first["label"] > 0)
    assert zero.estimate == pytest.approx(100 * errors.mean())


def test_thresholds_of_repetitions_are_those_of_their_rows():
    o = outcomes(BETTER[HEART])
    picks = np.random.default_rng(0).integers(len(o.margin), size=(5, 30))
    direct = [theta_max(o.confidence[pick], o.margin[pick]) for pick in picks]
    np.testing.assert_allclose(measures._theta_max(o, picks), direct, rtol=1e-12)


def test_options_are_compared_on_the_same_splits():
    rows = BETTER[THYROID]
    few = rows[rows["split"] < 10].assign(choice="svm", option="twice as sure")
    all_splits = rows.assign(choice="length", option="long")
    table = by_option(rows, pd.concat([few.assign(f=2 * few["f"]), all_splits]))
    assert list(table.index) == ["default", "svm: twice as sure", "length: long"]
    assert table["error"].nunique() == table["error_svm"].nunique() == 1
    theta = table["theta_max"]
    assert theta.iloc[1] == pytest.approx(2 * theta.iloc[0]) and theta.iloc[2] == theta.iloc[0]


def test_saving_in_points_and_relative():
    saving = measures.transduction_saving(BETTER[THYROID], 2.0)
    assert saving.estimate > 0
    relative = measures.transduction_saving(BETTER[THYROID], 2.0, four_percent="relative")
    assert relative.estimate > saving.estimate
    with pytest.raises(EvidenceError, match="not defined"):
        measures.transduction_saving(WORSE[THYROID], -1.0)


def test_abs_f_is_a_rank_correlation():
    assert (measures.transduction_abs_f(BETTER).estimate > 0.5).all()
    turned = {name: rows.assign(f=1.0 / rows["f"]) for name, rows in BETTER.items()}
    assert (measures.transduction_abs_f(turned).estimate < -0.5).all()
    halved = measures.transduction_abs_f(BETTER, least=0.3).estimate
    np.testing.assert_allclose(halved, measures.transduction_abs_f(BETTER).estimate - 0.3)


def test_bayes_error_is_a_difference_of_the_two_errors():
    errors = pd.DataFrame({"split": np.arange(N_SPLITS), "error": 0.25})
    made = BETTER | {"bayesian_transduction/class_error": errors}
    at_one = measures.transduction_error_at_one(BETTER[HEART]).estimate
    assert measures.transduction_bayes_error(made).estimate[0] == pytest.approx(at_one - 25.0)


def test_floor_is_the_converged_error_less_that_of_a_short_run():
    # splits 0 and 1: of two unanimous points one is wrong, converged none; of split 2 none is left
    short = {"split": [0, 0, 1, 1, 2, 2], "p_plus": 1.0, "label": [1, -1] * 3, "f": 1.0}
    parts = {"great_circles": short, "n922": short}
    parts["converged"] = short | {"p_plus": [1.0, 0.9, 1.0, 0.9, 0.9, 0.9]}
    rows = pd.concat([pd.DataFrame(part).assign(option=name) for name, part in parts.items()])
    evidence = measures.transduction_floor(rows)
    assert evidence.n == 2 and evidence.estimate[0] == pytest.approx(-50.0)


@pytest.mark.parametrize("end", [0.99, 3.0])
def test_a_threshold_that_the_curve_never_reaches_is_told_and_not_drawn(end):
    printed = figure_2_drawing._theta_max("figure_2a")
    svm = pd.DataFrame({"theta": [0.0, end], "rejection": [0.0, 0.3], "error": [0.05, 0.02]})
    transduction = pd.DataFrame({"rejection": [0.0, 0.3], "error": [0.02, 0.01]})
    canvas, axes = plt.subplots()
    figure_2_drawing._draw_published(axes, transduction, svm, "figure_2a")
    (line,) = (line for line in axes.lines if "|f|" in line.get_label())
    if end < printed:
        assert not len(line.get_xdata())
        assert "0.99" in line.get_label() and f"{printed:g}" in line.get_label()
    else:
        assert line.get_xdata()[0] == pytest.approx(30 * printed / end)
    # no error of the lower curve is the printed 2.3 %, from which the SVM's lag is measured
    assert not [line for line in axes.lines if "rejects" in line.get_label()]
    plt.close(canvas)
