"""Figures 2a and 2b: their numbers, and the evidence for the claims on them."""

from functools import cached_property

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from ...rejection_curves import UNANIMOUS, curve, error_at_rejection, outcomes, theta_max
from ...verdicts.claims import measure, of_rows
from ...verdicts.rules import EvidenceError, Repeats, Value
from .error_curve import UNDEFINED, ErrorCurve, interp, rejection_at_error

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
    """Table of the points of both curves, in per cent."""
    names = {"rejection_error": "rejection +-", "error_error": "error +-"}
    percent = ["rejection", "rejection_error", "error", "error_error"]
    table = pd.concat({"Bayesian transduction": transduction, "SVM": svm}, names=["method"])
    table[percent] *= 100
    table = table.rename(columns=names)
    return table.round(dict.fromkeys(table, 2) | {"theta": 3})  # thresholds end at .999 and 1


#: Names of the numbers below, with their units, for a table.
ROWS = {
    "theta_max": "the SVM's largest threshold",
    "rejection_at_one": "rejected at theta = 1 (%)",
    "error_at_one": "error at theta = 1 (%)",
    "error": "error, nothing rejected (%)",
    "error_svm": "error of the SVM, nothing rejected (%)",
    "error_at_20": "error at 20 % rejected in each split (%)",
}


def numbers_in_text(o):
    """Numbers of a figure that the text quotes: largest SVM threshold, and rates in per cent."""
    kept = o.confidence >= UNANIMOUS
    return {
        "theta_max": theta_max(o.confidence, o.margin),
        "rejection_at_one": 100 * float(1 - kept.mean()),
        "error_at_one": float(np.nanmean(_error_at_one(o))),
        "error": 100 * float(o.wrong.mean()),
        "error_svm": 100 * float(o.wrong_svm.mean()),
        "error_at_20": 100 * float(error_at_rejection(o.confidence, o.wrong, 0.2).mean()),
    }


def by_option(rows, options):
    """Numbers of a figure under the default and under each option, on the splits that all have.

    Parameters
    ----------
    rows, options : DataFrames
        Rows of a figure and of its companion.

    Returns
    -------
    table : DataFrame
        A row for each option, with the columns of `numbers_in_text`.
    """
    parts = {"default": rows}
    parts |= {": ".join(k): part for k, part in options.groupby(["choice", "option"], sort=False)}
    shared = set.intersection(*(set(part["split"]) for part in parts.values()))
    found = {
        name: numbers_in_text(outcomes(part[part["split"].isin(shared)]))
        for name, part in parts.items()
    }
    return pd.DataFrame.from_dict(found, orient="index")


def _error_at_one(o):
    """Error on the points kept at theta = 1, in per cent, by split; NaN where none is kept."""
    kept = o.confidence >= UNANIMOUS
    n = kept.sum(axis=1)
    errors = 100.0 * (o.wrong & kept).sum(axis=1)
    return np.divide(errors, n, out=np.full(len(n), np.nan), where=n > 0)


# ---- the claims ---------------------------------------------------------------------------------

QUANTILES = np.array([0.1, 0.3, 0.5, 0.7, 0.9])
FROM_NONE = np.r_[0.0, QUANTILES]
NAMES = {"figure_2a": "thyroid", "figure_2b": "heart"}
THYROID, HEART = (f"bayesian_transduction/{item}" for item in NAMES)
#: Whether a curve has all errors over all kept points, by option of the open choice `average`.
POOLED = {"mean_of_ratios": False, "pooled": True}
#: Root of the number of splits behind the paper's error bars.
ROOT = np.sqrt(100)


