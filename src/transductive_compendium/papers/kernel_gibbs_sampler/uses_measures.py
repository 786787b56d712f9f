"""Section 4 on the sets of figure 4: differences of errors and angles; majority and error."""

import numpy as np

from ...verdicts.claims import measure
from ...verdicts.rules import EvidenceError, Repeats
from .figure_4_measures import LARGEST_PENALTY
from .flipped_sphere import FLIP_RATE


def by_set(rows, kind, column, noise=True):
    """Values of one kind of rows: a row for each set, a column for each level (lambda)."""
    rows = rows[(rows["kind"] == kind) & (rows["flip_rate"] == (FLIP_RATE if noise else 0.0))]
    scale = 1.0 if column == "angle" else 100.0
    return scale * rows.pivot(index="set", columns="level", values=column)


def _one(rows, kind, column, noise=True):
    return by_set(rows, kind, column, noise).iloc[:, 0].to_numpy()


def _svms(rows, column, abscissa, any_penalty=False):
    """Values of the SVM under noise at each power of ten that figure 4 plots, or at any."""
    values = by_set(rows, "svm", column)
    largest = np.inf if any_penalty else LARGEST_PENALTY[abscissa]
    return values.loc[:, values.columns <= largest].to_numpy()


@measure("kernel_gibbs_sampler/uses")
def rejection_halves(rows):
    """Half the vote's error minus its error when a fifth of the points is rejected."""
    all_points, kept = _one(rows, "vote", "error"), _one(rows, "kept", "error")
    shown = f"{kept.mean():.2f} % after rejecting a fifth, {all_points.mean():.2f} % before"
    return Repeats(all_points / 2 - kept, shown=shown)


def rank_correlation(points, right):
    """Spearman's rank correlation of a level with being right, from counts by level."""
    n, hits = points.sum(), right.sum()
    if hits in (0, n):
        return 0.0
    rank = np.cumsum(points) - (points - 1) / 2
    centred = rank - (n + 1) / 2
    spread = np.sqrt((points @ centred**2) * hits * (n - hits) / n)
    return float(right @ centred / spread) if spread > 0 else 0.0


@measure("kernel_gibbs_sampler/uses")
def majority_tells(rows):
    """Rank correlation of the majority's share with the vote being right, over all points."""
    rows = rows[(rows["kind"] == "majority") & (rows["flip_rate"] == FLIP_RATE)]
    points, right = (
        rows.pivot(index="set", columns="level", values=name).fillna(0.0).to_numpy()
        for name in ("points", "right")
    )

    def gaps(pick):
        chosen = np.bincount(pick, minlength=len(points)).astype(float)
        return rank_correlation(chosen @ points, chosen @ right)

    value = gaps(np.arange(len(points)))
    return Repeats(gaps, n=len(points), shown=f"rank correlation {value:.2f}")


@measure("kernel_gibbs_sampler/uses")
def below_hard_margin(rows, kind):
    """Without noise: error of the hard-margin SVM minus that of the vote or the Bayes point."""
    svm, own = (_one(rows, name, "error", noise=False) for name in ("svm", kind))
    return Repeats(svm - own, shown=f"{own.mean():.2f} %, the SVM on {svm.mean():.2f} %")


@measure("kernel_gibbs_sampler/uses")
def point_as_vote(rows, abscissa="to_fifth"):
    """Half the share that vote and best SVM decide differently, minus that of the Bayes point."""
    error, apart = (_svms(rows, name, abscissa) for name in ("error", "apart"))
    point = _one(rows, "point", "apart")

    def gaps(pick):
        best = error[pick].mean(axis=0).argmin()
        return apart[pick, best].mean() / 2 - point[pick].mean()

    best = apart[:, error.mean(axis=0).argmin()].mean()
    shown = f"apart on {point.mean():.2f} % of the points, the SVM on {best:.2f} %"
    return Repeats(gaps, n=len(point), shown=shown)


@measure("kernel_gibbs_sampler/uses")
def svm_near_point(rows):
    """Without noise: mean angle of a sample and the Bayes point minus that of the SVM."""
    svm, sample = (_one(rows, name, "angle", noise=False) for name in ("svm", "sample"))
    return Repeats(sample - svm, shown=f"{svm.mean():.3f} rad, a sample {sample.mean():.3f} rad")


@measure("kernel_gibbs_sampler/uses")
def no_svm_equivalent(rows):
    """Least angle of Bayes point and SVM over lambda minus the angle of two Bayes points."""
    nearest = by_set(rows, "svm", "angle").min(axis=1).to_numpy()
    chains = _one(rows, "point", "angle")
    shown = f"nearest SVM {nearest.mean():.3f} rad, another chain {chains.mean():.3f} rad"
    return Repeats(nearest - chains, shown=shown)


def _both(rows, abscissa, any_penalty=False):
    """Errors of the SVM by lambda and of the Bayes point with noise, and of both without."""
    svm = _svms(rows, "error", abscissa, any_penalty)
    point = _one(rows, "point", "error")
    clean = [_one(rows, kind, "error", noise=False) for kind in ("svm", "point")]
    if len({len(x) for x in (svm, point, *clean)}) > 1:
        raise EvidenceError("sets with noise and without do not match")
    return svm, point, *clean


@measure("kernel_gibbs_sampler/uses")
def noise_hurts_more(rows, any_penalty=False, abscissa="to_fifth"):
    """Rise of the best SVM's error by label noise minus that of the Bayes point's."""
    svm, point, clean_svm, clean_point = _both(rows, abscissa, any_penalty)

    def gaps(pick):
        best = svm[pick].mean(axis=0).min()
        return (best - clean_svm[pick].mean()) - (point[pick] - clean_point[pick]).mean()

    best = svm.mean(axis=0).min()
    shown = (
        f"SVM from {clean_svm.mean():.2f} % (hard margin) to {best:.2f} % (best λ), "
        f"Bayes point from {clean_point.mean():.2f} % to {point.mean():.2f} %"
    )
    return Repeats(gaps, n=len(point), shown=shown)


@measure("kernel_gibbs_sampler/uses")
def alike_without_noise(rows, abscissa="to_fifth"):
    """Half the gap of best SVM and Bayes point with noise minus its size without."""
    svm, point, clean_svm, clean_point = _both(rows, abscissa)

    def gaps(pick):
        gap = svm[pick].mean(axis=0).min() - point[pick].mean()
        return gap / 2 - abs((clean_svm[pick] - clean_point[pick]).mean())

    gap = svm.mean(axis=0).min() - point.mean()
    clean = (clean_svm - clean_point).mean()
    shown = f"SVM less Bayes point {clean:+.2f} percentage points without, {gap:+.2f} with noise"
    return Repeats(gaps, n=len(point), shown=shown)
