"""Figure 1: gains of transductive regression over ridge regression, split by split."""

import numpy as np

from ...verdicts.claims import measure, of_rows
from ...verdicts.rules import Repeats

PAPER = "transductive_regression"
#: Number of digits shown of a data set's mean squared errors.
DIGITS = {"figure_1a": 2, "figure_1b": 2, "figure_1c": 4, "figure_1d": 4}


@of_rows
def errors(rows, method):
    """Mean squared errors: a row for each split, a column for each place or size, in order."""
    axis = "size" if "size" in rows else "place"
    return rows.pivot(index="split", columns=axis, values=method)[list(rows[axis].unique())]


def both(rows):
    """Errors of ridge and of transductive regression."""
    return errors(rows, "ridge"), errors(rows, "transductive")


def _only(frames):
    """Rows of the only result, and the digits shown of its errors."""
    ((result, rows),) = frames.items()
    return rows, DIGITS[result.partition("/")[2]]


def _shown(digits, ridge, transductive):
    return f"MSE {transductive.mean():.{digits}f}, ridge regression {ridge.mean():.{digits}f}"


def _log_sigmas(rows):
    """log sigma of each place."""
    return rows.drop_duplicates("place").set_index("place")["log_sigma"]


@measure()
def regression_gain(frames, at=None):
    """Gain at one place or size; by default at every place."""
    rows, digits = _only(frames)
    ridge, transductive = both(rows)
    gain = ridge - transductive
    if at is not None:
        return Repeats(gain[at], shown=_shown(digits, ridge[at], transductive[at]))
    means, at_sigma = gain.mean(), _log_sigmas(rows)
    least, most = (
        f"{means[place]:.{digits}f} (log sigma {at_sigma[place]:.3g})"
        for place in (means.idxmin(), means.idxmax())
    )
    shown = f"gains in MSE from {least} to {most}"
    return Repeats(gain.to_numpy(), shown=shown)


@measure(f"{PAPER}/figure_1a")
def gain_most_at_minimum(rows, minimum="named"):
    """Gain at the minimum minus that at each quantile of the range away from it.

    Parameters
    ----------
    rows : DataFrame
    minimum : {"named", "ridge_curve"}
        The named log sigma, or the lowest place of ridge regression's curve.
    """
    ridge, transductive = both(rows)
    places = _log_sigmas(rows)
    at = {"named": "named", "ridge_curve": ridge.mean().idxmin()}[minimum]
    gain = ridge - transductive
    others = [p for p in places.index if p[0] == "q" and abs(places[p] - places[at]) > 0.1]
    means, digits = gain.mean(), DIGITS["figure_1a"]
    most = means[others].idxmax()
    shown = f"gain in MSE {means[at]:.{digits}f} at log sigma {places[at]:.3g}, "
    shown += f"elsewhere up to {means[most]:.{digits}f}, at {places[most]:.3g}"
    return Repeats(gain[[at]].to_numpy() - gain[others].to_numpy(), shown=shown)


def _centred_ranks(values):
    return np.argsort(np.argsort(values)) - (values.shape[-1] - 1) / 2


@measure()
def error_falls(frames):
    """Error at the smallest size minus that at the largest, and minus Spearman's correlation."""
    rows, digits = _only(frames)
    transductive = both(rows)[1]
    table, sizes = transductive.to_numpy(), transductive.columns
    order = _centred_ranks(np.arange(len(sizes)))

    def gaps(picks):
        means = table[picks].mean(axis=1)
        correlation = _centred_ranks(means) @ order / (order @ order)
        return np.transpose([means[:, 0] - means[:, -1], -correlation])

    means = table.mean(axis=0)
    shown = (
        f"MSE {means[0]:.{digits}f} at m = {sizes[0]}, {means[-1]:.{digits}f} at m = {sizes[-1]}"
    )
    return Repeats(gaps, len(table), shown=shown, vectorized=True)


@measure(f"{PAPER}/figure_1d")
def gain_grows(rows, at, smaller):
    """Gain at one size minus that at each of the smaller ones."""
    ridge, transductive = both(rows)
    gain = ridge - transductive
    digits = DIGITS["figure_1d"]
    means = ", ".join(f"{gain[m].mean():.{digits}f} (m = {m})" for m in (*smaller, at))
    return Repeats(gain[[at]].to_numpy() - gain[smaller].to_numpy(), shown=f"gains in MSE {means}")
