"""What knowing the working points is worth: by labels, by working points, by ratio of classes."""

from __future__ import annotations

import numpy as np

from ...runner.declaration import Experiment, UnitMean, register
from .machines import METHODS
from .methods import errors
from .problems import DATASETS, LABELS, PROBLEMS, draw, generator, sample, table

DRAWS = {"smoke": 1, "paper": 50, "full": 100}
# one switch more or less, by rounding, may lead elsewhere
AGREEMENT = {"error": UnitMean(0.02), "error_told": UnitMean(0.02)}
COMPARED = ("svm", "tsvm", "tsvm, true number", "usvm", "ridge", "tld")


def _judged(seen, rng, judged=slice(None)):
    """Errors of the methods, at all working points or at those to be judged."""
    truth, rows = seen.truth[judged] > 0, []
    for name in COMPARED:
        answer = METHODS[name](seen, rng)
        part = answer._replace(positive=answer.positive[judged], value=answer.value[judged])
        rows.append({"method": name} | errors(part, truth))
    return rows


# ---- labels --------------------------------------------------------------------------------------


def _run_labels(key, params, data, rng):
    name = key["problem"]
    found = table(name, data)
    labelled, working = draw(found, generator(name, key["draw"], params["seed"]))
    return [
        {"labels": n} | row
        for n in LABELS
        for row in _judged(sample(name, found, labelled[:n], working), rng)
    ]


register(
    Experiment(
        name="comparison/labels",
        version=1,
        title="What the working points are worth against the number of labels",
        datasets=DATASETS,
        units=lambda params, profile: [
            {"draw": i, "problem": name} for i in range(DRAWS[profile]) for name in PROBLEMS
        ],
        run_unit=_run_labels,
        agreement=AGREEMENT,
    )
)


# ---- working points ------------------------------------------------------------------------------

#: Problems with enough points.
LARGE = ("banana", "mnist 5 / 8", "reuters earn", "reuters acq")
N_LABELS = 20
#: Numbers of working points; a draw's smaller sets are the beginnings of its larger ones, and
#: methods are judged at the smallest.
SIZES = (50, 100, 200, 400)
#: Shares of positives among so many working points, whatever the labelled points have.
SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)
N_SHIFTED = 200
DRAWN = "drawn"


def shifted(y, pool, rng):
    """Working sets with each of the `SHARES` of positives, nested within each class.

    Parameters
    ----------
    y : ndarray of shape (n,)
    pool : ndarray of int
        Rows to draw from.
    rng : numpy.random.Generator

    Returns
    -------
    dict of float to ndarray of int
        As many rows of each: 200, or what the rarer class allows.
    """
    pool = rng.permutation(pool)
    positive, negative = pool[y[pool] == 1], pool[y[pool] == -1]
    m = min(N_SHIFTED, int(min(len(positive), len(negative)) / max(SHARES)))
    counts = {share: round(share * m) for share in SHARES}
    return {share: np.r_[positive[:k], negative[: m - k]] for share, k in counts.items()}


def _run_working_points(key, params, data, rng):
    name = key["problem"]
    found = table(name, data)
    own = generator(name, key["draw"], params["seed"])
    labelled, working = draw(found, own)
    sets = shifted(found.y, np.setdiff1d(found.to_work, labelled), own)
    labelled, rows = labelled[:N_LABELS], []
    for size in (n for n in SIZES if n <= len(working)):
        seen = sample(name, found, labelled, working[:size])
        fixed = {"working": size, "share": DRAWN}
        rows += [fixed | row for row in _judged(seen, rng, slice(min(SIZES)))]
    for share, chosen in sets.items():
        seen = sample(name, found, labelled, chosen)
        fixed = {"working": len(chosen), "share": str(share)}
        rows += [fixed | row for row in _judged(seen, rng)]
    return rows


register(
    Experiment(
        name="comparison/working_points",
        version=1,
        title="What the working points are worth against their number and their classes",
        datasets=tuple(name for name in DATASETS if name not in ("thyroid", "heart")),
        units=lambda params, profile: [
            {"draw": i, "problem": name} for i in range(DRAWS[profile]) for name in LARGE
        ],
        run_unit=_run_working_points,
        agreement=AGREEMENT,
    )
)
