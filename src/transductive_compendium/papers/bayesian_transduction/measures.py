"""Bayesian Transduction: from recorded rows to curves, and to evidence for each claim."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from transductive.version_space import hoeffding_bounces

from ...verdicts.claims import measure
from ...verdicts.rules import (
    EquivalenceEvidence,
    IdentityEvidence,
    OrderingEvidence,
    ShapeEvidence,
    ValueEvidence,
)
from .rejection import UNANIMOUS, theta_max

__all__ = [
    "Outcomes",
    "curve",
    "error_at_rejection",
    "error_curves",
    "outcomes",
    "rejection_saved",
]

DOCUMENT = "bayesian_transduction"
TEST_TRAIN = 0.4 / 0.6
N_BOOTSTRAP = 1000


class Outcomes(NamedTuple):
    """Figure 2's rows as matrices of shape (splits, test points).

    ``confidence`` is (7) for Bayesian transduction, ``margin`` is |f| of the
    SVM; ``wrong`` and ``wrong_svm`` say which labels are false.
    """

    confidence: np.ndarray
    margin: np.ndarray
    wrong: np.ndarray
    wrong_svm: np.ndarray


def outcomes(frame):
    """Matrices from the tidy rows of figure 2a or 2b."""
    size = frame.groupby("split").size()
    if size.nunique() != 1:
        raise ValueError("the splits have test samples of different sizes")
    shape = len(size), int(size.iloc[0])
    label, p_plus, f = (
        frame[name].to_numpy(dtype=float).reshape(shape) for name in ("label", "p_plus", "f")
    )
    return Outcomes(
        2.0 * np.maximum(p_plus, 1.0 - p_plus) - 1.0,
        np.abs(f),
        (p_plus >= 0.5) != (label > 0),
        (f >= 0.0) != (label > 0),
    )


def curve(confidence, wrong, thresholds):
    """Error against rejection, linked by the threshold: how figure 2 is drawn.

    Points with confidence below the threshold are rejected; at the threshold
    of 1, whatever is unanimous to rounding stays. A split in which nothing is
    left has no error and is left out of the mean error at that threshold.

    Parameters
    ----------
    confidence, wrong : arrays of shape (splits, points)
    thresholds : array of shape (t,)

    Returns
    -------
    DataFrame
        Rejection and error, means over splits with one standard deviation of
        the mean, and the number of splits that had an error.
    """
    rows = []
    for theta in thresholds:
        kept = confidence >= (min(theta, UNANIMOUS) if theta <= 1.0 else theta)
        counts = kept.sum(axis=1)
        rejection = 1.0 - counts / kept.shape[1]
        some = counts > 0
        error = (wrong & kept).sum(axis=1)[some] / counts[some]
        rows.append(
            {
                "theta": theta,
                "rejection": rejection.mean(),
                "rejection_error": rejection.std(ddof=1) / np.sqrt(len(rejection)),
                "error": error.mean() if some.any() else np.nan,
                "error_error": error.std(ddof=1) / np.sqrt(some.sum())
                if some.sum() > 1
                else np.nan,
                "splits": int(some.sum()),
            }
        )
    return pd.DataFrame(rows)


def error_at_rejection(confidence, wrong, rates):
    """Error of each split when the given fractions of its points are rejected.

    Among points of equal confidence every order is equally likely: the
    expected error is given, so ties favour nobody.

    Parameters
    ----------
    confidence, wrong : arrays of shape (splits, points)
    rates : array of shape (r,)
        Rejection rates below 1.

    Returns
    -------
    error : ndarray of shape (splits, r)
    """
    rates = np.atleast_1d(rates)
    n_points = confidence.shape[1]
    kept = (1.0 - rates) * n_points
    result = np.empty((len(confidence), len(rates)))
    for i, (c, w) in enumerate(zip(confidence, wrong, strict=True)):
        # unanimous points tie whatever their last bit says
        _, group = np.unique(-np.minimum(c, UNANIMOUS), return_inverse=True)
        count = np.r_[0.0, np.cumsum(np.bincount(group))]
        errors = np.r_[0.0, np.cumsum(np.bincount(group, weights=w))]
        result[i] = np.interp(kept, count, errors) / kept
    return result


def _margin_error(o, rates):
    """`error_at_rejection` for the SVM, whose margins exceed one."""
    scale = 0.5 / max(o.margin.max(), 1.0)
    return error_at_rejection(o.margin * scale, o.wrong_svm, rates)


def _reachable(o):
    """Rejection rates up to that of Bayesian transduction at theta = 1, by single per cents."""
    return np.arange(0.0, np.mean(o.confidence < UNANIMOUS), 0.01)


def error_curves(o):
    """Error of each split against the rejection rate, on one grid: rates, ours, the SVM's."""
    rates = np.arange(0.0, 0.6, 0.002)
    return rates, error_at_rejection(o.confidence, o.wrong, rates), _margin_error(o, rates)


