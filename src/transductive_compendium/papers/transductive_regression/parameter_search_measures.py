"""Interpretations of the published parameters: how well each fits what the paper's search found."""

from itertools import product

import numpy as np
import pandas as pd

from ...verdicts.claims import measure
from ...verdicts.rules import ShapeEvidence
from .parameter_search_design import BASES, KERNELS, PENALTIES, SCALINGS, TARGETS
from .regression_setting import PUBLISHED

INTERPRETATION = ["scaling", "target", "penalty", "kernel", "base", "gamma_times"]


def interpretation_table(search):
    """How well each interpretation of gamma and log sigma fits the minimum that the paper prints.

    Parameters
    ----------
    search : DataFrame
        Rows of the parameter search.

    Returns
    -------
    DataFrame
        A row for each interpretation, the best fitting first, with columns for each data set:
        ``excess``, the leave-one-out error at the published point over the smallest, less 1;
        ``log_sigma`` and ``gamma``, where it is smallest, in its own terms; ``edge``,
        whether that is on the edge of the grid, and ``worst``, the largest excess.
    """
    interpretations = [
        (scaling, target, penalty, kernel, *rest)
        for scaling, target, penalty, kernel, *rest in product(
            SCALINGS, TARGETS, PENALTIES, KERNELS, BASES, ("1", "l")
        )
        if (scaling, kernel) != ("[0, 1]", "sigma^2")  # is [-1, 1] over 4 sigma^2
    ]
    table = pd.DataFrame(interpretations, columns=INTERPRETATION)
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
        for scaling, target, penalty, kernel, base, times in interpretations:
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


def interpretation_name(row):
    """A row of `interpretation_table` in words."""
    gamma = "gamma" if row["gamma_times"] == "1" else "gamma l"
    ridge = f"K + {gamma} I" if row["penalty"] == "norm" else f"K'K + {gamma} I"
    return (
        f"{ridge}, features {row['scaling']}, targets {row['target']}, kernel over "
        f"{row['kernel']}, logarithm to base {row['base']}"
    )


def _search(frames):
    return interpretation_table(frames["transductive_regression/parameter_search"])


@measure
def published_point_fits(frames, dataset, within):
    """Whether the published point is nearly the best, in the best interpretation for both sets."""
    table = _search(frames)
    best = table.iloc[0]
    excess, fit = best[f"excess_{dataset}"], table["worst"] <= within
    return ShapeEvidence(
        bool(excess <= within),
        f"{excess:.1%} above the smallest error ({interpretation_name(best)}); {fit.sum()} of the "
        f"{len(table)} interpretations are within {within:.0%} on both data sets",
    )


@measure
def published_point_near(frames, dataset, factor, step):
    """Whether the smallest error is at the published point, in the same interpretation."""
    best = _search(frames).iloc[0]
    _, gamma, log_sigma = PUBLISHED[dataset]
    found_gamma, found_log_sigma = best[f"gamma_{dataset}"], best[f"log_sigma_{dataset}"]
    near = abs(np.log(found_gamma / gamma)) <= np.log(factor) + 1e-9
    return ShapeEvidence(
        bool(near and abs(found_log_sigma - log_sigma) <= step + 1e-9),
        f"smallest at gamma = {found_gamma:g}, log sigma = {found_log_sigma:.2f}",
    )


@measure
def some_reading_fits(frames, within, **fixed):
    """Whether any interpretation with the `fixed` choices fits both data sets."""
    table = _search(frames)
    for name, value in fixed.items():
        table = table[table[name] == value]
    best = table.iloc[0]
    each = ", ".join(f"{best[f'excess_{name}']:.1%} on {name}" for name in PUBLISHED)
    return ShapeEvidence(
        bool(best["worst"] <= within),
        f"the best of {len(table)}: {each} above the smallest error ({interpretation_name(best)})",
    )