class Both:
    """The two curves of one data set in many repetitions, a row of splits for each."""

    def __init__(self, o, pooled):
        self.o, self.n = o, len(o.margin)
        #: The repetition that is all splits.
        self.whole = np.arange(self.n)[None]
        thetas = np.minimum(np.linspace(0.0, 1.0, 101), UNANIMOUS)
        self.transduction = ErrorCurve(o.confidence, o.wrong, thetas, pooled)
        # the SVM's thresholds: where |f| is dense
        outputs = np.quantile(o.margin, np.linspace(0.0, 0.995, 120))
        self.svm = ErrorCurve(o.margin, o.wrong_svm, np.r_[0.0, outputs], pooled)

    def weights(self, picks):
        """Number of times that each split is picked: shape (repetitions, n)."""
        return np.array([np.bincount(pick, minlength=self.n) for pick in picks], dtype=float)

    def both(self, picks):
        """Rejection and error of both methods, the SVM's up to the other's last rejection rate."""
        weights = self.weights(picks)
        rejection, error = self.transduction.means(weights)
        svm_rejection, svm_error = self.svm.means(weights)
        end = rejection[:, -1:]
        last = interp(end, svm_rejection, svm_error)
        svm_error = np.where(svm_rejection < end, svm_error, last)
        return (rejection, error), (np.minimum(svm_rejection, end), svm_error)

    @cached_property
    def theta_gaps(self):
        """Rejection rate minus the SVM's at six common thresholds, by split: shape (n, 6)."""
        thetas = [0.1, 0.3, 0.5, 0.7, 0.9, 1.0]
        ours = [(self.o.confidence < min(t, UNANIMOUS)).mean(axis=1) for t in thetas]
        svm = [(self.o.margin < t).mean(axis=1) for t in thetas]
        return np.transpose(ours) - np.transpose(svm)


@of_rows
def _curves(frame, average):
    return Both(outcomes(frame), POOLED[average])


def _by_name(frames):
    """Rows by the name of their data set."""
    return {NAMES[result.partition("/")[2]]: rows for result, rows in frames.items()}


def _sets(frames, average="mean_of_ratios"):
    return {name: _curves(rows, average) for name, rows in _by_name(frames).items()}


def _at_quantiles(curves, lead="points"):
    """Lead over the SVM without rejection and at five rates, in points or of the SVM's error."""
    (rejection, error), (svm_rejection, svm_error) = curves
    rates = FROM_NONE * rejection[:, -1:]
    svm = interp(rates, svm_rejection, svm_error)
    gap = svm - interp(rates, rejection, error)
    return gap / {"points": 1.0, "of_svm_error": svm}[lead]


def _repeats(sets, gaps, shown, scale=1.0):
    n = min(both.n for both in sets)

    def defined(picks):
        with np.errstate(invalid="ignore", divide="ignore"):
            return scale * np.nan_to_num(gaps(picks), nan=UNDEFINED)

    return Repeats(defined, n, shown=shown, vectorized=True)


def _value(statistic, n):
    """A statistic of all splits together; its spread over resampled splits."""
    found = statistic(np.random.default_rng(0).integers(n, size=(300, n)))
    estimate = statistic(np.arange(n)[None])[0]
    if not np.isfinite(estimate) or np.isfinite(found).mean() < 0.95:
        raise EvidenceError("not defined: the curve does not reach this point")
    return Value(estimate=float(estimate), sd=float(np.nanstd(found) * np.sqrt(n)), n=n)


def _errors_shown(sets, share=0.5):
    words = []
    for name, both in sets.items():
        (r, e), (sr, se) = ([row[0] for row in curve] for curve in both.both(both.whole))
        rate = share * r[-1]
        ours, theirs = 100 * np.interp(rate, r, e), 100 * np.interp(rate, sr, se)
        words.append(f"{name} {ours:.2g} %, SVM {theirs:.2g} % (rejecting {100 * rate:.0f} %)")
    return "; ".join(words)


@measure()
def transduction_below_svm(frames, average="mean_of_ratios"):
    """SVM error minus that of Bayesian transduction at five rejection rates of each set, in %."""
    sets = _sets(frames, average)

    def gaps(picks):
        return np.hstack([_at_quantiles(both.both(picks))[:, 1:] for both in sets.values()])

    return _repeats(sets.values(), gaps, _errors_shown(sets), scale=100.0)


