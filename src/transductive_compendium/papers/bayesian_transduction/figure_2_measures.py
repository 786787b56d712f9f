"""Figures 2a and 2b: what they show, and the evidence for the claims on them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ...rejection_curves import (
    TEST_TRAIN,
    UNANIMOUS,
    curve,
    error_at_rejection,
    error_curves,
    outcomes,
    svm_error_at_rejection,
    theta_max,
)
from ...verdicts.claims import measure
from ...verdicts.rules import OrderingEvidence, ShapeEvidence, ValueEvidence

# ---- the pages ----------------------------------------------------------------------------------


def both_curves(o):
    """The two curves of the figure, from the lowest threshold to the paper's largest.

    Parameters
    ----------
    o : Outcomes

    Returns
    -------
    transduction, svm : DataFrames
        As `curve` gives them.
    """
    thresholds = np.r_[np.linspace(0, 0.9, 10), 0.95, 0.99, 0.999, 1.0]
    largest = theta_max(o.confidence, o.margin)
    return (
        curve(o.confidence, o.wrong, thresholds),
        curve(o.margin, o.wrong_svm, np.linspace(0, largest, 14)),
    )


def curve_table(transduction, svm):
    """The points of both curves, in per cent, for the reader."""
    names = {"rejection_error": "rejection +-", "error_error": "error +-"}
    percent = ["rejection", "rejection_error", "error", "error_error"]
    table = pd.concat({"Bayesian transduction": transduction, "SVM": svm}, names=["method"])
    table[percent] *= 100
    return table.rename(columns=names).round(2)


def numbers_in_text(o):
    """What the text quotes of a figure: the largest SVM threshold, and rates in per cent."""
    kept = o.confidence >= UNANIMOUS
    return {
        "theta_max": theta_max(o.confidence, o.margin),
        "rejection_at_one": 100 * float(1 - kept.mean()),
        "error_at_one": float(_error_at_one(o).mean()),
        "error": 100 * float(o.wrong.mean()),
        "error_svm": 100 * float(o.wrong_svm.mean()),
        "error_at_20": 100 * float(error_at_rejection(o.confidence, o.wrong, 0.2).mean()),
    }


def _error_at_one(o):
    """Error on the points kept at theta = 1, in per cent, of each split that keeps any."""
    kept = o.confidence >= UNANIMOUS
    some = kept.any(axis=1)
    return 100.0 * (o.wrong & kept).sum(axis=1)[some] / kept.sum(axis=1)[some]


# ---- the claims ---------------------------------------------------------------------------------


def _figure(frames, item):
    return outcomes(frames[f"bayesian_transduction/{item}"])


def _reachable_rates(o):
    """Rejection rates up to that of Bayesian transduction at theta = 1, by single per cents."""
    return np.arange(0.0, np.mean(o.confidence < UNANIMOUS), 0.01)


def _gap(o, rates):
    """SVM error less that of Bayesian transduction, by split and rejection rate."""
    return svm_error_at_rejection(o, rates) - error_at_rejection(o.confidence, o.wrong, rates)


def _bootstrap(statistic, n, n_resamples=1000, seed=0):
    """A statistic of `n` splits, given by their numbers, over resamples of them."""
    picks = np.random.default_rng(seed).integers(n, size=(n_resamples, n))
    return np.array([statistic(pick) for pick in picks])


def _value(statistic, n):
    """Evidence for a statistic of all splits together."""
    spread = np.std(_bootstrap(statistic, n))
    return ValueEvidence(estimate=float(statistic(np.arange(n))), sd=spread * np.sqrt(n), n=n)


@measure
def figure_2_theta_max(frames, item):
    """SVM threshold that rejects as much as Bayesian transduction does at theta = 1."""
    o = _figure(frames, item)
    return _value(lambda pick: theta_max(o.confidence[pick], o.margin[pick]), len(o.margin))


@measure
def figure_2_error_at_rejection(frames, item, rate):
    """Error of Bayesian transduction at a rejection rate, in per cent."""
    o = _figure(frames, item)
    return ValueEvidence(values=100.0 * error_at_rejection(o.confidence, o.wrong, rate)[:, 0])


@measure
def figure_2_error_at_one(frames, item):
    """Error of Bayesian transduction on the points kept at theta = 1, in per cent."""
    return ValueEvidence(values=_error_at_one(_figure(frames, item)))


def rejection_saved(rates, transduction, svm, error):
    """Rejection rate that the SVM needs for a mean error, less that of Bayesian transduction.

    Parameters
    ----------
    rates, transduction, svm : ndarray
        As `error_curves` gives them.
    error : float
        Mean error over splits that is to be kept.
    """

    def needed(errors):
        # the first rate from which the mean error stays below
        above = np.flatnonzero(errors.mean(axis=0) > error)
        return rates[min(above[-1] + 1, len(rates) - 1)] if len(above) else 0.0

    return needed(svm) - needed(transduction)


@measure
def figure_2_rejection_saved(frames, item, error):
    """Percentage points of the test set that the SVM must reject on top, at equal mean error."""
    rates, transduction, svm = error_curves(_figure(frames, item))
    return _value(
        lambda pick: 100.0 * rejection_saved(rates, transduction[pick], svm[pick], error / 100.0),
        len(svm),
    )


@measure
def figure_2_below(frames, item):
    """Mean vertical distance of the two curves, split by split, in percentage points."""
    o = _figure(frames, item)
    gap = 100.0 * _gap(o, _reachable_rates(o)).mean(axis=1)
    return OrderingEvidence(differences=gap, test_train_ratio=TEST_TRAIN)


@measure
def figure_2_whole_curve(frames, items):
    """Whether the mean curve of Bayesian transduction is below the SVM's at every rate."""
    details, holds = [], True
    for item in items:
        o = _figure(frames, item)
        rates = _reachable_rates(o)
        gap = _gap(o, rates)
        mean, standard = gap.mean(axis=0), gap.std(axis=0, ddof=1) / np.sqrt(len(gap))
        holds &= bool((mean >= 0).all())
        clear = int((mean > 2 * standard).sum())
        worst = int(np.argmin(mean))
        details.append(
            f"{item}: below at {int((mean >= 0).sum())} of {len(rates)} rates (0 to "
            f"{100 * rates[-1]:.0f} %), by more than two standard errors of these splits at "
            f"{clear}; smallest distance {100 * mean[worst]:.2f} percentage points at "
            f"{100 * rates[worst]:.0f} %"
        )
    return ShapeEvidence(holds, "; ".join(details))


