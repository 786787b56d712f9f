"""Gain from knowing the working points, by their number and by their ratio of classes."""

import numpy as np

from ...runner import crossed, experiment
from .classifiers import compared
from .problems import DATASETS, generator, random_split, sample, table

#: Number of labels where the working points vary.
N_LABELS_OF_WORKING_POINTS = 20
#: The share of positives of working points that are as the split has them.
AS_DRAWN = "drawn"
#: Problems with enough points.
LARGE = ("banana", "mnist 5 / 8", "reuters earn", "reuters acq")
#: Numbers of working points; a split's smaller sets are the beginnings of its larger ones, and
#: methods are judged at the smallest.
SIZES = (50, 100, 200, 400)
#: Shares of positives among so many working points, whatever the labelled points have.
SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)
N_SHIFTED = 200


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
        Equally many rows for each share: 200, or as many as the rarer class allows.
    """
    pool = rng.permutation(pool)
    positive, negative = pool[y[pool] == 1], pool[y[pool] == -1]
    m = min(N_SHIFTED, int(min(len(positive), len(negative)) / max(SHARES)))
    counts = {share: round(share * m) for share in SHARES}
    return {share: np.r_[positive[:k], negative[: m - k]] for share, k in counts.items()}


@experiment(
    "comparison/working_points",
    version=1,
    page="methods",
    title="What the working points are worth against their number and their classes",
    datasets=tuple(name for name in DATASETS if name not in ("thyroid", "heart")),
    units=crossed(draw={"smoke": 1, "paper": 100, "full": 200}, problem=LARGE),
    # one switch more or less, by rounding, may lead elsewhere
    agreement=dict.fromkeys(("error", "error_told"), "chaotic"),
)
def errors_by_working_set(key, params, data, rng):
    """Errors, a row for each method and number of working points or share of positives."""
    name = key["problem"]
    found = table(name, data)
    own = generator(name, key["draw"], params["seed"])
    labelled, working = random_split(found, own)
    sets = shifted(found.y, np.setdiff1d(found.to_work, labelled), own)
    labelled, rows = labelled[:N_LABELS_OF_WORKING_POINTS], []
    for size in (n for n in SIZES if n <= len(working)):
        seen = sample(name, found, labelled, working[:size])
        fixed = {"working": size, "share": AS_DRAWN}
        rows += [fixed | row for row in compared(seen, rng, slice(min(SIZES)))]
    for share, chosen in sets.items():
        seen = sample(name, found, labelled, chosen)
        fixed = {"working": len(chosen), "share": str(share)}
        rows += [fixed | row for row in compared(seen, rng)]
    return rows