@measure(THYROID, HEART)
def transduction_error_falls(frames, average="mean_of_ratios"):
    """Decreases of the error from no rejection over five quantiles to theta = 1."""
    sets = _sets(frames, average)

    def falls(picks):
        found = []
        for both in sets.values():
            rejection, error = both.transduction.means(both.weights(picks))
            rates = np.r_[0.0, QUANTILES, 1.0] * rejection[:, -1:]
            found.append(-np.diff(interp(rates, rejection, error)))
        return np.hstack(found)

    words = []
    for name, both in sets.items():
        _, error = both.transduction.means(np.ones(both.n))
        words.append(f"{name} {100 * error[0]:.2f} % to {100 * error[-1]:.2f} %")
    return _repeats(sets.values(), falls, "; ".join(words))


@measure(THYROID, HEART)
def transduction_without_rejection(frames):
    """SVM error minus that of Bayesian transduction on all test points, of each set."""
    found = {name: both.o for name, both in _sets(frames).items()}
    n = min(len(o.margin) for o in found.values())
    gaps = [o.wrong_svm[:n].mean(axis=1) - o.wrong[:n].mean(axis=1) for o in found.values()]
    shown = "; ".join(
        f"{name} {100 * o.wrong.mean():.1f} %, SVM {100 * o.wrong_svm.mean():.1f} %"
        for name, o in found.items()
    )
    return Repeats(100 * np.transpose(gaps), shown=shown)


@measure(THYROID, HEART)
def transduction_lead_grows(frames, average="mean_of_ratios", lead="points"):
    """Mean lead over the SVM at five rejection rates minus that without rejection, of each set."""
    sets = _sets(frames, average)

    def growth(picks):
        leads = [_at_quantiles(both.both(picks), lead) for both in sets.values()]
        return np.transpose([gap[:, 1:].mean(axis=1) - gap[:, 0] for gap in leads])

    words = []
    for name, both in sets.items():
        gap = 100 * _at_quantiles(both.both(both.whole))[0]
        shown = f"{gap[0]:+.2f} to {gap[1:].mean():+.2f} percentage points"
        words.append(f"{name} {shown}, at most {gap.max():+.2f}")
    return _repeats(sets.values(), growth, "; ".join(words))


def _as_printed(rate, rejection, error):
    return np.minimum(rate, rejection[:, -1:])


def _best_within_five_points(rate, rejection, error):
    grid = np.linspace(rate - 0.05, rate + 0.05, 21)
    grid = np.minimum(grid, rejection[:, -1:])
    best = np.argmin(interp(grid, rejection, error), axis=1)
    return np.take_along_axis(grid, best[:, None], axis=1)


#: Rate at which the text's number is taken, by option of the open choice `twenty`.
RATES = {"interpolated": _as_printed, "band": _best_within_five_points}


def _near(both, weights, rate, twenty):
    """Rate at which the text's number is taken, by a name of `RATES`."""
    return RATES[twenty](rate, *both.transduction.means(weights))


def _below_own_spreads(both, weights, rate, at):
    smaller = np.broadcast_to(rate * np.arange(5) / 5, (len(at), 5))
    end = both.transduction.means(weights)[0][:, -1:]
    spread = both.transduction.spreads(weights, np.hstack([smaller, end, at]))[1]
    # a curve that ends here has no more to compare with
    spread[:, 5:6] = np.where(end > at, spread[:, 5:6], spread[:, :1])
    return spread[:, :6] - spread[:, 6:]


def _below_spread_of_svm(both, weights, rate, at):
    own, svm = (c.spreads(weights, at)[1] for c in (both.transduction, both.svm))
    return svm - own


#: Spreads to be exceeded, at smaller rates than `rate` or of the SVM, less that at `at`, by option
#: of the open choice `minimal_variance`.
VARIANCE_GAPS = {"own_curve": _below_own_spreads, "against_svm": _below_spread_of_svm}