@measure
def figure_2_more_rejected(frames, item):
    """Rejection rate of Bayesian transduction at theta = 1 less the SVM's, per split."""
    o = _figure(frames, item)
    transduction, svm = (o.confidence < UNANIMOUS).mean(axis=1), (o.margin < 1.0).mean(axis=1)
    return OrderingEvidence(differences=100.0 * (transduction - svm), test_train_ratio=TEST_TRAIN)


@measure
def figure_2_more_rejected_everywhere(frames, items):
    """Whether Bayesian transduction rejects more on average at every common threshold."""
    thetas = np.linspace(0.02, 1.0, 50)
    details, holds = [], True
    for item in items:
        o = _figure(frames, item)
        transduction = np.array([(o.confidence < min(t, UNANIMOUS)).mean() for t in thetas])
        svm = np.array([(o.margin < t).mean() for t in thetas])
        less = transduction < svm
        holds &= not less.any()
        half = 100.0 * np.array([np.interp(0.5, thetas, x) for x in (transduction, svm)])
        where = ""
        if less.any():
            where = f", namely for theta from {thetas[less].min():.2f} to {thetas[less].max():.2f}"
        details.append(
            f"{item}: less at {int(less.sum())} of {len(thetas)} thresholds"
            f"{where} (at 0.5: {half[0]:.1f} % against {half[1]:.1f} %; at "
            f"1: {100 * transduction[-1]:.1f} % against {100 * svm[-1]:.1f} %)"
        )
    return ShapeEvidence(holds, "; ".join(details))


