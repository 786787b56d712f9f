"""Evidence: from recorded rows to choices and rank correlations, and to evidence for each claim."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.special import chdtrc
from scipy.stats import spearmanr

from ...verdicts.claims import measure
from ...verdicts.rules import EquivalenceEvidence, OrderingEvidence, ShapeEvidence
from .evidence import N_MARGIN, N_TRAIN
from .label_noise_measures import DOCUMENT, furthest, mean_with_error

__all__ = [
    "KERNELS",
    "choices",
    "rank_correlations",
    "same_kernel",
    "samples_ratio",
    "splits_ratio",
    "standard_errors",
    "trusted",
]

# Patients; crescents are drawn anew each time.
_ROWS = {"crescents": np.inf, "thyroid": 215, "heart": 270}
# Beyond it the estimate calls its own error in doubt.
_R_HAT = 1.1
#: Families of kernels, by the name under which they are compared.
KERNELS = {"all kernels": ["rbf", "poly"], "RBF": ["rbf"], "polynomial": ["poly"]}


def splits_ratio(dataset):
    """Test part over training part: for what is tested on all points left over."""
    return 0.0 if np.isinf(_ROWS[dataset]) else (_ROWS[dataset] - N_TRAIN) / N_TRAIN


def samples_ratio(dataset, size):
    """The same for what depends on training samples of a given size alone.

    Two samples have the part size / n of their points in common, as two test parts have n_test / n
    in the correction for splits.
    """
    return size / (_ROWS[dataset] - size)


# ---- the estimate against other methods ---------------------------------------------------------


def trusted(frame):
    """Rows of finite estimates whose ladders agree; the others state no size of the error."""
    return frame[np.isfinite(frame["log_evidence"]) & (frame["r_hat"] <= _R_HAT)]


def standard_errors(frame):
    """Estimated log volume less that of another method, in standard errors of the difference."""
    gap = frame["log_evidence"] - frame["log_volume"]
    return gap / np.hypot(frame["error"], frame["log_volume_error"])


def _too_large(z):
    """Probability of a sum of squares as large, of independent standard normal variables."""
    z = np.asarray(z, dtype=float)
    return float(chdtrc(len(z), np.sum(z**2)))


def _squares(z):
    return f"root mean square {np.sqrt(np.mean(z**2)):.2f}, largest {np.abs(z).max():.1f}"


@measure
def evidence_within_error(frames, volume, false_alarms):
    """Whether deviations from exact values are as small as the stated standard errors say.

    At each q a chi-squared test of their squares in standard errors, one sample and run each; the
    smallest p-value counts, times their number. For the volume, q = 0, an empty version space has
    to be called empty, and no other.
    """
    rows = frames[f"{DOCUMENT}/evidence_exact"]
    rows = rows[(rows["q"] == 0.0) == volume]
    empty = rows["empty"].astype(bool)
    recognised = bool((np.isneginf(rows["log_evidence"]) == empty).all())
    some = rows[~empty]
    smallest = min(_too_large(part["z"]) for _, part in some.groupby("q"))
    n_levels = some["q"].nunique()
    off = (some["log_evidence"] - some["exact"]).abs()
    return ShapeEvidence(
        recognised and smallest * n_levels >= false_alarms,
        f"{len(some)} estimates at {n_levels} values of q: deviations in standard errors "
        f"{_squares(some['z'])}; smallest p = {smallest:.2g} (an estimate without fault falls "
        f"below {false_alarms / n_levels:.2g} with probability {false_alarms:g} at most); "
        f"deviations of the log evidence {off.mean():.3f} in the mean, {off.max():.2f} at most"
        + (f"; {empty.sum()} empty version spaces, " * volume)
        + ("all recognised" if recognised else "not all recognised") * volume,
    )


@measure
def volume_in_feature_space(frames, false_alarms):
    """Whether log volumes agree with those from another method where ladders agree among them."""
    rows = frames[f"{DOCUMENT}/margin_evidence"]
    rows = rows[rows["error"].notna()]
    good = trusted(rows)
    z = standard_errors(good)
    p = _too_large(z)
    return ShapeEvidence(
        p >= false_alarms,
        f"{len(good)} volumes in up to {good['rank'].max():.0f} dimensions, deviations in standard "
        f"errors: {_squares(z)}, p = {p:.2g}; {len(rows) - len(good)} more are left out, whose "
        f"R-hat above {_R_HAT} says that their error cannot be relied on",
    )


# ---- margin and evidence ------------------------------------------------------------------------


def rank_correlations(frame, dataset, kernels="all kernels"):
    """Spearman's rank correlation of margin and log volume over kernels, for each sample.

    Kernels that do not separate a sample have neither and stay out.

    Parameters
    ----------
    frame : DataFrame
        Rows of the margin experiment.
    dataset : str
    kernels : str, default "all kernels"
        One of `KERNELS`.
    """
    rows = frame[frame["separable"].astype(bool) & (frame["dataset"] == dataset)]
    rows = rows[rows["kernel"].isin(KERNELS[kernels])]
    return rows.groupby("sample")[["margin", "log_volume"]].apply(
        lambda g: spearmanr(g["margin"], g["log_volume"]).statistic if len(g) > 2 else np.nan
    )


def same_kernel(frame, dataset):
    """Rank correlation of margin and log volume over samples, kernel by kernel, as pseudo-values.

    A row for each sample, a column for each kernel (family, value) that separates all samples. The
    mean of a column is the jackknife's estimate of Spearman's rank correlation, the scatter of
    its entries that of its standard error.
    """
    rows = frame[frame["separable"].astype(bool) & (frame["dataset"] == dataset)]
    margin, volume = (
        rows.pivot(index="sample", columns=["kernel", "value"], values=name).dropna(axis=1)
        for name in ("margin", "log_volume")
    )
    n = len(margin)
    left_out = [margin.index.delete(i) for i in range(n)]
    rho, *without = (
        margin.loc[kept].rank().corrwith(volume.loc[kept].rank())
        for kept in (margin.index, *left_out)
    )
    return pd.DataFrame([n * rho - (n - 1) * other for other in without], margin.index)


def _margins(frames):
    return frames[f"{DOCUMENT}/margin_evidence"]


@measure
def margin_over_kernels(frames, dataset):
    """Rank correlation of margin and log volume over all kernels, sample by sample."""
    rho = rank_correlations(_margins(frames), dataset)
    return OrderingEvidence(rho.to_numpy(), samples_ratio(dataset, N_MARGIN))


@measure
def margin_over_samples(frames, dataset):
    """Rank correlation over samples with the kernel held, in the mean over kernels."""
    each = same_kernel(_margins(frames), dataset).mean(axis=1)
    return OrderingEvidence(each.to_numpy(), samples_ratio(dataset, N_MARGIN))


@measure
def margin_in_each_family(frames):
    """Whether the mean rank correlation is positive within each family on each data set."""
    details, holds = [], True
    for kernels in ("RBF", "polynomial"):
        for dataset in _ROWS:
            rho = rank_correlations(_margins(frames), dataset, kernels).dropna()
            holds &= bool(rho.mean() > 0)
            details.append(f"{kernels} on {dataset} {mean_with_error(rho)}")
    return ShapeEvidence(holds, "mean rank correlation " + ", ".join(details))


# ---- model selection ----------------------------------------------------------------------------


def choices(frame, dataset):
    """What the evidence chooses on each split at each rate of flips, and what others would give.

    Returns
    -------
    DataFrame
        Indexed by split and flip rate; `sigma` and `q` of the largest log evidence; test errors in
        per cent: `error` of this choice, `random` of a random point of the grid in the mean,
        `fixed` of the point that is best for the rate in the mean over splits, chosen in
        hindsight, `best` of the best point for each test part, in hindsight again.
    """
    rows = frame[frame["dataset"] == dataset]
    units, grid = ["split", "flip_rate"], ["sigma", "q"]
    errors = 100.0 * rows.pivot(index=units, columns=grid, values="test_error")
    evidence = rows.pivot(index=units, columns=grid, values="log_evidence")
    chosen = evidence.idxmax(axis=1)
    result = pd.DataFrame(chosen.to_list(), errors.index, grid)
    result["error"] = [errors.at[unit, point] for unit, point in chosen.items()]
    result["random"] = errors.mean(axis=1)
    fixed = errors.groupby("flip_rate").transform("mean").idxmin(axis=1)
    result["fixed"] = [errors.at[unit, point] for unit, point in fixed.items()]
    result["best"] = errors.min(axis=1)
    return result


def _selection(frames, dataset):
    return choices(frames[f"{DOCUMENT}/model_selection"], dataset)


def _split_means(values):
    return values.groupby("split").mean().to_numpy()


@measure
def evidence_beats_random(frames, dataset):
    """Error at a random point of the grid less that of the choice, over all rates of flips."""
    chosen = _selection(frames, dataset)
    return OrderingEvidence(_split_means(chosen["random"] - chosen["error"]), splits_ratio(dataset))


@measure
def evidence_regret(frames, dataset):
    """Error of the choice less that of the best fixed point, over all rates of flips."""
    chosen = _selection(frames, dataset)
    regret = chosen["error"] - chosen["fixed"]
    return EquivalenceEvidence(_split_means(regret), splits_ratio(dataset))


@measure
def evidence_finds_noise(frames, dataset):
    """The q chosen less the rate of flips, at the rate where it may be furthest off."""
    off = _selection(frames, dataset)["q"].unstack("flip_rate")
    return EquivalenceEvidence(
        furthest(off - off.columns.to_numpy()).to_numpy(), samples_ratio(dataset, N_TRAIN)
    )


@measure
def evidence_notices_noise(frames, dataset, low, high):
    """The q chosen with many flips less that with few."""
    q = _selection(frames, dataset)["q"].unstack("flip_rate")
    return OrderingEvidence((q[high] - q[low]).to_numpy(), samples_ratio(dataset, N_TRAIN))
