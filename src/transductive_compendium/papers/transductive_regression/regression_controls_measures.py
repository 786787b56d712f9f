"""Statements of section 4.1 without an experiment: evidence from the controls, split by split."""

import numpy as np

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats
from .figure_1_measures import DIGITS

CONTROLS = "transductive_regression/regression_controls"
CONTROL_DIGITS = {"boston": DIGITS["figure_1a"], "kin32fh": DIGITS["figure_1c"]}


def _controls(rows, *columns):
    """Per-split values of the controls, a column for each data set."""
    rows = rows.drop_duplicates(["dataset", "split"])
    tables = [rows.pivot(index="split", columns="dataset", values=c).dropna() for c in columns]
    return tables if len(tables) > 1 else tables[0]


@measure(CONTROLS)
def gain_over_control(rows, worse, better):
    """Mean squared error in one column minus that in another, on both data sets."""
    first, second = _controls(rows, worse, better)
    shown = ", ".join(
        f"{name}: MSE {second[name].mean():.{d}f} against {first[name].mean():.{d}f}"
        for name, d in ((name, CONTROL_DIGITS[name]) for name in first)
    )
    return Repeats((first - second).to_numpy(), shown=shown)


@measure(CONTROLS)
def same_gamma(rows, n_loo, step):
    """One step minus the distance of the gamma of the least (15) from that of the test error."""
    surfaces, gammas = {}, np.sort(rows["gamma"].unique())
    for name, part in rows.groupby("dataset", sort=False):
        surfaces[name] = [
            part.pivot(index="split", columns="gamma", values=c).to_numpy() for c in ("loo", "mse")
        ]

    def chosen(pick):
        return [
            (
                gammas[loo[pick[:n_loo]].mean(axis=0).argmin()],
                gammas[mse[pick].mean(axis=0).argmin()],
            )
            for loo, mse in surfaces.values()
        ]

    def gaps(pick):
        return [np.log(step) + 1e-9 - abs(np.log(loo / mse)) for loo, mse in chosen(pick)]

    n = min(len(loo) for loo, _ in surfaces.values())
    shown = ", ".join(
        f"{name}: gamma {loo:.3g} by (15), {mse:.3g} by test error"
        for name, (loo, mse) in zip(surfaces, chosen(np.arange(n)), strict=True)
    )
    return Repeats(gaps, n, shown=shown)
