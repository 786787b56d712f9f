"""Rank correlation of margin and volume of version space, and volumes by two methods."""

import numpy as np
import pandas as pd

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats
from .difference_measures import mean_with_error, yes_or_no
from .evidence_estimates import N_ROWS
from .evidence_exact_measures import describe_squares, squares_tail

#: Above this R-hat between its ladders, the estimate warns that its error is unreliable.
R_HAT_RELIABLE = 1.1
#: Families of kernels, by the name under which they are compared.
KERNEL_FAMILIES = {"all kernels": ["rbf", "poly"], "RBF": ["rbf"], "polynomial": ["poly"]}


def trusted(frame):
    """Rows of finite estimates whose ladders agree; the others have no reliable error."""
    return frame[np.isfinite(frame["log_evidence"]) & (frame["r_hat"] <= R_HAT_RELIABLE)]


def standard_errors(frame):
    """Estimated log volume minus that of another method, in standard errors of the difference."""
    gap = frame["log_evidence"] - frame["log_volume"]
    return gap / np.hypot(frame["error"], frame["log_volume_error"])


@measure
def volume_in_feature_space(frames, false_alarms):
    """Whether log volumes agree with those from another method where the ladders agree."""
    rows = frames["kernel_gibbs_sampler/margin_evidence"]
    rows = rows[rows["error"].notna()]
    good = trusted(rows)
    z = standard_errors(good)
    p = squares_tail(z)
    return yes_or_no(
        p >= false_alarms,
        f"{len(good)} volumes in up to {good['rank'].max():.0f} dimensions, deviations in standard "
        f"errors: {describe_squares(z)}, p = {p:.2g}; {len(rows) - len(good)} more are left out, "
        f"whose R-hat above {R_HAT_RELIABLE} says that their error cannot be relied on",
    )


def rank_correlations(frame, dataset, kernels="all kernels"):
    """Spearman's rank correlation of margin and log volume over kernels, for each sample.

    Kernels that do not separate a sample have neither and are left out.

    Parameters
    ----------
    frame : DataFrame
        Rows of the margin experiment.
    dataset : str
    kernels : str, default "all kernels"
        One of `KERNEL_FAMILIES`.
    """
    rows = frame[frame["separable"].astype(bool) & (frame["dataset"] == dataset)]
    rows = rows[rows["kernel"].isin(KERNEL_FAMILIES[kernels])]
    return rows.groupby("sample")[["margin", "log_volume"]].apply(
        lambda g: g["margin"].rank().corr(g["log_volume"].rank()) if len(g) > 2 else np.nan
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
    return frames["kernel_gibbs_sampler/margin_evidence"]


@measure
def margin_over_samples(frames, dataset):
    """Rank correlation over samples for a fixed kernel, averaged over kernels."""
    each = same_kernel(_margins(frames), dataset).mean(axis=1)
    return Repeats(each.to_numpy())


@measure
def margin_in_each_family(frames):
    """Whether the mean rank correlation is positive within each family on each data set."""
    details, holds = [], True
    for kernels in ("RBF", "polynomial"):
        for dataset in N_ROWS:
            rho = rank_correlations(_margins(frames), dataset, kernels).dropna()
            holds &= bool(rho.mean() > 0)
            details.append(f"{kernels} on {dataset} {mean_with_error(rho)}")
    return yes_or_no(holds, "mean rank correlation " + ", ".join(details))
