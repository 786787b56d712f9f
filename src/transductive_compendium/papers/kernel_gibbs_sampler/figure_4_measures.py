"""Figure 4: test errors of Bayes point machine and soft-margin SVM, and their differences."""

import numpy as np

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats
from .flipped_sphere import DECADES, FLIP_RATE

_TO_FIFTH = (0.02, 0.06, 0.1, 0.14, 0.18)
#: The five q and the five lambda of figure 4, by the options of its abscissa.
READ_AT = {
    "to_fifth": (_TO_FIFTH, _TO_FIFTH),
    "to_half": ((0.05, 0.15, 0.25, 0.35, 0.45),) * 2,
    "decades": (_TO_FIFTH, (10**-2.4, 10**-1.2, 1.0, 10**1.2, 10**2.4)),
}
#: The upper ends of its range of lambda, likewise.
LARGEST_PENALTY = {"to_fifth": 0.2, "to_half": 0.5, "decades": 1e3}


#: Whether bars of one standard error are to be apart, by option of "clearly".
_BARS = {"means": False, "bars": True}


def error_table(frame, method, test_labels="flipped"):
    """Test errors in per cent: a row for each set, a column for each q or lambda.

    Parameters
    ----------
    frame : DataFrame
        Rows of figure 4, or those of the angles under one law.
    method : str
        "bpm", "exact" (the Bayes point without sampling) or "svm".
    test_labels : str, default "flipped"
        Test labels "flipped" at the rate of the training labels, or "clean".
    """
    column = {"flipped": f"{method}_error", "clean": f"{method}_true_error"}[test_labels]
    errors = 100.0 * frame.pivot(index="set", columns="value", values=column)
    return errors.dropna(axis=1, how="all")  # the BPM takes no q of 0.5 or more


def svm_less_bpm(frame, test_labels="flipped"):
    """SVM error at each lambda minus that of the BPM at the true flip rate, in per cent."""
    bpm = error_table(frame, "bpm", test_labels)[FLIP_RATE]
    return error_table(frame, "svm", test_labels).sub(bpm, axis=0)


def other_q_less_right_q(frame, test_labels="flipped", method="bpm"):
    """Error of the Bayes point at each wrong q minus that at the true flip rate, in per cent."""
    errors = error_table(frame, method, test_labels)
    return errors.drop(columns=FLIP_RATE).sub(errors[FLIP_RATE], axis=0)


def samples_less_exact(frame):
    """Error of the samples' mean minus that of the exact Bayes point at each q, in per cent."""
    return error_table(frame, "bpm") - error_table(frame, "exact")


def _read(rows, abscissa, test_labels):
    """Errors of the SVM at figure 4's lambda, of the BPM at figure 4's q, and at the true q."""
    svm, bpm = (error_table(rows, name, test_labels) for name in ("svm", "bpm"))
    levels, penalties = READ_AT[abscissa]
    return svm[list(penalties)], bpm[list(levels)], bpm[FLIP_RATE]


def _words(svm, bpm):
    best = svm.mean().idxmin()
    rounded = float(f"{best:.3g}")  # 10000, not 1e+04
    return f"{bpm.mean():.2f} %, the SVM on {svm[best].mean():.2f} % at best (λ = {rounded:g})"


@measure("kernel_gibbs_sampler/figure_4")
def figure_4_below(
    rows, any_penalty=False, abscissa="to_fifth", clearly="means", test_labels="flipped"
):
    """SVM minus BPM at the true q, at figure 4's lambda or at any; or gaps between error bars."""
    svm, _, right = _read(rows, abscissa, test_labels)
    if any_penalty:
        svm = error_table(rows, "svm", test_labels)[list(DECADES)]
    shown = _words(svm, right)
    gaps = svm.sub(right, axis=0)
    gain = gaps[gaps.mean().idxmin()].to_numpy()
    if not _BARS[clearly] or len(svm) < 2:
        return Repeats(gaps.to_numpy(), shown=shown, gain=gain)
    errors = np.column_stack([right, svm])

    def bars_apart(pick):
        some = errors[pick]
        mean, bar = some.mean(axis=0), some.std(axis=0, ddof=1) / np.sqrt(len(pick))
        return mean[1:] - bar[1:] - (mean[0] + bar[0])

    return Repeats(bars_apart, n=len(errors), shown=shown, gain=gain)


@measure("kernel_gibbs_sampler/figure_4")
def figure_4_robust(rows, abscissa="to_fifth", test_labels="flipped"):
    """Half the gap to the SVM minus the largest deviation from the error at the true q."""
    svm, bpm, right = (table.to_numpy() for table in _read(rows, abscissa, test_labels))
    n_penalties = svm.shape[1]
    errors = np.column_stack([right, svm, bpm])

    def gaps(pick):
        mean = errors[pick].mean(axis=0)
        by_svm, by_bpm = mean[1 : 1 + n_penalties], mean[1 + n_penalties :]
        gap = by_svm.min() - mean[0]
        if gap <= 0:
            gap = np.ptp(by_svm)
        return gap / 2 - np.abs(by_bpm - mean[0]).max()

    off = np.abs(bpm.mean(axis=0) - right.mean()).max()
    gap = svm.mean(axis=0).min() - right.mean()
    return Repeats(
        gaps,
        n=len(errors),
        shown=f"at most {off:.2f} percentage points off its error at q = 0.05; "
        f"gap to the SVM {gap:.2f}",
    )


@measure("kernel_gibbs_sampler/figure_4")
def figure_4_robust_below(rows, abscissa="to_fifth", test_labels="flipped"):
    """SVM at each lambda minus BPM at each q of figure 4."""
    svm, bpm, _ = _read(rows, abscissa, test_labels)
    gaps = svm.to_numpy()[:, :, None] - bpm.to_numpy()[:, None, :]
    worst, best = bpm.mean().max(), svm.mean().min()
    return Repeats(
        gaps.reshape(len(gaps), -1), shown=f"at most {worst:.2f} %, SVM at best {best:.2f} %"
    )