def rejection_saved(rates, ours, svm, error):
    """Rejection rate that the SVM needs for a mean error, less that of Bayesian transduction.

    Parameters
    ----------
    rates, ours, svm : ndarray
        As `error_curves` gives them.
    error : float
        Mean error over splits that is to be kept.
    """

    def needed(errors):
        # the first rate from which the mean error stays below
        above = np.flatnonzero(errors.mean(axis=0) > error)
        return rates[min(above[-1] + 1, len(rates) - 1)] if len(above) else 0.0

    return needed(svm) - needed(ours)


def _bootstrap(statistic, n, draws=N_BOOTSTRAP, seed=0):
    """A statistic of `n` splits, given by their numbers, over resamples of them."""
    picks = np.random.default_rng(seed).integers(n, size=(draws, n))
    return np.array([statistic(pick) for pick in picks])


def _value(statistic, n):
    """Evidence for a statistic of all splits together."""
    spread = np.std(_bootstrap(statistic, n))
    return ValueEvidence(estimate=float(statistic(np.arange(n))), sd=spread * np.sqrt(n), n=n)


def _figure(frames, item):
    return outcomes(frames[f"{DOCUMENT}/{item}"])


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
    o = _figure(frames, item)
    kept = o.confidence >= UNANIMOUS
    some = kept.any(axis=1)
    return ValueEvidence(values=100.0 * (o.wrong & kept).sum(axis=1)[some] / kept.sum(axis=1)[some])


@measure
def figure_2_rejection_saved(frames, item, error):
    """Percentage points of the test set that the SVM must reject on top, at equal mean error."""
    rates, ours, svm = error_curves(_figure(frames, item))
    return _value(
        lambda pick: 100.0 * rejection_saved(rates, ours[pick], svm[pick], error / 100.0), len(ours)
    )


def _gap(o):
    """Mean over reachable rejection rates of SVM error less ours, per split, in per cent."""
    rates = _reachable(o)
    ours = error_at_rejection(o.confidence, o.wrong, rates)
    return 100.0 * (_margin_error(o, rates) - ours).mean(axis=1)


@measure
def figure_2_below(frames, item):
    """Mean vertical distance of the two curves, split by split."""
    return OrderingEvidence(differences=_gap(_figure(frames, item)), test_train_ratio=TEST_TRAIN)


@measure
def figure_2_whole_curve(frames, items):
    """Whether the mean curve of Bayesian transduction is below the SVM's at every rate."""
    details, holds = [], True
    for item in items:
        o = _figure(frames, item)
        rates = _reachable(o)
        gap = _margin_error(o, rates) - error_at_rejection(o.confidence, o.wrong, rates)
        mean, standard = gap.mean(axis=0), gap.std(axis=0, ddof=1) / np.sqrt(len(gap))
        holds &= bool((mean >= 0).all())
        clear = int((mean > 2 * standard).sum())
        worst = int(np.argmin(mean))
        details.append(
            f"{item}: below at {int((mean >= 0).sum())} of {len(rates)} rates (0 to "
            f"{100 * rates[-1]:.0f} %), by more than two standard errors of these splits at "
            f"{clear}; smallest distance {100 * mean[worst]:.2f} points at "
            f"{100 * rates[worst]:.0f} %"
        )
    return ShapeEvidence(holds, "; ".join(details))


@measure
def figure_2_more_rejected(frames, item):
    """Rejection rate of Bayesian transduction at theta = 1 less the SVM's, per split."""
    o = _figure(frames, item)
    ours, theirs = (o.confidence < UNANIMOUS).mean(axis=1), (o.margin < 1.0).mean(axis=1)
    return OrderingEvidence(differences=100.0 * (ours - theirs), test_train_ratio=TEST_TRAIN)


@measure
def figure_2_more_rejected_everywhere(frames, items):
    """Whether Bayesian transduction rejects more in the mean at every common threshold."""
    thetas = np.linspace(0.02, 1.0, 50)
    details, holds = [], True
    for item in items:
        o = _figure(frames, item)
        ours = np.array([(o.confidence < min(t, UNANIMOUS)).mean() for t in thetas])
        theirs = np.array([(o.margin < t).mean() for t in thetas])
        less = ours < theirs
        holds &= not less.any()
        half = 100.0 * np.array([np.interp(0.5, thetas, x) for x in (ours, theirs)])
        where = ""
        if less.any():
            where = f", namely for theta from {thetas[less].min():.2f} to {thetas[less].max():.2f}"
        details.append(
            f"{item}: less at {int(less.sum())} of {len(thetas)} thresholds"
            f"{where} (at 0.5: {half[0]:.1f} % against {half[1]:.1f} %; at "
            f"1: {100 * ours[-1]:.1f} % against {100 * theirs[-1]:.1f} %)"
        )
    return ShapeEvidence(holds, "; ".join(details))