def _spread_of_mean(both, weights, at):
    """Standard deviation of the mean error; not zero, so that an error of zero is below it."""
    return both.transduction.spreads(weights, at)[1] / ROOT + 1e-12


#: What an error is below that approaches zero, by option of the open choice `approaches_zero`.
LIMITS = {
    "rounds": lambda both, weights, at, below: below,
    "bar": lambda both, weights, at, below: _spread_of_mean(both, weights, at),
}


@measure(THYROID)
def transduction_nears_zero(
    rows,
    rate,
    below,
    average="mean_of_ratios",
    twenty="interpolated",
    approaches_zero="rounds",
):
    """`below` minus the error at a rejection rate."""
    both = _curves(rows, average)

    def gaps(picks):
        weights = both.weights(picks)
        at = _near(both, weights, rate, twenty)
        here = interp(at, *both.transduction.means(weights))
        return LIMITS[approaches_zero](both, weights, at, below) - here

    return _repeats([both], gaps, f"{_at_rate_shown(both, rate)} (rejecting {100 * rate:.0f} %)")


def _at_rate_shown(both, rate):
    (r, e), (sr, se) = ([row[0] for row in curve] for curve in both.both(both.whole))
    at = min(rate, r[-1])
    return f"{100 * np.interp(at, r, e):.2g} %, SVM {100 * np.interp(at, sr, se):.2g} %"


@measure(THYROID)
def transduction_error_at_rejection(rows, rate, average="mean_of_ratios", twenty="interpolated"):
    """Error of Bayesian transduction at a mean rejection rate, in per cent."""
    both = _curves(rows, average)

    def error(picks):
        weights = both.weights(picks)
        at = _near(both, weights, rate, twenty)
        return 100.0 * interp(at, *both.transduction.means(weights))[:, 0]

    return _value(error, both.n)


@measure(THYROID)
def transduction_variance_least(
    rows,
    rate,
    average="mean_of_ratios",
    twenty="interpolated",
    minimal_variance="own_curve",
):
    """Spread of the error at five smaller rejection rates and the last, minus that at `rate`."""
    both = _curves(rows, average)

    def gaps(picks):
        weights = both.weights(picks)
        at = _near(both, weights, rate, twenty)
        return VARIANCE_GAPS[minimal_variance](both, weights, rate, at)

    once = both.weights(both.whole)
    end = both.transduction.means(once)[0][0, -1]
    spread = 100 * both.transduction.spreads(once, [[0.0, min(rate, end), end]])[1][0]
    here, none, last = (f"{spread[k]:#.2g}" for k in (1, 0, 2))
    shown = (
        f"{here} percentage points, {none} without rejection, {last} at {100 * end:.0f} %, the end"
    )
    return _repeats([both], gaps, shown)


def _levels(curves):
    """Five quantiles of the errors that both curves reach, below both errors at theta = 0."""
    (_, error), (_, svm_error) = curves
    top = np.minimum(error[:, :1], svm_error[:, :1])
    bottom = np.maximum(*(np.nanmin(e, axis=1, keepdims=True) for e in (error, svm_error)))
    return np.where(top > bottom, bottom + QUANTILES * (top - bottom), np.nan)


def _savings(both, picks, level=None):
    """Rejection of the SVM minus that of Bayesian transduction at equal errors."""
    ours, theirs = both.both(picks)
    levels = _levels((ours, theirs)) if level is None else np.full((len(picks), 1), level)
    needed = [rejection_at_error(*curve, levels) for curve in (theirs, ours)]
    return needed[0] - needed[1], needed


#: What is significant, by option of the open choice `significantly`: from both methods' error bars.
SIGNIFICANT = {
    "one_bar": lambda bars: bars.max(axis=0),
    "bars_apart": lambda bars: bars.sum(axis=0),
    "any_amount": lambda bars: 0.0,
}


