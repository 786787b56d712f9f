"""Rank correlation of margin and volume of version space."""

import numpy as np
import pandas as pd

#: Families of kernels, by the name under which they are compared.
KERNEL_FAMILIES = {"all kernels": ["rbf", "poly"], "RBF": ["rbf"], "polynomial": ["poly"]}


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
