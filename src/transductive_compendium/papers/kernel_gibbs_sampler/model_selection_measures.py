"""The evidence's choice of a model, its test error, and those of other choices."""

import pandas as pd

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats


def choices(frame, dataset):
    """The evidence's choice on each split at each rate of flips, and errors of other choices.

    Returns
    -------
    DataFrame
        Indexed by split and flip rate; `sigma` and `q` of the largest log evidence; test errors in
        per cent: `error` of this choice; `random`, the mean over the grid; `fixed`, of the point
        that is best for the rate on average over splits (in hindsight); `best`, of the best point
        for each test part (in hindsight, too).
    """
    rows = frame[frame["dataset"] == dataset]
    units, grid = ["split", "flip_rate"], ["sigma", "q"]
    errors = 100.0 * rows.pivot(index=units, columns=grid, values="test_error")
    evidence = rows.pivot(index=units, columns=grid, values="log_evidence")
    chosen = evidence.idxmax(axis=1)
    result = pd.DataFrame(chosen.to_list(), errors.index, grid)
    result["error"] = [errors.at[unit, point] for unit, point in chosen.items()]
    result["random"] = errors.mean(axis=1)
    fixed = errors.groupby("flip_rate").transform("mean").idxmin(axis=1)
    result["fixed"] = [errors.at[unit, point] for unit, point in fixed.items()]
    result["best"] = errors.min(axis=1)
    return result


def _selection(frames, dataset):
    return choices(frames["kernel_gibbs_sampler/model_selection"], dataset)


def _split_means(values):
    return values.groupby("split").mean().to_numpy()


@measure
def evidence_regret(frames, dataset):
    """Error of the choice minus that of the best fixed point, over all rates of flips."""
    chosen = _selection(frames, dataset)
    regret = chosen["error"] - chosen["fixed"]
    return Repeats(_split_means(regret))


@measure
def evidence_finds_noise(frames, dataset):
    """The q chosen minus the rate of flips, at each rate."""
    off = _selection(frames, dataset)["q"].unstack("flip_rate")
    return Repeats((off - off.columns.to_numpy()).to_numpy())


@measure
def evidence_notices_noise(frames, dataset, low, high):
    """The q chosen with many flips minus that with few."""
    q = _selection(frames, dataset)["q"].unstack("flip_rate")
    return Repeats((q[high] - q[low]).to_numpy())