@measure(THYROID)
def transduction_rejects_less(rows, average="mean_of_ratios", significantly="one_bar"):
    """Savings of rejection at five errors minus what is significant."""
    both, significant = _curves(rows, average), SIGNIFICANT[significantly]

    def gaps(picks):
        saved, (svm, ours) = _savings(both, picks)
        weights = both.weights(picks)
        curves = (both.svm, svm), (both.transduction, ours)
        bars = [curve.spreads(weights, at)[0] for curve, at in curves]
        bars = np.array(bars) / ROOT
        finite = np.isfinite(saved).all(axis=1, keepdims=True)
        return np.where(finite, saved - significant(bars), saved)

    saved, _ = _savings(both, both.whole)
    shown = f"{100 * np.nanmin(saved):.1f} to {100 * np.nanmax(saved):.1f} % of the test set less"
    return _repeats([both], gaps, shown)


@measure(THYROID)
def transduction_saving(rows, error, average="mean_of_ratios", four_percent="test_set"):
    """Additional share of the test set, in per cent, that the SVM rejects at equal mean error."""
    both = _curves(rows, average)

    def saving(picks):
        saved, (svm, _) = _savings(both, picks, error / 100.0)
        return (100.0 * saved / {"test_set": 1.0, "relative": svm}[four_percent])[:, 0]

    return _value(saving, both.n)


#: What is more pronounced, by option of the open choice `pronounced`.
PRONOUNCED = {
    "saving": lambda both, picks: _savings(both, picks)[0].mean(axis=1),
    "theta_gap": lambda both, picks: both.theta_gaps[picks].mean(axis=(1, 2)),
    "error_gap": lambda both, picks: _at_quantiles(both.both(picks))[:, 1:].mean(axis=1),
    "rejection_at_one": lambda both, picks: both.transduction.means(both.weights(picks))[0][:, -1],
}


@measure(THYROID, HEART)
def transduction_more_pronounced(frames, average="mean_of_ratios", pronounced="saving"):
    """Quantity said to be more pronounced, on heart minus that on thyroid."""
    sets, quantity = _sets(frames, average), PRONOUNCED[pronounced]
    thyroid, heart = sets.values()
    own, other = (100 * quantity(both, both.whole)[0] for both in (heart, thyroid))
    what = "rejection saved: " if pronounced == "saving" else ""
    shown = f"{what}heart {own:.1f}, thyroid {other:.1f} percentage points"
    return _repeats(
        sets.values(), lambda picks: quantity(heart, picks) - quantity(thyroid, picks), shown
    )


@measure(HEART)
def transduction_error_at_one(rows, average="mean_of_ratios"):
    """Error of Bayesian transduction on the points kept at theta = 1, in per cent."""
    both = _curves(rows, average)

    def error(picks):
        return 100.0 * both.transduction.means(both.weights(picks))[1][:, -1]

    return _value(error, both.n)


@measure(HEART)
def transduction_noise_remains(rows, average="mean_of_ratios"):
    """Errors at maximal rejection, of both methods, minus two standard deviations of the mean."""
    both = _curves(rows, average)

    def gaps(picks):
        weights = both.weights(picks)
        (rejection, error), (_, svm_error) = both.both(picks)
        curves = both.transduction, both.svm
        spreads = np.hstack([curve.spreads(weights, rejection[:, -1:])[1] for curve in curves])
        errors = np.hstack([error[:, -1:], svm_error[:, -1:]])
        return errors - 2 * spreads / ROOT

    return _repeats([both], gaps, _errors_shown({"heart": both}, 1.0))


@measure(THYROID, HEART)
def transduction_rejects_more(frames):
    """Rejection rate minus the SVM's at six common thresholds, of each set."""
    sets = _sets(frames)
    words = []
    for name, both in sets.items():
        gaps = 100 * both.theta_gaps.mean(axis=0)
        words.append(f"{name} by {gaps.min():+.1f} to {gaps.max():+.1f} percentage points")
    n = min(both.n for both in sets.values())
    gaps = np.hstack([both.theta_gaps[:n] for both in sets.values()])
    return Repeats(100 * gaps, shown=f"rejects more: {'; '.join(words)}")


