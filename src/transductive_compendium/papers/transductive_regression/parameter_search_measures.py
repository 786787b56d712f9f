"""Interpretations of the published parameters: how well each fits the paper's minimum."""

from itertools import product

import numpy as np
import pandas as pd

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats
from .parameter_search_design import BASES, KERNELS, PENALTIES, SCALINGS, TARGETS
from .regression_setting import PUBLISHED

#: gamma of the columns of `leave_one_out_search`.
GAMMAS = np.array([d * 10.0**e for e in range(-5, 1) for d in (1, 2, 5)] + [10.0])

INTERPRETATION = ["scaling", "target", "penalty", "kernel", "base", "gamma_times"]


def interpretation_table(search):
    """Fit of each interpretation of gamma and log sigma to the minimum that the paper prints.

    Parameters
    ----------
    search : DataFrame
        Rows of the parameter search.

    Returns
    -------
    DataFrame
        A row for each interpretation, the best one first, with columns for each data set:
        ``excess``, the leave-one-out error at the published point over the smallest, minus 1;
        ``log_sigma`` and ``gamma``, where it is smallest, in its own units; ``edge``,
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
def some_reading_fits(frames, within, **fixed):
    """Whether any interpretation with the `fixed` choices fits both data sets."""
    table = _search(frames)
    for name, value in fixed.items():
        table = table[table[name] == value]
    best = table.iloc[0]
    each = ", ".join(f"{best[f'excess_{name}']:.1%} on {name}" for name in PUBLISHED)
    return Repeats(
        [within - best["worst"]],
        shown=f"the best of {len(table)}: {each} above the smallest error "
        f"({interpretation_name(best)})",
    )


SEARCHES = {"search_boston": "boston", "search_kin": "kin32fh"}
#: Largest distance of the printed place: a step of the grid in gamma, and in log sigma.
STEP_GAMMA, STEP_LOG_SIGMA = 2.5, {"boston": 0.1, "kin32fh": 0.5}


@measure
def printed_place(frames, item):
    """One step minus the distance of the least mean (15) from the printed gamma and log sigma."""
    rows, name = frames[f"transductive_regression/{item}"], SEARCHES[item]
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