def _savings(o):
    """Rejection saved at ten error levels that both methods reach, in points of the test set.

    Returns a function of the numbers of the splits that are to count.
    """
    rates, ours, svm = error_curves(o)
    reach = rates <= np.mean(o.confidence < UNANIMOUS)

    def saved(pick):
        ends = [errors[pick][:, reach].mean(axis=0)[[0, -1]] for errors in (ours, svm)]
        (top, bottom), (svm_top, svm_bottom) = ends
        levels = np.linspace(max(bottom, svm_bottom), min(top, svm_top), 12)[1:-1]
        return 100.0 * np.array(
            [rejection_saved(rates, ours[pick], svm[pick], level) for level in levels]
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
    means, gaps = [], []
    for seed, item in enumerate((more, less)):
        o = _figure(frames, item)
        n, savings = len(o.margin), _savings(o)
        means.append(savings(np.arange(n)).mean())
        gaps.append(_bootstrap(lambda pick, f=savings: f(pick).mean(), n, 200, seed))
    low, high = np.percentile(gaps[0] - gaps[1], [2.5, 97.5])
    return ShapeEvidence(
        bool(means[0] > means[1]),
        f"mean saving {means[0]:.1f} points on {more}, {means[1]:.1f} on {less}; 95 % interval of "
        f"the difference over resampled splits {low:.1f} to {high:.1f}",
    )


@measure
def figure_2_variance_minimal(frames, item, rate, reach):
    """Whether the error varies least near this rejection rate, among all that are reached."""
    o = _figure(frames, item)
    rates = _reachable(o)
    spread = error_at_rejection(o.confidence, o.wrong, rates).std(axis=0, ddof=1)
    best = rates[int(np.argmin(spread))]
    return ShapeEvidence(
        bool(abs(best - rate) <= reach),
        f"standard deviation over splits smallest at a rate of {100 * best:.0f} % of those up to "
        f"{100 * rates[-1]:.0f} % ({100 * spread.min():.2f} points; "
        f"{100 * np.interp(rate, rates, spread):.2f} at {100 * rate:.0f} %, "
        f"{100 * spread[0]:.2f} without rejection)",
    )


@measure
def figure_2_error_falls(frames, items):
    """Whether the mean error falls with every step of the rejection rate."""
    details, holds = [], True
    for item in items:
        o = _figure(frames, item)
        rates = _reachable(o)[::2]
        mean = 100.0 * error_at_rejection(o.confidence, o.wrong, rates).mean(axis=0)
        rises = int((np.diff(mean) > 0).sum())
        holds &= rises == 0
        details.append(f"{item}: from {mean[0]:.1f} % to {mean[-1]:.1f} %, {rises} rises")
    return ShapeEvidence(holds, "; ".join(details))


@measure
def figure_2_without_rejection(frames, item):
    """SVM error less that of Bayesian transduction on all test points, in per cent."""
    o = _figure(frames, item)
    return OrderingEvidence(
        differences=100.0 * (o.wrong_svm.mean(axis=1) - o.wrong.mean(axis=1)),
        test_train_ratio=TEST_TRAIN,
    )


@measure
def bayes_error_reached(frames, few, many):
    """Error at theta = 1 after more bounces less that after fewer: 0 at a Bayes error."""
    frame = frames[f"{DOCUMENT}/bayes_error"].pivot(index="split", columns="method", values="error")
    gap = 100.0 * (
        frame[f"theta = 1 after {many} bounces"] - frame[f"theta = 1 after {few} bounces"]
    )
    return EquivalenceEvidence(gap.dropna().to_numpy(), test_train_ratio=TEST_TRAIN)


@measure
def bayes_error_of_class(frames, few):
    """Error of a tuned perceptron on all points less the error at theta = 1 on those kept."""
    frame = frames[f"{DOCUMENT}/bayes_error"].pivot(index="split", columns="method", values="error")
    gap = 100.0 * (
        frame["perceptron, ridge by cross-validation"] - frame[f"theta = 1 after {few} bounces"]
    )
    return EquivalenceEvidence(gap.dropna().to_numpy(), test_train_ratio=TEST_TRAIN)


@measure
def equation_8_bounces(frames, epsilon, eta, about):
    """Whether the formula gives about as many bounces."""
    n = hoeffding_bounces(epsilon, eta)
    return ShapeEvidence(
        abs(n / about - 1.0) <= 0.1, f"{n} bounces by the formula, within 10 % of {about} or not"
    )


@measure
def equation_8_coverage(frames, bounces, epsilon, eta, rule):
    """Whether runs of that many bounces are too high by epsilon as rarely as eta says."""
    from scipy.stats import binomtest

    frame = frames[f"{DOCUMENT}/stopping"]
    frame = frame[(frame["bounces"] == bounces) & (frame["rule"] == rule)]
    details, holds = [], True
    for case, rows in frame.groupby("case"):
        missed = rows["time_ratio"] - rows["truth"] - 2 * rows["truth_error"] >= epsilon
        test = binomtest(int(missed.sum()), len(rows), eta, alternative="greater")
        holds &= bool(test.pvalue > 0.05)
        details.append(
            f"{case}: {missed.sum()} of {len(rows)} runs too high by {epsilon} or more "
            f"(at most {eta:.0%} promised; p = {test.pvalue:.1g})"
        )
    return ShapeEvidence(holds, "; ".join(details))


@measure
def equation_8_expectation(frames, bounces):
    """Whether the fractions of the segments have p+ as their mean, under the unbiased flight."""
    frame = frames[f"{DOCUMENT}/stopping"]
    frame = frame[(frame["bounces"] == bounces) & (frame["rule"] == "refreshed, drawn start")]
    details, holds = [], True
    for case, rows in frame.groupby("case"):
        mean, standard = rows["mean_of_fractions"].mean(), rows["mean_of_fractions"].sem()
        truth = rows["truth"].iloc[0]
        z = (mean - truth) / np.hypot(standard, rows["truth_error"].iloc[0])
        holds &= bool(abs(z) < 3.5)
        ratio = rows["time_ratio"].mean()
        details.append(
            f"{case}: p+ = {truth:.3f}, mean of the fractions {mean:.3f} ({z:+.0f} standard "
            f"errors), ratio of the times {ratio:.3f}"
        )
    return ShapeEvidence(holds, "; ".join(details))


@measure
def billiard_unbiased(frames, rule):
    """Whether starts under a rule scatter about the exact p+ by no more than their errors."""
    frame = frames[f"{DOCUMENT}/ergodicity"]
    details, holds = [], True
    for geometry, rows in frame[frame["rule"] == rule].groupby("geometry"):
        p, exact = rows["time_ratio"], rows["exact"].iloc[0]
        standard = p.std(ddof=1) / np.sqrt(len(p))
        inside = float(np.median(rows["error"]))
        z = (p.mean() - exact) / standard
        excess = p.std(ddof=1) / inside
        holds &= bool(abs(z) < 3.5 and excess < 3.0)
        details.append(
            f"{geometry}: exact {exact:.3f}, {len(p)} starts from {p.min():.3f} to {p.max():.3f}, "
            f"mean {p.mean():.4f} ({z:+.1f} standard errors), spread {excess:.1f} times the error "
            f"measured inside a run"
        )
    return ShapeEvidence(holds, "; ".join(details))


@measure
def cost_of_a_bounce(frames):
    """Whether the multiplications of the document's algorithm are in proportion to l (l + m)."""
    frame = frames[f"{DOCUMENT}/cost"]
    share = frame["multiplications"] / (frame["l"] * (frame["l"] + frame["m"]))
    large = frame[frame["l"] >= 400]

    def slope(column, size):
        return float(np.polyfit(np.log(size), np.log(large[column]), 1)[0])

    theirs = slope("products", large["l"] * (large["l"] + large["m"]))
    ours = slope("kernel", large["l"] + large["m"])
    return ShapeEvidence(
        bool(share.max() <= 1.6 * share.min()),
        f"counted: {share.min():.2f} to {share.max():.2f} times l (l + m) multiplications a bounce "
        f"over all {len(frame)} sizes. In time, through the caches of one processor, recomputing "
        f"grows with the power {theirs:.2f} of l (l + m) for l of 400 and more, and the kernel, "
        f"which keeps its sums, with the power {ours:.2f} of l + m",
    )


@measure
def cells_by_cover(frames):
    """Largest difference between cells counted and Cover's number, in general position."""
    frame = frames[f"{DOCUMENT}/cells"]
    return IdentityEvidence(float((frame["cells"] - frame["cover"]).abs().max()))


@measure
def labellings_bounded(frames):
    """Whether version space holds no more labellings than the growth function allows."""
    frame = frames[f"{DOCUMENT}/cells"]
    inside = frame["labellings_in_version_space"] <= frame["growth_function"]
    degenerate = (frame["cells_degenerate"] < frame["cover"]).sum()
    return ShapeEvidence(
        bool(inside.all() and (frame["cells_degenerate"] <= frame["cover"]).all()),
        f"in all {len(frame)} arrangements; with three points on one great circle there are fewer "
        f"cells in {degenerate} of them",
    )


@measure
def labelwise_gains_nothing(frames):
    """Best of all 2^m labellings by (3) against every point decided from its own posterior."""
    frame = frames[f"{DOCUMENT}/labellings"]
    gap = (frame["labelwise_risk_alone"] - frame["labelwise_risk_best"]).abs().max()
    own = (frame["labelwise_risk_marginal"] - frame["labelwise_risk_best"]).abs().max()
    return IdentityEvidence(float(max(gap, own)))


@measure
def exact_risk_closed_form(frames):
    """Risk of the exact loss summed over all labellings against 1 - P(b)."""
    return IdentityEvidence(float(frames[f"{DOCUMENT}/labellings"]["exact_risk_identity"].max()))


@measure
def bayes_point_approximates(frames):
    """Labels on which the Bayes point agrees with the vote, less those on which the SVM does."""
    frame = frames[f"{DOCUMENT}/bayes_point"]
    gap = (frame["bayes_point_agrees"] - frame["svm_agrees"]).groupby(frame["split"]).mean()
    return OrderingEvidence(differences=100.0 * gap.to_numpy(), test_train_ratio=TEST_TRAIN)


@measure
def version_space_exists(frames):
    """Whether every training sample leaves room for a ball in version space."""
    frame = frames[f"{DOCUMENT}/bayes_point"]
    smallest = frame.groupby("dataset")["radius"].agg(["size", "min"])
    return ShapeEvidence(
        bool((frame["radius"] > 0).all()),
        "; ".join(
            f"{name}: {row['size']:.0f} splits, smallest radius of the largest ball "
            f"{row['min']:.2g}"
            for name, row in smallest.iterrows()
        ),
    )


@measure
def ridge_allows_errors(frames):
    """Whether contradictions leave no version space without a ridge, and one with it."""
    frame = frames[f"{DOCUMENT}/ridge"]
    broken = frame[frame["contradiction"]]
    none = broken.loc[broken["ridge"] == 0.0, "version_space"]
    some = broken.loc[broken["ridge"] > 0.0, "version_space"]
    error = 100.0 * broken.groupby("ridge")["error"].mean().dropna()
    return ShapeEvidence(
        bool((none == 0).all() and (some == 1).all()),
        f"with one point in both classes: no version space without a ridge in {len(none)} splits, "
        f"one in all {len(some)} with; errors "
        + ", ".join(f"{e:.1f} % at {r:g}" for r, e in error.items()),
    )


@measure
def exact_loss_gains(frames):
    """Whether deciding jointly lowers the exact-labelling risk where the labellings differ."""
    frame = frames[f"{DOCUMENT}/labellings"]
    differ = frame[frame["differ"] == 1]
    gain = differ["exact_risk_marginal"] - differ["exact_risk_joint"]
    return ShapeEvidence(
        bool(
            len(differ) and (gain > 0).all() and (frame["working"][frame["differ"] == 1] > 1).all()
        ),
        f"the two labellings differ in {len(differ)} of {len(frame)} working samples, never for "
        f"m = 1; where they differ the joint one lowers the exact risk by {gain.mean():.3f} in the "
        f"mean and {gain.max():.3f} at most",
    )


@measure
def margin_picks_joint(frames):
    """Where joint and label-wise optimum differ: how often the margin picks one or the other."""
    frame = frames[f"{DOCUMENT}/svm_labelling"]
    differ = frame[frame["differ"] == 1]
    return OrderingEvidence(
        wins=int(differ["is_joint"].sum()), losses=int(differ["is_marginal"].sum())
    )


@measure
def one_trajectory(frames):
    """Largest difference between p+ of points flown past together and one by one."""
    return IdentityEvidence(float(frames[f"{DOCUMENT}/identities"]["one_trajectory"].max()))


@measure
def largest_ball(frames):
    """Largest excess of a rival's radius over the SVM's, and of the optimality conditions."""
    frame = frames[f"{DOCUMENT}/identities"]
    excess = (frame["best_rival"] - frame["radius"]).clip(lower=0.0).max()
    return IdentityEvidence(float(max(excess, frame["certificate"].max(), 0.0)))