def _theta_max(o, picks):
    """`theta_max` of each repetition, from outputs that are sorted once for all."""
    order = np.argsort(o.margin, axis=None)
    outputs, split = o.margin.ravel()[order], (order // o.margin.shape[1]).astype(np.int32)
    rejected = (o.confidence < UNANIMOUS).mean(axis=1)
    found = []
    for pick in picks:
        counted = np.cumsum(np.bincount(pick, minlength=len(rejected))[split])
        place = rejected[pick].mean() * (counted[-1] - 1)
        first = np.floor(place)
        low, high = outputs[np.searchsorted(counted, [first, np.ceil(place)], side="right")]
        found.append(low + (place - first) * (high - low))
    return np.array(found)


#: The SVM's threshold, by option of the open choice `theta_max`.
THRESHOLDS = {
    "of_means": lambda o: _value(lambda picks: _theta_max(o, picks), len(o.margin)),
    "mean_of_theta": lambda o: Value(values=_theta_max(o, np.arange(len(o.margin))[:, None])),
}


@measure()
def transduction_theta_max(frames, theta_max="of_means"):
    """SVM threshold that rejects as many points as Bayesian transduction does at theta = 1."""
    (both,) = _sets(frames).values()
    return THRESHOLDS[theta_max](both.o)


@measure(THYROID, HEART)
def transduction_abs_f(frames, least=0.0):
    """Rank correlation of |f| and (7) over the test points of a split, minus `least`."""
    gaps = {}
    for name, both in _sets(frames).items():
        o = both.o
        a, b = (
            rankdata(np.minimum(x, UNANIMOUS * top), axis=1)
            for x, top in ((o.margin, np.inf), (o.confidence, 1.0))
        )
        a, b = (x - x.mean(axis=1, keepdims=True) for x in (a, b))
        size = np.sqrt((a**2).sum(axis=1) * (b**2).sum(axis=1))
        gaps[name] = (a * b).sum(axis=1) / np.where(size > 0, size, 1.0)
    n = min(map(len, gaps.values()))
    shown = "; ".join(f"{name} {np.mean(gap):.2f}" for name, gap in gaps.items())
    gaps = np.transpose([gap[:n] for gap in gaps.values()])
    return Repeats(gaps - least, shown=f"rank correlation {shown}")


@measure(HEART, "bayesian_transduction/class_error")
def transduction_bayes_error(frames, average="mean_of_ratios"):
    """Error at theta = 1 minus a tuned perceptron's on all points, in percentage points."""
    both, rows = _curves(frames[HEART], average), frames["bayesian_transduction/class_error"]
    perceptron = 100.0 * rows.sort_values("split")["error"].to_numpy()
    n = min(both.n, len(perceptron))

    def difference(picks):
        own = 100.0 * both.transduction.means(both.weights(picks))[1][:, -1]
        return own - perceptron[picks].mean(axis=1)

    own = difference(np.arange(n)[None])[0] + perceptron[:n].mean()
    shown = f"{own:.1f} % at theta = 1, {perceptron[:n].mean():.1f} % tuned perceptron"

    def defined(picks):
        return np.nan_to_num(difference(picks), nan=100.0 * UNDEFINED)

    return Repeats(defined, n, shown=shown, vectorized=True)


@measure(f"{HEART}_options")
def transduction_floor(rows):
    """Error at theta = 1 of converged p+ minus that after 1000 bounces: 0 of a Bayes error."""
    errors = {
        option: pd.Series(_error_at_one(outcomes(part)), part["split"].unique())
        for option, part in rows.groupby("option")
        if option in ("great_circles", "converged")
    }
    pairs = pd.DataFrame(errors).dropna()
    gaps = (pairs["converged"] - pairs["great_circles"]).to_numpy()
    sooner, later = (f"{pairs[name].mean():.1f} %" for name in ("great_circles", "converged"))
    return Repeats(gaps, shown=f"{sooner} after 1000 bounces, {later} once p+ has converged")
