"""Figure 1 as printed: gains of transductive regression over ridge regression, split by split."""

import numpy as np

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats

PAPER = "transductive_regression"
#: Number of digits shown of a data set's mean squared errors.
DIGITS = {"figure_1a": 2, "figure_1b": 2, "figure_1c": 4, "figure_1d": 4}


def errors(frames, item, method):
    """Mean squared errors: a row for each split, a column for each place or size, in order."""
    rows = frames[f"{PAPER}/{item}_printed"]
    axis = "size" if "size" in rows else "place"
    return rows.pivot(index="split", columns=axis, values=method)[list(rows[axis].unique())]


def both(frames, item):
    """Errors of ridge and of transductive regression."""
    return errors(frames, item, "ridge"), errors(frames, item, "transductive")


def _shown(item, ridge, transductive):
    digits = DIGITS[item]
    return f"MSE {transductive.mean():.{digits}f}, ridge regression {ridge.mean():.{digits}f}"


def _log_sigmas(frames, item):
    """log sigma of each place."""
    rows = frames[f"{PAPER}/{item}_printed"]
    return rows.drop_duplicates("place").set_index("place")["log_sigma"]


@measure
def printed_gain(frames, item, at=None):
    """Gain at one place or size; by default at every place."""
    ridge, transductive = both(frames, item)
    gain = ridge - transductive
    if at is not None:
        return Repeats(gain[at], shown=_shown(item, ridge[at], transductive[at]))
    means, at_sigma = gain.mean(), _log_sigmas(frames, item)
    least, most = (
        f"{means[place]:.{DIGITS[item]}f} (log sigma {at_sigma[place]:.3g})"
        for place in (means.idxmin(), means.idxmax())
    )
    shown = f"gains in MSE from {least} to {most}"
    return Repeats(gain.to_numpy(), shown=shown)


@measure
def printed_most_at_minimum(frames, item):
    """Gain at the minimum minus that at each quantile of the range away from it."""
    ridge, transductive = both(frames, item)
    rows, places = frames[f"{PAPER}/{item}_printed"], _log_sigmas(frames, item)
    at = "named" if rows["minimum"].iloc[0] == "named" else ridge.mean().idxmin()
    gain = ridge - transductive
    others = [p for p in places.index if p[0] == "q" and abs(places[p] - places[at]) > 0.1]
    means, digits = gain.mean(), DIGITS[item]
    shown = f"gain in MSE {means[at]:.{digits}f} at log sigma {places[at]:.3g}, "
    shown += f"elsewhere up to {means[others].max():.{digits}f}"
    return Repeats(gain[[at]].to_numpy() - gain[others].to_numpy(), shown=shown)


def _ranks(values):
    return np.argsort(np.argsort(values))


@measure
def printed_falls(frames, item):
    """Error at the smallest size minus that at the largest, and minus Spearman's correlation."""
    transductive = errors(frames, item, "transductive")
    table, order = transductive.to_numpy(), np.arange(transductive.shape[1])

    def gaps(pick):
        means = table[pick].mean(axis=0)
        return means[0] - means[-1], -np.corrcoef(order, _ranks(means))[0, 1]

    means, digits = table.mean(axis=0), DIGITS[item]
    sizes = transductive.columns
    shown = (
        f"MSE {means[0]:.{digits}f} at m = {sizes[0]}, {means[-1]:.{digits}f} at m = {sizes[-1]}"
    )
    return Repeats(gaps, len(table), shown=shown)


@measure
def printed_gain_grows(frames, item, at, smaller):
    """Gain at one size minus that at each of the smaller ones."""
    ridge, transductive = both(frames, item)
    gain = ridge - transductive
    digits = DIGITS[item]
    means = ", ".join(f"{gain[m].mean():.{digits}f} (m = {m})" for m in (*smaller, at))
    return Repeats(gain[[at]].to_numpy() - gain[smaller].to_numpy(), shown=f"gains in MSE {means}")


CONTROLS = f"{PAPER}/regression_controls"
CONTROL_DIGITS = {"boston": DIGITS["figure_1a"], "kin32fh": DIGITS["figure_1c"]}


def _controls(frames, *columns):
    """Per-split values of the controls, a column for each data set."""
    rows = frames[CONTROLS].drop_duplicates(["dataset", "split"])
    tables = [rows.pivot(index="split", columns="dataset", values=c).dropna() for c in columns]
    return tables if len(tables) > 1 else tables[0]


@measure
def gain_over_control(frames, worse, better):
    """Mean squared error in one column minus that in another, on both data sets."""
    first, second = _controls(frames, worse, better)
    shown = ", ".join(
        f"{name}: MSE {second[name].mean():.{d}f} against {first[name].mean():.{d}f}"
        for name, d in ((name, CONTROL_DIGITS[name]) for name in first)
    )
    return Repeats((first - second).to_numpy(), shown=shown)


@measure
def same_gamma(frames, n_loo, step):
    """One step minus the distance of the gamma of the least (15) from that of the test error."""
    surfaces, gammas = {}, np.sort(frames[CONTROLS]["gamma"].unique())
    for name, rows in frames[CONTROLS].groupby("dataset", sort=False):
        surfaces[name] = [
            rows.pivot(index="split", columns="gamma", values=c).to_numpy() for c in ("loo", "mse")
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