def _savings(o):
    """Rejection saved at ten error levels that both methods reach, in points of the test set.

    Returns a function of the numbers of the splits that are to count.
    """
    rates, transduction, svm = error_curves(o)
    reach = rates <= np.mean(o.confidence < UNANIMOUS)

    def saved(pick):
        ends = [errors[pick][:, reach].mean(axis=0)[[0, -1]] for errors in (transduction, svm)]
        (top, bottom), (svm_top, svm_bottom) = ends
        levels = np.linspace(max(bottom, svm_bottom), min(top, svm_top), 12)[1:-1]
        return 100.0 * np.array(
            [rejection_saved(rates, transduction[pick], svm[pick], level) for level in levels]
        )

    return saved


@measure
def figure_2_saved_everywhere(frames, item):
    """Whether Bayesian transduction saves rejection at every error level."""
    o = _figure(frames, item)
    n, savings = len(o.margin), _savings(o)
    saved = savings(np.arange(n))
    low = np.percentile(_bootstrap(lambda pick: savings(pick).min(), n, 200), 5)
    return ShapeEvidence(
        bool(saved.min() > 0),
        f"saves {saved.min():.1f} to {saved.max():.1f} points of the test set over ten error "
        f"levels that both reach; the smallest saving is above {low:.1f} in 95 % of resamples of "
        f"the splits",
    )


@measure
def figure_2_more_pronounced(frames, more, less):
    """Whether the mean saving of rejection is larger on one data set than on the other."""
    means, resampled = [], []
    for seed, item in enumerate((more, less)):
        o = _figure(frames, item)
        n, savings = len(o.margin), _savings(o)
        means.append(savings(np.arange(n)).mean())
        resampled.append(_bootstrap(lambda pick, f=savings: f(pick).mean(), n, 200, seed))
    low, high = np.percentile(resampled[0] - resampled[1], [2.5, 97.5])
    return ShapeEvidence(
        bool(means[0] > means[1]),
        f"mean saving {means[0]:.1f} percentage points on {more}, {means[1]:.1f} on {less}; 95 % "
        f"interval of the difference over resampled splits {low:.1f} to {high:.1f}",
    )


@measure
def figure_2_variance_minimal(frames, item, rate, reach):
    """Whether the error varies least near this rejection rate, among all that are reached."""
    o = _figure(frames, item)
    rates = _reachable_rates(o)
    spread = error_at_rejection(o.confidence, o.wrong, rates).std(axis=0, ddof=1)
    best = rates[int(np.argmin(spread))]
    return ShapeEvidence(
        bool(abs(best - rate) <= reach),
        f"standard deviation over splits smallest at a rate of {100 * best:.0f} % of those up to "
        f"{100 * rates[-1]:.0f} % ({100 * spread.min():.2f} percentage points; "
        f"{100 * np.interp(rate, rates, spread):.2f} at {100 * rate:.0f} %, "
        f"{100 * spread[0]:.2f} without rejection)",
    )


@measure
def figure_2_error_falls(frames, items):
    """Whether the mean error falls with every step of the rejection rate."""
    details, holds = [], True
    for item in items:
        o = _figure(frames, item)
        rates = _reachable_rates(o)[::2]
        mean = 100.0 * error_at_rejection(o.confidence, o.wrong, rates).mean(axis=0)
        rises = int((np.diff(mean) > 0).sum())
        holds &= rises == 0
        details.append(f"{item}: from {mean[0]:.1f} % to {mean[-1]:.1f} %, {rises} rises")
    return ShapeEvidence(holds, "; ".join(details))


@measure
def figure_2_without_rejection(frames, item):
    """SVM error less that of Bayesian transduction on all test points, in percentage points."""
    o = _figure(frames, item)
    return OrderingEvidence(
        differences=100.0 * (o.wrong_svm.mean(axis=1) - o.wrong.mean(axis=1)),
        test_train_ratio=TEST_TRAIN,
    )
