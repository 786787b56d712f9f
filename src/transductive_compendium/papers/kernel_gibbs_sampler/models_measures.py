"""Evidence, margin and autocorrelation time against test error, volume and sample size."""

import numpy as np
import pandas as pd

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats

NOISE = 0.1
MIN_KERNELS = 3
#: Rank correlation that explains half of the variance of the ranks.
HALF = np.sqrt(0.5)


def _rank_correlation(rows, one, other):
    """Spearman's rank correlation over kernel widths, draw by draw."""
    a, b = (rows.pivot(index="draw", columns="sigma", values=name) for name in (one, other))
    return a.rank(axis=1).corrwith(b.rank(axis=1), axis=1)


def mean_with_error(differences, digits=2):
    """Mean and standard error of each column (or of a series), as text."""
    mean, error = differences.mean(), differences.sem()
    if np.ndim(mean) == 0:
        return f"{mean:.{digits}f} ± {error:.{digits}f}"
    return pd.Series(
        [f"{m:.{digits}f} ± {e:.{digits}f}" for m, e in zip(mean, error, strict=True)], mean.index
    )


@measure("kernel_gibbs_sampler/models")
def evidence_against_error(rows):
    """Minus the rank correlation of evidence and test error over widths, beyond `HALF`."""
    rho = -_rank_correlation(rows[rows["q"] == NOISE], "log_evidence", "test_error")
    rho = rho.fillna(0.0)  # all errors equal
    return Repeats(rho.to_numpy() - HALF, shown=f"rank correlation {mean_with_error(-rho)}")


@measure("kernel_gibbs_sampler/models")
def evidence_selects(rows):
    """Mean test error over widths and q minus that of the largest evidence, in per cent."""
    groups = rows.groupby("draw")
    chosen = 100.0 * rows.loc[groups["log_evidence"].idxmax()].set_index("draw")["test_error"]
    mean = 100.0 * groups["test_error"].mean()
    shown = f"{chosen.mean():.2f} %, the grid on {mean.mean():.2f} %"
    return Repeats((mean - chosen).to_numpy(), shown=shown)


@measure("kernel_gibbs_sampler/kernel_widths")
def margin_measures_volume(rows):
    """Rank correlation of margin and log volume over the kernels that separate the points."""
    rows = rows.dropna(subset=["margin", "log_volume"])
    rows = rows[rows.groupby("draw")["sigma"].transform("size") >= MIN_KERNELS]
    rho = _rank_correlation(rows, "margin", "log_volume")
    return Repeats(rho.to_numpy(), shown=f"rank correlation {mean_with_error(rho)}")


@measure("kernel_gibbs_sampler/growth")
def time_grows(rows):
    """Slope of the log autocorrelation time over log m, for each training set."""
    time = rows.pivot(index="draw", columns="m", values="log_time").dropna()
    x = np.log(time.columns.to_numpy(dtype=float))
    slope = time.to_numpy() @ (x - x.mean()) / ((x - x.mean()) @ (x - x.mean()))
    first, *_, last = time.columns
    shown = (
        f"steps for an independent sample: {np.exp(time[first].mean()):.0f} at m = {first}, "
        f"{np.exp(time[last].mean()):.0f} at {last}, as m to the {slope.mean():.2f}"
    )
    return Repeats(slope, shown=shown)
