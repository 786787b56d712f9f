"""Combinations of scaling, kernel and logarithm: how well each fits the paper's minimum."""

from itertools import product

import numpy as np
import pandas as pd

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats
from .parameter_search import BASES, KERNELS, PENALTIES, SCALINGS, TARGETS
from .regression_setting import PUBLISHED

COMBINED = ["scaling", "target", "penalty", "kernel", "base", "gamma_times"]


def combination_table(search):
    """Fit to the printed minimum of gamma and log sigma under each combination.

    Parameters
    ----------
    search : DataFrame
        Rows of the parameter search.

    Returns
    -------
    DataFrame
        A row for each combination, the best one first, with columns for each data set:
        ``excess``, the leave-one-out error at the published point over the smallest, minus 1;
        ``log_sigma`` and ``gamma``, where it is smallest, in its own units; ``edge``,
        whether that is on the edge of the grid, and ``worst``, the largest excess.
    """
    combinations = [
        (scaling, target, penalty, kernel, *rest)
        for scaling, target, penalty, kernel, *rest in product(
            SCALINGS, TARGETS, PENALTIES, KERNELS, BASES, ("1", "l")
        )
        if (scaling, kernel) != ("[0, 1]", "sigma^2")  # is [-1, 1] over 4 sigma^2
    ]
    table = pd.DataFrame(combinations, columns=COMBINED)
    for name, rows in search.groupby("dataset", sort=False):
        n_train, gamma, log_sigma = PUBLISHED[name]
        surfaces = {
            (scaling, target, penalty): part.pivot(
                index="log_sigma", columns="gamma", values=f"{penalty}_{target}"
            )
            for scaling, part in rows.groupby("scaling")
            for target in TARGETS
            for penalty in PENALTIES
        }
        found = []
        for scaling, target, penalty, kernel, base, times in combinations:
            family, shift = SCALINGS[scaling]
            shift += KERNELS[kernel]
            surface = surfaces[family, target, penalty]
            i, j = np.unravel_index(surface.to_numpy().argmin(), surface.shape)
            factor = n_train if times == "l" else 1
            there = surface.iat[
                np.abs(surface.index - (log_sigma * BASES[base] + shift)).argmin(),
                np.abs(surface.columns - gamma * factor).argmin(),
            ]
            found.append(
                {
                    "excess": there / surface.iat[i, j] - 1.0,
                    "log_sigma": (surface.index[i] - shift) / BASES[base],
                    "gamma": surface.columns[j] / factor,
                    "edge": i in (0, len(surface) - 1) or j in (0, surface.shape[1] - 1),
                }
            )
        table = table.join(pd.DataFrame(found).add_suffix(f"_{name}"))
    worst = table.filter(like="excess_").max(axis=1)
    return table.assign(worst=worst).sort_values("worst", kind="stable", ignore_index=True)


def combination_name(row):
    """A row of `combination_table` in words."""
    gamma = "gamma" if row["gamma_times"] == "1" else "gamma l"
    ridge = f"K + {gamma} I" if row["penalty"] == "norm" else f"K'K + {gamma} I"
    return (
        f"{ridge}, features {row['scaling']}, targets {row['target']}, kernel over "
        f"{row['kernel']}, logarithm to base {row['base']}"
    )


def _search(frames):
    return combination_table(frames["transductive_regression/parameter_search"])


@measure
def some_combination_fits(frames, within, **fixed):
    """Whether any combination with the `fixed` choices fits both data sets."""
    table = _search(frames)
    for name, value in fixed.items():
        table = table[table[name] == value]
    best = table.iloc[0]
    each = ", ".join(f"{best[f'excess_{name}']:.1%} on {name}" for name in PUBLISHED)
    return Repeats(
        [within - best["worst"]],
        shown=f"the best of {len(table)}: {each} above the smallest error "
        f"({combination_name(best)})",
    )
