"""Leave-one-out error of ridge regression at the printed place, against its least."""

import numpy as np
import pandas as pd

from ...verdicts.claims import measure
from ...verdicts.rules import Value
from .leave_one_out_search import ITEMS
from .printed_setting import GAMMAS, PUBLISHED


def surfaces(rows):
    """(15) by split, log sigma and gamma, and the values of log sigma."""
    rows = rows.sort_values(["split", "log_sigma"])
    axis = rows["log_sigma"].unique()
    return rows.filter(like="loo_").to_numpy().reshape(-1, len(axis), len(GAMMAS)), axis


def excess(surface, axis, name):
    """Share by which (15) at the printed place of a data set is above its least.

    Parameters
    ----------
    surface : ndarray of shape (..., n_log_sigmas, n_gammas)
    axis : ndarray of shape (n_log_sigmas,)
    name : {"boston", "kin32fh"}
    """
    _, gamma, log_sigma = PUBLISHED[name]
    right = np.clip(np.searchsorted(axis, log_sigma - 1e-9), 1, len(axis) - 1)
    share = np.clip((log_sigma - axis[right - 1]) / (axis[right] - axis[right - 1]), 0, 1)
    column = surface[..., int(np.argmin(abs(GAMMAS - gamma)))]
    there = (1 - share) * column[..., right - 1] + share * column[..., right]
    return there / surface.min(axis=(-2, -1)) - 1


@measure()
def loo_excess(frames):
    """Excess of the mean (15) at the printed place; its error by the jackknife over the splits."""
    ((result, rows),) = frames.items()
    found, axis = surfaces(rows)
    n, name = len(found), ITEMS[result.partition("/")[2]]
    without = excess((found.sum(axis=0) - found) / max(n - 1, 1), axis, name)
    return Value(
        estimate=float(excess(found.mean(axis=0), axis, name)),
        sd=float(np.sqrt((n - 1) * np.sum((without - without.mean()) ** 2))) if n > 1 else 0.0,
        n=n,
    )


def excess_table(default, options, item):
    """Fit of each option to the printed place on one data set.

    Parameters
    ----------
    default, options : DataFrame
        Rows of the search, and of its companion with every other option.
    item : {"search_boston", "search_kin"}

    Returns
    -------
    DataFrame
        A row for each open choice and option: the excess, and where the error is least.
    """
    table = {}
    groups = {("default", ""): default} | dict(list(options.groupby(["choice", "option"])))
    for key, rows in groups.items():
        found, axis = surfaces(rows)
        mean = found.mean(axis=0)
        i, j = np.unravel_index(mean.argmin(), mean.shape)
        share = excess(mean, axis, ITEMS[item])
        table[key] = {"excess": share, "gamma": GAMMAS[j], "log_sigma": axis[i]}
    return pd.DataFrame(table).T
