"""Where the leave-one-out error of ridge regression is least, against the printed place."""

import numpy as np
import pandas as pd

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats
from .leave_one_out_search import ITEMS
from .printed_setting import GAMMAS
from .regression_setting import PUBLISHED

#: Largest distance of the printed place: a step of the grid in gamma, and in log sigma.
STEP_GAMMA, STEP_LOG_SIGMA = 2.5, {"boston": 0.1, "kin32fh": 0.5}


def mean_surface(rows):
    """Mean of (15) over the splits: a row for each log sigma, a column for each gamma."""
    return rows.groupby("log_sigma").mean().filter(like="loo_").set_axis(GAMMAS, axis=1)


def excess(surface, name):
    """Share by which the error at the printed place of a data set is above the least."""
    _, gamma, log_sigma = PUBLISHED[name]
    there = np.interp(log_sigma, surface.index, surface[gamma])
    return there / surface.min(axis=None) - 1


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
    name, table = ITEMS[item], {}
    columns = ["log_sigma", *default.filter(like="loo_")]
    groups = {("default", ""): default} | dict(list(options.groupby(["choice", "option"])))
    for key, rows in groups.items():
        surface = mean_surface(rows[columns])
        log_sigma, gamma = surface.stack().idxmin()
        table[key] = {"excess": excess(surface, name), "gamma": gamma, "log_sigma": log_sigma}
    return pd.DataFrame(table).T


@measure
def printed_place(frames, item):
    """One step minus the distance of the least mean (15) from the printed gamma and log sigma."""
    rows, name = frames[f"transductive_regression/{item}"], ITEMS[item]
    _, gamma, log_sigma = PUBLISHED[name]
    axis = np.sort(rows["log_sigma"].unique())
    surfaces = rows.sort_values(["split", "log_sigma"]).filter(like="loo_").to_numpy()
    surfaces = surfaces.reshape(rows["split"].nunique(), -1)

    def found(pick):
        least = np.argmin(surfaces[pick].mean(axis=0))
        return axis[least // len(GAMMAS)], GAMMAS[least % len(GAMMAS)]

    def gaps(pick):
        at, chosen = found(pick)
        near = np.log(STEP_GAMMA) - abs(np.log(chosen / gamma))
        return near + 1e-9, STEP_LOG_SIGMA[name] - abs(at - log_sigma) + 1e-9

    at, chosen = found(np.arange(len(surfaces)))
    shown = f"gamma {chosen:.3g}, log sigma {at:.2f} over all splits"
    return Repeats(gaps, len(surfaces), shown=shown)
